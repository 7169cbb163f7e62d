"""Properties of the deliveries of a session in order: one at a time, in the order sent, not when stopped or closed."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from tck.check.array_ops import before, gather, repeated, scatter, starts
from tck.check.columns import NONE, PERSISTENT, Array, Kind, Out
from tck.check.properties.views import MS, Exceptions, Lane, Subscribings, View
from tck.check.registry import Grain, Judged, on


@on(
    Grain.LANE,
    "listener-serial",
    "6.2.13-1 6.2.13-2 6.2.13-3 8.7-14",
    story="{This}, while a listener of the same session was still busy: {other}.",
)
def listener_serial(d: Lane) -> Judged:
    """A session calls one message listener at a time."""
    holder, exists = before(starts(d.session), d.t1, d.listens)
    owed = d.listens & exists
    return Judged(owed, owed & (gather(d.t1, holder) > d.t0), other=d.place(holder))


@on(
    Grain.LANE,
    "order-per-stream",
    "6.2.9.1-2 6.2.9.1-3 6.2.9.1-4 6.2.9.2-2 6.2.9.2-3 6.2.9.2-5 6.2.9.2-8 6.2.9.2-9",
    story="{Sent}. {Other.message} was sent later by the same producer, with equal or lower priority ({other.prio} to"
    " {row.prio}), and came first: {other}, but only then {this}.",
)
def order_per_stream(d: Lane) -> Judged:
    """Messages of one producer, mode and delay arrive in the order sent, save that a higher priority may overtake."""
    stream, position = d.msg >> 32, d.msg & 0xFFFFFFFF
    order = np.lexsort((d.delay, d.mode, stream, d.end, d.consumer))
    first = starts(*(column[order] for column in (d.consumer, d.end, stream, d.mode, d.delay)))
    fresh = (~d.red & (d.consumer >= 0) & (d.delay != NONE))[order]
    prio, place = d.prio[order], position[order]
    holder = np.full(len(d), -1, np.int64)
    exists = np.zeros(len(d), bool)
    for level in np.unique(prio):
        mine = prio == level
        found, some = before(first, place, fresh & (prio <= level))
        holder[mine], exists[mine] = found[mine], some[mine]
    owed = fresh & exists
    broken = owed & (gather(place, holder) > place)
    if broken.any():
        broken &= ~repeated(np.cumsum(first), place)
    judged = Judged(scatter(order, owed), scatter(order, broken))
    judged.undecided = judged.broken & (d.t0 > gather(d.tables.disturbed, d.consumer))
    earlier = scatter(order, np.where(holder >= 0, gather(order, holder), -1))
    judged.other = d.place(earlier)
    judged.blames = lambda: _orders(d, gather(d.prio, earlier))
    return judged


def _orders(d: Lane, other_prio: Array) -> Mapping[str, Array]:
    """Return the assertions by destination, priorities, delivery mode and delay of the two messages."""
    kind = gather(d.tables.endpoints.kind, d.end)
    plain, equal = d.delay == 0, d.prio == other_prio
    return {
        "6.2.9.1-2": plain & equal & (kind == Kind.QUEUE),
        "6.2.9.1-3": plain & equal & (kind != Kind.QUEUE),
        "6.2.9.1-4": plain & equal & (kind == Kind.DURABLE),
        "6.2.9.2-2": plain & ~equal,
        "6.2.9.2-3": plain & equal,
        "6.2.9.2-5": ~plain,
        "6.2.9.2-8": plain & equal & (d.mode != PERSISTENT),
        "6.2.9.2-9": plain & equal & (d.mode == PERSISTENT),
    }


@on(
    Grain.LANE,
    "nothing-after-close",
    "6.1.8-12 6.2.15-2 8.8-2",
    story="{Other}. After that had returned, {this}.",
)
def nothing_after_close(d: Lane) -> Judged:
    """Once the close of a consumer, session or connection has returned, nothing more is delivered there."""
    owed = np.zeros(len(d), bool)
    broken = np.zeros(len(d), bool)
    session = np.full(len(d), NONE, np.int64)
    seq = np.full(len(d), NONE, np.int64)
    of: dict[str, Array] = {}
    lag = d.ns(d.margins.lag)
    for key in ("session", "consumer"):
        found, closes, at = d.close_of(key)
        returned = gather(closes.t1, at)
        # A receive may record its return late; it counts if it was called after the close had returned, which is its position,
        # or is much too late.
        called_after = d.listens | (d.seq > gather(closes.seq, at)) | (d.t0 > returned + lag)
        late = found & (d.t0 > returned) & called_after
        owed |= found
        broken |= late
        of[key] = late
        session, seq = np.where(late, gather(closes.session, at), session), np.where(late, gather(closes.seq, at), seq)
    return Judged(
        owed,
        broken,
        other=(session, seq),
        blames=lambda: {"6.1.8-12": of["session"], "6.2.15-2": of["session"], "8.8-2": of["consumer"]},
    )


@on(
    Grain.LANE,
    "nothing-while-stopped",
    "6.1.5-1 6.1.5-3 6.1.5-11 6.1.5-12 8.4-2",
    story="{Other}. Before the connection was started again, {this}.",
)
def nothing_while_stopped(d: Lane) -> Judged:
    """While its connection is stopped a session gets nothing."""
    at, stops = d.tables.stop_before(d.conn, d.t0)
    stopped = at >= 0
    lag = np.where(d.listens, 0, d.ns(d.margins.lag))  # a receive may record its return late
    broken = stopped & (d.t0 > gather(stops.t0, at) + lag) & (d.t0 < gather(stops.t1, at))
    return Judged(stopped, broken, other=(gather(stops.session, at), gather(stops.seq, at)))


@on(
    Grain.LANE,
    "priority-hint",
    "3.4.10-4",
    observes=True,
    story="{Sent} with priority {row.prio}. It was waiting when {other}, a message of priority {other.prio}; then {this}.",
)
def priority_hint(d: Lane) -> Judged:
    """An expedited message (priority 5 to 9) does not wait behind a normal one (0 to 4) that was there with it."""
    order = np.argsort(d.consumer, kind="stable")
    consumer, prio, red, time = d.consumer[order], d.prio[order], d.red[order], d.t0[order]
    stamp, due = d.stamp[order], d.due[order]
    previous = np.where(starts(consumer), -1, np.arange(len(d)) - 1)
    waiting = np.maximum(stamp, due) < (gather(time, previous) + d.tables.origin - 1) // MS  # a millisecond at least
    owed = (consumer >= 0) & (previous >= 0) & (prio >= 5) & ~red & ~gather(red, previous) & (stamp > 0) & waiting
    broken = owed & (gather(prio, previous) < 5)
    other = d.place(scatter(order, np.where(previous >= 0, gather(order, previous), -1)))
    return Judged(scatter(order, owed), scatter(order, broken), other=other)


@on(
    Grain.EXCEPTION,
    "exception-listener-serial",
    "6.1.7-7",
    story="{This}, while an earlier call was still running: {other}.",
)
def exception_listener_serial(x: Exceptions) -> Judged:
    """A connection calls its ExceptionListener from one thread at a time."""
    return serial(x)


@on(
    Grain.SUBSCRIPTION,
    "shared-subscription-joined",
    "8.3.2-5 8.3.4-5",
    story="{This}, to open a consumer of {end}, which any number may use at once. The call failed.",
)
def shared_subscription_joined(s: Subscribings) -> Judged:
    """Any number of consumers can be created on one shared subscription, at the same instant too."""
    durable = s.e_kind == Kind.DURABLE
    owed = s.e_shared & (s.out != Out.UNKNOWN)
    return Judged(owed, owed & (s.out == Out.FAIL), blames=lambda: {"8.3.2-5": ~durable, "8.3.4-5": durable})


def serial(view: View) -> Judged:
    """Judge that no row of rows sorted by session and clock begins before an earlier one has ended."""
    holder, exists = before(starts(view.session), view.t1, np.ones(len(view), bool))
    return Judged(exists, exists & (gather(view.t1, holder) > view.t0), other=view.place(holder))


PROPERTIES = (
    listener_serial,
    order_per_stream,
    nothing_after_close,
    nothing_while_stopped,
    priority_hint,
    exception_listener_serial,
    shared_subscription_joined,
)
