"""Properties of repeated deliveries: flagged and counted, never after settling, to one holder at a time."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from tck.check.array_ops import gather
from tck.check.columns import AUTO, CLIENT, MOST, NEVER, PERSISTENT, TRANSACTED, Array, End, Kind
from tck.check.properties.message_views import Deliveries
from tck.check.registry import Grain, Judged, on


@on(
    Grain.DELIVERY,
    "repeat-is-flagged",
    "3.4.7-1 3.4.7-2 6.2.10-31 6.2.10-33 6.2.11-6 8.7-4 9.1-6",
    story="{Sent}. {Other}; then {this} once more, unflagged: JMSRedelivered was false.",
)
def repeat_is_flagged(d: Deliveries) -> Judged:
    """A message that was not settled and is delivered again has JMSRedelivered set."""
    owed = d.again & ~_settled(d)
    broken = owed & ~d.red
    return Judged(owed, broken, undecided=broken & d.muddled, other=d.previous, blames=lambda: _flags(d))


def _settled(d: Deliveries) -> Array:
    """Whether the previous delivery had been settled for certain: an automatic acknowledgement may be lost with its session."""
    mask: Array = d.again & (d.p_kind == End.DONE) & (d.t0 > d.p_s1)
    return mask & ~(d.p_auto & d.p_died & (d.p_e0 < d.t0))


def _flags(d: Deliveries) -> Mapping[str, Array]:
    """Return the assertions on the flag by the end of the previous delivery; that of every repetition is 3.4.7-1."""
    acks = gather(d.tables.sessions.mode, d.p_session)
    return {
        "3.4.7-2": d.session != d.p_session,
        "6.2.10-31": _recovered(d),
        "6.2.10-33": _rolled_back(d),
        "6.2.11-6": d.p_died & (acks == AUTO),
        "8.7-4": _failed(d),
        "9.1-6": (d.p_died | d.restarted) & ((acks == TRANSACTED) | (acks == CLIENT)),
    }


def _recovered(d: Deliveries) -> Array:
    """Whether the session that delivers the message has recovered it."""
    mask: Array = (d.p_kind == End.RECOVERED) & (d.session == d.p_session) & (d.t0 > d.p_s0)
    return mask


def _failed(d: Deliveries) -> Array:
    """Whether a listener of the session failed at the message, which the provider then had without a failure of its own."""
    mask: Array = (d.p_kind == End.FAILED) & ~d.restarted
    return mask


def _rolled_back(d: Deliveries) -> Array:
    """Whether a call of rollback returned the message, for certain: not a close, a death or the end of a branch."""
    mask: Array = (d.p_kind == End.UNDONE) & (gather(d.tables.sessions.mode, d.p_session) == TRANSACTED)
    return mask & (d.p_s0 < d.p_e0) & (d.t0 > d.p_s0) & ~d.restarted & ~d.tables.is_branch(d.p_unit)


@on(
    Grain.DELIVERY,
    "flag-agrees-with-count",
    "3.5.11-3 3.5.11-4",
    story="{Sent}. {This} with JMSRedelivered {row.red} and JMSXDeliveryCount {row.count}.",
)
def flag_agrees_with_count(d: Deliveries) -> Judged:
    """JMSRedelivered is set exactly when JMSXDeliveryCount is above 1."""
    owed = d.count >= 0
    broken = owed & (d.red != (d.count > 1))
    if broken.any():
        # The count need not survive a failure of the provider (3.5.11-5).
        broken &= ~(d.red & d.tables.restarted(np.where(d.sent, d.m_t0, NEVER), d.t0))
    return Judged(owed, broken, blames=lambda: {"3.5.11-3": d.red, "3.5.11-4": ~d.red})


@on(
    Grain.DELIVERY,
    "count-rises",
    "3.5.11-2 6.2.10-32 6.2.10-34 6.2.11-7 8.7-5",
    story="{Sent}. {Other} with JMSXDeliveryCount {other.row.count}; then {this} once more, with JMSXDeliveryCount {row.count}.",
)
def count_rises(d: Deliveries) -> Judged:
    """JMSXDeliveryCount is at least 2 when a message that was not settled is redelivered, and rises within a session that returned it.

    Neither is owed where the provider failed in between: it need not keep the count, which need not be exact (3.5.11-5).
    """
    owed = d.again & ~_settled(d) & (d.count >= 0) & (d.p_count >= 0) & (d.p_count < MOST) & ~d.restarted
    returned = np.isin(d.p_kind, (End.RECOVERED, End.UNDONE, End.FAILED)) & ~d.tables.is_branch(d.p_unit)
    rises = returned & (d.session == d.p_session) & (d.t0 > d.p_s0)
    broken = owed & np.where(rises, d.count <= d.p_count, d.count < 2)
    return Judged(owed, broken, undecided=broken & d.muddled, other=d.previous, blames=lambda: _counts(d))


def _counts(d: Deliveries) -> Mapping[str, Array]:
    """Return the assertions on the count by the end of the previous delivery; that of every repetition, 3.5.11-2, asks for 2 or more."""
    return {
        "3.5.11-2": d.count < 2,
        "6.2.10-32": _recovered(d),
        "6.2.10-34": _rolled_back(d),
        "6.2.11-7": d.p_died & (gather(d.tables.sessions.mode, d.p_session) == AUTO),
        "8.7-5": _failed(d),
    }


@on(
    Grain.DELIVERY,
    "first-count-is-one",
    "3.5.11-1",
    story="{Sent}. {This} for the first time, with JMSXDeliveryCount {row.count}.",
)
def first_count_is_one(d: Deliveries) -> Judged:
    """JMSXDeliveryCount is 1 on first receipt."""
    owed = d.sent & d.placed & ~d.again & (d.count >= 0)
    broken = owed & (d.count != 1)
    unseen = np.zeros(len(d), bool)
    rows = np.flatnonzero(broken)
    if len(rows):
        # A session that ended, or returned its messages, may have held the message without showing it.
        sent, got = d.m_t0[rows], d.t0[rows]
        unseen[rows] = d.tables.departed(d.end[rows], sent, got) | d.tables.restarted(sent, got) | d.muddled[rows]
        unseen[rows] |= d.tables.undone(d.end[rows], got)
    return Judged(owed, broken, undecided=unseen)


@on(
    Grain.DELIVERY,
    "settled-stays-settled",
    "6.2.7-1 6.2.7-2 6.2.10-7 6.2.10-8 6.2.11-1 6.2.11-2 7.7-1 7.7-6 8.3.3-7 8.3.4-13",
    story="{Sent}. {Other}, and that was settled: {other_unit}. Nevertheless {this}.",
)
def settled_stays_settled(d: Deliveries) -> Judged:
    """A message that was acknowledged or committed is not redelivered."""
    owed = d.placed & (d.kind == End.DONE) & (d.s1 < NEVER)
    broken = _settled(d) & ~d.restarted  # an acknowledgement that may have been lost is judged by auto-last-only
    return Judged(owed, broken, undecided=broken & d.muddled, other=d.previous, blames=lambda: _settlements(d))


def _settlements(d: Deliveries) -> Mapping[str, Array]:
    """Return the assertions by how, and through what, the previous delivery was settled; those of all are 7.7-1 and 7.7-6."""
    acks = gather(d.tables.sessions.mode, d.p_session)
    committed = (acks == TRANSACTED) & ~d.tables.is_branch(d.p_unit)
    acknowledged = (acks == CLIENT) & ~d.p_auto
    queue, durable = d.e_kind == Kind.QUEUE, d.e_kind == Kind.DURABLE
    closed = ~d.p_died & (d.p_e0 < d.t0)
    return {
        "6.2.7-1": committed & queue,
        "6.2.7-2": committed & durable,
        "6.2.10-7": acknowledged & queue,
        "6.2.10-8": acknowledged & durable,
        "6.2.11-1": closed & queue,
        "6.2.11-2": closed & durable,
        "7.7-1": d.mode != PERSISTENT,
        "7.7-6": d.mode == PERSISTENT,
        "8.3.3-7": durable & ~d.e_shared,
        "8.3.4-13": durable & d.e_shared,
    }


@on(
    Grain.DELIVERY,
    "settled-survives-restart",
    "6.2.11-4 9.1-2 9.1-3",
    story="{Sent}. {Other}, and that was settled: {other_unit}. Then the provider was restarted, and {this}.",
)
def settled_survives_restart(d: Deliveries) -> Judged:
    """A message explicitly acknowledged or committed is not redelivered after the provider was restarted."""
    settled = d.placed & (d.kind == End.DONE) & ~d.auto
    owed = settled & d.tables.restarted(d.s1, np.full(len(d), NEVER))
    broken = _settled(d) & ~d.p_auto
    broken &= d.tables.restarted(np.where(d.again, d.p_s1, NEVER), d.t0)
    lasting = d.mode == PERSISTENT
    return Judged(
        owed,
        broken,
        undecided=broken & d.muddled,
        other=d.previous,
        blames=lambda: {"9.1-2": lasting & (d.e_kind != Kind.NONDURABLE), "9.1-3": ~lasting},
    )


@on(
    Grain.DELIVERY,
    "auto-last-only",
    "6.2.11-5",
    story="{Sent}. {Other}, which acknowledged it automatically, and it was not the last message of that session before it"
    " failed. Nevertheless {this}.",
)
def auto_last_only(d: Deliveries) -> Judged:
    """A failure brings back at most the last message that an AUTO_ACKNOWLEDGE session consumed."""
    owed = d.placed & d.auto & (d.kind == End.DONE) & (d.s1 < NEVER) & d.died & ~d.last
    broken = d.again & d.p_auto & (d.p_kind == End.DONE) & (d.p_s1 < NEVER) & d.p_died & (d.p_e0 < d.t0) & ~d.p_last
    return Judged(owed, broken, undecided=broken & d.muddled, other=d.previous)


@on(
    Grain.DELIVERY,
    "one-holder",
    "4.1.2-4 4.2.2-10 8.3.2-6 8.3.4-6 8.3.4-7",
    story="{Sent}. {Other} and had not settled it; {this} meanwhile.",
)
def one_holder(d: Deliveries) -> Judged:
    """Of the consumers of a queue or a shared subscription only one holds a message at a time."""
    owed = d.placed & ((d.e_kind == Kind.QUEUE) | d.e_shared)
    held = d.again & (d.t0 < d.p_s0) & (d.p_e0 > d.t0) & ~d.restarted
    broken = owed & held & (d.consumer != d.p_consumer)
    return Judged(owed, broken, undecided=broken & d.muddled, other=d.previous, blames=lambda: _shares(d))


def _shares(d: Deliveries) -> Mapping[str, Array]:
    """Return the assertions by what the two consumers share."""
    queue, durable, together = d.e_kind == Kind.QUEUE, d.e_kind == Kind.DURABLE, d.conn == d.p_conn
    return {
        "4.1.2-4": queue,
        "4.2.2-10": ~queue,
        "8.3.2-6": ~queue & ~durable & together,
        "8.3.4-6": durable & together,
        "8.3.4-7": durable & ~together,
    }


@on(
    Grain.DELIVERY,
    "recovered-by-same-session",
    "6.2.10-24",
    story="{Sent}. {Other}, and {other_unit}; but {this}.",
)
def recovered_by_same_session(d: Deliveries) -> Judged:
    """What a session recovers is delivered again to the same session, as long as that lives and nobody competes."""
    owed = d.again & (d.p_kind == End.RECOVERED) & (d.t0 > d.p_s0) & (d.p_e0 > d.t0) & ~d.restarted
    broken = owed & (d.session != d.p_session)
    # Nothing determines how consumers of a queue or a shared subscription divide the messages that one of them returns.
    competing = (d.e_kind == Kind.QUEUE) | d.e_shared
    return Judged(owed, broken, undecided=broken & (d.muddled | competing), other=d.previous)


PROPERTIES = (
    repeat_is_flagged,
    flag_agrees_with_count,
    count_rises,
    first_count_is_one,
    settled_stays_settled,
    settled_survives_restart,
    auto_last_only,
    one_holder,
    recovered_by_same_session,
)
