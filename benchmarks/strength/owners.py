"""`python -m benchmarks strength owners`: whether programs blame the right row, on broad faults whose rows are known by construction.

Each fault meets programs of the corpus until one notices it; its first difference names a row. The row is *its own* if the fault
is declared to break it, alone or by its restatement group; *broken too* if cases of that row, which are about nothing else, fail
on the fault as well; else it is *wrong*. A difference that names no row is *undecided*. Owners are calibrated on the faults of
one half and measured on the other: `owners.toml` is to follow sentences, not faults.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Final
from zlib import crc32

import pytest

from benchmarks.mutants.cases import SETTINGS, VERSION
from benchmarks.strength.faults import Kill, Met, Task, meet
from benchmarks.strength.in_place import InPlace, run_in_place
from faults import Fault, all_saboteurs
from tck.catalogue import load_catalogue
from tck.detection.children import Job, fork_all
from tck.detection.judge import Story
from tck.plugin.collecting import parameter_of
from tck.plugin.state import State
from tck.programs.corpus import corpus_in

OWN, TOO, WRONG, NONE = "its own", "broken too", "wrong", "undecided"
CASES: Final = 12
"""So many cases of a row say whether a fault breaks it."""


def chosen(half: str, skip: int) -> dict[str, Fault]:
    """Return broad faults of rows by name: of half ``a``, on which owners are calibrated, of ``b``, on which they are measured, or all."""
    broad = {row: each for row, each in sorted(all_saboteurs().items()) if row[0].isdigit() and not each.settings}
    return dict([(row, each) for row, each in broad.items() if half in ("", "ba"[crc32(row.encode()) % 2])][::skip])


def right_rows(saboteur: Fault) -> frozenset[str]:
    """Return the rows that a fault is known to break."""
    catalogue = load_catalogue()
    rows = (*saboteur.rows, *saboteur.collateral)
    return frozenset(each for row in rows for each in (catalogue.group_of(row) if row in catalogue else (row,)))


@dataclass(slots=True)
class Owners(InPlace):
    """The pytest plugin: asks of each row that is named whether its own cases fail.

    Attributes:
        named: By fault, the first program that noticed it.
        faults: The faults.
        broken: The faults with rows that are not their own and that they break all the same.
    """

    named: Mapping[str, Kill]
    faults: Mapping[str, Fault]
    broken: set[tuple[str, str]] = field(default_factory=set)

    def run(self, items: dict[str, pytest.Item], state: State) -> None:
        """Run the cases of rows that are named, and not known to be broken."""
        cases: dict[str, list[pytest.Item]] = defaultdict(list)
        for item in items.values():
            found = parameter_of(item)
            if found is not None and not found.point.journey and found.point.assertions:
                cases[next(iter(found.point.assertions))].append(item)
        asked = {name: kill.first[0] for name, kill in self.named.items() if fate(kill, self.faults[name]) == WRONG}
        jobs = (
            Job(name, "reference", {**SETTINGS, "fault": name}, VERSION, tuple(cases[row][:CASES]))
            for name, row in asked.items()
            if cases[row]
        )

        def ended(job: Job, story: Story) -> None:
            row = asked[job.name]
            if any(sight.verdicts.get(row) == "violation" for sight in story.sights):
                self.broken.add((job.name, row))

        fork_all(jobs, state, ended)


def fate(kill: Kill, fault: Fault) -> str:
    """Return whether a row that a difference names is one that the fault is declared to break."""
    if not kill.first:
        return NONE
    return OWN if kill.first[0] in right_rows(fault) else WRONG


def measure(folder: Path, *, half: str, skip: int, programs: int | None, seed: int) -> int:
    """Run the programs on each fault and print the matrix.

    Args:
        folder: The corpus.
        half: Faults of ``a``, ``b``, or all where it is empty.
        skip: One fault of so many.
        programs: At most so many programs; None for all.
        seed: Of the order of the programs.
    """
    faults = chosen(half, skip)
    numbers = list(corpus_in(folder).entries)
    Random(seed).shuffle(numbers)
    met: list[Met] = []
    for one in meet([Task(row, (), tuple(numbers[:programs]), folder, most=1) for row in faults]):
        met.append(one)
        sys.stderr.write(f"\r{len(met)} of {len(faults)} faults ")
    sys.stderr.write("\n")
    named = {each.fault: each.kills[0] for each in met if each.kills and each.opened}
    owners = Owners(named, faults)
    if not run_in_place(owners):
        return 4
    for line in lines(len(met), owners):
        sys.stdout.write(f"{line}\n")
    return 0


def lines(ran: int, owners: Owners) -> Iterator[str]:
    """Yield the matrix by what differed, and the rows that are wrong, with the entry that named each."""
    matrix: dict[str, Counter[str]] = defaultdict(Counter)
    wrong: list[str] = []
    for name, kill in sorted(owners.named.items()):
        found = fate(kill, owners.faults[name])
        if found == WRONG and (name, kill.first[0]) in owners.broken:
            found = TOO
        if found == WRONG:
            wrong.append(f"{kill.first[0]} for {name}: {kill.difference[:100]} [{kill.rule}]")
        for what in (kill.difference.partition(": ")[0].split(" ")[1], "all"):
            matrix[what][found] += 1
    yield f"{ran} faults, {len(owners.named)} noticed by a program"
    yield f"{'what differed':14}" + "".join(f"{each:>17}" for each in (OWN, TOO, WRONG, NONE))
    for what in sorted(matrix, key=lambda each: (each == "all", each)):
        yield f"{what:14}" + _shares(matrix[what])
    yield from wrong


def _shares(found: Counter[str]) -> str:
    shares: Sequence[str] = [f"{found[each]} ({found[each] / found.total():.0%})" for each in (OWN, TOO, WRONG, NONE)]
    return "".join(f"{each:>17}" for each in shares)
