"""`python -m benchmarks strength pairs`: narrow faults that a broad one under circumstances gives.

A narrow fault and a composed one are a pair if the same cases notice both, of those that name the narrow one's rows, others of
their sections, and others that reach the functions which it changes. Such a narrow fault need not be written by hand; those that
went for this reason are in `superseded.csv`, with the composed fault and the cases that noticed both.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Final

import pytest

from benchmarks.mutants.cases import SETTINGS, VERSION
from benchmarks.strength.drawing import broad_faults
from benchmarks.strength.in_place import InPlace, run_in_place
from benchmarks.strength.recording import Reach, key_of, recorded, targets_of
from faults import Fault, all_nearly_right, find
from tck.catalogue import Catalogue
from tck.detection.children import Job, fork_all
from tck.detection.judge import Story
from tck.plugin.collecting import parameter_of
from tck.plugin.state import State

CASES: Final = 40
"""At most so many cases compare two faults."""
TRIES: Final = 3
"""So many composed faults are tried for a narrow one: those that the recorded pass promises to be equal."""


@dataclass(slots=True)
class Pairs(InPlace):
    """The pytest plugin that looks for pairs.

    Attributes:
        names: Of the narrow faults; empty for all of the suite's authors.
        folder: Where the recorded pass is, and the pairs are written.
        found: The composed fault and the cases that notice both, by narrow fault.
    """

    names: Sequence[str]
    folder: Path
    found: dict[str, tuple[str, list[str]]] = field(default_factory=dict)

    def run(self, items: dict[str, pytest.Item], state: State) -> None:
        """Look for pairs."""
        reach = recorded([find(row) for row in broad_faults()], list(items.values()), state, self.folder)
        narrow = [
            fault
            for name, fault in all_nearly_right().items()
            if name in self.names or (not self.names and fault.origin == "authors")
        ]
        cases = {fault.name: _cases(fault, items, reach, state.catalogue) for fault in narrow}
        seen = _noticed({each.name: cases[each.name] for each in narrow}, items, state)
        bases = {each.name: _bases(each, state.catalogue) for each in narrow if seen[each.name]}
        known = _noticed({f"{base}|{name}": cases[name] for name in bases for base in bases[name]}, items, state)
        tried: dict[str, list[str]] = {}
        for name, every in bases.items():
            for base in every:
                by_base = known[f"{base}|{name}"]
                tried.setdefault(name, []).extend(promising(find(base), seen[name], by_base, reach, cases[name]))
        runs = {f"{composed}|{name}": cases[name] for name, every in tried.items() for composed in every[: TRIES * 2]}
        for key, noticed in _noticed(runs, items, state).items():
            composed, _, name = key.rpartition("|")
            if noticed == seen[name] and name not in self.found:
                self.found[name] = composed, sorted(noticed)
        (self.folder / "pairs.json").write_text(json.dumps(self.found, indent=1), encoding="utf-8")


def _cases(fault: Fault, items: Mapping[str, pytest.Item], reach: Reach, catalogue: Catalogue) -> list[str]:
    group = {each for row in fault.rows for each in catalogue.group_of(row)}
    sections = {row.rpartition("-")[0] for row in fault.rows}
    reaching = {case for target in targets_of(fault) for case in reach.facts.get(key_of(*target), {})}
    ranks: dict[str, tuple[int, float]] = {}
    random = Random(fault.name)
    for name, item in items.items():
        found = parameter_of(item)
        rows = set(found.point.assertions) if found and not found.point.journey else set[str]()
        beside = any(row.rpartition("-")[0] in sections for row in rows)
        rank = 0 if rows & group else 1 if beside and name in reaching else 2 if name in reaching else 3
        ranks[name] = rank, random.random()
    return [name for name in sorted(ranks, key=ranks.__getitem__)[:CASES] if ranks[name][0] < 3]


def _bases(fault: Fault, catalogue: Catalogue) -> list[str]:
    rows = dict.fromkeys(each for row in fault.rows for each in catalogue.group_of(row))
    return [row for row in rows if row in broad_faults()]


def _noticed(
    faults: Mapping[str, Sequence[str]], items: Mapping[str, pytest.Item], state: State
) -> dict[str, frozenset[str]]:
    """Return the cases that notice each fault, of those given; behind `|` a name may say what the cases are of."""
    found: dict[str, frozenset[str]] = {}

    def ended(job: Job, story: Story) -> None:
        broken = {sight.case for sight in story.sights if "violation" in sight.verdicts.values()}
        found[job.name] = frozenset(broken | ({"fails"} if story.failure else set()))
        sys.stderr.write(f"\r{len(found)} of {len(faults)} ")

    fork_all(
        (
            Job(
                name,
                "reference",
                {**SETTINGS, "fault": name.partition("|")[0]},
                VERSION,
                tuple(items[each] for each in cases),
            )
            for name, cases in faults.items()
        ),
        state,
        ended,
    )
    sys.stderr.write("\n")
    return found


def promising(
    base: Fault, wanted: frozenset[str], by_base: frozenset[str], reach: Reach, cases: Iterable[str]
) -> Iterator[str]:
    """Yield names of composed faults that the wanted cases, and no others, should notice."""
    if not wanted or not wanted <= by_base:
        return
    if wanted == by_base:
        yield base.name
    here = set(cases) & by_base
    for target in targets_of(base):
        key = key_of(*target)
        part = Reach(facts={key: {case: masks for case, masks in reach.facts.get(key, {}).items() if case in here}})
        reached = {fact: set(part.cases(key, [fact])) for fact in part.mined(key)}
        fitting = [fact for fact, found in reached.items() if wanted <= found]
        exact = [(fact,) for fact in fitting if reached[fact] == wanted]
        both = [pair for pair in combinations(fitting, 2) if reached[pair[0]] & reached[pair[1]] == wanted]
        for facts in (exact + both)[:TRIES]:
            yield f"{base.name} under {' and '.join(facts)}"


def run(names: Sequence[str], folder: Path) -> int:
    """Print the pairs; return the exit code."""
    pairs = Pairs(names, folder.absolute())
    if not run_in_place(pairs):
        return 4
    for name, (composed, cases) in pairs.found.items():
        sys.stdout.write(f"{name} = {composed}  ({len(cases)}: {' '.join(cases[:4])})\n")
    return 0
