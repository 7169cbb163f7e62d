"""Faults in the delivery and redelivery of a message."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from benchmarks.traces.editor import Anomaly, Editor, NoSuchRowError, anomaly
from benchmarks.traces.model import MS, RESTART, ROUND, US
from benchmarks.traces.row_masks import (
    SENT_COLUMNS,
    at_queue,
    expiring_delivery,
    first_deliveries,
    other_consumer,
    plain,
    redeliveries,
    settled_deliveries,
    unit_in,
)
from tck.check.columns import (
    AUTO,
    CLIENT,
    NEVER,
    NONE,
    Array,
    Kind,
    Op,
)


@anomaly("no-invention")
def _unknown_id(e: Editor) -> None:
    row = e.choose(at_queue(e, AUTO) & plain(e))
    stranger = int(e.msg.max() >> 32) + 1 + e.which << 32
    moved = int(e.t0[row]) // ROUND * ROUND + 960 * MS
    e.expect("no-invention", e.add(row, msg=stranger, t0=moved, t1=moved))


@anomaly("right-destination", "no-loss-persistent", "browsing-does-not-consume")
def _wrong_destination(e: Editor) -> None:
    row = e.choose(at_queue(e, AUTO) & plain(e))
    others = np.flatnonzero((e.tables.endpoints.kind == Kind.QUEUE) & (e.tables.endpoints.owner == NONE))
    e.set(row, end=int(others[others != e.end[row]][0]))
    e.expect("right-destination", row)


@anomaly("no-corruption")
def _body_changed(e: Editor) -> None:
    row = e.choose(first_deliveries(e))
    e.set(row, digest=e.digest[row] + 1)
    e.expect("no-corruption", row)


@anomaly("headers-as-sent")
def _headers_changed(e: Editor) -> None:
    row = e.choose(first_deliveries(e))
    e.set(row, head=e.head[row] + 1)
    e.expect("headers-as-sent", row)


@anomaly("not-after-expiry", "expired-not-received")
def _far_after_expiry(e: Editor) -> None:
    _expire(e, -7_500 * MS)
    e.expect("not-after-expiry", expiring_delivery(e))
    e.expect("expired-not-received", expiring_delivery(e))


@anomaly("expired-not-received")
def _slightly_after_expiry(e: Editor) -> None:
    _expire(e, -5_000 * MS)
    e.expect("expired-not-received", expiring_delivery(e))


def _expire(e: Editor, shift: int) -> None:
    row = expiring_delivery(e)
    send = e.send_of(int(e.msg[row]))
    e.move_send(send, int(e.t0[send]) + shift)


@anomaly("not-before-delivery-time")
def _before_due(e: Editor) -> None:
    row = e.choose(at_queue(e, AUTO) & (e.delay > 0))
    send = e.send_of(int(e.msg[row]))
    for each in e.rows(e.msg == e.msg[row]):
        e.set(each, delay=800, due=e.stamp[send] + 800)
    e.expect("not-before-delivery-time", row)


@anomaly("not-before-send")
def _before_send(e: Editor) -> None:
    row = e.choose(at_queue(e, AUTO) & plain(e))
    e.drop(*e.rows((e.op == Op.BROWSE) & (e.msg == e.msg[row])))
    e.move_send(e.send_of(int(e.msg[row])), int(e.t0[row]) + MS)
    e.expect("not-before-send", row)


@anomaly("selector-honoured")
def _refused_delivered(e: Editor) -> None:
    _add_refused(
        e, (e.endpoint("selector") >= 0) & (e.op == Op.DELIVER), lambda send: e.klass[send] == 2, "selector-honoured"
    )


@anomaly("no-local-honoured")
def _local_delivered(e: Editor) -> None:
    local = (e.endpoint("nolocal") >= 0) & (e.op == Op.DELIVER)
    _add_refused(e, local, lambda send: e.conn[send] == e.endpoint("nolocal")[e.choose(local)], "no-local-honoured")


def _add_refused(e: Editor, mask: Array, refused: Callable[[Array], Array], name: str) -> None:
    """Deliver a message that an endpoint must reject to its consumer, at the end of the round."""
    row = e.choose(mask)
    sends = np.flatnonzero((e.op == Op.SEND) & (e.dest == e.dest[row]) & (e.t0 // ROUND == e.t0[row] // ROUND))
    sends = sends[refused(sends) & (e.ttl[sends] == 0) & (e.unit[sends] >> 32 == e.session[sends])]
    sends = sends[(e.tables.sessions.mode[e.session[sends]] == AUTO)]
    if not len(sends):
        raise NoSuchRowError("nothing that the endpoint must keep out")
    send = int(sends[0])
    following = e.rows((e.op == Op.DELIVER) & (e.end == e.end[row]) & (e.msg == e.msg[send] + 1))
    t0 = int(e.t0[following[0]]) - 100 * US if following else int(e.t0[row]) // ROUND * ROUND + 960 * MS
    same = {column: e.columns[column][send].item() for column in ("msg", "dest", *SENT_COLUMNS)}
    e.expect(name, e.add(row, **same, t0=t0, t1=t0 + (e.t1[row] - e.t0[row]).item(), count=1, red=False))


@anomaly("temporary-owner-only")
def _foreign_temporary(e: Editor) -> None:
    row = e.choose(first_deliveries(e) & (e.endpoint("owner") >= 0))
    e.set(row, conn=0)
    e.expect("temporary-owner-only", row)


@anomaly("temporary-ends-with-connection")
def _temporary_lives_on(e: Editor) -> None:
    of_temporary = first_deliveries(e) & (e.endpoint("owner") >= 0)
    row = e.choose(of_temporary & (e.t0 == e.t0[of_temporary].max()))
    gone = int(e.t0[row]) - 251 * MS
    e.table("endpoints", int(e.end[row]), gone0=gone - MS, gone1=gone)
    for each in e.rows(of_temporary & (e.end == e.end[row]) & (e.t0 > gone + 250 * MS)):
        e.touch(each)
        e.expect("temporary-ends-with-connection", each)


@anomaly("not-before-subscription")
def _subscribed_later(e: Editor) -> None:
    topic = first_deliveries(e) & (e.endpoint("kind") == Kind.NONDURABLE) & plain(e)
    row = e.choose(topic & (e.t0 // ROUND == e.t0.min() // ROUND) & (e.of_send("t1") == e.of_send("t1")[topic].min()))
    opened = int(e.of_send("t1")[row]) + 1
    e.table("endpoints", int(e.end[row]), open0=opened, open1=opened + 1)
    free = e.tables.sessions.mode[np.maximum(e.of_send("session"), 0)] == AUTO
    for each in e.rows((e.op == Op.DELIVER) & (e.end == e.end[row]) & (e.of_send("t1") < opened) & free):
        e.touch(each)
        e.expect("not-before-subscription", each)


@anomaly("not-after-unsubscribe")
def _sent_after_removal(e: Editor) -> None:
    topic = first_deliveries(e) & (e.endpoint("kind") == Kind.NONDURABLE) & (e.endpoint("gone0") >= NEVER)
    last = int(e.of_send("t0")[topic].max())
    row = e.choose(topic & (e.of_send("t0") == last))
    e.table("endpoints", int(e.end[row]), gone0=last - 2, gone1=last - 1)
    for each in e.rows((e.op == Op.DELIVER) & (e.end == e.end[row]) & (e.of_send("t0") > last - 1)):
        e.touch(each)
        e.expect("not-after-unsubscribe", each)


@anomaly("repeat-is-flagged", "flag-agrees-with-count")
def _flag_cleared(e: Editor) -> None:
    row = e.choose(redeliveries(e) & plain(e))
    e.set(row, red=False)
    e.expect("repeat-is-flagged", row)


@anomaly("flag-agrees-with-count")
def _flag_set(e: Editor) -> None:
    row = e.choose(at_queue(e, AUTO) & (e.t0 // ROUND == 0))
    e.set(row, red=True)
    e.expect("flag-agrees-with-count", row)


@anomaly("count-rises", "flag-agrees-with-count")
def _count_stays(e: Editor) -> None:
    row = e.choose(redeliveries(e))
    e.set(row, count=1)
    e.expect("count-rises", row)


@anomaly("first-count-is-one")
def _first_count_two(e: Editor) -> None:
    row = e.choose(at_queue(e, AUTO))
    e.set(row, count=2, red=True)
    e.expect("first-count-is-one", row)


@anomaly("settled-stays-settled")
def _again_after_settling(e: Editor) -> None:
    row = e.choose(at_queue(e, AUTO) & (e.t0 % ROUND < RESTART))
    t0 = int(e.t0[row]) // ROUND * ROUND + 965 * MS
    e.expect("settled-stays-settled", e.add(row, t0=t0, t1=t0 + (e.t1[row] - e.t0[row]).item(), red=True, count=2))


def _after_restart(e: Editor, mask: Array) -> tuple[int, int, int, int]:
    """Choose a delivery at a queue and its consumer of the next generation: row, session, consumer, a time in its life."""
    if not len(e.tables.restarts):
        raise NoSuchRowError("the provider was never restarted")
    row = e.choose(mask & (e.t0 < e.tables.restarts.t0.max()))
    sessions = e.rows((e.op == Op.DELIVER) & (e.end == e.end[row]) & (e.t0 > e.tables.restarts.t1[-1]))
    later = sessions[-1]
    t0 = int(e.t0[later]) // ROUND * ROUND + 970 * MS
    return row, int(e.session[later]), int(e.consumer[later]), t0


@anomaly("settled-survives-restart")
def _again_after_restart(e: Editor) -> None:
    row, session, consumer, t0 = _after_restart(
        e, at_queue(e, CLIENT) & (e.t0 // ROUND % 3 == 0) & settled_deliveries(e)
    )
    place = e.add(
        row,
        session=session,
        conn=session,
        consumer=consumer,
        t0=t0,
        t1=t0,
        red=True,
        count=2,
        unit=session << 32 | 0x7FFFFFF0,
    )
    e.expect("settled-survives-restart", place)


@anomaly("auto-last-only")
def _auto_comes_back(e: Editor) -> None:
    died = np.isin(e.session, e.session[e.op == Op.CRASH])
    row, session, consumer, t0 = _after_restart(e, at_queue(e, AUTO) & died & (e.t0 // ROUND == 0))
    busy = (e.t1[row] - e.t0[row]).item()
    place = e.add(
        row,
        session=session,
        conn=session,
        consumer=consumer,
        t0=t0,
        t1=t0 + busy,
        red=True,
        count=2,
        unit=session << 32,
    )
    e.expect("auto-last-only", place)


@anomaly("one-holder")
def _second_holder(e: Editor) -> None:
    row = e.choose(at_queue(e, CLIENT) & settled_deliveries(e) & plain(e))
    session, consumer = other_consumer(e, row)
    t0 = int(e.t0[row]) // ROUND * ROUND + 550 * MS
    place = e.add(
        row,
        session=session,
        conn=session,
        consumer=consumer,
        t0=t0,
        t1=t0,
        red=True,
        count=2,
        unit=unit_in(e, row, session),
    )
    e.expect("one-holder", place)


@anomaly("recovered-by-same-session")
def _recovered_elsewhere(e: Editor) -> None:
    row = e.choose(redeliveries(e) & (e.mode_of() == CLIENT) & (e.endpoint("kind") == Kind.DURABLE))
    session, consumer = other_consumer(e, row)
    e.set(row, session=session, conn=session, consumer=consumer, unit=unit_in(e, row, session), seq=(1 << 39) + e.which)
    e.expect("recovered-by-same-session", row)


ANOMALIES: Final = tuple(each for each in list(globals().values()) if isinstance(each, Anomaly))
