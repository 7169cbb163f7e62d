"""Red round 10, fourth part: faults in branches of distributed transactions, written without sight of the suite."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from faults.kit.branches import (
    before_commit_of_branch,
    before_rollback_of_branch,
    branch_behind,
    consume,
    session_behind,
    take_out,
)
from faults.kit.common import around
from faults.kit.declaring import nearly_right
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.broker.transactions import Work
from reference_provider.broker.xa_branches import Branch, Branches, State
from reference_provider.client.producers import Options, ReferenceProducer
from reference_provider.client.xa.objects import ReferenceXASession
from reference_provider.client.xa.resource import ReferenceXAResource
from tck.api import Message, Session, XAException, XAResource, Xid


@nearly_right(
    "rolled-back-branch-of-before-a-restart-keeps-its-receipts",
    "rollback of a branch that was prepared before a restart does not return the messages it has received",
    "11.3.5-6",
    "11.3.5-4",
    "11.3.3-7",
)
def _keeps_receipts(patch: Patch) -> None:
    def forget(_: ReferenceXAResource, branch: Branch) -> None:
        take_out(branch, [one for one in branch.work.acks if isinstance(one.consumer, Branches)])

    before_rollback_of_branch(patch, forget)


@nearly_right(
    "commit-of-another-branch-empties-a-suspended-one",
    "what a branch has sent before its suspension is dropped when its resource commits another branch meanwhile",
    "11.3.5-8",
    "11.3.5-7",
)
def _empties(patch: Patch) -> None:
    def commit(original: Callable[..., None], resource: ReferenceXAResource, xid: Xid, one_phase: bool) -> None:
        original(resource, xid, one_phase)
        for branch in resource.broker.branches._branches.values():
            if resource in branch.suspended:
                branch.work.sends.clear()

    patch.at(fault_points.XA_COMMIT, commit)


@nearly_right(
    "success-of-one-resource-covers-the-failure-of-another",
    "a branch that one resource has ended with TMFAIL can be committed if another that joined it ends with TMSUCCESS later",
    "11.3.5-14",
    "11.3.5-9",
    noticed=False,
)
def _covers(patch: Patch) -> None:
    def end(original: Callable[..., None], resource: ReferenceXAResource, xid: Xid, flags: int) -> None:
        branch = branch_behind(resource, xid)
        original(resource, xid, flags)
        if branch is not None and flags == XAResource.TMSUCCESS and branch.rollback_code == XAException.XA_RBROLLBACK:
            branch.rollback_code = 0

    patch.at(fault_points.XA_END, end)


@nearly_right(
    "failure-of-a-suspended-branch-is-not-noted",
    "a branch that is ended with TMFAIL while it is suspended can be committed",
    "11.3.5-14",
    noticed=False,
)
def _not_noted(patch: Patch) -> None:
    def end(original: Callable[..., None], resource: ReferenceXAResource, xid: Xid, flags: int) -> None:
        branch = branch_behind(resource, xid)
        suspended = branch is not None and resource in branch.suspended
        original(resource, xid, XAResource.TMSUCCESS if suspended and flags == XAResource.TMFAIL else flags)

    patch.at(fault_points.XA_END, end)


@nearly_right(
    "format-identifier-does-not-tell-branches-apart",
    "two branches whose identifiers differ in the format identifier alone are taken for one",
    "11.3.5-7",
    "11.3.5-1",
    noticed=False,
)
def _format_ignored(patch: Patch) -> None:
    def find(original: Callable[..., Branch | None], branches: Branches, xid: Xid) -> Branch | None:
        found = original(branches, xid)
        if found is None:
            parts = (xid.global_transaction_id, xid.branch_qualifier)
            for other, branch in branches._branches.items():
                if (other.global_transaction_id, other.branch_qualifier) == parts:
                    return branch
        return found

    around(patch, Branches, "find", find)


@nearly_right(
    "forgotten-branch-returns-with-a-restart",
    "a heuristically completed branch that was forgotten is listed again after a restart",
    "11.3.5-16",
    "11.3.5-5",
)
def _returns(patch: Patch) -> None:
    def forget(original: Callable[..., None], resource: ReferenceXAResource, xid: Xid) -> None:
        branch = branch_behind(resource, xid)
        if branch is None or branch.state in {State.WORKING, State.PREPARED}:
            original(resource, xid)
            return
        with resource.broker.lock:
            resource.broker.branches.forget(branch)

    patch.at(fault_points.XA_FORGET, forget)


@nearly_right(
    "receipts-of-a-joined-session-come-back",
    "commit of a branch in which two sessions have received returns what the session of the other resource has received",
    "11.3.3-6",
    "11.3.5-9",
)
def _come_back(patch: Patch) -> None:
    def session_of(delivery: Any) -> object:
        return getattr(delivery.consumer, "session", None)

    def give_back(resource: ReferenceXAResource, branch: Branch) -> None:
        own = session_behind(resource)
        acks = branch.work.acks
        foreign = [one for one in acks if session_of(one) not in {None, own}]
        if foreign and any(session_of(one) is own for one in acks):
            resource.broker.redelivery.redeliver(take_out(branch, foreign))

    before_commit_of_branch(patch, give_back)


@nearly_right(
    "rollback-after-the-close-consumes-receipts",
    "the messages of a branch that is rolled back are gone if the session that received them was closed before",
    "11.3.3-7",
    "11.3.5-4",
)
def _consumed(patch: Patch) -> None:
    def lose(resource: ReferenceXAResource, branch: Branch) -> None:
        if branch.state is State.WORKING and not branch.rollback_code:
            closed = [
                one for one in branch.work.acks if getattr(getattr(one.consumer, "session", None), "closed", False)
            ]
            consume(resource, take_out(branch, closed))

    before_rollback_of_branch(patch, lose)


@nearly_right(
    "producer-stays-with-its-first-branch",
    "a producer that has sent in a branch which is now suspended sends in that branch, whichever is active",
    "11.3.5-7",
    "11.3.5-8",
    "11.3.3-4",
    noticed=False,
)
def _first_branch(patch: Patch) -> None:
    homes: dict[int, tuple[ReferenceProducer, Work]] = {}  # producers by identity: the branch of the first send

    def send_now(
        original: Callable[..., None], producer: ReferenceProducer, message: Message, target: Any, options: Options
    ) -> None:
        session = producer.session
        state = session.state
        if not isinstance(session, ReferenceXASession) or state.mode != Session.SESSION_TRANSACTED:
            original(producer, message, target, options)
            return
        work = state.work
        _, home = homes.setdefault(id(producer), (producer, work))
        suspended = [one.work for one in session.broker.branches._branches.values() if one.suspended]
        state.work = home if any(one is home for one in suspended) else work
        try:
            original(producer, message, target, options)
        finally:
            state.work = work

    around(patch, ReferenceProducer, "send_now", send_now)


@nearly_right(
    "asynchronous-sends-leave-the-branch",
    "a message that an XA session sends with a completion listener within a branch is available at once",
    "11.3.3-4",
    "11.3.3-5",
    "11.3.4-3",
)
def _leave(patch: Patch) -> None:
    def send_later(original: Callable[..., None], producer: ReferenceProducer, *arguments: Any) -> None:
        session = producer.session
        mode = session.state.mode
        if isinstance(session, ReferenceXASession):
            session.state.mode = session.resource.outside_mode
        try:
            original(producer, *arguments)
        finally:
            session.state.mode = mode

    patch.at(fault_points.SENT_ASYNCHRONOUSLY, send_later)
