"""Faults of traces, the second part: what comes again, what a transaction leaves behind, what is lost. See `of_traces`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from reference_provider.broker.broker import Broker
from reference_provider.broker.delivery import Delivery
from reference_provider.broker.physical_destinations import (
    PhysicalDestination,
    PhysicalQueue,
    PhysicalTopic,
    StoredDeliveryQueue,
)
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.broker.transactions import SingleAcknowledgement, Work
from reference_provider.broker.xa_branches import Branch, Branches
from reference_provider.client.session_state import SessionState
from reference_provider.client.sessions import ReferenceSession
from reference_provider.saboteurs.faults import before_commit
from reference_provider.saboteurs.registry import Patch
from reference_provider.saboteurs.trace_faults import breaks, now_and_then
from tck.api import DeliveryMode, JMSException, Session

# --- repeated deliveries ----------------------------------------------------------------------------------------------


@breaks("count-rises")
def _count_stays(patch: Patch) -> None:
    original = Delivery.__init__

    def init(self: Delivery, *given: Any) -> None:
        original(self, *given)
        self.count = min(self.count, 2)

    patch.replace(Delivery, "__init__", init)


@breaks("one-holder")
def _held_twice(patch: Patch) -> None:
    original, strikes = SessionState.open_delivery, now_and_then()

    def open_delivery(
        self: SessionState, consumer: object, delivery_queue: StoredDeliveryQueue, entry: StoredMessage
    ) -> Delivery:
        delivery = original(self, consumer, delivery_queue, entry)
        broker = self.broker

        def free_again() -> None:
            with broker.lock:
                if entry.number in delivery_queue.numbers():
                    delivery_queue.put_back(entry, 1)

        if delivery.count == 1 and self.mode == Session.CLIENT_ACKNOWLEDGE and strikes():
            broker.clock.call_at(broker.clock.now() + 1, free_again)
        return delivery

    patch.replace(SessionState, "open_delivery", open_delivery)


@breaks("settled-survives-restart")
def _forgotten_by_the_file(patch: Patch) -> None:
    patch.replace(Delivery, "forget_statements", lambda self: [])


@breaks("auto-last-only")
def _acknowledged_at_the_end(patch: Patch) -> None:
    kept: dict[int, tuple[SessionState, list[Delivery]]] = {}
    settled, left, shut = SessionState.settle, ReferenceSession.abandon, ReferenceSession.shut

    def settle(self: SessionState, delivery: Delivery) -> None:
        if self.mode == Session.AUTO_ACKNOWLEDGE:
            kept.setdefault(id(self), (self, []))[1].append(delivery)
        else:
            settled(self, delivery)

    def abandon(self: ReferenceSession) -> None:
        _, deliveries = kept.pop(id(self.state), (None, []))
        left(self)
        self.broker.redelivery.redeliver(deliveries)

    def shut_(self: ReferenceSession) -> bool:
        done = shut(self)
        _, deliveries = kept.pop(id(self.state), (None, []))
        for delivery in deliveries:
            SingleAcknowledgement(self.broker, delivery, durable=True).perform()
        return done

    patch.replace(SessionState, "settle", settle)
    patch.replace(ReferenceSession, "abandon", abandon)
    patch.replace(ReferenceSession, "shut", shut_)


@breaks("acknowledge-leaves-others")
def _acknowledges_for_all(patch: Patch) -> None:
    original, entered = SessionState.acknowledge_all, SessionState.enter
    states: dict[int, SessionState] = {}

    def enter(self: SessionState, delivery: Delivery) -> None:
        states[id(self)] = self
        entered(self, delivery)

    def acknowledge_all(self: SessionState, check_open: Callable[[], None]) -> None:
        for other in list(states.values()):
            if other is not self:
                original(other, check_open)
        original(self, check_open)

    patch.replace(SessionState, "enter", enter)
    patch.replace(SessionState, "acknowledge_all", acknowledge_all)


# --- transactions -----------------------------------------------------------------------------------------------------


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


# --- losses -----------------------------------------------------------------------------------------------------------


def _lose(name: str, wanted: Callable[[StoredDeliveryQueue, StoredMessage], bool]) -> None:
    """Lose some of the messages that come to streams of a sort."""

    def fault(patch: Patch) -> None:
        original, strikes = Broker.admit, now_and_then()

        def admit(self: Broker, delivery_queue: StoredDeliveryQueue, entry: StoredMessage) -> None:
            if not (wanted(delivery_queue, entry) and strikes()):
                original(self, delivery_queue, entry)

        patch.replace(Broker, "admit", admit)

    breaks(name)(fault)


def _persistent(entry: StoredMessage) -> bool:
    return entry.delivery_mode == DeliveryMode.PERSISTENT


_lose(
    "no-loss-persistent",
    lambda delivery_queue, entry: isinstance(delivery_queue.physical, PhysicalQueue) and _persistent(entry),
)
_lose("durable-complete", lambda delivery_queue, entry: delivery_queue.subscription is not None and _persistent(entry))
_lose(
    "nondurable-complete-while-open",
    lambda delivery_queue, entry: (
        isinstance(delivery_queue.physical, PhysicalTopic)
        and delivery_queue.subscription is None
        and _persistent(entry)
    ),
)
_lose("nonpersistent-kept-without-failure", lambda _, entry: not _persistent(entry))
