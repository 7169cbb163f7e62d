"""Properties of transactions: nothing visible early, nothing of a rollback, all or nothing when in doubt."""

from __future__ import annotations

import numpy as np

from tck.check.columns import End, Role
from tck.check.properties.message_views import Copies, Deliveries, Units
from tck.check.registry import Grain, Judged, on


@on(
    Grain.DELIVERY,
    "uncommitted-invisible",
    "6.2.7-4 11.3.3-4",
    story="{Sent} in a transaction. {Unit}, but before that {this}.",
)
def uncommitted_invisible(d: Deliveries) -> Judged:
    """A message sent in a transaction is not delivered before its commit is called."""
    early = d.sent & d.m_tx & (d.t0 < d.m_s0)
    return Judged((d.sent & d.m_tx & (d.m_kind != End.UNDONE)) | early, early)


@on(
    Grain.COPY,
    "rolled-back-invisible",
    "6.2.7-5 6.2.7-15 6.2.15-14 11.3.3-5 11.3.5-4",
    story="{Sent} in a transaction. {Unit}, and yet {this}.",
)
def rolled_back_invisible(c: Copies) -> Judged:
    """A message sent in a transaction that was rolled back, or that ended with its session, is not delivered afterwards."""
    later = c.seen & (c.l_t0 >= c.m_s0)
    owed = c.m_tx & (c.m_kind == End.UNDONE) & (later | c.asked)
    unproved = owed & ~later
    if unproved.any():
        unproved &= ~c.would_show
    subject = (np.where(later, c.l_session, c.session), np.where(later, c.l_seq, c.seq))
    return Judged(owed, owed & later, undecided=unproved, subject=subject)


@on(
    Grain.COPY,
    "uncommitted-not-browsed",
    "6.2.7-4 6.2.7-5 11.3.3-4 11.3.3-5",
    story="{Sent} in a transaction. {Unit}, and yet a browser saw it on {end} {browse}.",
)
def uncommitted_not_browsed(c: Copies) -> Judged:
    """A browser shows no message of a transaction before its commit is called, and none of one that was rolled back."""
    owed = c.m_tx & c.browsed
    early, undone = c.b_t0 < c.m_s0, c.m_kind == End.UNDONE
    branch = c.tables.is_branch(c.m_unit)
    return Judged(
        owed,
        owed & (early | undone),
        subject=(c.b_session, c.b_seq),
        blames=lambda: {
            "6.2.7-4": early & ~branch,
            "6.2.7-5": ~early & ~branch,
            "11.3.3-4": early & branch,
            "11.3.3-5": ~early & branch,
        },
    )


@on(
    Grain.UNIT,
    "transaction-atomic",
    "6.2.7-14 11.3.5-1",
    story="{Unit}, so all of it took effect or nothing. {Shown}, but {contrary}.",
)
def transaction_atomic(u: Units) -> Judged:
    """Of a transaction in doubt either all messages arrive or none."""
    visible, missing = u.has(Role.VISIBLE), u.has(Role.MISSING)
    return Judged(
        visible | missing,
        visible & missing,
        subject=u.place(Role.VISIBLE),
        other=u.place(Role.MISSING),
        blames=lambda: {"6.2.7-14": ~u.branch, "11.3.5-1": u.branch},
    )


@on(
    Grain.UNIT,
    "consume-produce-atomic",
    "6.2.7-12",
    story="{Unit}, so all of it took effect or nothing. {Shown}, but {contrary}.",
)
def consume_produce_atomic(u: Units) -> Judged:
    """Of a transaction in doubt the messages sent arrive and those received are settled, or neither."""
    visible, missing, back, gone = (u.has(role) for role in (Role.VISIBLE, Role.MISSING, Role.BACK, Role.GONE))
    owed = (back | gone) & (visible | missing) | (back & gone)
    broken = (visible & back) | (gone & missing) | (gone & back)
    return Judged(
        owed,
        broken,
        subject=u.place(Role.VISIBLE, Role.GONE),
        other=u.place(Role.BACK, Role.MISSING),
    )


@on(
    Grain.UNIT,
    "prepared-outcome",
    "11.3.5-2 11.3.5-4 11.3.5-6 11.3.3-4 11.3.3-5 11.3.3-6 11.3.3-7",
    story="A branch was prepared. {Unit}. That does not fit: {contrary_this}.",
)
def prepared_outcome(u: Units) -> Judged:
    """A prepared branch shows nothing before it is decided, and afterwards exactly what was decided."""
    wrong = u.has(Role.WRONG)
    return Judged(u.prepared & (wrong | u.has(Role.KEPT)), u.prepared & wrong, subject=u.place(Role.WRONG))


PROPERTIES = (
    uncommitted_invisible,
    rolled_back_invisible,
    uncommitted_not_browsed,
    transaction_atomic,
    consume_produce_atomic,
    prepared_outcome,
)
