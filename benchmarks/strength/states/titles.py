"""`python -m benchmarks strength titles`: each program of a corpus by its rarest states."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

from benchmarks.strength.states import facts
from benchmarks.strength.states.table import STATES
from tck.programs.corpus import VERSIONS, Corpus

NAMED: Final = 2
"""So many states a title has, beside one value and its path."""


def write(folder: Path) -> None:
    """Give each program of a corpus a title, in its index."""
    corpus = Corpus(folder)
    met = {number: facts(corpus.expectation(number, VERSIONS[0])) for number in corpus.entries}
    often = Counter(fact for each in met.values() for fact in each)
    corpus.write_index(replace(entry, title=title(met[number], often)) for number, entry in corpus.entries.items())


def title(met: Collection[str], often: Mapping[str, int]) -> str:
    """Return the title of a program: its rarest states, and its rarest value on a path.

    Args:
        met: The states and the pairs of value and path that it meets.
        often: How many programs meet each.
    """
    rare = sorted(met, key=lambda fact: (often[fact], fact))
    states = [fact for fact in rare if fact in STATES]
    pairs = [fact.replace(": ", ", ", 1) for fact in rare if fact not in STATES]
    return "; ".join([*states[:NAMED], *pairs[:1]])
