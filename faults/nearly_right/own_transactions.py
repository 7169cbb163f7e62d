"""Faults of transactions that show only where a consumer was closed, a commit failed, or several destinations take part."""

from faults.kit import *


def _of_closed(delivery):
    return bool(getattr(delivery.consumer, "closed", False))


@nearly_right(
    "rollback-loses-closed",
    "rollback loses what consumers got that were closed before it",
    "6.2.7-6",
    at=fault_points.ROLLBACK,
)
def _(original, session, work):
    if not session.closing:
        work.acks = [one for one in work.acks if not _of_closed(one)]
    original(session, work)


@nearly_right(
    "commit-leaves-closed",
    "commit does not acknowledge what consumers got that were closed before it",
    "6.2.7-1",
    by=before_commit,
)
def _(session):
    work = session.state.work
    session.state.unacknowledged += [one for one in work.acks if _of_closed(one)]
    work.acks = [one for one in work.acks if not _of_closed(one)]


def _failing(patch, fault, after):
    """Change what a commit does that an administrator has made fail."""

    def commit(original, session):
        fails = session.mode == Session.SESSION_TRANSACTED and session.connection.commit_fails
        if fails:
            fault(session)
        try:
            original(session)
        finally:
            if fails:
                after(session)

    patch.at(fault_points.COMMIT, commit)


@nearly_right(
    "failed-commit-keeps-receives", "what a failed commit had received is acknowledged all the same", "6.2.7-20"
)
def _(patch):
    def fault(session):
        received, session.state.work.acks = session.state.work.acks, []
        session.state.acknowledge(received, durable=True)

    _failing(patch, fault, lambda session: None)


@nearly_right("failed-commit-keeps-sends", "what a failed commit was to send leaves with the next commit", "6.2.7-20")
def _(patch):
    kept = {}

    def fault(session):
        kept[session] = list(session.state.work.sends)

    _failing(patch, fault, lambda session: session.state.work.sends.extend(kept.pop(session)))


@nearly_right(
    "rollback-first-source",
    "rollback of a transaction that also sent brings back one source only",
    "6.2.7-12",
    at=fault_points.ROLLBACK,
)
def _(original, session, work):
    if work.sends and work.acks and not session.closing:
        work.acks = [one for one in work.acks if one.source is work.acks[0].source]
    original(session, work)
