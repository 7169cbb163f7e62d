"""The result of a walk through the calls: rows, sends, deliveries not yet matched.

May import the bookkeeping modules `calls`, `endpoints`, `senders`, `sessions`; must not judge.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, TypeAlias

from tck.check.columns import NONE, Op, Out
from tck.check.from_events.calls import FAIL, OK, Call, Facts
from tck.check.from_events.endpoints import Consumer, Endpoint
from tck.check.from_events.senders import Sent
from tck.check.from_events.sessions import Session

_OUT: Final = {OK: Out.OK, FAIL: Out.FAIL}

Row: TypeAlias = dict[str, int]


@dataclass(slots=True)
class Delivery:
    """A delivery, not yet matched with its send."""

    call: Call
    facts: Facts
    row: Row
    consumer: Consumer | None
    endpoint: Endpoint | None
    destination: str
    browsed: bool = False


@dataclass(slots=True)
class TimedOutReceive:
    """A receive that timed out."""

    consumer: Consumer
    t0: int
    t1: int


@dataclass(slots=True)
class WalkResult:
    """Everything that the walk has recorded."""

    rows: list[Row] = field(default_factory=list)
    sends: list[Sent] = field(default_factory=list)
    deliveries: list[Delivery] = field(default_factory=list)
    timed_out: list[TimedOutReceive] = field(default_factory=list)
    restarts: list[Row] = field(default_factory=list)
    streams: dict[tuple[str, int], int] = field(default_factory=dict)
    destinations: dict[str, int] = field(default_factory=dict)
    events: dict[tuple[int, int], tuple[int, ...]] = field(default_factory=dict)
    """The event numbers of each row, by session and seq, the one to cite first."""
    _positions: dict[int, int] = field(default_factory=dict)

    def next_message(self, stream: str, branch: int = NONE) -> int:
        """Return the next message number of a stream. Messages of one producer in different branches need not keep their order."""
        number = self.streams.setdefault((stream, branch), len(self.streams))
        position = self._positions.get(number, 0)
        self._positions[number] = position + 1
        return (number << 32) | position

    def row(self, call: Call, op: int, session: Session, out: int | None = None) -> Row:
        """Add a row for a call; its outcome is that of the call unless another is given.

        A row has the position of its call's beginning, a close that of its return: calls made in between may still succeed.
        """
        out = outcome(call) if out is None else out
        seq = call.end_seq if op == Op.CLOSE and out == Out.OK else call.seq
        row = {
            "seq": seq,
            "session": session.number,
            "conn": session.conn,
            "op": op,
            "out": out,
            "t0": call.t0,
            "t1": call.t1,
        }
        self.rows.append(row)
        by_end = op == Op.DELIVER and not call.callback
        self.events[session.number, seq] = (call.end_seq, call.seq) if by_end else (call.seq, call.end_seq)
        return row


def outcome(call: Call) -> int:
    """Return the outcome of a call as a number."""
    return _OUT.get(call.out, Out.UNKNOWN)
