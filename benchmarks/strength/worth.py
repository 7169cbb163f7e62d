"""`python -m benchmarks strength cases`: which hand-written cases notice nothing, and reach nothing, that others do not.

Drawn faults meet the cases that reach them, all of these and not only the first one that notices. A greedy cover of faults (each
noticed by three cases), rows (each asked by two) and circumstances in which a function is entered says which cases are needed.
"""

from __future__ import annotations

import csv
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any, Final

import pytest
import sqlite_utils

from benchmarks.mutants.cases import SETTINGS, VERSION
from benchmarks.strength.cover import FAULT, Cover, Gain
from benchmarks.strength.drawing import Drawn, broad_faults, draw
from benchmarks.strength.in_place import InPlace, run_in_place
from benchmarks.strength.recording import BITS, Reach, recorded
from faults import find
from tck.detection.children import Job, fork_all
from tck.detection.judge import Story
from tck.plugin.state import State
from tck.plugin.telling import source_of
from tck.record import Bundle
from tck.suite.support.harness.point import CORPUS

MET: Final = 50
"""So many cases meet a fault, of those that reach it, by chance."""
SECONDS: Final = 60.0
GAINS: Final[Mapping[str, Gain]] = {"fault": FAULT, "row": (3, 3), "reach": (0.5, 0.1)}
Element = tuple[str, str]


@dataclass(slots=True)
class Worth(InPlace):
    """The pytest plugin.

    Attributes:
        seed: Of the draw.
        count: How many faults that reach a hand-written case.
        folder: Where the recorded pass and the results are.
        reach: The recorded pass, of hand-written cases only.
        kills: By fault, the cases that notice it.
    """

    seed: int
    count: int
    folder: Path
    reach: Reach = field(default_factory=Reach)
    kills: dict[str, list[str]] = field(default_factory=dict)
    nodes: dict[str, str] = field(default_factory=dict)
    corpus: bool = False
    """Whether programs of the corpus are met, too."""

    def run(self, items: dict[str, pytest.Item], state: State) -> None:
        """Draw and meet."""
        self.nodes = {name: item.nodeid for name, item in items.items()}
        every = recorded([find(row) for row in broad_faults()], list(items.values()), state, self.folder)
        hand = {name: item for name, item in items.items() if self.corpus or CORPUS not in every.sound[name].verdicts}
        self.reach.sound = {name: every.sound[name] for name in hand}
        self.reach.facts = {
            key: {case: masks for case, masks in by.items() if case in hand} for key, by in every.facts.items()
        }
        table: Any = sqlite_utils.Database(self.folder / "strength.db")["telling" if self.corpus else "worth"]
        table.create({"seed": int, "fault": str, "kills": str}, pk=("seed", "fault"), if_not_exists=True)
        known = {row["fault"]: row["kills"].split() for row in table.rows_where("seed = ?", [self.seed])}

        def ended(job: Job, story: Story) -> None:
            self.kills[job.name] = [sight.case for sight in story.sights if "violation" in sight.verdicts.values()]
            table.insert({"seed": self.seed, "fault": job.name, "kills": " ".join(self.kills[job.name])}, replace=True)
            sys.stderr.write(f"\r{len(self.kills)} of {self.count} faults ")

        def jobs() -> Iterator[Job]:
            for each in _reached(self.reach, self.seed, self.count):
                if each.name in known:
                    self.kills[each.name] = known[each.name]
                else:
                    met = tuple(hand[case] for case in each.cases[:MET])
                    settings = {**SETTINGS, "fault": each.name}
                    yield Job(each.name, "reference", settings, VERSION, met, seconds=SECONDS)

        fork_all(jobs(), state, ended)
        sys.stderr.write("\n")


def _reached(reach: Reach, seed: int, count: int) -> Iterator[Drawn]:
    for each in draw(reach, seed):
        if count and each.cases:
            count -= 1
            yield each
        elif not count:
            return


def needed(reach: Reach, kills: Mapping[str, Sequence[str]]) -> list[str]:
    """Return the cases that are needed, the most telling first."""
    cases = list(reach.sound)
    numbers = {case: number for number, case in enumerate(cases)}
    meets: dict[int, set[Element]] = defaultdict(set)
    for case, sight in reach.sound.items():
        meets[numbers[case]] = {("row", row) for row in sight.verdicts}
    for fault, by in kills.items():
        for case in by:
            meets[numbers[case]].add(("fault", fault))
    for key, found in reach.facts.items():
        for case, masks in found.items():
            held = 0
            for mask in masks:
                held |= mask
            meets[numbers[case]].update(("reach", f"{key} {name}") for name, bit in BITS.items() if held & bit)
    cover: Cover[Element] = Cover(
        {number: frozenset(each) for number, each in meets.items()}, lambda element: GAINS[element[0]], lambda _: 1
    )
    return [cases[number] for number, _ in cover.choose(range(len(cases)), len(cases), 0)]


def lines(reach: Reach, kills: Mapping[str, Sequence[str]], most: int) -> Iterator[str]:
    """Yield the figures, and the first `most` cases that are not needed, by chapter."""
    kept = needed(reach, kills)
    left = [case for case in reach.sound if case not in {*kept}]
    noticed = {fault for fault, by in kills.items() if by}
    own = Counter(by[0] for by in kills.values() if len(by) == 1)
    yield f"cases      {len(reach.sound)}, of which {len(kept)} are needed"
    yield f"faults     {len(kills)} met, {len(noticed)} noticed; {sum(own.values())} by one case alone, {len(own)} such cases"
    for share in (0.25, 0.5, 2 / 3):
        part = {*kept[: round(share * len(reach.sound))]}
        yield f"first {share:4.0%} {sum(not part.isdisjoint(by) for by in kills.values())} of {len(noticed)} noticed"
    for case in sorted(left)[:most]:
        yield f"not needed {case}"


def run_table(folder: Path, seed: int, count: int, file: Path, times: Path) -> int:
    """Meet the faults with programs of the corpus, too; write how many each test and program notices, and its time in a run.

    Args:
        folder: Of the recorded pass and the results.
        seed: Of the draw.
        count: Of the faults.
        file: The table.
        times: The bundle of the run, of a real broker.
    """
    worth = Worth(seed, count, folder.absolute(), corpus=True)
    if not run_in_place(worth):
        return 4
    notices = [{source_of(case, worth.nodes[case]) for case in by} for by in worth.kills.values()]
    counts = Counter(name for names in notices for name in names)
    bundle = Bundle.open(times)
    took: dict[str, list[float]] = defaultdict(list)
    for result in bundle.results():
        took[source_of(result.case, bundle.case(result.case).node)].append(result.ms)
    with file.open("w", encoding="utf-8", newline="") as table:
        writer = csv.writer(table, lineterminator="\n")
        writer.writerow(("test", "kills", "ms"))
        writer.writerows((test, counts[test], round(median(took[test]))) for test in sorted(counts) if test in took)
    sys.stdout.write(f"{len(counts)} tests and programs notice one of {sum(map(bool, worth.kills.values()))} faults\n")
    return 0


def run(folder: Path, seed: int, count: int, most: int, table: Path | None, times: Path | None) -> int:
    """Meet the faults and print the figures, or write the table; return the exit code: 4 if the suite could not be collected."""
    if table is not None and times is not None:
        return run_table(folder, seed, count, table, times)
    began = time.monotonic()
    worth = Worth(seed, count, folder.absolute())
    if not run_in_place(worth):
        return 4
    sys.stderr.write(f"{time.monotonic() - began:.0f} s\n")
    sys.stdout.writelines(f"{line}\n" for line in lines(worth.reach, worth.kills, most))
    return 0
