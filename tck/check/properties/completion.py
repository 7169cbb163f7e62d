"""Properties of asynchronous sends: one callback each, in order, one at a time, before the transaction ends."""

from __future__ import annotations

import numpy as np

from tck.check.array_ops import before, gather, repeated, scatter, starts
from tck.check.columns import NEVER, Closer, Op, Out
from tck.check.properties.lane import serial
from tck.check.properties.views import AsyncSends, Completions
from tck.check.registry import Grain, Judged, on


@on(
    Grain.ASYNC,
    "completion-once",
    "7.3-1 7.3-6 7.3.2-2",
    story="{Sent}, asynchronously ({outcome}), and {callbacks}.",
)
def completion_once(s: AsyncSends) -> Judged:
    """An asynchronous send that did not throw ends in exactly one callback, one that threw in none."""
    threw, accepted = s.out == Out.FAIL, s.out == Out.OK
    broken = threw & (s.callbacks > 0) | accepted & ((s.callbacks > 1) | (s.callbacks == 0) & s.closed)
    open_ = accepted & (s.callbacks == 0) & ~s.closed
    return Judged(
        threw | accepted,
        broken,
        undecided=open_,
        other=s.completions.place(s.second),
        blames=lambda: {"7.3-1": accepted & (s.callbacks == 0), "7.3-6": accepted, "7.3.2-2": threw},
    )


@on(
    Grain.COMPLETION,
    "completion-order",
    "7.3.8-2 7.3.8-3 7.3.8-4",
    story="{Sent}. {Other.message} was sent later by the same producer, and its callback came first: {other}, then {this}.",
)
def completion_order(c: Completions) -> Judged:
    """Callbacks come in the order of the sends of their producer or context."""
    stream, position = c.msg >> 32, c.msg & 0xFFFFFFFF
    order = np.lexsort((stream, c.session))
    group, place = starts(c.session[order], stream[order]), position[order]
    holder, exists = before(group, place, np.ones(len(c), bool))
    broken = exists & (gather(place, holder) > place)
    if broken.any():
        broken &= ~repeated(np.cumsum(group), place)
    other = c.place(scatter(order, np.where(holder >= 0, gather(order, holder), -1)))
    return Judged(scatter(order, exists), scatter(order, broken), other=other)


@on(
    Grain.COMPLETION,
    "completion-serial",
    "7.3.8-1",
    story="{This}, while an earlier callback of the session was still running: {other}.",
)
def completion_serial(c: Completions) -> Judged:
    """A session calls one completion callback at a time."""
    return serial(c)


@on(
    Grain.COMPLETION,
    "commit-waits-for-completions",
    "7.3.4-5 7.3.4-6",
    story="{Sent}, asynchronously. {Unit}, and only after that had returned did its callback end: {this}.",
)
def commit_waits_for_completions(c: Completions) -> Judged:
    """Commit and rollback return only when the callbacks of the transaction's sends have returned."""
    found, op, returned = c.unit_end()
    owed = found & ((op == Op.COMMIT) | (op == Op.ROLLBACK)) & (returned < NEVER)
    return Judged(
        owed,
        owed & (c.t1 > returned),
        blames=lambda: {"7.3.4-5": op == Op.COMMIT, "7.3.4-6": op == Op.ROLLBACK},
    )


@on(
    Grain.COMPLETION,
    "close-waits-for-completions",
    "7.3.4-2 7.3.4-3 7.3.4-4",
    story="{Sent}, asynchronously. {Unit}, and only after that had returned did its callback end: {this}.",
)
def close_waits_for_completions(c: Completions) -> Judged:
    """The close of a session, connection or context returns only when the callbacks of its sends have returned."""
    found, op, returned = c.unit_end()
    owed = found & (op == Op.CLOSE) & (returned < NEVER)
    closer = gather(c.tables.sessions.closer, c.session)
    return Judged(
        owed,
        owed & (c.t1 > returned),
        blames=lambda: {
            "7.3.4-2": closer == Closer.SESSION,
            "7.3.4-3": closer == Closer.CONNECTION,
            "7.3.4-4": closer == Closer.CONTEXT,
        },
    )


PROPERTIES = (
    completion_once,
    completion_order,
    completion_serial,
    commit_waits_for_completions,
    close_waits_for_completions,
)
