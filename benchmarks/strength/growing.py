"""Add programs to a corpus: of a pool of random ones, those that meet what the others meet too seldom.

What a program meets are the named states, the pairs of a value and its path (`states`), and the rows that own
its outcomes. Each is wanted in several programs; the chosen program is the one with the most that is still wanted, by its
length.
"""

from __future__ import annotations

import heapq
import sys
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from benchmarks.strength.making import pool
from benchmarks.strength.states import facts
from tck.explore.collection import Candidate, store
from tck.programs.corpus import VERSIONS, Corpus

GAINS: Final = (8, 4, 2, 1, 1)
"""The worth of a fact by the number of programs that have it already; of one that more have, nothing."""


def grow(folder: Path, seed: int, count: int, candidates: int, leave_out: Collection[str] = ()) -> int:
    """Add programs to a corpus and write it; return the exit code. The programs that are there stay as they are.

    Args:
        folder: The corpus.
        seed: Of the generator; batch and process are added.
        count: How many programs to add; with 0 none are made.
        candidates: Size of the pool.
        leave_out: Programs that do not enter, by seed and number, ``2000/411``, and that leave, by their case, ``corpus/0137``.
    """
    corpus = Corpus(folder)
    gone = {int(each.partition("/")[2]) for each in leave_out if each.startswith("corpus/")}
    last = max({*corpus.entries, *gone}, default=0)
    there = [
        Candidate(entry, {version: corpus.expectation(entry.number, version) for version in entry.versions})
        for entry in corpus.entries.values()
        if f"corpus/{entry.name}" not in leave_out and entry.seed not in leave_out
    ]
    known = {entry.seed for entry in corpus.entries.values()}
    made = pool(seed, candidates, leave_out) if count else []
    added = list(chosen(there, [each for each in made if each.entry.seed not in known], count, last))
    store(folder, [*there, *added])
    met = {fact for each in added for fact in met_by(each)} - {fact for each in there for fact in met_by(each)}
    sys.stdout.write(
        f"programs  {len(there) + len(added)}, {len(added)} of them new\nmet first {len(met)} states, pairs and rows\n"
    )
    return 0


def chosen(there: Sequence[Candidate], found: Sequence[Candidate], count: int, last: int) -> Iterator[Candidate]:
    """Yield the programs to add, in their order.

    Args:
        there: The corpus.
        found: The pool.
        count: How many at most; fewer if no program of the pool meets anything that is still wanted.
        last: The number after which theirs begin.
    """
    have: Counter[str] = Counter()
    for each in there:
        have.update(met_by(each))
    meets = [met_by(each) for each in found]

    def worth(place: int) -> float:
        gain = sum(GAINS[have[fact]] for fact in meets[place] if have[fact] < len(GAINS))
        return gain / found[place].entry.steps

    # Worth only falls while programs are chosen, so the best of the old values needs to be looked at anew, and no other.
    heap = [(-worth(place), place) for place in range(len(found))]
    heapq.heapify(heap)
    number = 0
    while heap and number < count:
        before, place = heapq.heappop(heap)
        now = worth(place)
        if now <= 0:
            continue
        if now < -before:
            heapq.heappush(heap, (-now, place))
            continue
        number += 1
        have.update(meets[place])
        yield replace(found[place], entry=replace(found[place].entry, number=last + number))


def met_by(candidate: Candidate) -> frozenset[str]:
    """Return the states, the pairs and the rows that a program meets."""
    return facts(candidate.expected[VERSIONS[0]]) | {f"row {row}" for row in candidate.entry.rows}
