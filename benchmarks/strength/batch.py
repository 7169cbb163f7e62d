"""`python -m benchmarks strength batch`: draw composed faults and meet them with the cases that they infect.

First sight is the share that is noticed of those that change anything. Results go into a database, `strength.db`, beside the
recorded pass; a batch that was cut goes on where it stopped.
"""

from __future__ import annotations

import json
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final

import pytest
import sqlite_utils

from benchmarks.mutants.cases import SETTINGS, VERSION
from benchmarks.precision.judged import interval
from benchmarks.strength.drawing import Drawn, broad_faults, draw, kind_of
from benchmarks.strength.faults import infections
from benchmarks.strength.in_place import SUITE, InPlace, run_in_place
from benchmarks.strength.kept import keep
from benchmarks.strength.mutating import Mutating, draw_mutants
from benchmarks.strength.recording import Reach, recorded
from benchmarks.strength.showing import CASES as LOOKED_AT
from benchmarks.strength.showing import NOTHING, shown
from faults import find
from tck.catalogue import load_catalogue
from tck.detection.children import Job, fork_all, nothing
from tck.detection.judge import FAILING, Story
from tck.plugin.state import State
from tck.suite.support.harness.point import CORPUS

CASES: Final = 40
"""So many cases meet a fault, of those that reach it, by chance."""
MORE: Final = 200
"""So many further ones meet it if it changed something in the first ones and was not noticed: few of them may have been those."""
SECONDS: Final = 60.0
"""Deadline of the cases of one fault; one that is not over by then hangs, and is noticed."""
KILLED, NEVER, HARMLESS, SILENT, FORGIVEN = (
    "noticed",
    "never reached",
    "changed nothing",
    "nothing compared it",
    "seen and forgiven",
)
COLUMNS: Final = {
    "seed": int, "name": str, "alone": str, "facts": str, "chapter": str, "reached": int, "ran": int, "fate": str, "case": str,
    "rows": str, "owner": int, "shown": str,
}  # fmt: skip
UNOWNED: Final = "seen without an owner"


@dataclass(slots=True)
class Batch(InPlace):
    """The pytest plugin: in place of a run of the suite, children for drawn faults.

    Attributes:
        seed: Of the draw.
        count: How many faults that change anything.
        seconds: After so many no further fault is begun.
        folder: Where the recorded pass and the results are.
        mutants: Whether the faults are random mutants in place of composed ones.
        ground: The lawful provider that the composed ones change; empty for the reference provider.
        rows: The results, as they are in the database.
    """

    seed: int
    count: int
    seconds: float
    folder: Path
    mutants: bool = False
    ground: str = ""
    rows: list[dict[str, Any]] = field(default_factory=list)

    def run(self, items: dict[str, pytest.Item], state: State) -> None:
        """Draw and meet."""
        began = time.monotonic()
        reach = recorded([find(row) for row in broad_faults()], list(items.values()), state, self.folder, self.ground)
        _say(f"recorded pass: {len(reach.sound)} cases, {time.monotonic() - began:.0f} s\n")
        self._meet(items, reach, state, began)

    def _meet(self, items: dict[str, pytest.Item], reach: Reach, state: State, began: float) -> None:
        meeting = _Meeting(self, items, reach, began)
        fork_all(meeting.jobs(), state, meeting.ended)
        meeting.look(state)
        _say("\n")
        self.rows.sort(key=lambda row: meeting.order[row["name"]])
        ends = [at for at, row in enumerate(self.rows, 1) if row["fate"] not in {NEVER, HARMLESS}]
        if len(ends) >= self.count:  # two faults are met at a time: those drawn after the last one that counts do not
            del self.rows[ends[self.count - 1] :]

    @property
    def infecting(self) -> int:
        """How many faults have changed anything."""
        return sum(row["fate"] not in {NEVER, HARMLESS} for row in self.rows)


class _Meeting:
    """The faults of a batch under way, first with some cases each, then with more if that was not enough."""

    def __init__(self, batch: Batch, items: dict[str, pytest.Item], reach: Reach, began: float) -> None:
        self._batch, self._items, self._reach, self._began = batch, items, reach, began
        table: Any = sqlite_utils.Database(batch.folder / "strength.db")["fault"]
        self._table = table
        self._table.create(COLUMNS, pk=("seed", "name"), if_not_exists=True, transform=True)
        self._known = {row["name"]: row for row in self._table.rows_where("seed = ?", [batch.seed])}
        self._drawn: dict[str, Drawn] = {}
        self._again: dict[str, dict[str, Any]] = {}
        self._silent: dict[str, list[str]] = {}
        self.order: dict[str, int] = {}

    def jobs(self) -> Iterator[Job]:
        """Yield the jobs; results that are known already are noted at once."""
        batch = self._batch
        draws = draw_mutants if batch.mutants else partial(draw, ground=batch.ground)
        for each in draws(self._reach, batch.seed):
            if batch.infecting >= batch.count or time.monotonic() - self._began > batch.seconds:
                break
            self.order[each.name] = len(self.order)
            if each.name in self._known:
                self._note(self._known[each.name])
            elif not each.cases:
                self._note(_row(batch.seed, each, NEVER))
            else:
                self._drawn[each.name] = each
                yield _job(each, self._items)
        for name in list(self._again):
            yield _job(self._drawn[name], self._items, slice(CASES, CASES + MORE))

    def ended(self, job: Job, story: Story) -> None:
        """Note what the cases of a fault saw."""
        each = self._drawn[job.name]
        row = judged(self._batch.seed, each, story, self._reach)
        before = self._again.pop(each.name, None)
        if row["fate"] in {SILENT, HARMLESS}:
            self._silent.setdefault(each.name, []).extend(sight.case for sight in story.sights if sight.note)
        if before is None:
            self._note(row)
            if row["fate"] == SILENT and row["reached"] > CASES:
                self._again[each.name] = row
            return
        if row["fate"] != HARMLESS:
            before |= {name: row[name] for name in ("fate", "case", "rows", "owner")}
        before["ran"] += row["ran"]
        self._table.insert(before, replace=True)

    def look(self, state: State) -> None:
        """Have the cases of each silent fault run again, and note one that shows the fault by its calls."""
        silent = {row["name"]: row for row in self._batch.rows if row["fate"] == SILENT and row["name"] in self._silent}
        found = shown(
            {name: self._silent[name] for name in silent}, self._items, state, lambda name: _prepared(self._drawn[name]),
            lambda name: _settings(self._drawn[name]) if name else SETTINGS,
        )  # fmt: skip
        for name, row in silent.items():
            row["shown"] = found.get(name, "")
            self._table.insert(row, replace=True)

    def _note(self, row: dict[str, Any]) -> None:
        if row["name"] not in self._known:
            self._table.insert(row, replace=True)
        self._batch.rows.append(row)
        _say(f"\r{self._batch.infecting} of {self._batch.count} faults, {time.monotonic() - self._began:.0f} s ")


def _say(text: str) -> None:
    sys.stderr.write(text)
    sys.stderr.flush()


def _job(drawn: Drawn, items: dict[str, pytest.Item], part: slice = slice(CASES)) -> Job:
    met = tuple(items[case] for case in drawn.cases[part])
    job = partial(Job, drawn.name, "reference", _settings(drawn), VERSION, met, to_first=True, seconds=SECONDS)
    if drawn.mutant is None:
        return job(note=infections)
    mutating = Mutating(drawn.mutant)
    return job(prepare=mutating.start, note=mutating.taken)


def _settings(drawn: Drawn) -> dict[str, object]:
    return {**SETTINGS} if drawn.mutant is not None else {**SETTINGS, "fault": drawn.name}


def _prepared(drawn: Drawn) -> Callable[[], None]:
    return nothing if drawn.mutant is None else Mutating(drawn.mutant).start


def judged(seed: int, drawn: Drawn, story: Story, reach: Reach) -> dict[str, Any]:
    """Return the row of the database for what the cases saw of a fault."""
    infecting = [sight for sight in story.sights if sight.note]
    killer = next((sight for sight in story.sights if "violation" in sight.verdicts.values()), None)
    if killer is not None or (story.failure and "deadline" in story.failure):
        broken = [row for row, verdict in killer.verdicts.items() if verdict in FAILING] if killer else []
        rows = [row for row in broken if row != CORPUS]
        fate = KILLED if rows or not killer else UNOWNED
        return _row(seed, drawn, fate, len(story.sights), killer.case if killer else "hangs", rows)
    if not infecting:
        return _row(seed, drawn, HARMLESS, len(story.sights))
    other = [sight for sight in infecting if (sight.outcome, sight.verdicts) != _sound(reach, sight.case)]
    return _row(seed, drawn, FORGIVEN if other else SILENT, len(story.sights), (other or infecting)[0].case)


def _sound(reach: Reach, case: str) -> tuple[str, Any]:
    sight = reach.sound[case]
    return sight.outcome, sight.verdicts


def _row(seed: int, drawn: Drawn, fate: str, ran: int = 0, case: str = "", rows: Sequence[str] = ()) -> dict[str, Any]:
    owner = None
    if drawn.broad:
        catalogue = load_catalogue()
        fault = find(drawn.alone)
        owners = {
            each
            for row in (*fault.rows, *fault.collateral)
            for each in (catalogue.group_of(row) if row in catalogue else (row,))
        }
        owner = int(not owners.isdisjoint(rows)) if rows else None
    return {
        "seed": seed,
        "name": drawn.name,
        "alone": drawn.alone,
        "facts": json.dumps(drawn.facts),
        "chapter": drawn.alone.split(".")[0]
        if drawn.broad
        else drawn.alone.split("/")[0]
        if drawn.mutant
        else "generic",
        "reached": len(drawn.cases),
        "ran": ran,
        "fate": fate,
        "case": case,
        "rows": " ".join(rows),
        "owner": owner,
        "shown": "",
    }


# -- the figures ---------------------------------------------------------------------------------------------------------


def lines(rows: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Yield the figures of a batch."""
    fates = Counter(row["fate"] for row in rows)
    counted = [row for row in rows if row["fate"] not in {NEVER, HARMLESS}]
    noticed = [row for row in counted if row["fate"] == KILLED]
    yield f"drawn {len(rows)}: {fates[NEVER]} never reached, {fates[HARMLESS]} changed nothing in {CASES} cases that reach them"
    yield f"first sight    {len(noticed)} of {len(counted)} ({_share(noticed, counted)}; 95%: {_interval(len(noticed), len(counted))})"
    owned = [row for row in noticed if row["owner"] is not None]
    yield f"owner named    {sum(row['owner'] for row in owned)} of {len(owned)} broad ones noticed ({_share([r for r in owned if r['owner']], owned)})"
    for fate in (SILENT, FORGIVEN, UNOWNED):
        yield f"{fate:22} {fates[fate]}"
    invisible = sum(row["fate"] == SILENT and row.get("shown") == NOTHING for row in rows)
    seen = len(counted) - invisible
    yield f"of those that any call shows {len(noticed)} of {seen} ({_share(noticed, range(seen))}); {invisible} show nothing in up to {LOOKED_AT} cases"
    for title, key in (
        ("circumstances", lambda row: [str(len(json.loads(row["facts"])))]),
        ("kind", lambda row: sorted({kind_of(fact) for fact in json.loads(row["facts"])})),
        ("chapter", lambda row: [row["chapter"]]),
    ):
        table: dict[str, list[dict[str, Any]]] = defaultdict(list)
        for row in counted:
            for name in key(row):
                table[name].append(row)
        for name in sorted(table, key=lambda name: (len(name), name)):
            part = [row for row in table[name] if row["fate"] == KILLED]
            yield f"{title:14} {name:14} {len(part):4} of {len(table[name]):4}  {_share(part, table[name])}"


def _interval(part: int, whole: int) -> str:
    return " to ".join(f"{each:.0%}" for each in interval(part, whole)) if whole else "-"


def _share(part: Sequence[object], whole: Sequence[object]) -> str:
    return f"{len(part) / len(whole):.0%}" if whole else "-"


def survivors(folder: Path, seed: int) -> Iterator[str]:
    """Yield the faults of a batch that were not noticed, by bin."""
    table: Any = sqlite_utils.Database(folder / "strength.db")["fault"]
    for fate in (UNOWNED, FORGIVEN, SILENT):
        for row in table.rows_where("seed = ? and fate = ?", [seed, fate], order_by="name"):
            where = row["case"] if row.get("shown") in {None, NOTHING, ""} else f"shown by {row['shown']}"
            yield f"{fate:22} {row['name']}  ({where}; {row['ran']} of {row['reached']} cases)"


def run(
    seed: int,
    count: int,
    seconds: float,
    folder: Path,
    *,
    mutants: bool = False,
    ground: str = "",
    keeps: bool = False,
    cases: Path = SUITE,
) -> int:
    """Run a batch and print its figures; return the exit code.

    0: done; 4: the suite could not be run; 5: some are left, after `seconds`.
    """
    batch = Batch(seed, count, seconds, folder.absolute(), mutants, ground)
    batch.folder.mkdir(parents=True, exist_ok=True)
    if not run_in_place(batch, cases):
        return 4
    for line in lines(batch.rows):
        sys.stdout.write(f"{line}\n")
    if batch.infecting < count:
        return 5
    if keeps:
        keep(batch.rows, seed, mutants=mutants, ground=ground)
    return 0
