"""The side tables of a trace, small enough for every worker, and lookups for properties.

May import `columns` and `array_ops`; must not judge.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from tck.check.array_ops import bisect, expand, find, gather, highest, mix, starts
from tck.check.columns import (
    BRANCHES,
    CONSUMERS,
    CUTS,
    ENDPOINTS,
    FENCES,
    MATCHES,
    NEVER,
    RESTARTS,
    SESSIONS,
    STOPS,
    Array,
    Table,
)


@dataclass(frozen=True)
class Tables:
    """Everything except the rows. Endpoints, consumers and sessions are numbered by their index in their table."""

    endpoints: Table = field(default_factory=lambda: Table.empty(ENDPOINTS))
    consumers: Table = field(default_factory=lambda: Table.empty(CONSUMERS))
    sessions: Table = field(default_factory=lambda: Table.empty(SESSIONS))
    restarts: Table = field(default_factory=lambda: Table.empty(RESTARTS))
    stops: Table = field(default_factory=lambda: Table.empty(STOPS))
    branches: Table = field(default_factory=lambda: Table.empty(BRANCHES))
    matches: Table = field(default_factory=lambda: Table.empty(MATCHES))
    fences: Table = field(default_factory=lambda: Table.empty(FENCES))
    cuts: Table = field(default_factory=lambda: Table.empty(CUTS))
    origin: int = 0
    """Start of the run, nanoseconds since the epoch."""

    # -- endpoints -----------------------------------------------------------------------------------------------

    @cached_property
    def _lives(self) -> tuple[tuple[Table, Array], ...]:
        """The endpoints by destination and creation, lasting ones and ended ones apart.

        With each the latest removal so far: before the first that is late enough, no endpoint is alive any more.
        """
        endpoints = self.endpoints
        table = Table({name: endpoints.columns[name] for name in ("dest", "open1", "gone0")})
        table = table.replaced(end=np.arange(len(endpoints)))
        lasting = endpoints.gone0 >= NEVER
        found = []
        for mask in (lasting, ~lasting):
            some = table.take(mask)
            some = some.take(np.lexsort((some.open1, some.dest)))
            if len(some):
                found.append((some, highest(starts(some.dest), some.gone0)))
        return tuple(found)

    def alive(self, dest: Array, time: Array, steady: int) -> tuple[Array, Array]:
        """Pair each row with the endpoints of its destination that had existed for `steady` ns at its time.

        Returns the number of the row and of the endpoint, for each pair.
        """
        owners, ends = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
        for some, latest in self._lives:
            low, high = np.searchsorted(some.dest, dest, "left"), np.searchsorted(some.dest, dest, "right")
            first = bisect(latest, low, high, time)
            last = bisect(some.open1, first, high, time - steady + 1)
            owner, place = expand(last - first)
            at = first[owner] + place
            there = some.gone0[at] >= time[owner]
            owners.append(owner[there])
            ends.append(some.end[at[there]])
        return np.concatenate(owners), np.concatenate(ends)

    # -- selectors -----------------------------------------------------------------------------------------------

    @cached_property
    def _answers(self) -> tuple[Array, Array]:
        keys = _answer_key(self.matches.selector, self.matches.klass)
        order = np.argsort(keys)
        return keys[order], self.matches.answer[order]

    def answer(self, selector: Array, klass: Array) -> Array:
        """Whether our own evaluator matches a property class with a selector: 1, 0, or -1 if unknown."""
        keys, answers = self._answers
        at = find(keys, _answer_key(selector, klass))
        return np.where(selector < 0, 1, np.where(at >= 0, gather(answers, at), -1))

    # -- restarts ------------------------------------------------------------------------------------------------

    @cached_property
    def _restart_times(self) -> tuple[Array, Array]:
        return np.sort(self.restarts.t0), np.sort(self.restarts.t1)

    def restarted(self, after: Array, until: Array) -> Array:
        """Whether the provider was down at some time between two times."""
        if not len(self.restarts):
            return np.zeros(len(after), bool)
        began, ended = self._restart_times
        if len(self.cuts):
            at = np.searchsorted(self.cuts.t0, after, "right")
            until = np.where(at < len(self.cuts), np.minimum(until, gather(self.cuts.t0, at)), until)
        return np.searchsorted(began, until, "left") > np.searchsorted(ended, after, "right")

    # -- stops ---------------------------------------------------------------------------------------------------

    @cached_property
    def _stops(self) -> Table:
        return self.stops.take(np.lexsort((self.stops.t0, self.stops.conn)))

    def stop_before(self, conn: Array, time: Array) -> tuple[Array, Table]:
        """Return the last stop of a connection before a time, -1 where there is none; and the table of stops."""
        stops = self._stops
        low, high = np.searchsorted(stops.conn, conn, "left"), np.searchsorted(stops.conn, conn, "right")
        at = bisect(stops.t0, low, high, time) - 1 if len(stops) else low - 1
        return np.where(at >= low, at, -1), stops

    # -- consumers -----------------------------------------------------------------------------------------------

    @cached_property
    def _departures(self) -> tuple[Array, Array, Array]:
        """Endpoint and latest end of each consumer, sorted by these; and the earliest end of it and of all later ones."""
        ends, gone0, gone1 = (column[np.lexsort((self.consumers.gone1, self.consumers.end))] for column in self._ends)
        earliest = gone0.copy()
        last = np.append(starts(ends)[1:], True)
        for row in range(len(ends) - 2, -1, -1):
            if not last[row]:
                earliest[row] = min(earliest[row], earliest[row + 1])
        return ends, gone1, earliest

    @property
    def _ends(self) -> tuple[Array, Array, Array]:
        return self.consumers.end, self.consumers.gone0, self.consumers.gone1

    def departed(self, end: Array, after: Array, until: Array) -> Array:
        """Whether a consumer of the endpoint may have ended between two times; it may have held messages it never showed."""
        ends, gone, earliest = self._departures
        low, high = np.searchsorted(ends, end, "left"), np.searchsorted(ends, end, "right")
        at = bisect(gone, low, high, after)
        return (at < high) & (gather(earliest, np.minimum(at, max(len(gone) - 1, 0))) < until)

    def attended(self, end: Array, time: Array) -> Array:
        """Whether an endpoint may have had a consumer at a time."""
        order = np.lexsort((self.consumers.open0, self.consumers.end))
        ends, open0 = self.consumers.end[order], self.consumers.open0[order]
        latest = highest(starts(ends), self.consumers.gone1[order])
        low, high = np.searchsorted(ends, end, "left"), np.searchsorted(ends, end, "right")
        at = bisect(open0, low, high, time + 1) - 1
        mask: Array = (at >= low) & (gather(latest, np.maximum(at, 0)) >= time)
        return mask

    @cached_property
    def disturbed(self) -> Array:
        """For each consumer: the first end of another one of its endpoint during its life, or the first rollback of one of them.

        Held messages that were never shown are returned then, and may arrive late.
        """
        consumers = self.consumers
        order = np.lexsort((consumers.gone1, consumers.end))
        ends, gone0, gone1 = consumers.end[order], consumers.gone0[order], consumers.gone1[order]
        earliest = gone0.copy()
        first = starts(ends)
        for row in range(len(ends) - 2, -1, -1):
            if not first[row + 1]:
                earliest[row] = min(earliest[row], earliest[row + 1])
        high = np.searchsorted(ends, consumers.end, "right")
        low = np.searchsorted(ends, consumers.end, "left")
        at = bisect(gone1, low, high, consumers.open0 + 1)
        ended = np.where(at < high, gather(earliest, np.minimum(at, max(len(ends) - 1, 0))), NEVER)
        return np.minimum(ended, self._undone)

    @cached_property
    def _undoing(self) -> tuple[Array, Array]:
        """For each endpoint, and a last entry for none: the first rollback of a session that consumes from it; its consumers."""
        ends = self.consumers.end
        size = max(len(self.endpoints), int(ends.max(initial=-1)) + 1) + 1
        undone = np.full(size, NEVER)
        known = (self.consumers.session >= 0) & (ends >= 0)
        np.minimum.at(undone, ends[known], gather(self.sessions.undo0, self.consumers.session[known]))
        number = np.bincount(ends[known], minlength=size) if known.any() else np.zeros(size, np.int64)
        return undone, number

    @property
    def _undone(self) -> Array:
        """For each consumer that shares its endpoint: the first rollback or recover of a session that consumes from it."""
        undone, number = self._undoing
        result: Array = np.where(number > 1, undone, NEVER)[self.consumers.end]
        return result

    def undone(self, end: Array, until: Array) -> Array:
        """Whether a session that consumes from the endpoint rolled back or recovered before a time.

        A provider may count messages given to that session as delivered, even if the client never received them.
        """
        earlier: Array = self._undoing[0][end] < until
        return earlier

    # -- branches and fences -------------------------------------------------------------------------------------

    @cached_property
    def branches_by_unit(self) -> Table:
        """The branches, by unit."""
        return self.branches.take(np.argsort(self.branches.unit))

    def is_branch(self, unit: Array) -> Array:
        """Whether a unit is a branch of a distributed transaction."""
        mask: Array = find(self.branches_by_unit.unit, unit) >= 0
        return mask

    @cached_property
    def _fences(self) -> tuple[Array, Table]:
        fences = self.fences
        keys = mix((fences.end, fences.stream, fences.mode, fences.delay, fences.prio))
        order = np.argsort(keys)
        return keys[order], fences.take(order)

    def fenced(self, sends: Table, end: Array) -> Array:
        """Whether a later message of the same stream came out of the endpoint, which this one had to precede.

        `sends` are the rows of the sends, one for each endpoint in `end`.
        """
        keys, fences = self._fences
        at = find(keys, mix((end, sends.msg >> 32, sends.mode, sends.delay, sends.prio)))
        came: Array = (at >= 0) & (gather(fences.pos, at) > (sends.msg & 0xFFFFFFFF))
        came &= gather(fences.since, at) < sends.t0
        came &= self.answer(gather(fences.selector, at), sends.klass) == 1
        return came

    # -- sessions ------------------------------------------------------------------------------------------------

    @cached_property
    def _acknowledging(self) -> tuple[Table, Array]:
        """The sessions that acknowledge, once for each endpoint they consume from, by endpoint and first acknowledge.

        Also the returns of their last acknowledges, by endpoint and time.
        """
        pairs = np.unique(np.stack([self.consumers.end, self.consumers.session], axis=1), axis=0)
        end, session = pairs[(pairs >= 0).all(axis=1)].T
        ack0, ack1 = self.sessions.ack0[session], self.sessions.ack1[session]
        kept = ack0 < NEVER
        end, session, ack0, ack1 = end[kept], session[kept], ack0[kept], ack1[kept]
        order = np.lexsort((ack0, end))
        table = Table({"end": end[order], "session": session[order], "ack0": ack0[order], "ack1": ack1[order]})
        return table, ack1[np.lexsort((ack1, end))]

    def acknowledged_elsewhere(self, end: Array, session: Array, after: Array, until: Array) -> Array:
        """Whether another session that consumes from the endpoint acknowledged between two times.

        Of each session the time from its first acknowledge to its last counts.
        """
        others, returns = self._acknowledging
        if not len(others):
            return np.zeros(len(end), bool)
        until = np.maximum(after, until)
        low, high = np.searchsorted(others.end, end, "left"), np.searchsorted(others.end, end, "right")
        # Sessions that began in time, minus those that had ended; then minus the session itself.
        number = bisect(others.ack0, low, high, until) - bisect(returns, low, high, after + 1)
        key = others.end.astype(np.int64) << 32 | others.session
        order = np.argsort(key)
        at = find(key[order], end.astype(np.int64) << 32 | session)
        own = (at >= 0) & (gather(others.ack0[order], at) < until) & (gather(others.ack1[order], at) > after)
        mask: Array = number - own > 0
        return mask


def _answer_key(selector: Array, klass: Array) -> Array:
    return (selector.astype(np.int64) << 16) | klass.astype(np.int64) & 0xFFFF
