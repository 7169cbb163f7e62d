"""Views of the session stage: the rows of one grain, with joined tables.

A view gathers a column when a property first reads it. A prefix names a joined table: `d.m_t0` is the send's `t0`,
`d.p_t0` that of the previous delivery of the copy, `d.e_kind` the endpoint's kind. May import `columns`, `array_ops`,
`tables`, `unit_outcomes`; must not judge.
"""

from __future__ import annotations

from typing import Final, TypeAlias

import numpy as np

from tck.check.array_ops import find, first_of, gather
from tck.check.columns import NONE, Array, Op, Out, Table
from tck.check.results import Margins
from tck.check.tables import Tables
from tck.check.unit_outcomes import SessionEnds, UnitEnds

MS: Final = 1_000_000
"""Nanoseconds in a millisecond."""


class View:
    """Rows of a table, gathered column by column on demand; prefixes name joined tables."""

    def __init__(self, rows: Table, index: Array, tables: Tables, margins: Margins) -> None:
        self.rows = rows
        self.index = index
        self.tables = tables
        self.margins = margins
        self._joined: dict[str, tuple[Source | None, Array]] = {}

    def __getattr__(self, name: str) -> Array:
        if name.startswith("_"):
            raise AttributeError(name)
        value: Array
        own = self.rows.columns.get(name)
        if own is not None:
            value = own.take(self.index, mode="clip")
        else:
            prefix, _, column = name.partition("_")
            if prefix not in self._joined:
                raise AttributeError(name)
            source, index = self._joined[prefix]
            value = gather(getattr(self if source is None else source, column), index)
        self.__dict__[name] = value
        return value

    def __len__(self) -> int:
        return len(self.index)

    def join(self, prefix: str, source: Source, index: Array) -> None:
        """Join the rows `index` of a table or view under a prefix; the values of row -1 are arbitrary.

        A view joined with itself keeps no reference to itself: its arrays are freed with it, not when Python next collects
        cycles.
        """
        self._joined[prefix] = (None if source is self else source, index)

    def ns(self, milliseconds: float) -> int:
        """Return a margin in the unit of the times."""
        return round(milliseconds * MS)

    def place(self, index: Array) -> tuple[Array, Array]:
        """Return session and seq of rows of this view, NONE where the number is -1."""
        there = index >= 0
        return np.where(there, gather(self.session, index), NONE), np.where(there, gather(self.seq, index), NONE)


Source: TypeAlias = Table | View


class Sends(View):
    """Grain send: the sends."""


class Lane(View):
    """Grain lane: the deliveries of whole sessions, each session in the order of its clock. Joined: `c_` the consumer."""

    def __init__(self, rows: Table, tables: Tables, margins: Margins) -> None:
        index = np.flatnonzero((rows.op == Op.DELIVER) & (rows.msg >= 0))
        order = np.lexsort((rows.seq[index], rows.t0[index], rows.session[index]))
        super().__init__(rows, index[order], tables, margins)
        self.join("c", tables.consumers, self.consumer)
        self.listens: Array = self.t1 > self.t0

    def close_of(self, key: str) -> tuple[Array, Table, Array]:
        """Find the orderly close of each row's `consumer` or `session`: found, the closes, and which one."""
        rows = self.rows
        closed = (rows.op == Op.CLOSE) & (rows.out == Out.OK)
        closed &= (rows.consumer >= 0) if key == "consumer" else (rows.consumer == NONE)
        which = closed.nonzero()[0]
        which = which[np.argsort(rows.seq[which])]
        keys = rows.columns[key]
        which = which[first_of(keys[which], rows.t1[which])]
        at = find(keys[which], getattr(self, key))
        closes = Table({name: rows.columns[name][which] for name in ("session", "seq", "t1")})
        return at >= 0, closes, at


class Completions(View):
    """Grain completion: completion callbacks of whole sessions in the order of the clock; `sends`, the asynchronous sends."""

    def __init__(self, rows: Table, tables: Tables, margins: Margins, units: UnitEnds, ends: SessionEnds) -> None:
        index = np.flatnonzero(rows.op == Op.COMPLETE)
        order = np.lexsort((rows.seq[index], rows.t0[index], rows.session[index]))
        super().__init__(rows, index[order], tables, margins)
        self._units = units
        self._ends = ends

    def unit_end(self) -> tuple[Array, Array, Array]:
        """Find the end of the unit of each row: found, operation, return."""
        at = find(self._units.unit, self.unit)
        return at >= 0, gather(self._units.op, at), gather(self._units.s1, at)

    def closed(self) -> Array:
        """Whether the session of each row was closed for certain, rather than lost."""
        at = find(self._ends.session, self.session)
        return (at >= 0) & gather(self._ends.closed, at)


class AsyncSends(View):
    """Grain async: the asynchronous sends, each with its completion callbacks in order."""

    def __init__(self, rows: Table, tables: Tables, margins: Margins, completions: Completions) -> None:
        super().__init__(rows, np.flatnonzero((rows.op == Op.SEND) & rows.auto), tables, margins)
        self.completions = completions
        order = np.lexsort((completions.seq, completions.t0, completions.msg))
        answered = completions.msg[order]
        low = np.searchsorted(answered, self.msg, "left")
        self.callbacks: Array = np.searchsorted(answered, self.msg, "right") - low
        second = np.where(self.callbacks > 1, np.minimum(low + 1, max(len(order) - 1, 0)), -1)
        self.second: Array = np.where(second >= 0, gather(order, second), -1)
        at = find(completions._ends.session, self.session)  # noqa: SLF001 - the two views are one
        self.closed: Array = (at >= 0) & gather(completions._ends.closed, at)  # noqa: SLF001 - likewise


class Subscribings(View):
    """Grain subscription: the creations of consumers of topics. Joined: `e_` the endpoint."""

    def __init__(self, rows: Table, tables: Tables, margins: Margins) -> None:
        super().__init__(rows, np.flatnonzero((rows.op == Op.SUBSCRIBE) & (rows.end >= 0)), tables, margins)
        self.join("e", tables.endpoints, self.end)


class Exceptions(View):
    """Grain exception: exception callbacks, by the pseudo-session of their connection and clock."""

    def __init__(self, rows: Table, tables: Tables, margins: Margins) -> None:
        index = np.flatnonzero(rows.op == Op.EXCEPTION)
        order = np.lexsort((rows.seq[index], rows.t0[index], rows.session[index]))
        super().__init__(rows, index[order], tables, margins)
