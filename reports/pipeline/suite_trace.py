"""The cases of a suite run as one trace: each has its own numbers and its own interval of time.

Every case was recorded separately and numbers its sessions, queues and messages from 0. Here the numbers are shifted so that
no two cases share one, and the cases follow one another in time. The shift is in whole milliseconds, so that a provider's
timestamps shift by the same amount. Cuts separate the cases: a restart in one does not affect another. Message ids are hashed
by case, since each case may have had its own provider.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Final

import numpy as np

from tck.check.array_ops import mix
from tck.check.columns import ALWAYS, NEVER, OPERATIONS, Array, Schema, Table
from tck.check.evidence import Names, Trace
from tck.check.from_events.conversion import trace_of
from tck.check.results import Margins
from tck.check.tables import Tables
from tck.record import Bundle
from tck.reports.pipeline.store_columns import SIDE

MS: Final = 1_000_000
GAP: Final = 60_000 * MS
"""The time between two cases in nanoseconds: more than any margin."""

_TIMES: Final = frozenset(
    "t0 t1 drained waited blind open0 open1 gone0 gone1 ack0 ack1 undo0 p1 s0 s1 since".split()  # noqa: SIM905 - a list of columns reads better as one
)
_EPOCH_MS: Final = frozenset({"stamp", "expires", "due"})
_NUMBERED: Final = {
    "session": "sessions",
    "conn": "connections",
    "nolocal": "connections",
    "owner": "connections",
    "consumer": "consumers",
    "end": "endpoints",
    "dest": "destinations",
    "stream": "streams",
    "selector": "selectors",
}
_HIGH: Final = {"msg": "streams", "unit": "sessions"}
"""Columns with such a number in their upper 32 bits."""


class SuiteTrace:
    """The cases of a bundle, one after the other. Call `rows` first; the other properties are complete afterwards."""

    def __init__(self, bundle: Bundle, margins: Margins) -> None:
        self._bundle = bundle
        self._margins = margins
        self._next: dict[str, int] = dict.fromkeys(
            ("sessions", "connections", "consumers", "endpoints", "destinations", "streams", "selectors"), 0
        )
        self._clock = 0
        self._side: dict[str, list[Table]] = {name: [] for name in SIDE}
        self._texts: list[dict[str, object]] = []
        self.origin = 0

    def rows(self) -> Iterator[Table]:
        """Yield the operations, case by case."""
        for result in self._bundle.results():
            events = self._bundle.events(result.case, result.attempt)
            if not events:
                continue
            if not self.origin:
                self.origin = events[0]["t_ns"] // MS * MS
            trace = trace_of(events, self._margins)
            yield self._shifted(
                trace, f"{result.case} (attempt {result.attempt})" if result.attempt > 1 else result.case
            )

    @property
    def tables(self) -> Tables:
        """The side tables of all cases so far."""
        side = {name: Table.concat(schema, self._side[name]) for name, schema in SIDE.items()}
        return Tables(**side, origin=self.origin)

    @property
    def names(self) -> list[dict[str, object]]:
        """The names of all cases so far: kind, number, text."""
        return self._texts

    def _shifted(self, trace: Trace, case: str) -> Table:
        # Whole milliseconds lie between the two clocks, so that timestamps shift by as much as times.
        shift = self._clock + (trace.tables.origin - self.origin - self._clock) % MS
        epoch_ms = (self.origin - trace.tables.origin + shift) // MS
        self._text(trace.evidence.names, case, len(trace.tables.sessions))
        rows = self._moved(trace.rows, OPERATIONS, shift, epoch_ms)
        rows = rows.replaced(jms=np.where(rows.jms == 0, 0, mix((rows.jms, np.full(len(rows), self._clock)))))
        for name, schema in SIDE.items():
            self._side[name].append(self._moved(getattr(trace.tables, name), schema, shift, epoch_ms))
        self._clock = self._latest(rows) + GAP
        self._side["cuts"].append(Table.from_rows(SIDE["cuts"], [{"t0": self._clock - GAP // 2}]))
        tables = trace.tables
        used = {
            "sessions": len(tables.sessions),
            "connections": 1 + max(_highest(rows_.columns.get(name)) for rows_, name in _connections(trace)),
            "consumers": len(tables.consumers),
            "endpoints": len(tables.endpoints),
            "destinations": 1 + max((*trace.evidence.names.destinations, _highest(trace.rows.dest), -1)),
            "streams": 1 + max((*trace.evidence.names.streams, _highest(trace.rows.msg >> 32), -1)),
            "selectors": 1 + max((*trace.evidence.names.selectors, -1)),
        }
        for kind, number in used.items():
            self._next[kind] += number
        return rows

    def _moved(self, table: Table, schema: Schema, shift: int, epoch_ms: int) -> Table:
        columns: dict[str, Array] = {}
        for name in schema:
            column = table.columns[name]
            if name in _TIMES:
                column = np.where((column < NEVER) & (column > ALWAYS), column + shift, column)
            elif name in _EPOCH_MS:
                column = np.where(column > 0, column + epoch_ms, column)
            elif name in _NUMBERED:
                column = np.where(column >= 0, column + self._next[_NUMBERED[name]], column)
            elif name in _HIGH:
                column = np.where(column >= 0, column + (self._next[_HIGH[name]] << 32), column)
            columns[name] = column
        return Table.of(schema, columns, len(table))

    def _latest(self, rows: Table) -> int:
        latest = self._clock
        for table in (rows, *(tables[-1] for tables in self._side.values() if tables)):
            for name in _TIMES & table.columns.keys():
                column = table.columns[name]
                column = column[column < NEVER]
                latest = max(latest, int(column.max(initial=latest)))
        return latest

    def _text(self, names: Names, case: str, sessions: int) -> None:
        for each in fields(names):
            labels: Mapping[int, str] = getattr(names, each.name)
            first = self._next["streams"] << 32 if each.name == "messages" else self._next[each.name]
            for number, text in labels.items():
                self._texts.append({"kind": each.name, "number": number + first, "text": text})
        first = self._next["sessions"]
        self._texts += [{"kind": "cases", "number": first + number, "text": case} for number in range(sessions)]


def names_of(names: Names) -> list[dict[str, object]]:
    """Return names as rows: kind, number, text."""
    return [
        {"kind": each.name, "number": number, "text": text}
        for each in fields(names)
        for number, text in getattr(names, each.name).items()
    ]


def _connections(trace: Trace) -> list[tuple[Table, str]]:
    tables = trace.tables
    return [
        (trace.rows, "conn"),
        (tables.sessions, "conn"),
        (tables.stops, "conn"),
        (tables.endpoints, "owner"),
        (tables.endpoints, "nolocal"),
    ]


def _highest(column: Array | None) -> int:
    return -1 if column is None or not len(column) else int(column.max(initial=-1))
