"""Masks over the rows of a trace, from which edits choose, and changes that several edits share."""

from __future__ import annotations

from typing import Final

import numpy as np

from benchmarks.traces.editor import Editor
from benchmarks.traces.model import FINISH, MS, REDELIVER, ROUND
from tck.check.columns import (
    AUTO,
    NONE,
    PERSISTENT,
    Array,
    Kind,
    Op,
    Out,
)

SENT_COLUMNS: Final = ("prio", "mode", "ttl", "delay", "klass", "digest", "head", "jms", "stamp", "expires", "due")


def plain(e: Editor, mode: int = PERSISTENT) -> Array:
    """Rows of messages outside transactions, without time-to-live, delay or completion."""
    free = e.tables.sessions.mode[np.maximum(e.of_send("session"), 0)] == AUTO
    mask: Array = (
        (e.mode == mode) & (e.ttl == 0) & (e.delay == 0) & (e.prio == 4) & free & ~e.of_send("auto").astype(bool)
    )
    return mask


def first_deliveries(e: Editor) -> Array:
    """Mark first deliveries, except those right after a restart of messages lost then."""
    mask: Array = (e.op == Op.DELIVER) & ~e.red & (e.t0 % ROUND < REDELIVER)
    return mask


def at_queue(e: Editor, mode: int) -> Array:
    """Mark first deliveries at queues to sessions of an acknowledge mode."""
    mask: Array = (
        first_deliveries(e) & (e.endpoint("kind") == Kind.QUEUE) & (e.endpoint("owner") == NONE) & (e.mode_of() == mode)
    )
    return mask


def to_listener(e: Editor) -> Array:
    """Mark deliveries to listeners."""
    mask: Array = e.t1 > e.t0
    return mask


def previous(e: Editor, mask: Array) -> Array:
    """Return, for each marked row, the previous marked row of its session by time; -1 elsewhere."""
    rows = np.flatnonzero(mask)
    rows = rows[np.lexsort((e.t0[rows], e.session[rows]))]
    before = np.full(len(mask), -1)
    same = e.session[rows[1:]] == e.session[rows[:-1]]
    before[rows[1:][same]] = rows[:-1][same]
    return before


def copies_of(e: Editor, msg: int) -> list[int]:
    """Return the deliveries and browsings of a message."""
    return e.rows((e.msg == msg) & ((e.op == Op.DELIVER) | (e.op == Op.BROWSE)))


def unit_in(e: Editor, row: int, session: int) -> int:
    """Return the unit of another session with the same number as that of a row."""
    return session << 32 | int(e.unit[row]) & 0xFFFFFFFF


def swap(e: Editor, one: int, other: int) -> None:
    """Exchange the messages of two deliveries."""
    for name in ("msg", "digest", "head", "jms", "stamp", "expires", "due", "klass"):
        e.columns[name][[one, other]] = e.columns[name][[other, one]]
    e.touch(one)
    e.touch(other)


def expiring_delivery(e: Editor) -> int:
    """Choose a delivery of a message with time-to-live."""
    return e.choose(at_queue(e, AUTO) & (e.ttl > 0))


def redeliveries(e: Editor) -> Array:
    """Mark deliveries of rolled-back or recovered messages, without a restart between."""
    mask: Array = (e.op == Op.DELIVER) & e.red & (e.t0 % ROUND >= REDELIVER) & (e.t0 % ROUND < FINISH)
    return mask


def settled_deliveries(e: Editor) -> Array:
    """Mark deliveries whose unit was settled by an acknowledge or a commit."""
    done = ((e.op == Op.ACK) | (e.op == Op.COMMIT)) & (e.out == Out.OK)
    return np.isin(e.unit, e.unit[done])


def other_consumer(e: Editor, row: int) -> tuple[int, int]:
    """Return session and number of the other consumer of a queue in the same generation."""
    step = 1 if e.consumer[row] % 2 == 0 else -1
    return int(e.session[row]) + step, int(e.consumer[row]) + step


def deliver_late(e: Editor, send: int, name: str) -> None:
    """Deliver a message to a consumer of its queue at the end of the round in which it was sent."""
    like = e.rows(at_queue(e, AUTO) & (e.dest == e.dest[send]) & (e.t0 // ROUND == e.t0[send] // ROUND))[0]
    t0 = int(e.t0[like]) // ROUND * ROUND + 975 * MS
    same = {column: e.columns[column][send].item() for column in ("msg", "dest", *SENT_COLUMNS)}
    e.expect(name, e.add(like, **same, t0=t0, t1=t0 + (e.t1[like] - e.t0[like]).item(), count=1, red=False))
