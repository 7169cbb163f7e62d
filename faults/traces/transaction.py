"""Faults of transactions; see `tck.check.properties.transaction`."""

from __future__ import annotations

from collections.abc import Callable

from faults.kit.common import before_commit
from faults.kit.declaring import breaks
from faults.kit.patch import Patch
from faults.kit.striking import now_and_then
from reference_provider import fault_points
from reference_provider.broker.physical_destinations import PhysicalDestination
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.broker.transactions import Work
from reference_provider.client.sessions import ReferenceSession
from reference_provider.client.xa.resource import ReferenceXAResource
from tck.api import JMSException, Session, Xid


@breaks("uncommitted-invisible")
def _seen_at_once(patch: Patch) -> None:
    strikes = now_and_then(3)

    def submit(
        original: Callable[..., None], session: ReferenceSession, physical: PhysicalDestination, entry: StoredMessage
    ) -> None:
        if session.state.mode == Session.SESSION_TRANSACTED and strikes():
            work = Work(session.broker)
            work.sends.append((physical, entry))
            work.perform()
        else:
            original(session, physical, entry)

    patch.at(fault_points.SEND_SUBMITTED, submit)


@breaks("transaction-atomic")
def _half_a_commit(patch: Patch) -> None:
    strikes = now_and_then()

    def fault(session: ReferenceSession) -> None:
        sends = session.state.work.sends
        if len(sends) > 1 and not session.state.work.acks and strikes():
            session.state.work.sends = sends[::2]
            _commit_and_fail(session)

    before_commit(patch, fault)


@breaks("consume-produce-atomic")
def _sent_and_not_settled(patch: Patch) -> None:
    strikes = now_and_then()

    def fault(session: ReferenceSession) -> None:
        if session.state.work.sends and session.state.work.acks and strikes():
            acks, session.state.work.acks = session.state.work.acks, []
            session.broker.redelivery.redeliver(acks)
            _commit_and_fail(session)

    before_commit(patch, fault)


def _commit_and_fail(session: ReferenceSession) -> None:
    session.state.next_transaction().perform()
    raise JMSException("nobody knows what became of the commit", "IN_DOUBT")


@breaks("prepared-outcome")
def _rolled_back_instead(patch: Patch) -> None:
    strikes = now_and_then(3)

    def commit(original: Callable[..., None], resource: ReferenceXAResource, xid: Xid, one_phase: bool) -> None:
        if not one_phase and strikes():
            resource.rollback(xid)
        else:
            original(resource, xid, one_phase)

    patch.at(fault_points.XA_COMMIT, commit)
