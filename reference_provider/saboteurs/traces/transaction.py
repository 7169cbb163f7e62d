"""Faults of transactions; see `tck.check.properties.transaction`."""

from __future__ import annotations

from reference_provider.broker.physical_destinations import PhysicalDestination
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.broker.transactions import Work
from reference_provider.broker.xa_branches import Branch, Branches
from reference_provider.client.sessions import ReferenceSession
from reference_provider.saboteurs.faults import before_commit
from reference_provider.saboteurs.registry import Patch
from reference_provider.saboteurs.traces.registry import breaks, now_and_then
from tck.api import JMSException, Session


@breaks("uncommitted-invisible")
def _seen_at_once(patch: Patch) -> None:
    original, strikes = ReferenceSession.submit, now_and_then(3)

    def submit(self: ReferenceSession, physical: PhysicalDestination, entry: StoredMessage) -> None:
        if self.state.mode == Session.SESSION_TRANSACTED and strikes():
            work = Work(self.broker)
            work.sends.append((physical, entry))
            work.perform()
        else:
            original(self, physical, entry)

    patch.replace(ReferenceSession, "submit", submit)


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
    original, strikes = Branches.commit, now_and_then(3)

    def commit(self: Branches, branch: Branch) -> None:
        if strikes():
            self.rollback_prepared(branch)
        else:
            original(self, branch)

    patch.replace(Branches, "commit", commit)
