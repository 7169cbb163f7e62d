"""Cuts a long session into slices, each with the few other rows that are needed to judge it.

The answer of `session` about a row depends on other rows of its session: the end of the row's unit (and of the next unit,
after a rollback that failed), the callbacks of a send, the close, and the one earlier row that reached furthest (ended last,
or was furthest along its stream). All of these are known beforehand, so a slice with such context rows is judged like the
whole session; context rows only provide their columns (`own` of `session`). A new property that reads other rows adds them
here. May import `columns` and `array_ops`; must not judge.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from tck.check.array_ops import find, first_of, mix, starts
from tck.check.columns import NONE, Array, Op, Out, Table

_SETTLING: Final = (Op.ACK, Op.COMMIT, Op.ROLLBACK, Op.RECOVER)
_ENDING: Final = (Op.CLOSE, Op.CRASH)


def slices(rows: Table, size: int) -> Iterator[tuple[Table, Table]]:
    """Cut a session into slices in the order of its clock.

    Args:
        rows: All operations of one session, in any order; its columns may lie in a mapped file.
        size: Rows of a slice.

    Yields:
        The rows of a slice, and its context rows.
    """
    session = _Session(rows)
    for first in range(0, len(rows), size):
        yield session.slice(first, min(first + size, len(rows)))


class _Session:
    """The rows of a session in the order of its clock, with indexes of rows that other slices need."""

    def __init__(self, rows: Table) -> None:
        self._rows = rows
        self._order = np.lexsort((rows.seq, rows.t0))
        self._remembered = rows.take(self._order[:0]).replaced(place=np.empty(0, np.int64))
        op = rows.op[self._order]
        self._settling = _RowIndex(self, np.flatnonzero(np.isin(op, (*_SETTLING, *_ENDING))), "unit")
        self._ending = np.flatnonzero(np.isin(op, _ENDING))
        failed = np.flatnonzero((op == Op.ROLLBACK) & (rows.out[self._order] != Out.OK))
        self._failed = np.append(failed, self._settling.among(self.column("unit", failed) + 1))
        self._last = np.flatnonzero((op == Op.DELIVER) & (rows.msg[self._order] >= 0))[-1:]
        self._callbacks = _RowIndex(self, np.flatnonzero(op == Op.COMPLETE), "msg")
        self._again = _RowIndex(self, np.flatnonzero(op == Op.DELIVER), "msg").repeated()
        self._called_again = self._callbacks.repeated()

    def column(self, name: str, places: Array) -> Array:
        """Return a column of some rows."""
        return self._rows.columns[name][self._order[places]]

    def slice(self, first: int, end: int) -> tuple[Table, Table]:
        """Return the rows from one position to another and their context rows; slices are taken one after the other."""
        own = self._rows.take(self._order[first:end])
        delivered, called = own.op == Op.DELIVER, own.op == Op.COMPLETE
        context = np.concatenate(
            [
                self._remembered.place,
                self._settling.among(np.concatenate([own.unit, own.unit - 1])),
                self._ending,
                self._failed,
                self._last,
                self._callbacks.among(own.msg[own.auto & (own.op == Op.SEND)]),
                self._earlier(self._again.among(own.msg[delivered]), first),
                self._earlier(self._called_again.among(own.msg[called]), first),
            ]
        )
        context = np.unique(context)
        context = context[(context < first) | (context >= end)]
        context_rows = self._rows.take(self._order[context])
        self._remember(own.replaced(place=np.arange(first, end)))
        return own, context_rows

    def _earlier(self, places: Array, first: int) -> Array:
        """Keep one of each kind of repeated rows that precede a slice."""
        places = places[places < first]
        sort = mix([self.column(name, places) for name in ("consumer", "end", "msg", "mode", "delay")])
        return places[first_of(sort, places)]

    def _remember(self, own: Table) -> None:
        """Keep, of the rows seen so far, those that later slices need."""
        schema = dict.fromkeys(self._remembered.columns, "")
        rows = Table.concat(schema, [self._remembered, own])
        stream, position = rows.msg >> 32, rows.msg & 0xFFFFFFFF
        delivered, called = (rows.op == Op.DELIVER) & (rows.msg >= 0), rows.op == Op.COMPLETE
        fresh = delivered & ~rows.red & (rows.consumer >= 0) & (rows.delay != NONE)
        kept = (
            _furthest(delivered & (rows.t1 > rows.t0), rows.t1),
            _furthest(delivered, rows.place, rows.consumer),
            _furthest(fresh, position, rows.prio, rows.delay, rows.mode, stream, rows.end, rows.consumer),
            _furthest(called, rows.t1),
            _furthest(called, position, stream),
            _furthest(rows.op == Op.EXCEPTION, rows.t1),
        )
        self._remembered = rows.take(np.unique(np.concatenate(kept)))


class _RowIndex:
    """An index of some rows of a session by a column."""

    def __init__(self, session: _Session, places: Array, name: str) -> None:
        keys = session.column(name, places)
        order = np.argsort(keys, kind="stable")
        self._keys, self._places = keys[order], places[order]

    def among(self, values: Array) -> Array:
        """Return the positions of the rows with one of these values; a negative value means none."""
        places: Array = self._places[find(np.unique(values[values >= 0]), self._keys) >= 0]
        return places

    def repeated(self) -> _RowIndex:
        """Keep the rows whose value occurs more than once."""
        first = starts(self._keys) if len(self._keys) else np.zeros(0, bool)
        several = ~first | ~np.append(first[1:], True)[: len(first)]
        found = object.__new__(_RowIndex)
        found._keys, found._places = self._keys[several], self._places[several]
        return found


def _furthest(among: Array, value: Array, *keys: Array) -> Array:
    """Return, of the marked rows, the one with the largest value of each key; of equals the latest."""
    which = np.flatnonzero(among)
    order = which[np.lexsort((which, value[which], *(key[which] for key in keys)))]
    ends: Array = (
        np.append(starts(*(key[order] for key in keys))[1:], True) if keys else np.arange(len(order)) == len(order) - 1
    )
    return order[ends[: len(order)]]
