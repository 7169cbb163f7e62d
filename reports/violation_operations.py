"""Select the operations that concern a violation of a workload: two passes over all operations for all violations.

Selected are: the operations that the violation names and cites; every send, delivery and callback of their messages; the
calls that settled those; and meanwhile every close, crash, start, stop, subscribe or restart of the participants. May
import `tck.check` (columns, names) and `tck.record`; judges nothing. Loads numpy.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from tck.check.columns import NEVER, NONE, Array, Op
from tck.check.evidence import Names
from tck.check.from_operations import TraceBuilder
from tck.record.packed import PART_ROWS, PackedRun
from tck.reports.workload_report import WorkloadFinding

MOST_PLACES = 12
"""The most other subscriptions whose deliveries of the same message are shown."""

MOST_ROWS = 400
"""The most operations of a scene; above it, closes, stops and restarts are left out."""

_SETTLING = (Op.ACK, Op.COMMIT, Op.ROLLBACK, Op.RECOVER, Op.PREPARE, Op.END_BRANCH)
_STATE_CHANGES = (Op.CLOSE, Op.CRASH, Op.START, Op.STOP, Op.SUBSCRIBE, Op.UNSUBSCRIBE, Op.RESTART)

_PLACES = frozenset({Op.SUBSCRIBE, Op.UNSUBSCRIBE})

Values = Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Operation:
    """One call or delivery: its number in the run, and its columns as plain numbers."""

    number: int
    values: Values

    def __getitem__(self, name: str) -> int:
        return self.values[name]

    @property
    def returned(self) -> bool:
        """Whether the call is known to have ended."""
        return self.values["t1"] < NEVER


@dataclass(frozen=True, slots=True)
class ViolationScene:
    """The operations that concern a violation. `elsewhere` counts omitted deliveries to other subscriptions."""

    finding: WorkloadFinding
    operations: tuple[Operation, ...]
    elsewhere: int


class RunOperations:
    """The operations of a run, and the names of everything in it."""

    def __init__(self, packed: PackedRun) -> None:
        self._parts = list(packed.parts())
        builder = TraceBuilder(packed.objects, packed.origin)
        self.names: Names = builder.names()
        self.objects = packed.objects

    def scenes(self, findings: Sequence[WorkloadFinding]) -> list[ViolationScene]:
        """Select the operations that concern each violation."""
        named = {finding.number: self._named(finding) for finding in findings}
        messages = {int(row["msg"]) for rows in named.values() for _, row in rows if row["msg"] >= 0}
        messages |= {finding.hit["msg"] for finding in findings if finding.hit["msg"] >= 0}
        concerned = self._where(lambda part: np.isin(part["msg"], np.array(sorted(messages), np.int64)))
        units = {int(row["unit"]) for _, row in concerned} | {finding.hit["unit"] for finding in findings}
        units |= {int(row["unit"]) for rows in named.values() for _, row in rows}
        wanted = np.array(sorted(units - {NONE}), np.int64)
        settling = self._where(lambda part: np.isin(part["op"], _SETTLING) & np.isin(part["unit"], wanted))
        by_message = _by(concerned, "msg")
        by_unit = _by(settling, "unit")
        return [
            _scene(finding, named[finding.number], by_message, by_unit, self._state_changes) for finding in findings
        ]

    @cached_property
    def _state_changes(self) -> _StateChanges:
        return _StateChanges(self._where(lambda part: np.isin(part["op"], _STATE_CHANGES)))

    def _named(self, finding: WorkloadFinding) -> list[tuple[int, Any]]:
        numbers = {*finding.cites, finding.hit["seq"], finding.hit["other_seq"]}
        return [(number, row) for number in sorted(numbers) if (row := self._at(number)) is not None]

    def _at(self, number: int) -> Any:  # noqa: ANN401 - a row of a structured array
        part, place = divmod(number, PART_ROWS)
        if number < 0 or part >= len(self._parts) or place >= len(self._parts[part]):
            return None
        return self._parts[part][place]

    def _where(self, chosen: Any) -> list[tuple[int, Any]]:  # noqa: ANN401 - a function over structured arrays
        found: list[tuple[int, Any]] = []
        for number, part in enumerate(self._parts):
            mask: Array = chosen(part) & (part["state"] > 0)
            found += [(number * PART_ROWS + int(place), part[place]) for place in np.flatnonzero(mask)]
        return found


def _by(rows: Iterable[tuple[int, Any]], column: str) -> dict[int, list[tuple[int, Any]]]:
    found: dict[int, list[tuple[int, Any]]] = {}
    for number, row in rows:
        found.setdefault(int(row[column]), []).append((number, row))
    return found


def _scene(
    finding: WorkloadFinding,
    named: Sequence[tuple[int, Any]],
    by_message: Mapping[int, list[tuple[int, Any]]],
    by_unit: Mapping[int, list[tuple[int, Any]]],
    changes: _StateChanges,
) -> ViolationScene:
    core = dict(named)
    messages = {int(row["msg"]) for _, row in named} | {finding.hit["msg"]}
    elsewhere = 0
    for msg in sorted(messages - {NONE}):
        rows = by_message.get(msg, [])
        others = [each for each in rows if each[1]["end"] not in {NONE, finding.hit["end"]}]
        if len({int(row["end"]) for _, row in others}) > MOST_PLACES:
            elsewhere += sum(number not in core for number, _ in others)
            rows = [each for each in rows if each[1]["end"] in {NONE, finding.hit["end"]}]
        core.update(rows)
    units = {int(row["unit"]) for row in core.values()} | {finding.hit["unit"]}
    for unit in units - {NONE}:
        core.update(by_unit.get(unit, ()))
    around = changes.of(core, finding)
    if len(core) + len(around) <= MOST_ROWS:
        core.update(around)
    ordered = sorted(core.items(), key=lambda item: (int(item[1]["t0"]), item[0]))
    return ViolationScene(finding, tuple(Operation(number, _plain(row)) for number, row in ordered), elsewhere)


class _StateChanges:
    """Operations that began, ended, stopped or restarted something, by time and by subscription."""

    def __init__(self, rows: list[tuple[int, Any]]) -> None:
        self._rows = sorted(rows, key=lambda item: int(item[1]["t0"]))
        self._times = [int(row["t0"]) for _, row in self._rows]
        self._of_place = _by(((number, row) for number, row in rows if int(row["op"]) in _PLACES), "end")

    def of(self, core: Mapping[int, Any], finding: WorkloadFinding) -> dict[int, Any]:
        """Return the state changes of the participants between the first and the last of their operations."""
        if not core:
            return {}
        times = [int(row["t0"]) for row in core.values()]
        sessions = {int(row["session"]) for row in core.values()}
        conns = {int(row["conn"]) for row in core.values()} - {NONE}
        ends = {int(row["end"]) for row in core.values()} - {NONE}
        found = dict(self._of_place.get(finding.hit["end"], ())) if finding.hit["end"] != NONE else {}
        for number, row in self._rows[bisect_left(self._times, min(times)) : bisect_right(self._times, max(times))]:
            op = int(row["op"])
            if op in _PLACES:
                part = int(row["end"]) in ends
            elif op in {Op.START, Op.STOP}:
                part = int(row["conn"]) in conns
            else:
                part = op == Op.RESTART or int(row["session"]) in sessions
            if part:
                found[number] = row
        return found


def _plain(row: Any) -> dict[str, int]:  # noqa: ANN401 - a row of a structured array
    return {name: int(row[name]) for name in row.dtype.names if name not in {"state", "spare"}}
