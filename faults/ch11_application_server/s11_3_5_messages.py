"""Faults in 11.3.5: messages that carry the transaction of their send."""

from __future__ import annotations

from faults.kit.branches import before_rollback_of_branch, consume, session_behind, take_out
from faults.kit.common import Marked, Submit
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.broker.physical_destinations import PhysicalDestination
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.broker.transactions import Work
from reference_provider.broker.xa_branches import Branch
from reference_provider.client.sessions import ReferenceSession
from reference_provider.client.xa.objects import ReferenceXASession
from reference_provider.client.xa.resource import ReferenceXAResource


@saboteur("11.3.5-11", "a session gets at once what it sends in a branch to a destination that it consumes")
def _(patch: Patch) -> None:
    def submit(
        original: Submit, session: ReferenceSession, physical: PhysicalDestination, entry: StoredMessage
    ) -> None:
        own = [consumer for consumer in session.consumers if consumer.receiver.physical is physical]
        if own and isinstance(session, ReferenceXASession) and session.resource._branch is not None:
            work = Work(session.broker)
            work.sends.append((physical, entry))
            work.perform()
        else:
            original(session, physical, entry)

    patch.at(fault_points.SEND_SUBMITTED, submit)


@saboteur("11.3.5-12", "the rollback of a branch consumes messages that its own session had sent")
def _(patch: Patch) -> None:
    sent: dict[int, Marked] = {}

    def submit(
        original: Submit, session: ReferenceSession, physical: PhysicalDestination, entry: StoredMessage
    ) -> None:
        sent.setdefault(id(session), Marked()).add(entry)
        original(session, physical, entry)

    def fault(resource: ReferenceXAResource, branch: Branch) -> None:
        own = sent.get(id(session_behind(resource)), Marked())
        consume(resource, take_out(branch, [one for one in branch.work.acks if one.entry in own]))

    patch.at(fault_points.SEND_SUBMITTED, submit)
    before_rollback_of_branch(patch, fault)
