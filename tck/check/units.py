"""Evidence of one partition's messages about units of work whose parts must have one outcome.

Two kinds are examined: units in doubt, and branches that were prepared. Each row of the result is one piece of evidence
about one unit; rows of all partitions are reduced by `across`. May import the views; must not judge.
"""

from __future__ import annotations

import numpy as np

from tck.check.array_ops import find, gather
from tck.check.columns import NONE, PERSISTENT, UNITS, Array, End, Kind, Role, Table
from tck.check.properties.message_views import Copies, Deliveries, one_per_role
from tck.check.tables import Tables


def roles_of(deliveries: Deliveries, copies: Copies, tables: Tables) -> Table:
    """Collect the evidence of messages about units in doubt and about prepared branches, one row for each piece."""
    shown: list[Table] = []
    doubtful = (deliveries.kind == End.DOUBT) | (deliveries.sent & (deliveries.m_kind == End.DOUBT))
    if doubtful.any() or (copies.m_kind == End.DOUBT).any():
        shown += _of_doubt(deliveries, copies)
    if tables.branches.prepared.any():
        shown += _of_branches(deliveries, copies, tables)
    return one_per_role(Table.concat(UNITS, shown)) if shown else Table.empty(UNITS)


def _of_doubt(d: Deliveries, c: Copies) -> list[Table]:
    sent = d.sent & d.m_tx & (d.m_kind == End.DOUBT)
    received = d.placed & d.tx & (d.kind == End.DOUBT)
    missing = c.m_tx & (c.m_kind == End.DOUBT) & ~c.seen & c.lasts & (c.e_kind != Kind.NONDURABLE) & c.asked
    gone = received & ~d.followed & _would_return(d, d.s0)
    return [
        _rows(d, sent, Role.VISIBLE, d.m_unit),
        _rows(c, missing & c.would_show, Role.MISSING, c.m_unit),
        _rows(d, received & d.followed, Role.BACK, d.unit, (d.n_session, d.n_seq)),
        _rows(d, gone, Role.GONE, d.unit),
    ]


def _of_branches(d: Deliveries, c: Copies, tables: Tables) -> list[Table]:
    visible = d.sent & _prepared(tables, np.where(d.sent, d.m_unit, NONE))
    early = visible & (d.t0 < d.m_s0)
    missing = _prepared(tables, c.m_unit) & (c.m_kind == End.DONE) & ~c.seen & c.lasts & (c.e_kind != Kind.NONDURABLE)

    received = d.placed & _prepared(tables, d.unit)
    back = received & d.followed
    returned_early = back & (d.n_t0 < d.s0)
    returned_anyway = back & (d.kind == End.DONE) & (d.n_t0 > d.s1)
    gone = received & ~d.followed & (d.kind == End.UNDONE) & _would_return(d, d.s1)
    return [
        _rows(d, early | (visible & (d.m_kind == End.UNDONE)), Role.WRONG, d.m_unit),
        _rows(d, visible & ~early & (d.m_kind == End.DONE), Role.KEPT, d.m_unit),
        _rows(c, missing & c.asked & c.would_show, Role.WRONG, c.m_unit),
        _rows(d, returned_early | returned_anyway, Role.WRONG, d.unit, (d.n_session, d.n_seq)),
        _rows(d, gone, Role.WRONG, d.unit),
        _rows(d, back & ~returned_early & (d.kind == End.UNDONE), Role.KEPT, d.unit),
        _rows(d, received & ~d.followed & (d.kind == End.DONE), Role.KEPT, d.unit),
    ]


def _would_return(d: Deliveries, since: Array) -> Array:
    """Whether a message that was free again since a time would have been redelivered."""
    lasts = d.sent & (d.m_mode == PERSISTENT) & (d.m_ttl == 0)
    sure = (d.m_kind == End.FREE) | (d.m_kind == End.DONE)
    mask: Array = lasts & sure & (d.e_kind != Kind.NONDURABLE) & ~(d.m_t0 < d.e_blind) & (d.e_gone0 > d.e_drained)
    mask &= (since < d.e_drained) & (since + d.ns(d.margins.redelivery) < d.e_waited)
    return mask


def _prepared(tables: Tables, unit: Array) -> Array:
    branches = tables.branches_by_unit
    at = find(branches.unit, unit)
    return (at >= 0) & gather(branches.prepared, at)


def _rows(
    view: Deliveries | Copies, mask: Array, role: int, unit: Array, shown_by: tuple[Array, Array] | None = None
) -> Table:
    at = np.flatnonzero(mask)
    session, seq = shown_by or (view.session, view.seq)
    columns = {
        "unit": unit[at],
        "role": np.full(len(at), role, np.int8),
        "msg": view.msg[at],
        "end": view.end[at],
        "session": session[at],
        "seq": seq[at],
    }
    return Table.of(UNITS, columns)
