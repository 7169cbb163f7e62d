"""Faults in transactions, and lost messages."""

from __future__ import annotations

from typing import Final

import numpy as np

from benchmarks.traces.editor import Anomaly, Editor, anomaly
from benchmarks.traces.model import MS, ROUND, US
from benchmarks.traces.row_masks import (
    at_queue,
    copies_of,
    deliver_late,
    first_deliveries,
    other_consumer,
    plain,
    redeliveries,
    to_listener,
    unit_in,
)
from tck.check.columns import (
    AUTO,
    CLIENT,
    NEVER,
    NON_PERSISTENT,
    NONE,
    PERSISTENT,
    TRANSACTED,
    Array,
    End,
    Kind,
    Op,
    Out,
)


@anomaly("uncommitted-invisible")
def _before_commit(e: Editor) -> None:
    in_tx = e.tables.sessions.mode[np.maximum(e.of_send("session"), 0)] == TRANSACTED
    whole = np.isin(e.of_send("unit"), e.unit[e.op == Op.COMMIT]) & in_tx
    row = e.choose(at_queue(e, AUTO) & whole & (e.msg & 3 == 0))
    commit = e.rows((e.op == Op.COMMIT) & (e.unit == e.of_send("unit")[row]))[0]
    t0 = int(e.t0[commit]) - MS
    e.set(row, t0=t0, t1=t0 + (e.t1[row] - e.t0[row]).item())
    e.expect("uncommitted-invisible", row)


@anomaly("rolled-back-invisible")
def _after_rollback(e: Editor) -> None:
    send = e.choose(
        (e.op == Op.SEND) & np.isin(e.unit, e.unit[e.op == Op.ROLLBACK]) & np.isin(e.dest, e.end[at_queue(e, AUTO)])
    )
    deliver_late(e, send, "rolled-back-invisible")


@anomaly("transaction-atomic", "no-loss-persistent")
def _half_a_transaction(e: Editor) -> None:
    doubtful = e.unit[(e.op == Op.COMMIT) & (e.out == Out.UNKNOWN)]
    seen = np.isin(e.of_send("unit"), doubtful) & (e.op == Op.DELIVER) & (e.endpoint("kind") != Kind.NONDURABLE)
    row = e.choose(seen)
    unit = int(e.of_send("unit")[row])
    e.drop(*copies_of(e, int(e.msg[row])))
    commit = e.rows((e.op == Op.COMMIT) & (e.unit == unit))[0]
    first = e.rows(seen & (e.of_send("unit") == unit) & (e.msg != e.msg[row]))
    place = min((int(e.session[each]), int(e.seq[each])) for each in first)
    e.touch(commit)
    e.expect("transaction-atomic", place)


@anomaly("consume-produce-atomic")
def _sent_but_not_consumed(e: Editor) -> None:
    lasting = e.t0 // ROUND < e.t0.max() // ROUND - 1
    row = e.choose(redeliveries(e) & (e.mode_of() == TRANSACTED) & (e.endpoint("kind") == Kind.QUEUE) & lasting)
    commit = e.rows((e.op == Op.COMMIT) & (e.unit == e.unit[row]))[0]
    e.set(commit, out=Out.UNKNOWN, t1=NEVER)
    send = e.rows((e.op == Op.SEND) & plain(e) & (e.dest == 0) & (e.t0 // ROUND == e.t0[row] // ROUND + 1))[0]
    e.drop(*e.rows((e.op == Op.BROWSE) & (e.msg == e.msg[send])))
    e.set(send, session=e.session[row], conn=e.conn[row], unit=e.unit[row], seq=(1 << 39) + 7 + e.which)
    e.move_send(send, int(e.t0[commit]) - 10 * MS)
    session, consumer = other_consumer(e, row)
    t0 = int(e.t0[row]) // ROUND * ROUND + ROUND + 500 * MS
    # The next round returns nothing, so the first settling call there settles this.
    e.add(
        row,
        session=session,
        conn=session,
        consumer=consumer,
        t0=t0,
        t1=t0,
        count=3,
        unit=unit_in(e, row, session) + 1,
    )
    e.expect("consume-produce-atomic", e.rows((e.op == Op.DELIVER) & (e.msg == e.msg[send]))[0])


@anomaly("prepared-outcome", "no-loss-persistent", "rolled-back-invisible")
def _branch_not_undone(e: Editor) -> None:
    branches = e.tables.branches
    undone = branches.unit[branches.prepared & (branches.kind == End.UNDONE)]
    send = e.choose((e.op == Op.SEND) & np.isin(e.unit, undone) & np.isin(e.dest, e.end[at_queue(e, AUTO)]))
    deliver_late(e, send, "prepared-outcome")


def _lose(e: Editor, mask: Array, name: str, *, browsed: bool = False) -> None:
    row = e.choose(mask)
    msg = int(e.msg[row])
    e.drop(*e.rows((e.op == Op.DELIVER) & (e.msg == msg) & (e.end == e.end[row])))
    if not browsed:
        e.drop(*e.rows((e.op == Op.BROWSE) & (e.msg == msg)))
    e.expect(name, e.send_of(msg))


@anomaly("uncommitted-not-browsed")
def _browsed_early(e: Editor) -> None:
    committed = np.isin(e.of_send("unit"), e.unit[(e.op == Op.COMMIT) & (e.out == Out.OK)])
    row = e.choose((e.op == Op.BROWSE) & committed)
    commit = e.rows((e.op == Op.COMMIT) & (e.unit == e.of_send("unit")[row]))[0]
    e.set(row, t0=e.t0[commit] - US, t1=e.t0[commit] - US)
    e.expect("uncommitted-not-browsed", row)


@anomaly("no-loss-persistent")
def _lost_on_queue(e: Editor) -> None:
    _lose(e, at_queue(e, AUTO) & plain(e), "no-loss-persistent")


@anomaly("durable-complete")
def _lost_on_durable(e: Editor) -> None:
    _lose(e, first_deliveries(e) & (e.endpoint("kind") == Kind.DURABLE) & plain(e), "durable-complete")


@anomaly("nondurable-complete-while-open")
def _lost_on_nondurable(e: Editor) -> None:
    lasting = ~e.tables.restarted(e.of_send("t0"), np.full(len(e.op), NEVER))
    _lose(
        e,
        first_deliveries(e) & (e.endpoint("kind") == Kind.NONDURABLE) & plain(e) & lasting,
        "nondurable-complete-while-open",
    )


@anomaly("nonpersistent-kept-without-failure")
def _lost_nonpersistent(e: Editor) -> None:
    lasting = ~e.tables.restarted(e.of_send("t0"), np.full(len(e.op), NEVER))
    _lose(e, at_queue(e, AUTO) & plain(e, NON_PERSISTENT) & lasting, "nonpersistent-kept-without-failure")


@anomaly("browsing-does-not-consume", "no-loss-persistent")
def _consumed_by_browser(e: Editor) -> None:
    _lose(e, at_queue(e, AUTO) & plain(e), "browsing-does-not-consume", browsed=True)


@anomaly("unsettled-comes-back")
def _rolled_back_and_gone(e: Editor) -> None:
    _not_returned(e, TRANSACTED, "unsettled-comes-back")


@anomaly("acknowledge-leaves-others", "unsettled-comes-back")
def _recovered_and_gone(e: Editor) -> None:
    _not_returned(e, CLIENT, "acknowledge-leaves-others")


@anomaly("unsettled-comes-back")
def _rolled_back_then_given_to_the_dying_and_gone(e: Editor) -> None:
    """The dying client reports a delivery late; another client's delivery, which it returned, was before that."""
    crash = (e.op == Op.CRASH) & (e.consumer == NONE)
    dying = np.isin(e.unit, e.unit[crash]) & (e.op == Op.DELIVER) & (e.mode_of() == TRANSACTED)
    row = e.choose(dying & plain(e) & (e.count == 1) & (e.t0 // ROUND < e.t0.max() // ROUND - 1))
    msg, end = int(e.msg[row]), int(e.end[row])
    e.drop(*e.rows((e.op == Op.DELIVER) & (e.msg == msg) & (e.end == end) & (e.t0 > e.t0[row])))
    same = (e.end == end) & (e.t0 // ROUND == e.t0[row] // ROUND)
    other = e.rows(dying & same & (e.session != e.session[row]))[0]
    unit = (int(e.session[other]) << 32) + 0x7FFFFFFF
    e.add(row, session=e.session[other], consumer=e.consumer[other], unit=unit)
    back = int(e.t0[row]) + MS
    died = e.rows(crash & (e.session == e.session[other]))[0]
    e.add(died, op=Op.ROLLBACK, out=Out.OK, unit=unit, t0=back, t1=back + US)
    reported = int(e.t0[died]) + MS
    e.set(row, t0=reported, t1=reported, count=2, red=True)
    e.expect("unsettled-comes-back", row)


def _not_returned(e: Editor, mode: int, name: str) -> None:
    lasting = e.t0 // ROUND < e.t0.max() // ROUND - 1
    row = e.choose(
        redeliveries(e)
        & (e.mode_of() == mode)
        & (e.endpoint("kind") == Kind.QUEUE)
        & (e.mode == PERSISTENT)
        & (e.ttl == 0)
        & lasting
    )
    e.drop(row)
    e.expect(name, e.rows((e.op == Op.DELIVER) & (e.msg == e.msg[row]) & ~e.red)[0])


@anomaly("message-id-unique")
def _id_reused(e: Editor) -> None:
    row = e.choose((e.op == Op.SEND) & plain(e) & (e.msg & 0xFFFFFFFF > 0))
    other = e.send_of(int(e.msg[row]) - 1)
    e.set(row, jms=e.jms[other])
    e.expect("message-id-unique", row)


@anomaly("priority-hint")
def _expedited_waits(e: Editor) -> None:
    mask = first_deliveries(e) & (e.endpoint("kind") == Kind.NONDURABLE) & ~to_listener(e)
    row = e.choose(mask & (e.prio == 7))
    normal = e.rows(
        mask & (e.consumer == e.consumer[row]) & (e.prio == 4) & (e.t0 // ROUND == e.t0[row] // ROUND) & plain(e)
    )
    moved = int(e.t0[normal[0]]) + 100 * US
    e.set(row, t0=moved, t1=moved)
    e.expect("priority-hint", row)


ANOMALIES: Final = tuple(each for each in list(globals().values()) if isinstance(each, Anomaly))
