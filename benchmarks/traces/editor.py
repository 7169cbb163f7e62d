"""Edits a trace: chooses, changes, adds or drops rows, and records the findings that a check must then make."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

import numpy as np

from benchmarks.traces.model import MS, ORIGIN, Trace
from tck.check.columns import NONE, OPERATIONS, Array, Op, Out, Table

Key: TypeAlias = tuple[str, int, int]
"""A finding: property, session and seq of its first row."""

_NEW: Final = 1 << 40
"""Numbers of added rows start here; no other row has so high a number."""


class NoSuchRowError(LookupError):
    """The trace has no fitting row; a larger one may have."""


class Editor:
    """A trace while it is edited. Rows keep their numbers until `done`."""

    def __init__(self, trace: Trace, which: int = 0) -> None:
        self.columns: dict[str, Array] = {name: column.copy() for name, column in trace.rows.columns.items()}
        self.tables = trace.tables
        self.which = which
        self.expected: set[Key] = set()
        self.touched: set[int] = set()
        """Messages that the edit concerns; a finding on any other is wrong."""
        self._dropped: list[int] = []
        self._added: list[dict[str, int]] = []

    # -- looking -------------------------------------------------------------------------------------------------

    def __getattr__(self, name: str) -> Array:
        try:
            return self.columns[name]
        except KeyError:
            raise AttributeError(name) from None

    def choose(self, mask: Array) -> int:
        """Return one of the marked rows, chosen by `which`, spread evenly if there are many."""
        found = np.flatnonzero(mask)
        if not len(found):
            raise NoSuchRowError("the trace has no such row")
        return int(found[self.which * 7919 % len(found)])

    def rows(self, mask: Array) -> list[int]:
        """Return all marked rows."""
        return [int(row) for row in np.flatnonzero(mask)]

    def send_of(self, msg: int) -> int:
        """Return the send of a message."""
        return self.rows((self.op == Op.SEND) & (self.msg == msg))[0]

    def of_send(self, name: str) -> Array:
        """Return, for each row, a column of the send of its message; -1 where there is none."""
        sends = np.flatnonzero(self.op == Op.SEND)
        order = sends[np.argsort(self.msg[sends])]
        keys = self.msg[order]
        at = np.minimum(np.searchsorted(keys, self.msg), len(keys) - 1)
        return np.where(keys[at] == self.msg, self.columns[name][order[at]], NONE)

    def endpoint(self, column: str) -> Array:
        """Return, for each row, a column of its endpoint."""
        return self.tables.endpoints.columns[column][np.maximum(self.end, 0)]

    def mode_of(self) -> Array:
        """Return the acknowledge mode of each row's session."""
        return self.tables.sessions.mode[self.session]

    # -- altering ------------------------------------------------------------------------------------------------

    def set(self, row: int, **values: float) -> None:
        """Change a row."""
        for name, value in values.items():
            self.columns[name][row] = value
        self.touch(row)

    def touch(self, row: int) -> None:
        """Record that the edit concerns the message of a row."""
        if self.columns["msg"][row] >= 0:
            self.touched.add(int(self.columns["msg"][row]))

    def drop(self, *rows: int) -> None:
        """Drop rows."""
        for row in rows:
            self.touch(row)
        self._dropped += rows

    def add(self, like: int, **values: float) -> tuple[int, int]:
        """Add a copy of a row with other values; return its session and seq."""
        row = {name: column[like].item() for name, column in self.columns.items()} | values
        row["seq"] = _NEW + len(self._added)
        self._added.append(row)
        if row["msg"] >= 0:
            self.touched.add(int(row["msg"]))
        return int(row["session"]), int(row["seq"])

    def move_send(self, row: int, t0: int) -> None:
        """Move a send to another time, with the header fields that depend on it."""
        length = int(self.t1[row] - self.t0[row])
        stamp = (ORIGIN + t0 + length // 2) // MS
        ttl, delay = int(self.ttl[row]), int(self.delay[row])
        self.set(row, t0=t0, t1=t0 + length, stamp=stamp, expires=stamp + ttl if ttl else 0, due=stamp + delay)

    def table(self, name: str, row: int, **values: int) -> None:
        """Change a row of a side table."""
        table: Table = getattr(self.tables, name)
        changed = {column: table.columns[column].copy() for column in values}
        for column, value in values.items():
            changed[column][row] = value
        self.tables = replace(self.tables, **{name: table.replaced(**changed)})  # type: ignore[arg-type]  # a table by name

    def close(self, session: int, t0: int) -> tuple[int, int]:
        """Close a session in order, with its consumers; return the row."""
        last = self.rows(self.session == session)[-1]
        consumers = np.flatnonzero(self.tables.consumers.session == session)
        for consumer in consumers:
            self.table("consumers", int(consumer), gone0=t0, gone1=t0 + MS)
        return self.add(
            last, op=Op.CLOSE, out=Out.OK, consumer=NONE, msg=NONE, unit=session << 32 | 0x7FFFFFFF, t0=t0, t1=t0 + MS
        )

    # -- the end -------------------------------------------------------------------------------------------------

    def expect(self, name: str, row: int | tuple[int, int]) -> None:
        """Record an expected finding."""
        session, seq = row if isinstance(row, tuple) else (int(self.session[row]), int(self.seq[row]))
        self.expected.add((name, session, seq))

    def done(self) -> Trace:
        """Return the edited trace."""
        kept = np.ones(len(self.columns["seq"]), bool)
        kept[self._dropped] = False
        rows = Table(self.columns).take(kept)
        added = Table.from_rows(OPERATIONS, self._added)
        return Trace(Table.concat(OPERATIONS, [rows, added]), self.tables)


Edit: TypeAlias = Callable[[Editor], None]


@dataclass(frozen=True, slots=True)
class Anomaly:
    """One fault of a provider: the property that must find it, and the other properties that may, as a consequence."""

    name: str
    breaks: str
    make: Edit
    consequences: frozenset[str] = frozenset()


def anomaly(breaks: str, *consequences: str) -> Callable[[Edit], Anomaly]:
    """Make an anomaly of an edit, with the name of the function."""

    def make(edit: Edit) -> Anomaly:
        return Anomaly(edit.__name__.strip("_"), breaks, edit, frozenset(consequences))

    return make
