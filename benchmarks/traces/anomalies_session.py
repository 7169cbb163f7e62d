"""Faults in a send, a session or a callback."""

from __future__ import annotations

from typing import Final

import numpy as np

from benchmarks.traces.editor import Anomaly, Editor, NoSuchRowError, anomaly
from benchmarks.traces.model import MS, ROUND, STOP, US
from benchmarks.traces.row_masks import (
    at_queue,
    first_deliveries,
    plain,
    previous,
    swap,
    to_listener,
)
from tck.check.columns import (
    AUTO,
    NEVER,
    NONE,
    PERSISTENT,
    Kind,
    Op,
    Out,
)


@anomaly("timestamp-within-send")
def _stamp_shifted(e: Editor) -> None:
    row = e.choose((e.op == Op.SEND) & plain(e))
    e.set(row, stamp=e.stamp[row] + 50)
    e.expect("timestamp-within-send", row)


@anomaly("expiration-computed")
def _expiration_off(e: Editor) -> None:
    row = e.choose((e.op == Op.SEND) & (e.ttl > 0))
    e.set(row, expires=e.expires[row] + 7)
    e.expect("expiration-computed", row)


@anomaly("delivery-time-computed")
def _delay_left_out(e: Editor) -> None:
    row = e.choose((e.op == Op.SEND) & (e.delay > 0))
    e.set(row, due=e.stamp[row])
    e.expect("delivery-time-computed", row)


@anomaly("listener-serial")
def _listener_begun_early(e: Editor) -> None:
    mask = first_deliveries(e) & to_listener(e)
    before = previous(e, mask)
    row = e.choose((before >= 0) & (e.t0 - e.t0[before] < MS))
    e.set(row, t0=e.t1[before[row]] - 50 * US)
    e.expect("listener-serial", row)


@anomaly("order-per-stream")
def _two_swapped(e: Editor) -> None:
    mask = at_queue(e, AUTO) & plain(e)
    before = previous(e, mask)
    row = e.choose((before >= 0) & (e.msg >> 32 == e.msg[before] >> 32) & (e.t0 - e.t0[before] < 10 * MS))
    swap(e, row, int(before[row]))
    e.expect("order-per-stream", row)


@anomaly("order-per-stream")
def _lower_priority_overtakes(e: Editor) -> None:
    mask = first_deliveries(e) & ~to_listener(e) & (e.endpoint("kind") == Kind.NONDURABLE) & (e.mode == PERSISTENT)
    high = mask & (e.prio == 7)
    row = e.choose(high)
    later = mask & (e.msg >> 32 == e.msg[row] >> 32) & (e.end == e.end[row]) & (e.prio < 7)
    overtaker = e.rows(later & (e.msg == e.msg[row] + 1))
    if not overtaker:
        raise NoSuchRowError("no message of lower priority was sent right after it")
    moved = int(e.t0[overtaker[0]]) + 50 * US
    e.set(row, t0=moved, t1=moved)
    e.expect("order-per-stream", row)


@anomaly("nothing-after-close")
def _after_close(e: Editor) -> None:
    lasting = (e.session == e.session) & (e.tables.consumers.gone0[np.maximum(e.consumer, 0)] >= NEVER)
    mask = first_deliveries(e) & to_listener(e) & lasting
    last = np.zeros(len(mask), bool)
    for session in np.unique(e.session[mask]):
        mine = np.flatnonzero(mask & (e.session == session))
        last[mine[np.argmax(e.t0[mine])]] = True
    row = e.choose(last)
    e.close(int(e.session[row]), int(e.t0[row]) + MS)
    e.set(row, t0=e.t0[row] + 10 * MS, t1=e.t1[row] + 10 * MS)
    e.expect("nothing-after-close", row)


@anomaly("nothing-while-stopped")
def _while_stopped(e: Editor) -> None:
    stopped = np.isin(e.conn, e.tables.stops.conn)
    mask = first_deliveries(e) & to_listener(e) & stopped
    after = np.zeros(len(mask), bool)
    rows = np.flatnonzero(mask)
    keys = e.session[rows].astype(np.int64) << 32 | e.t0[rows] // ROUND
    for key in np.unique(keys):
        mine = rows[keys == key]
        after[mine[np.argmax(e.t0[mine])]] = True
    row = e.choose(after)
    t0 = int(e.t0[row]) // ROUND * ROUND + STOP + 5 * MS
    e.set(row, t0=t0, t1=t0 + 100 * US)
    e.expect("nothing-while-stopped", row)


@anomaly("completion-once")
def _completion_repeated(e: Editor) -> None:
    row = e.choose(e.op == Op.COMPLETE)
    t0 = int(e.t0[row]) // ROUND * ROUND + 150 * MS
    e.add(row, t0=t0, t1=t0 + 100 * US)
    e.expect("completion-once", e.send_of(int(e.msg[row])))


@anomaly("completion-once")
def _completion_dropped(e: Editor) -> None:
    alive = e.t0 // ROUND == (e.t0.max() // ROUND)
    row = e.choose((e.op == Op.COMPLETE) & alive)
    e.drop(row)
    e.close(int(e.session[row]), int(e.t0.max()) + 10 * ROUND)
    e.expect("completion-once", e.send_of(int(e.msg[row])))


@anomaly("completion-order")
def _completions_swapped(e: Editor) -> None:
    mask = e.op == Op.COMPLETE
    before = previous(e, mask)
    row = e.choose((before >= 0) & (e.unit == e.unit[before]) & (e.t0 - e.t0[before] < 10 * MS))
    other = int(before[row])
    e.columns["msg"][[row, other]] = e.columns["msg"][[other, row]]
    e.touch(row)
    e.touch(other)
    e.expect("completion-order", row)


@anomaly("completion-serial")
def _completions_overlap(e: Editor) -> None:
    mask = e.op == Op.COMPLETE
    before = previous(e, mask)
    row = e.choose((before >= 0) & (e.t0 - e.t0[before] < 10 * MS))
    e.set(row, t0=e.t1[before[row]] - 50 * US)
    e.expect("completion-serial", row)


@anomaly("commit-waits-for-completions")
def _completion_after_commit(e: Editor) -> None:
    ending = np.isin(e.unit, e.unit[((e.op == Op.COMMIT) | (e.op == Op.ROLLBACK)) & (e.out == Out.OK)])
    mask = (e.op == Op.COMPLETE) & ending
    before = previous(e, mask)
    last = mask & ~np.isin(np.arange(len(mask)), before[(before >= 0) & (e.unit == e.unit[before])])
    row = e.choose(last)
    commit = e.rows(((e.op == Op.COMMIT) | (e.op == Op.ROLLBACK)) & (e.unit == e.unit[row]))[0]
    e.set(row, t1=e.t1[commit] + MS)
    e.expect("commit-waits-for-completions", row)


@anomaly("close-waits-for-completions")
def _completion_after_close(e: Editor) -> None:
    called = e.op == Op.COMPLETE
    alive = (e.t0 // ROUND == e.t0[called].max() // ROUND) & ~np.isin(e.session, e.session[e.op == Op.CLOSE])
    session = int(e.session[e.choose(called & alive)])
    t0 = int(e.t0.max()) + 10 * ROUND
    row = max(e.rows(called & (e.session == session)), key=lambda each: e.t0[each])
    e.close(session, t0)
    e.set(row, unit=session << 32 | 0x7FFFFFFF, t1=t0 + 2 * MS)
    e.expect("close-waits-for-completions", row)


@anomaly("shared-subscription-joined")
def _subscription_refused(e: Editor) -> None:
    row = e.choose((e.op == Op.DELIVER) & (e.end >= 0) & e.endpoint("shared"))
    t1 = int(e.t0[row]) + MS
    place = e.add(row, op=Op.SUBSCRIBE, out=Out.FAIL, consumer=NONE, msg=NONE, unit=NONE, t1=t1)
    e.expect("shared-subscription-joined", place)


@anomaly("exception-listener-serial")
def _exceptions_overlap(e: Editor) -> None:
    before = previous(e, e.op == Op.EXCEPTION)
    row = e.choose((before >= 0) & (e.t0 - e.t0[before] < 10 * MS))
    e.set(row, t0=e.t1[before[row]] - 100 * US)
    e.expect("exception-listener-serial", row)


ANOMALIES: Final = tuple(each for each in list(globals().values()) if isinstance(each, Anomaly))
