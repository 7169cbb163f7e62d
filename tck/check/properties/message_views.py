"""Views of the message stage: deliveries within their copy, copies, evidence about units, ids.

May import `columns`, `array_ops`, `tables`, `views`; must not judge.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from tck.check.array_ops import any_in_run, find, first_of, gather, order_by, starts
from tck.check.columns import NEVER, NONE, PERSISTENT, UNSURE, Array, End, Op, Out, Role, Table
from tck.check.properties.views import Sends, View
from tck.check.results import Margins
from tck.check.tables import Tables


def sends_of(rows: Table, tables: Tables, margins: Margins) -> Sends:
    """Return the view of the sends, by message."""
    index = np.flatnonzero(rows.op == Op.SEND)
    return Sends(rows, index[first_of(rows.msg[index], rows.seq[index])], tables, margins)


class Deliveries(View):
    """Grain delivery: deliveries by message, endpoint and clock.

    Joined: `m_` the send, `p_` the previous delivery of the copy, `n_` the next, `e_` the endpoint, `c_` the consumer.
    """

    def __init__(self, rows: Table, sends: Sends, tables: Tables, margins: Margins) -> None:
        index = np.flatnonzero((rows.op == Op.DELIVER) & (rows.msg >= 0))
        order = order_by([rows.msg[index], rows.end[index]], [rows.t0[index], rows.session[index], rows.seq[index]])
        super().__init__(rows, index[order], tables, margins)
        self.m = find(sends.msg, self.msg)
        self.sent: Array = self.m >= 0
        self.placed: Array = self.end >= 0
        self.starts: Array = starts(self.msg, self.end) | ~self.placed
        numbers = np.arange(len(self))
        self.again: Array = ~self.starts
        self.p = np.where(self.again, numbers - 1, -1)
        self.followed: Array = np.append(self.again[1:], np.zeros(min(len(self), 1), bool))
        self.n = np.where(self.followed, numbers + 1, -1)
        self.join("m", sends, self.m)
        self.join("p", self, self.p)
        self.join("n", self, self.n)
        self.join("e", tables.endpoints, self.end)
        self.join("c", tables.consumers, self.consumer)

    @cached_property
    def previous(self) -> tuple[Array, Array]:
        """The previous delivery of the copy, by session and seq."""
        return self.place(self.p)

    @cached_property
    def restarted(self) -> Array:
        """Whether the provider was down between the previous delivery and this one."""
        return self.tables.restarted(np.where(self.again, self.p_t0, NEVER), self.t0)

    @cached_property
    def muddled(self) -> Array:
        """Whether the order of the copy's deliveries is uncertain.

        That is so when one was recorded after the end of its own session or consumer had begun: it may have been delivered
        long before, and another session may have received the message in the meantime.
        """
        straggler = self.e0 < self.t0
        return any_in_run(self.starts, straggler) if straggler.any() else straggler

    @cached_property
    def consumed(self) -> Array:
        """Whether some delivery of the copy was settled, and for certain: not by an acknowledgement that may be lost."""
        return any_in_run(self.starts, (self.kind == End.DONE) & ~(self.auto & self.died))

    @cached_property
    def matches(self) -> Array:
        """Whether the selector of the consumer, or else of the subscription, matches the message: 1, 0 or -1."""
        return self.tables.answer(self.selector, self.m_klass)

    @cached_property
    def selector(self) -> Array:
        """The selector that this delivery had to pass, or NONE."""
        of_endpoint = np.where(self.placed, self.e_selector, NONE)
        return np.where((self.consumer >= 0) & (of_endpoint < 0), self.c_selector, of_endpoint)


class Copies(View):
    """Grain copy: each message sent for certain, at each endpoint of its destination that existed then; and each that came out.

    Joined: `m_` the send, `e_` the endpoint, `f_` and `l_` the first and last delivery, `b_` the first time browsed.
    The row itself is the send's.
    """

    def __init__(self, rows: Table, sends: Sends, deliveries: Deliveries, tables: Tables, margins: Margins) -> None:
        endpoints = tables.endpoints
        known = np.flatnonzero(deliveries.sent & deliveries.placed)
        m, end = _pairs(sends, deliveries, known, tables, round(margins.steady * 1_000_000))
        super().__init__(rows, sends.index[m], tables, margins)
        self.m = m
        self.end: Array = end
        key = m * len(endpoints) + end

        delivered = deliveries.m[known] * len(endpoints) + deliveries.end[known]
        low = np.searchsorted(delivered, key, "left")
        self.times: Array = np.searchsorted(delivered, key, "right") - low
        self.seen: Array = self.times > 0
        first = np.where(self.seen, gather(known, np.where(self.seen, low, -1)), -1)
        self.first = first
        self.last_: Array = np.where(self.seen, first + self.times - 1, -1)

        index = np.flatnonzero((rows.op == Op.BROWSE) & (rows.end >= 0))
        at = find(sends.msg, rows.msg[index])
        index, at = index[at >= 0], at[at >= 0]
        shown = at * len(endpoints) + rows.end[index]
        earliest = first_of(shown, rows.t0[index])
        at = find(shown[earliest], key)
        self.browsed: Array = at >= 0
        self.join("b", View(rows, index[earliest], tables, margins), at)

        self.join("m", sends, m)
        self.join("e", endpoints, end)
        self.join("f", deliveries, self.first)
        self.join("l", deliveries, self.last_)

    @cached_property
    def asked(self) -> Array:
        """Whether the endpoint must get the message: during its life, accepted by its selector, not rejected as local."""
        steady = self.ns(self.margins.steady)
        # The time at which a message of a unit in doubt took effect is unknown, so the endpoint must have lived until it was drained.
        until = np.where(self.m_kind == End.DOUBT, np.maximum(self.e_drained, self.m_s0), self.m_s1)
        inside = (self.m_t0 >= self.e_open1 + steady) & (np.maximum(self.m_t0, until) <= self.e_gone0)
        local = (self.e_nolocal == UNSURE) | (self.e_nolocal >= 0) & (self.e_nolocal == self.m_conn)
        wanted: Array = inside & ~local & (self.tables.answer(self.e_selector, self.m_klass) == 1)
        return wanted

    @cached_property
    def sure(self) -> Array:
        """Whether the message took effect for certain: outside any transaction, or in one that was committed."""
        effective: Array = (self.m_kind == End.FREE) | (self.m_kind == End.DONE)
        return effective

    @cached_property
    def lasts(self) -> Array:
        """Whether the message is PERSISTENT and never expires."""
        lasting: Array = (self.m_mode == PERSISTENT) & (self.m_ttl == 0)
        return lasting

    @cached_property
    def would_show(self) -> Array:
        """Whether the message must have come out if it was there: the endpoint was drained since, or a fence came out."""
        doubtful = self.m_kind == End.DOUBT
        settled = np.where(doubtful, self.m_s0, self.m_s1)
        due = np.where(self.m_delay >= 0, self.m_t1 + self.m_delay.astype(np.int64) * 1_000_000, NEVER)
        shown = np.maximum(settled, due) < self.e_drained
        shown &= ~doubtful | (settled + self.ns(self.margins.redelivery) < self.e_waited)
        if len(self.tables.fences):
            rest = np.flatnonzero(~shown & ~self.seen)
            shown[rest] = self.tables.fenced(self.rows.take(self.index[rest]), self.end[rest])
        known: Array = shown & ~(self.m_t0 < self.e_blind)
        return known


def _pairs(sends: Sends, deliveries: Deliveries, known: Array, tables: Tables, steady: int) -> tuple[Array, Array]:
    """Pair sends with endpoints of their destination: those alive at the call of the send, and those that delivered it."""
    endpoints = tables.endpoints
    sure = np.flatnonzero(sends.out == Out.OK)
    time = sends.t0[sure]
    owner, end = tables.alive(sends.dest[sure], time, steady)
    m = sure[owner]
    # The first delivery of each copy that the life of the endpoint does not explain, or whose send was in doubt.
    late = known[deliveries.starts[known]]
    at, place = deliveries.m[late], deliveries.end[late]
    sent = sends.t0[at]
    outside = (gather(endpoints.open1, place) > sent - steady) | (gather(endpoints.gone0, place) < sent)
    outside |= sends.out[at] != Out.OK
    outside &= gather(endpoints.dest, place) == sends.dest[at]
    if outside.any():
        m, end = np.concatenate([m, at[outside]]), np.concatenate([end, place[outside].astype(end.dtype)])
    return m, end


class Units:
    """Grain unit: the evidence about each unit, by unit number; `has(role)` and the row of the evidence."""

    def __init__(self, partial: Table, tables: Tables) -> None:
        self.rows = one_per_role(partial)
        self.unit: Array = np.unique(self.rows.unit)
        self._at = {role: self._find(role) for role in Role.names()}
        branches = tables.branches_by_unit
        at = find(branches.unit, self.unit)
        self.branch: Array = at >= 0
        self.prepared: Array = self.branch & gather(branches.prepared, at)

    def _find(self, role: int) -> Array:
        mine = np.flatnonzero(self.rows.role == role)
        at = find(self.rows.unit[mine], self.unit)
        return np.where(at >= 0, gather(mine, at), -1)

    def __len__(self) -> int:
        return len(self.unit)

    def has(self, role: int) -> Array:
        """Whether there is such evidence about the unit."""
        return self._at[role] >= 0

    def place(self, *roles: int) -> tuple[Array, Array]:
        """Return the row of the first of these roles that the unit has, by session and seq."""
        at = np.full(len(self), -1, np.int64)
        for role in reversed(roles):
            at = np.where(self._at[role] >= 0, self._at[role], at)
        there = at >= 0
        return np.where(there, gather(self.rows.session, at), NONE), np.where(there, gather(self.rows.seq, at), NONE)

    @property
    def msg(self) -> Array:
        """No single message."""
        return np.full(len(self), NONE, np.int64)

    end = msg
    session = msg
    seq = msg


class Identity:
    """Grain identity: sends by JMSMessageID."""

    def __init__(self, ids: Table) -> None:
        rows = ids.take(order_by([ids.jms], [ids.msg, ids.session, ids.seq]))
        self.rows = rows
        self.repeated: Array = ~starts(rows.jms)
        self.msg, self.session, self.seq = rows.msg, rows.session, rows.seq
        self.end = self.unit = np.full(len(rows), NONE, np.int64)

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def previous(self) -> tuple[Array, Array]:
        """The previous row of each, by session and seq."""
        at = np.where(self.repeated, np.arange(len(self)) - 1, -1)
        return np.where(at >= 0, gather(self.session, at), NONE), np.where(at >= 0, gather(self.seq, at), NONE)


def one_per_role(partial: Table) -> Table:
    """Keep one row for each piece of evidence about each unit, whatever the order of the rows."""
    partial = partial.take(np.lexsort((partial.seq, partial.session, partial.role, partial.unit)))
    return partial.take(starts(partial.unit, partial.role))
