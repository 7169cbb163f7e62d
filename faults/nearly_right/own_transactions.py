"""Faults of transactions that show only where a consumer was closed, a commit failed, or several destinations take part."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from faults.kit.common import before_commit, connection_of
from faults.kit.declaring import nearly_right
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.broker.delivery import Delivery
from reference_provider.broker.transactions import Work
from reference_provider.client.sessions import ReferenceSession
from tck.api import Session


def _of_closed(delivery: Delivery) -> bool:
    return bool(getattr(delivery.consumer, "closed", False))


@nearly_right("rollback-loses-closed", "rollback loses what consumers got that were closed before it", "6.2.7-6")
def _(patch: Patch) -> None:
    def roll_back(original: Callable[..., None], session: ReferenceSession, work: Work) -> None:
        if not session.closing:
            work.acks = [one for one in work.acks if not _of_closed(one)]
        original(session, work)

    patch.at(fault_points.ROLLBACK, roll_back)


@nearly_right(
    "commit-leaves-closed", "commit does not acknowledge what consumers got that were closed before it", "6.2.7-1"
)
def _(patch: Patch) -> None:
    def fault(session: ReferenceSession) -> None:
        work = session.state.work
        session.state.unacknowledged += [one for one in work.acks if _of_closed(one)]
        work.acks = [one for one in work.acks if not _of_closed(one)]

    before_commit(patch, fault)


def _failing(
    patch: Patch, fault: Callable[[ReferenceSession], None], after: Callable[[ReferenceSession], None]
) -> None:
    """Change what a commit does that an administrator has made fail."""

    def commit(original: Callable[..., None], session: ReferenceSession) -> None:
        fails = session.mode == Session.SESSION_TRANSACTED and connection_of(session).commit_fails
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
def _(patch: Patch) -> None:
    def fault(session: ReferenceSession) -> None:
        received, session.state.work.acks = session.state.work.acks, []
        session.state.acknowledge(received, durable=True)

    _failing(patch, fault, lambda session: None)


@nearly_right("failed-commit-keeps-sends", "what a failed commit was to send leaves with the next commit", "6.2.7-20")
def _(patch: Patch) -> None:
    kept: dict[ReferenceSession, list[Any]] = {}

    def fault(session: ReferenceSession) -> None:
        kept[session] = list(session.state.work.sends)

    _failing(patch, fault, lambda session: session.state.work.sends.extend(kept.pop(session)))


@nearly_right(
    "rollback-first-source", "rollback of a transaction that also sent brings back one source only", "6.2.7-12"
)
def _(patch: Patch) -> None:
    def roll_back(original: Callable[..., None], session: ReferenceSession, work: Work) -> None:
        if work.sends and work.acks and not session.closing:
            work.acks = [one for one in work.acks if one.source is work.acks[0].source]
        original(session, work)

    patch.at(fault_points.ROLLBACK, roll_back)
