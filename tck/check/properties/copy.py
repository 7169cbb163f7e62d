"""Properties of copies: messages that had to come out and did not. Judged only where that would have been visible."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from tck.check.array_ops import gather
from tck.check.columns import CLIENT, NEVER, NON_PERSISTENT, TRANSACTED, Array, End, Kind
from tck.check.properties.message_views import Copies, Identity
from tck.check.registry import Grain, Judged, on


@on(
    Grain.COPY,
    "no-loss-persistent",
    "6.2.7-3 7.7-3 7.7-5 9.1-1 6.2.12-1",
    story="{Sent}, PERSISTENT and without time-to-live.{committed} {Drained}, but it never came.",
)
def no_loss_persistent(c: Copies) -> Judged:
    """A PERSISTENT message on a queue is not lost."""
    judged = _complete(c, c.lasts & (c.e_kind == Kind.QUEUE))
    judged.blames = lambda: {
        "6.2.7-3": c.m_tx & ~_restart_since(c),
        "7.7-3": _restart_since(c),
        "7.7-5": c.m_tx & _restart_since(c),
    }
    return judged


@on(
    Grain.COPY,
    "durable-complete",
    "4.2.2-20 4.2.11-1 4.2.11-5 8.3.3-5 8.3.3-9 8.3.4-11 8.3.4-15 6.2.12-2",
    story="{Sent}, PERSISTENT and without time-to-live, while {end} existed.{committed} {Drained}, but it never came.",
)
def durable_complete(c: Copies) -> Judged:
    """A durable subscription gets every PERSISTENT message sent while it exists."""
    judged = _complete(c, c.lasts & (c.e_kind == Kind.DURABLE))
    judged.blames = lambda: _durable(c)
    return judged


def _durable(c: Copies) -> Mapping[str, Array]:
    """Return the assertions by whether the subscription is shared or had no consumer, and whether the provider failed since.

    Those of all copies are 4.2.11-5 and 6.2.12-2.
    """
    inactive = ~c.tables.attended(c.end, c.m_t0)
    failed = _restart_since(c)
    return {
        "4.2.2-20": inactive,
        "4.2.11-1": inactive & ~failed,
        "8.3.3-5": inactive & ~c.e_shared,
        "8.3.3-9": failed & ~c.e_shared,
        "8.3.4-11": inactive & c.e_shared,
        "8.3.4-15": failed & c.e_shared,
    }


@on(
    Grain.COPY,
    "nondurable-complete-while-open",
    "4.2.2-2 4.2.2-3 4.2.11-4 8.3.1-7",
    story="{Sent}, PERSISTENT and without time-to-live, while {end} was open.{committed} {Drained}, but it never came.",
)
def nondurable_complete_while_open(c: Copies) -> Judged:
    """A non-durable subscription gets every PERSISTENT message sent while it is open."""
    judged = _complete(c, c.lasts & (c.e_kind == Kind.NONDURABLE) & ~_restart_since(c))
    judged.blames = lambda: {"4.2.2-2": c.e_selector < 0, "8.3.1-7": ~c.e_shared}
    return judged


@on(
    Grain.COPY,
    "nonpersistent-kept-without-failure",
    "7.7-2 9.1-3 9.1-8",
    observes=True,
    story="{Sent}, NON_PERSISTENT, and the provider did not fail since. {Drained}, but it never came.",
)
def nonpersistent_kept_without_failure(c: Copies) -> Judged:
    """A NON_PERSISTENT message is not lost as long as the provider does not fail."""
    return _complete(c, (c.m_mode == NON_PERSISTENT) & (c.m_ttl == 0) & ~_restart_since(c))


@on(
    Grain.COPY,
    "browsing-does-not-consume",
    "4.1.6-1",
    story="{Sent}. A browser saw it on {end} {browse}. {Drained}, but it never came.",
)
def browsing_does_not_consume(c: Copies) -> Judged:
    """A message seen by a browser is still delivered."""
    return _complete(c, c.browsed & c.lasts & (c.e_kind == Kind.QUEUE))


@on(
    Grain.COPY,
    "unsettled-comes-back",
    "6.2.7-6 6.2.7-7 6.2-12 6.2-13 6.2-15 6.2-16 6.2-17 6.2-18 6.2-20 6.2.10-20 6.2.10-21 9.1-5 11.3.3-7",
    story="{Sent}. {This}, and {this_unit}. {Drained}, but it did not come again.",
)
def unsettled_comes_back(c: Copies) -> Judged:
    """What was received and not settled when its session rolled back, recovered or ended is delivered again."""
    handed_back = _handed_back(c)
    return Judged(
        handed_back | _returned(c),
        handed_back,
        undecided=handed_back & ~_would_return(c),
        subject=(c.l_session, c.l_seq),
        blames=lambda: _returns(c),
    )


def _returns(c: Copies) -> Mapping[str, Array]:
    """Return the assertions by what returned the message: a branch, a recover, a rollback, or else the end of its session."""
    acks = gather(c.tables.sessions.mode, c.l_session)
    queue, durable = c.e_kind == Kind.QUEUE, c.e_kind == Kind.DURABLE
    branch = c.tables.is_branch(c.l_unit)
    recovered = (c.l_kind == End.RECOVERED) & ~branch
    rolled_back = (c.l_kind == End.UNDONE) & (acks == TRANSACTED) & (c.l_s0 < c.l_e0) & ~branch
    ended = ~branch & ~recovered & ~rolled_back
    died = ended & c.l_died
    failed = died & c.tables.restarted(c.l_t0, np.full(len(c), NEVER))
    return {
        "6.2.7-6": rolled_back & queue,
        "6.2.7-7": rolled_back & durable,
        "6.2-12": ended & queue,
        "6.2-13": ended & durable,
        "6.2-15": died & ~failed & (acks == CLIENT) & queue,
        "6.2-16": died & ~failed & (acks == CLIENT) & durable,
        "6.2-17": died & ~failed & (acks == TRANSACTED) & queue,
        "6.2-18": died & ~failed & (acks == TRANSACTED) & durable,
        "6.2-20": failed & queue,
        "6.2.10-20": recovered & queue,
        "6.2.10-21": recovered & durable,
        "9.1-5": died & ((acks == CLIENT) | (acks == TRANSACTED)),
        "11.3.3-7": branch,
    }


@on(
    Grain.COPY,
    "acknowledge-leaves-others",
    "6.2.10-12 6.2.10-13",
    story="{Sent}. {This}, and {this_unit}. Another session acknowledged messages of {end} in between. {Drained}, but"
    " it did not come again.",
)
def acknowledge_leaves_others(c: Copies) -> Judged:
    """An acknowledge settles nothing that another session received."""
    mine = c.seen & ~c.l_auto & (gather(c.tables.sessions.mode, c.l_session) == CLIENT)
    handed_back = _handed_back(c) & mine
    owed = handed_back | (_returned(c) & mine)
    rows = np.flatnonzero(owed)
    owed[rows] = c.tables.acknowledged_elsewhere(c.end[rows], c.l_session[rows], c.l_t0[rows], c.l_s0[rows])
    broken = owed & handed_back
    return Judged(owed, broken, undecided=broken & ~_would_return(c), subject=(c.l_session, c.l_seq))


@on(
    Grain.IDENTITY,
    "message-id-unique",
    "3.4.3-4 3.4.3-9",
    story="{Sent}. Its JMSMessageID is the one of another message too: {other_sent}.",
)
def message_id_unique(i: Identity) -> Judged:
    """No two sends get one JMSMessageID."""
    return Judged(np.ones(len(i), bool), i.repeated, other=i.previous)


def _complete(c: Copies, kind: Array) -> Judged:
    owed = kind & c.sure & c.asked
    missing = owed & ~c.seen
    undecided = missing & ~c.would_show if missing.any() else missing
    return Judged(owed, missing, undecided=undecided)


def _handed_back(c: Copies) -> Array:
    """Copies whose last delivery was undone or recovered, where the message had to be redelivered: none was settled before."""
    undone = (c.l_kind == End.UNDONE) | (c.l_kind == End.RECOVERED)
    mask: Array = c.seen & undone & c.sure & c.lasts & (c.e_kind != Kind.NONDURABLE) & (c.e_gone0 > c.e_drained)
    return mask & ~c.l_consumed


def _would_return(c: Copies) -> Array:
    """Whether a returned message must have been redelivered: its endpoint was drained later, and it was not delivered too often.

    A message given to a session that was dying may have left the provider before, and have been received by another session
    since: a client records a message when its thread has it, and threads wait. Deliveries recorded by another session before
    that death came before.
    """
    dying = (c.times > 1) & (c.l_p_t0 >= c.l_s0)
    in_time = (c.l_s1 < c.e_drained) & (c.l_s1 + c.ns(c.margins.redelivery) < c.e_waited)
    mask: Array = in_time & ~(c.m_t0 < c.e_blind) & (c.times < c.margins.deliveries) & ~dying
    return mask


def _returned(c: Copies) -> Array:
    """Copies that were redelivered, as required."""
    mask: Array = c.seen & (c.times > 1) & c.sure & c.lasts & (c.e_kind != Kind.NONDURABLE)
    return mask


def _restart_since(c: Copies) -> Array:
    return c.tables.restarted(c.m_t0, np.full(len(c), NEVER))


PROPERTIES = (
    no_loss_persistent,
    durable_complete,
    nondurable_complete_while_open,
    nonpersistent_kept_without_failure,
    browsing_does_not_consume,
    unsettled_comes_back,
    acknowledge_leaves_others,
    message_id_unique,
)
