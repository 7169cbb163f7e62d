"""Changing a trace by hand: choose rows, alter, add or drop them, and keep account of what a check must then find."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

import numpy as np

from benchmarks.traces.model import MS, ORIGIN, Load
from tck.check.columns import NONE, OPERATIONS, Array, Op, Out, Table

Key: TypeAlias = tuple[str, int, int]
"""A finding: property, session and seq of its first row."""

_NEW: Final = 1 << 40
"""Numbers of added rows begin here; nothing else counts so far."""


class NoSuchRowError(LookupError):
    """The trace has no row of the wanted sort; a larger one may have."""


class Editor:
    """A trace under alteration. Rows keep their numbers until `done`."""

    def __init__(self, load: Load, which: int = 0) -> None:
        self.columns: dict[str, Array] = {name: column.copy() for name, column in load.rows.columns.items()}
        self.tables = load.tables
        self.which = which
        self.expected: set[Key] = set()
        self.touched: set[int] = set()
        """Messages that the change is about; findings on any other are wrong."""
        self._dropped: list[int] = []
        self._added: list[dict[str, int]] = []

    # -- looking -------------------------------------------------------------------------------------------------

    def __getattr__(self, name: str) -> Array:
        try:
            return self.columns[name]
        except KeyError:
            raise AttributeError(name) from None

    def choose(self, mask: Array) -> int:
        """Give the row, among those marked, that this edit shall use: spread evenly if there are many."""
        found = np.flatnonzero(mask)
        if not len(found):
            raise NoSuchRowError("the trace has no such row")
        return int(found[self.which * 7919 % len(found)])

    def rows(self, mask: Array) -> list[int]:
        """Give all marked rows."""
        return [int(row) for row in np.flatnonzero(mask)]

    def send_of(self, msg: int) -> int:
        """Give the send of a message."""
        return self.rows((self.op == Op.SEND) & (self.msg == msg))[0]

    def of_send(self, name: str) -> Array:
        """Give, for each row, a column of the send of its message; -1 where it has none."""
        sends = np.flatnonzero(self.op == Op.SEND)
        order = sends[np.argsort(self.msg[sends])]
        keys = self.msg[order]
        at = np.minimum(np.searchsorted(keys, self.msg), len(keys) - 1)
        return np.where(keys[at] == self.msg, self.columns[name][order[at]], NONE)

    def endpoint(self, column: str) -> Array:
        """Give, for each row, a column of its endpoint."""
        return self.tables.endpoints.columns[column][np.maximum(self.end, 0)]

    def mode_of(self) -> Array:
        """Give the acknowledge mode of each row's session."""
        return self.tables.sessions.mode[self.session]

    # -- altering ------------------------------------------------------------------------------------------------

    def set(self, row: int, **values: float) -> None:
        """Alter a row."""
        for name, value in values.items():
            self.columns[name][row] = value
        self.touch(row)

    def touch(self, row: int) -> None:
        """Note that the change is about the message of a row."""
        if self.columns["msg"][row] >= 0:
            self.touched.add(int(self.columns["msg"][row]))

    def drop(self, *rows: int) -> None:
        """Leave rows out."""
        for row in rows:
            self.touch(row)
        self._dropped += rows

    def add(self, like: int, **values: float) -> tuple[int, int]:
        """Add a row like another; give its session and seq."""
        row = {name: column[like].item() for name, column in self.columns.items()} | values
        row["seq"] = _NEW + len(self._added)
        self._added.append(row)
        if row["msg"] >= 0:
            self.touched.add(int(row["msg"]))
        return int(row["session"]), int(row["seq"])

    def move_send(self, row: int, t0: int) -> None:
        """Let a send happen at another time, with the header fields that follow from it."""
        length = int(self.t1[row] - self.t0[row])
        stamp = (ORIGIN + t0 + length // 2) // MS
        ttl, delay = int(self.ttl[row]), int(self.delay[row])
        self.set(row, t0=t0, t1=t0 + length, stamp=stamp, expires=stamp + ttl if ttl else 0, due=stamp + delay)

    def table(self, name: str, row: int, **values: int) -> None:
        """Alter a row of a side table."""
        table: Table = getattr(self.tables, name)
        changed = {column: table.columns[column].copy() for column in values}
        for column, value in values.items():
            changed[column][row] = value
        self.tables = replace(self.tables, **{name: table.replaced(**changed)})  # type: ignore[arg-type]  # a table by name

    def close(self, session: int, t0: int) -> tuple[int, int]:
        """Close a session in good order, with its consumers; give the row."""
        last = self.rows(self.session == session)[-1]
        consumers = np.flatnonzero(self.tables.consumers.session == session)
        for consumer in consumers:
            self.table("consumers", int(consumer), gone0=t0, gone1=t0 + MS)
        return self.add(
            last, op=Op.CLOSE, out=Out.OK, consumer=NONE, msg=NONE, unit=session << 32 | 0x7FFFFFFF, t0=t0, t1=t0 + MS
        )

    # -- the end -------------------------------------------------------------------------------------------------

    def expect(self, name: str, row: int | tuple[int, int]) -> None:
        """Note a finding that must be made."""
        session, seq = row if isinstance(row, tuple) else (int(self.session[row]), int(self.seq[row]))
        self.expected.add((name, session, seq))

    def done(self) -> Load:
        """Give the altered trace."""
        kept = np.ones(len(self.columns["seq"]), bool)
        kept[self._dropped] = False
        rows = Table(self.columns).take(kept)
        added = Table.from_rows(OPERATIONS, self._added)
        return Load(Table.concat(OPERATIONS, [rows, added]), self.tables)


Edit: TypeAlias = Callable[[Editor], None]


@dataclass(frozen=True, slots=True)
class Anomaly:
    """One thing a provider could do wrong: the property that must say so, and which others may, by consequence."""

    name: str
    breaks: str
    make: Edit
    consequences: frozenset[str] = frozenset()


def anomaly(breaks: str, *consequences: str) -> Callable[[Edit], Anomaly]:
    """Make an anomaly of an edit, named after it."""

    def make(edit: Edit) -> Anomaly:
        return Anomaly(edit.__name__.strip("_"), breaks, edit, frozenset(consequences))

    return make
