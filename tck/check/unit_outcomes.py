"""Units of work: their ends, and the outcomes of the sends and deliveries in them.

One concept for a transaction, a CLIENT_ACKNOWLEDGE batch and an XA branch. A unit ends with the first settling call with
its number; after a close that failed, a later call counts. Branches are decided in a side table, because the decision may
come from another session.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tck.check.array_ops import find, first_of, gather
from tck.check.columns import ALWAYS, DUPS_OK, NEVER, NONE, TRANSACTED, Array, End, Op, Out, Table
from tck.check.tables import Tables

_SETTLING = (Op.ACK, Op.COMMIT, Op.ROLLBACK, Op.RECOVER, Op.CLOSE, Op.CRASH)


@dataclass(frozen=True, slots=True)
class UnitEnds:
    """The units ended by a settling call, by number. Each column is about the settling call.

    `s1` is its return where it took effect for certain, `t1` its return in any case.
    """

    unit: Array
    op: Array
    kind: Array
    s0: Array
    s1: Array
    t1: Array


@dataclass(frozen=True, slots=True)
class RowOutcomes:
    """The outcome of each row: see `COPIES`."""

    kind: Array
    s0: Array
    s1: Array
    tx: Array


@dataclass(frozen=True, slots=True)
class SessionEnds:
    """The end of each session that ended, by session number; `closed` by a close that returned in order, or else `died`."""

    session: Array
    t0: Array
    died: Array
    closed: Array


def with_callback_outcomes(rows: Table) -> Table:
    """Give each asynchronous send the outcome reported by its callback, and the time by which it had taken effect for certain.

    The outcome is open until the callback of success; a callback of failure does not show that the message was not sent
    (7.3.2-4, 6.2.12-6). A send that threw is like any other that did.
    """
    which = np.flatnonzero((rows.op == Op.SEND) & rows.auto & (rows.out != Out.FAIL))
    if not len(which):
        return rows
    called = (rows.op == Op.COMPLETE) & (rows.msg >= 0)
    good = np.flatnonzero(called & (rows.out == Out.OK))
    good = good[first_of(rows.msg[good], rows.t0[good])]
    at = find(rows.msg[good], rows.msg[which])
    completed, refused = at >= 0, np.isin(rows.msg[which], rows.msg[called & (rows.out == Out.FAIL)])
    returned = np.where(rows.out[which] == Out.OK, rows.t1[which], ALWAYS)
    out, t1 = rows.out.copy(), rows.t1.copy()
    out[which] = np.where(completed, Out.OK, np.where(refused, Out.FAIL, Out.UNKNOWN))
    t1[which] = np.where(completed, np.maximum(returned, gather(rows.t0[good], at)), NEVER)
    return rows.replaced(out=out, t1=t1)


def unit_ends(rows: Table) -> UnitEnds:
    """Find the units that ended."""
    settling = (rows.unit >= 0) & (rows.consumer == NONE) & _is_any(rows.op, _SETTLING)
    which = settling.nonzero()[0]
    # A close that failed may have had no effect: then a later call ended the unit.
    failed = (rows.op[which] == Op.CLOSE) & (rows.out[which] != Out.OK)
    which = which[first_of(rows.unit[which], np.where(failed, rows.seq[which] + NEVER, rows.seq[which]))]
    op, out, t1 = rows.op[which], rows.out[which], rows.t1[which]
    kind = np.full(len(which), End.UNDONE, np.int8)
    kind[op == Op.ACK] = End.DOUBT
    kind[(op == Op.COMMIT) & (out == Out.UNKNOWN)] = End.DOUBT
    kind[((op == Op.COMMIT) | (op == Op.ACK)) & (out == Out.OK)] = End.DONE
    kind[op == Op.RECOVER] = np.where(out[op == Op.RECOVER] == Out.OK, End.RECOVERED, End.DOUBT)
    # Messages left after a rollback that failed may be kept by a commit that follows.
    for at in np.flatnonzero((op == Op.ROLLBACK) & (out != Out.OK))[::-1].tolist():
        if at + 1 < len(which) and rows.unit[which[at + 1]] == rows.unit[which[at]] + 1:
            kept = op[at + 1] == Op.COMMIT and out[at + 1] != Out.FAIL
            kept |= op[at + 1] == Op.ROLLBACK and kind[at + 1] == End.DOUBT
            kind[at] = End.DOUBT if kept else kind[at]
    s1 = np.where((out == Out.OK) | (op == Op.CRASH) | (op == Op.COMMIT) & (out == Out.FAIL), t1, NEVER)
    return UnitEnds(rows.unit[which], op, kind, rows.t0[which], s1, t1)


def session_ends(rows: Table) -> SessionEnds:
    """Find the sessions that were closed or died, with the start of that call."""
    which = ((rows.consumer == NONE) & _is_any(rows.op, (Op.CLOSE, Op.CRASH))).nonzero()[0]
    which = which[
        np.argsort(rows.seq[which])
    ]  # so that of two at the same time the same counts, whatever the order of rows
    which = which[first_of(rows.session[which], rows.t0[which])]
    op, out = rows.op[which], rows.out[which]
    closed = (op == Op.CLOSE) & (out == Out.OK)
    return SessionEnds(rows.session[which], rows.t0[which], ~closed, closed)


def row_outcomes(rows: Table, units: UnitEnds, tables: Tables) -> RowOutcomes:
    """Return the end of each row's unit, and whether a row is part of a transaction."""
    mode = gather(tables.sessions.mode, rows.session)
    at = find(units.unit, rows.unit)
    ended = at >= 0
    kind = np.where(ended, gather(units.kind, at), End.OPEN).astype(np.int8)
    s0 = np.where(ended, gather(units.s0, at), NEVER)
    s1 = np.where(ended, gather(units.s1, at), NEVER)
    tx = (mode == TRANSACTED) & (rows.session >= 0) & (rows.unit >= 0)

    branches = tables.branches_by_unit
    if len(branches):
        at = find(branches.unit, rows.unit)
        inside = at >= 0
        kind = np.where(inside, gather(branches.kind, at), kind)
        s0 = np.where(inside, gather(branches.s0, at), s0)
        s1 = np.where(inside, gather(branches.s1, at), s1)
        tx = tx | inside

    free = (rows.op == Op.SEND) & ~tx
    kind[free] = End.FREE
    s0, s1 = np.where(free, rows.t0, s0), np.where(free, rows.t1, s1)

    delivered = rows.op == Op.DELIVER
    # A delivery that began while the previous settling call was open may belong to either unit.
    earlier = find(units.unit, rows.unit - 1)
    between = delivered & ~rows.auto & (earlier >= 0) & (gather(units.t1, earlier) > rows.t0)
    between &= (kind != End.DONE) & (gather(units.op, earlier) != Op.CLOSE)
    kind[between] = End.DOUBT

    by_itself = delivered & rows.auto & (mode != TRANSACTED)
    if by_itself.any():
        returned = by_itself & (rows.out == Out.OK)
        interrupted = returned & (s0 < rows.t1)
        failed = by_itself & (rows.out == Out.FAIL)
        kind[returned] = End.DONE
        kind[interrupted] = End.DOUBT
        kind[failed] = End.FAILED
        itself = (returned & ~interrupted) | failed
        s0 = np.where(itself, rows.t1, s0)
        s1 = np.where(itself, np.where((mode == DUPS_OK) & returned, NEVER, rows.t1), s1)
    return RowOutcomes(kind, s0, s1, tx)


def _is_any(ops: Array, wanted: tuple[int, ...]) -> Array:
    mask = np.zeros(len(Op.names()), bool)
    mask[list(wanted)] = True
    return mask[ops]
