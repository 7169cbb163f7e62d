"""The rows of a generated trace, round by round; see the package."""

from __future__ import annotations

from typing import Final

import numpy as np

from benchmarks.traces.model import (
    BROWSE,
    COMMIT,
    DELIVER,
    EXCEPTIONS,
    FINISH,
    MS,
    ORIGIN,
    REDELIVER,
    RESTART,
    ROUND,
    SETTLE,
    US,
    Endpoint,
)
from benchmarks.traces.plan import Plan
from tck.check.array_ops import expand, scatter, starts
from tck.check.columns import AUTO, CLIENT, NEVER, OPERATIONS, TRANSACTED, Array, Op, Out, Table


class Rounds:
    """Makes the rows of a plan."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.parts: list[dict[str, Array]] = []

    def add(self, op: int, **columns: object) -> dict[str, Array]:
        """Add rows; single values apply to all rows."""
        arrays = {name: np.asarray(value) for name, value in columns.items()}
        size = max(array.size for array in arrays.values())
        part = {name: np.broadcast_to(array, (size,)) for name, array in arrays.items()}
        part["op"] = np.full(size, op)
        part.setdefault("conn", part["session"])
        self.parts.append(part)
        return part

    def rows(self) -> Table:
        """Make the rows; each session is numbered from 0 in order of time."""
        sends = self._send()
        self._end_transactions(sends)
        self._complete(sends)
        self._browse(sends)
        for number, endpoint in enumerate(self.plan.endpoints):
            self._consume(number, endpoint, sends)
        self._exceptions_and_crashes()
        parts = [Table.of(OPERATIONS, part) for part in self.parts if len(part["op"])]
        rows = Table.concat(OPERATIONS, parts)
        order = np.lexsort((rows.op, rows.t0, rows.session))
        return rows.replaced(seq=scatter(order, rank(starts(rows.session[order]))))

    def _send(self) -> Table:
        shape, count = self.plan.shape, len(self.plan.producers)
        each = count * shape.per_round
        number = np.arange(shape.rounds * each)
        round_, rest = number // each, number % each
        producer, place = rest // shape.per_round, rest % shape.per_round
        of = {
            name: np.array([getattr(variant, name) for _, variant in self.plan.producers])[producer]
            for name in _OF_VARIANT
        }
        generation = self.plan.generation(round_)
        in_generation = round_ % shape.restart_every
        position = in_generation * shape.per_round + place
        t0 = round_ * ROUND + place * 400 * US + producer % 50 * US
        stamp = (ORIGIN + t0 + 25 * US) // MS
        epoch = in_generation
        outcome = (round_ + producer) % 97
        session = self.plan.lane(generation, producer)
        unit = np.where(of["branch"], self._branch(round_, producer), (session.astype(np.int64) << 32) | epoch)
        columns = {
            "msg": (generation * count + producer).astype(np.int64) << 32 | position,
            "session": session,
            "conn": session,
            "dest": self.plan.dest(np.array([dest for dest, _ in self.plan.producers])[producer], generation),
            "t0": t0,
            "t1": t0 + 50 * US,
            "unit": unit,
            "auto": of["asynchronous"],
            "prio": np.where(of["mixed"], 1 + place * 3 % 9, 4),
            "mode": of["mode"],
            "ttl": of["ttl"],
            "delay": of["delay"],
            "klass": place % 3,
            "digest": number * 7919 + 1,
            "head": number * 104729 + 1,
            "jms": number * 1299709 + 1,
            "stamp": stamp,
            "expires": np.where(of["ttl"] > 0, stamp + of["ttl"], 0),
            "due": stamp + of["delay"],
        }
        self.add(Op.SEND, **columns)
        # Known to the generator only: the round, and the outcome of the transaction (committed, rolled back, in doubt).
        doubtful = of["tx"] & (outcome == 5)
        undone = (of["tx"] | of["branch"]) & (outcome % 7 == 3)
        arrives = ~undone & ~(doubtful & (producer % 2 == 0))
        return Table(
            {**columns, "round": round_, "producer": producer, "place": place, "tx": of["tx"], "branch": of["branch"],
             "undone": undone, "doubtful": doubtful, "arrives": arrives}
        )  # fmt: skip

    def _branch(self, round_: Array, producer: Array) -> Array:
        """Number the unit of a branch: pseudo-sessions beyond all others."""
        return (self.plan.generations * self.plan.lanes + round_ * len(self.plan.producers) + producer).astype(
            np.int64
        ) << 32

    def _end_transactions(self, sends: Table) -> None:
        ends = sends.take(np.flatnonzero(sends.tx & (sends.place == 0)))
        t0 = ends.columns["round"] * ROUND + COMMIT
        rolled_back, doubtful = ends.undone & ~ends.doubtful, ends.doubtful
        self.add(
            Op.COMMIT,
            session=ends.session,
            unit=ends.unit,
            t0=t0,
            t1=np.where(doubtful, NEVER, t0 + MS),
            out=np.where(doubtful, Out.UNKNOWN, Out.OK),
        )["op"] = np.where(rolled_back, Op.ROLLBACK, Op.COMMIT)

    def _complete(self, sends: Table) -> None:
        of = sends.take(np.flatnonzero(sends.auto))
        t0 = of.t0 + 100 * US
        self.add(Op.COMPLETE, session=of.session, msg=of.msg, unit=of.unit, t0=t0, t1=t0 + 100 * US)

    def _browse(self, sends: Table) -> None:
        of = sends.take(np.flatnonzero((sends.dest < self.plan.shape.queues) & sends.arrives & (sends.delay == 0)))
        lane = len(self.plan.producers) + 2 * len(self.plan.endpoints) + of.dest
        t0 = of.columns["round"] * ROUND + BROWSE + of.place * 10 * US + of.producer * US % (10 * US)
        session = self.plan.lane(self.plan.generation(of.columns["round"]), lane)
        self.add(Op.BROWSE, session=session, msg=of.msg, end=of.dest, dest=of.dest, t0=t0, t1=t0)

    def _consume(self, number: int, endpoint: Endpoint, sends: Table) -> None:
        asked = (np.minimum(sends.dest, self.plan.destinations - 1) == endpoint.dest) & sends.arrives
        if endpoint.selector >= 0:
            asked &= sends.klass != 2
        if endpoint.nolocal:
            asked &= sends.producer != self.plan.local(endpoint)
        of = sends.take(np.flatnonzero(asked))
        of = of.take(np.lexsort((of.place, of.producer, -of.prio, of.columns["round"])))
        round_ = of.columns["round"]
        turn = rank(starts(round_))
        consumer = turn % endpoint.consumers
        unsettled = np.zeros(len(of), bool)
        settles = endpoint.mode in (CLIENT, TRANSACTED)
        if settles:
            unsettled = self.plan.last_round(round_)
        back = (self.plan.returns_messages(round_) & ~unsettled) if settles else np.zeros(len(of), bool)
        base = round_ * ROUND + DELIVER + turn * 200 * US
        self._deliver(number, endpoint, of, base, consumer, count=1)
        # Returned messages are redelivered in the round: after a rollback to the other consumer, after a recover to the same.
        other = (consumer + 1) % endpoint.consumers if endpoint.mode == TRANSACTED else consumer
        again = of.take(np.flatnonzero(back))
        self._deliver(
            number,
            endpoint,
            again,
            again.columns["round"] * ROUND + REDELIVER + turn[back] * 200 * US,
            other[back],
            count=2,
        )
        # Messages unsettled at a restart are redelivered in the next round, before any new one, with a stale count.
        lost = of.take(np.flatnonzero(unsettled))
        later = lost.replaced(round=lost.columns["round"] + 1)
        self._deliver(
            number,
            endpoint,
            later,
            later.columns["round"] * ROUND + BROWSE + turn[unsettled] * 20 * US,
            consumer[unsettled],
            count=2,
        )
        if settles:
            self._settle(number, endpoint)

    def _deliver(self, number: int, endpoint: Endpoint, of: Table, t0: Array, consumer: Array, *, count: int) -> None:
        if not len(of):
            return
        round_ = of.columns["round"]
        generation = self.plan.generation(round_)
        session, conn, who = self.plan.place(number, endpoint, generation, consumer)
        # Two settling calls in each round: one between delivery and redelivery, one at the end.
        epoch = 2 * (round_ % self.plan.shape.restart_every) + ((t0 % ROUND) >= REDELIVER)
        self.add(
            Op.DELIVER,
            session=session,
            conn=conn,
            consumer=who,
            t0=t0,
            t1=t0 + 100 * US if endpoint.listens else t0,
            end=self.plan.end(number, generation),
            unit=(session.astype(np.int64) << 32) | epoch,
            auto=endpoint.mode == AUTO,
            red=count > 1,
            count=count,
            **{name: of.columns[name] for name in _CARRIED},
        )

    def _settle(self, number: int, endpoint: Endpoint) -> None:
        rounds = np.arange(self.plan.shape.rounds)
        for consumer in range(endpoint.consumers):
            generation = self.plan.generation(rounds)
            session, conn, _ = self.plan.place(number, endpoint, generation, np.full(len(rounds), consumer))
            epoch = 2 * (rounds % self.plan.shape.restart_every)
            done, undone = (Op.ACK, Op.RECOVER) if endpoint.mode == CLIENT else (Op.COMMIT, Op.ROLLBACK)
            kept = ~self.plan.last_round(rounds)
            back = self.plan.returns_messages(rounds)
            for offset, time, op in (
                (0, SETTLE, np.where(back, undone, done)),
                (1, FINISH, np.full(len(rounds), done)),
            ):
                part = self.add(
                    done,
                    session=session[kept],
                    conn=conn[kept],
                    unit=(session[kept].astype(np.int64) << 32) | (epoch[kept] + offset),
                    t0=rounds[kept] * ROUND + time,
                    t1=rounds[kept] * ROUND + time + MS,
                )
                part["op"] = op[kept]

    def _exceptions_and_crashes(self) -> None:
        rounds = np.arange(self.plan.shape.rounds)
        generation = self.plan.generation(rounds)
        lane = self.plan.lane(generation, self.plan.lanes - 1)
        for number in range(2):
            t0 = rounds * ROUND + EXCEPTIONS + number * MS
            self.add(Op.EXCEPTION, session=lane, conn=self.plan.lane(generation, 0), t0=t0, t1=t0 + 500 * US)
        fallen = rounds[self.plan.last_round(rounds)]
        owner, lane_ = expand(np.full(len(fallen), self.plan.lanes - 1))
        session = self.plan.lane(self.plan.generation(fallen[owner]), lane_)
        ends = 2 * self.plan.shape.restart_every - 2
        producing = lane_ < len(self.plan.producers)
        unit = session.astype(np.int64) << 32 | np.where(producing, self.plan.shape.restart_every, ends)
        self.add(
            Op.CRASH,
            session=session,
            unit=unit,
            t0=fallen[owner] * ROUND + RESTART,
            t1=fallen[owner] * ROUND + RESTART + 5 * MS,
        )


_OF_VARIANT: Final = ("mode", "ttl", "delay", "tx", "branch", "asynchronous", "mixed")
_CARRIED: Final = (
    "msg", "dest", "prio", "mode", "ttl", "delay", "klass", "digest", "head", "jms", "stamp", "expires", "due"
)  # fmt: skip


def rank(first: Array) -> Array:
    """Number the rows of each run from 0."""
    number = np.arange(len(first))
    return number - np.maximum.accumulate(np.where(first, number, 0)) if len(first) else number
