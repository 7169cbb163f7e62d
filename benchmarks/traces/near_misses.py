"""Edits of a clean trace that look like faults but are permitted: no property may report them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from benchmarks.traces.editor import Edit, Editor
from benchmarks.traces.model import MS, REDELIVER, ROUND, SETTLE, US
from benchmarks.traces.row_masks import (
    at_queue,
    copies_of,
    expiring_delivery,
    first_deliveries,
    other_consumer,
    plain,
    previous,
    redeliveries,
    swap,
    to_listener,
    unit_in,
)
from tck.check.columns import ALWAYS, AUTO, CLIENT, NEVER, NON_PERSISTENT, TRANSACTED, Array, Kind, Op, Out


@dataclass(frozen=True, slots=True)
class NearMiss:
    """A permitted edit."""

    name: str
    make: Edit


def _permitted(edit: Edit) -> NearMiss:
    return NearMiss(edit.__name__.strip("_"), edit)


def _pair(e: Editor, mask: Array) -> tuple[int, int]:
    """Choose two consecutive deliveries of one stream to one consumer."""
    before = previous(e, mask)
    row = e.choose((before >= 0) & (e.msg >> 32 == e.msg[before] >> 32) & (e.t0 - e.t0[before] < 10 * MS))
    return int(before[row]), row


@_permitted
def _higher_priority_overtakes(e: Editor) -> None:
    first, second = _pair(e, at_queue(e, AUTO) & plain(e))
    later = int(e.msg[second])
    for row in e.rows(e.msg == later):
        e.set(row, prio=9)
    swap(e, first, second)
    e.columns["prio"][[first, second]] = e.columns["prio"][[second, first]]


@_permitted
def _nonpersistent_overtakes_persistent(e: Editor) -> None:
    first, second = _pair(e, at_queue(e, AUTO) & plain(e))
    for row in e.rows(e.msg == e.msg[second]):
        e.set(row, mode=NON_PERSISTENT)
    swap(e, first, second)
    e.columns["mode"][[first, second]] = e.columns["mode"][[second, first]]


@_permitted
def _delayed_is_overtaken(e: Editor) -> None:
    first, second = _pair(e, at_queue(e, AUTO) & plain(e))
    for row in e.rows(e.msg == e.msg[first]):
        e.set(row, delay=80, due=e.stamp[row] + 80)
    e.drop(*e.rows((e.op == Op.BROWSE) & (e.msg == e.msg[first])))
    swap(e, first, second)
    e.columns["delay"][[first, second]] = e.columns["delay"][[second, first]]


@_permitted
def _expired_and_never_seen(e: Editor) -> None:
    e.drop(*copies_of(e, int(e.msg[e.choose((e.op == Op.SEND) & (e.ttl > 0))])))


@_permitted
def _slightly_late(e: Editor) -> None:
    row = expiring_delivery(e)
    send = e.send_of(int(e.msg[row]))
    e.drop(*e.rows((e.op == Op.BROWSE) & (e.msg == e.msg[row])))
    e.move_send(send, int(e.t0[row]) - 5_050 * MS)


def _doubtful_send(e: Editor, out: int) -> int:
    row = e.choose((e.op == Op.SEND) & plain(e))
    e.set(row, out=out, t1=NEVER if out == Out.UNKNOWN else e.t1[row])
    return row


@_permitted
def _send_in_doubt_seen(e: Editor) -> None:
    _doubtful_send(e, Out.UNKNOWN)


@_permitted
def _send_in_doubt_unseen(e: Editor) -> None:
    e.drop(*copies_of(e, int(e.msg[_doubtful_send(e, Out.UNKNOWN)])))


@_permitted
def _failed_send_took_effect(e: Editor) -> None:
    _doubtful_send(e, Out.FAIL)


@_permitted
def _recovered_in_another_order(e: Editor) -> None:
    mask = redeliveries(e) & (e.mode_of() == CLIENT)
    first, second = _pair(e, mask)
    swap(e, first, second)


@_permitted
def _producers_of_one_session_crossed(e: Editor) -> None:
    free = e.of_send("unit") >> 32 == e.of_send("session")
    mask = at_queue(e, AUTO) & (e.prio == 4) & (e.delay == 0) & (e.ttl == 0) & free
    before = previous(e, mask)
    row = e.choose(mask & (before >= 0) & (e.msg >> 32 != e.msg[before] >> 32) & (e.t0 - e.t0[before] < 10 * MS))
    other = int(before[row])
    swap(e, row, other)
    for name in ("prio", "mode", "ttl", "delay"):
        e.columns[name][[row, other]] = e.columns[name][[other, row]]


@_permitted
def _consuming_commit_in_doubt_then_again(e: Editor) -> None:
    _in_doubt_then_again(e, TRANSACTED, Op.COMMIT)


@_permitted
def _acknowledge_in_doubt_then_again(e: Editor) -> None:
    _in_doubt_then_again(e, CLIENT, Op.ACK)


def _in_doubt_then_again(e: Editor, mode: int, op: int) -> None:
    settling = (e.op == op) & (e.t0 % ROUND == SETTLE)
    lasting = e.t0 // ROUND < e.t0.max() // ROUND
    row = e.choose(at_queue(e, mode) & np.isin(e.unit, e.unit[settling]) & plain(e) & lasting)
    commit = e.rows(settling & (e.unit == e.unit[row]))[0]
    e.set(commit, out=Out.UNKNOWN, t1=NEVER)
    session, consumer = other_consumer(e, row)
    for number, each in enumerate(e.rows((e.op == Op.DELIVER) & (e.unit == e.unit[row]))):
        t0 = int(e.t0[each]) // ROUND * ROUND + REDELIVER + number * US
        e.add(
            each,
            session=session,
            conn=session,
            consumer=consumer,
            t0=t0,
            t1=t0,
            red=True,
            count=2,
            unit=unit_in(e, row, session) + 1,
        )


@_permitted
def _count_stale_after_restart(e: Editor) -> None:
    after = e.tables.restarts.t1[0]
    again = (e.op == Op.DELIVER) & e.red & (e.t0 > after) & (e.t0 < after + ROUND)
    e.set(e.choose(again & (e.t0 % ROUND < REDELIVER)), count=1)


@_permitted
def _not_drained(e: Editor) -> None:
    row = e.choose(at_queue(e, AUTO) & plain(e))
    e.table("endpoints", int(e.end[row]), drained=ALWAYS)
    e.drop(*copies_of(e, int(e.msg[row])))


@_permitted
def _nonpersistent_lost_over_restart(e: Editor) -> None:
    row = e.choose(at_queue(e, AUTO) & plain(e, NON_PERSISTENT) & (e.t0 < e.tables.restarts.t0[0]))
    e.drop(*copies_of(e, int(e.msg[row])))


@_permitted
def _sent_while_unsubscribing(e: Editor) -> None:
    topic = first_deliveries(e) & (e.endpoint("kind") == Kind.NONDURABLE) & (e.endpoint("gone0") >= NEVER)
    last = int(e.of_send("t0")[topic].max())
    row = e.choose(topic & (e.of_send("t0") == last))
    e.table("endpoints", int(e.end[row]), gone0=last - 10, gone1=last + 10 * US)
    e.drop(row)


@_permitted
def _unacknowledged_when_the_neighbour_closes(e: Editor) -> None:
    """A consumer that closes returns prefetched messages: the other one then gets them late."""
    first, second = _pair(e, at_queue(e, AUTO) & plain(e))
    _, consumer = other_consumer(e, first)
    gone = int(e.t0[first]) - 50 * US
    e.table("consumers", consumer, gone0=gone, gone1=gone + 10 * US)
    e.drop(*e.rows((e.op == Op.DELIVER) & (e.consumer == consumer) & (e.t0 >= gone)))
    e.table("endpoints", int(e.end[first]), drained=ALWAYS)
    swap(e, first, second)


@_permitted
def _clocks_apart(e: Editor) -> None:
    row = e.choose(at_queue(e, AUTO) & plain(e))
    e.drop(*e.rows((e.op == Op.BROWSE) & (e.msg == e.msg[row])))
    send = e.send_of(int(e.msg[row]))
    e.move_send(send, int(e.t0[row]) + 50 * US)
    e.set(send, host=1)


@_permitted
def _unsettled_when_the_trace_ends(e: Editor) -> None:
    last = e.t0.max() // ROUND
    row = e.choose((e.op == Op.ACK) & (e.t0 // ROUND == last))
    e.drop(row)
    later = e.rows((e.session == e.session[row]) & (e.t0 > e.t0[row]))
    e.drop(*later)


@_permitted
def _listener_raised_and_message_came_again(e: Editor) -> None:
    row = e.choose(at_queue(e, AUTO) & to_listener(e) & plain(e))
    e.set(row, out=Out.FAIL)
    t0 = int(e.t0[row]) // ROUND * ROUND + 965 * MS
    e.add(row, out=Out.OK, t0=t0, t1=t0 + 100 * US, red=True, count=2)


@_permitted
def _commit_rolled_back(e: Editor) -> None:
    """A commit fails and reports a rollback: nothing of it is seen."""
    commits = (e.op == Op.COMMIT) & (e.out == Out.OK)
    row = e.choose((e.op == Op.SEND) & np.isin(e.unit, e.unit[commits]) & (e.dest == 0))
    commit = e.rows(commits & (e.unit == e.unit[row]))[0]
    e.set(commit, out=Out.FAIL)
    for send in e.rows((e.op == Op.SEND) & (e.unit == e.unit[row])):
        e.drop(*copies_of(e, int(e.msg[send])))


@_permitted
def _given_to_the_dying_and_told_late(e: Editor) -> None:
    """The client that dies reports a delivery after the next client got the message, with a higher count."""
    dying = np.isin(e.unit, e.unit[e.op == Op.CRASH]) & (e.op == Op.DELIVER)
    last = int(e.t0.max()) // ROUND
    again = [row for row in e.rows(dying & (e.count == 1) & (e.t0 // ROUND < last)) if len(_later(e, row)) == 1]
    row = max(again, key=lambda each: int(e.t0[each]))
    t0 = int(e.t0[_later(e, row)[0]])
    crash = e.rows((e.op == Op.CRASH) & (e.session == e.session[row]))[0]
    e.set(crash, t1=t0 + 2 * MS)
    e.set(row, t0=t0 + MS, t1=t0 + MS)


def _later(e: Editor, row: int) -> list[int]:
    return e.rows((e.op == Op.DELIVER) & (e.msg == e.msg[row]) & (e.end == e.end[row]) & (e.t0 > e.t0[row]))


NEAR_MISSES: Final = tuple(each for each in list(globals().values()) if isinstance(each, NearMiss))
"""Every permitted edit that was once mistaken for a fault, or could be."""
