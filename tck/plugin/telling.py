"""Which cases a run with a budget of time runs first: those that tell most in a second, then those that ask for rows not yet asked.

What a case tells is counted: of some hundred faults drawn at random, its test notices so many (`python -m benchmarks strength
cases --table`). What it costs is what its test took on a broker of this kit's own runs.
"""

from __future__ import annotations

import csv
import functools
from collections.abc import Iterator, Mapping, Sequence
from importlib import resources
from typing import Final

import pytest

from tck.catalogue import PLANS
from tck.plugin.collecting import parameter_of, shuffled

TABLE: Final = "telling.csv"
START_MS: Final = 30.0
"""What each case costs besides its own time."""


def source_of(case: str, node: str) -> str:
    """Return the name of a case in the table: a program of the corpus, `plans` of each plan, or the file and the name of a test."""
    if case.startswith(f"{PLANS}/"):
        return PLANS
    return case if case.startswith("corpus/") else node.partition("[")[0].rpartition("/")[2]


@functools.cache
def table() -> Mapping[str, tuple[int, float]]:
    """Return kills and milliseconds by test."""
    text = (resources.files("tck.catalogue") / "data" / TABLE).read_text(encoding="utf-8")
    return {row["test"]: (int(row["kills"]), float(row["ms"])) for row in csv.DictReader(text.splitlines())}


def most_telling(items: Sequence[pytest.Item], seed: int) -> list[pytest.Item]:
    """Return cases in the order in which a run with a budget takes them; equals turn with the seed.

    One plan of load, by the seed, comes first: it takes 5.4 s on Artemis on average, and no drawn fault is a race, so that the table
    cannot say what it is worth. Any later place may be out of reach: on a busy machine one process ran 103 cases in 60 s, though
    the table promises 170 in 6 s. The other plans follow the tests that tell anything.
    """
    left = shuffled(items, seed)
    known = table()
    per_second: dict[str, float] = {}
    first: list[pytest.Item] = []
    later: list[pytest.Item] = []
    plans: list[pytest.Item] = []
    for item in left:  # one case of each test that tells anything, then the rest
        source = _source(item)
        kills, ms = known.get(source, (0, 0.0))
        is_first = kills > 0 and source not in per_second
        per_second[source] = kills / (ms + START_MS)
        (first if is_first else plans if source == PLANS else later).append(item)
    first.sort(key=lambda item: -per_second[_source(item)])
    asked = {row for item in first for row in _rows(item)}
    return [*plans[:1], *first, *plans[1:], *_not_yet_asked(later, asked)]


def _not_yet_asked(items: Sequence[pytest.Item], asked: set[str]) -> Iterator[pytest.Item]:
    """Yield cases that ask for a row that none before has asked for, then the others."""
    others: list[pytest.Item] = []
    for item in items:
        rows = set(_rows(item))
        if rows <= asked:
            others.append(item)
        else:
            asked |= rows
            yield item
    yield from others


def _source(item: pytest.Item) -> str:
    parameter = parameter_of(item)
    return source_of(parameter.point.name if parameter else "", item.nodeid)


def _rows(item: pytest.Item) -> Sequence[str]:
    parameter = parameter_of(item)
    return parameter.point.assertions if parameter else ()
