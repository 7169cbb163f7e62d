"""Faults of transactions; see `tck.check.properties.transaction`."""

from __future__ import annotations

from reference_provider.broker.physical_destinations import PhysicalDestination
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.broker.transactions import Work
from reference_provider.broker.xa_branches import Branch, Branches
from reference_provider.client.session_state import SessionState
from reference_provider.client.sessions import ReferenceSession
from reference_provider.saboteurs.faults import before_commit
from reference_provider.saboteurs.registry import Patch
from reference_provider.saboteurs.traces.registry import breaks, now_and_then
from tck.api import JMSException, Session


@breaks("uncommitted-invisible")
def _seen_at_once(patch: Patch) -> None:
    original, strikes = SessionState.send, now_and_then(3)

    def send(self: SessionState, place: PhysicalDestination, entry: StoredMessage) -> None:
        if self.mode == Session.SESSION_TRANSACTED and strikes():
            work = Work(self._broker)
            work.sends.append((place, entry))
            work.perform()
        else:
            original(self, place, entry)

    patch.replace(SessionState, "send", send)


@breaks("transaction-atomic")
def _half_a_commit(patch: Patch) -> None:
    strikes = now_and_then()

    def fault(session: ReferenceSession) -> None:
        sends = session.work.sends
        if len(sends) > 1 and not session.work.acks and strikes():
            session.work.sends = sends[::2]
            _commit_and_fail(session)

    before_commit(patch, fault)


@breaks("consume-produce-atomic")
def _sent_and_not_settled(patch: Patch) -> None:
    strikes = now_and_then()

    def fault(session: ReferenceSession) -> None:
        if session.work.sends and session.work.acks and strikes():
            acks, session.work.acks = session.work.acks, []
            session.broker.give_back(acks)
            _commit_and_fail(session)

    before_commit(patch, fault)


def _commit_and_fail(session: ReferenceSession) -> None:
    session.ledger.next_transaction().perform()
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
