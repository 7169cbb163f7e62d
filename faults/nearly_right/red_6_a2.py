"""Red round 6, second part: faults in sessions, acknowledgment and transactions, written without sight of the suite."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from faults.kit.common import after_send, around, before_commit, connection_of
from faults.kit.declaring import nearly_right
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.broker.delivery import Delivery
from reference_provider.broker.delivery_queue import DeliveryQueue
from reference_provider.broker.physical_destinations import PhysicalDestination, StoredDeliveryQueue, Subscription
from reference_provider.broker.schedule import Schedule
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.broker.transactions import Work
from reference_provider.client.consumers import ReferenceConsumer
from reference_provider.client.context import ReferenceContext
from reference_provider.client.producers import Options, ReferenceProducer
from reference_provider.client.session_state import SessionState
from reference_provider.client.sessions import ReferenceSession
from tck.api import Message, Session, TransactionRolledBackException

_BATCH = 3


def _subscription_of(delivery: Delivery) -> Subscription | None:
    consumer = delivery.consumer
    return consumer.receiver.subscription if isinstance(consumer, ReferenceConsumer) else None


def _is_shared_durable(delivery: Delivery) -> bool:
    subscription = _subscription_of(delivery)
    return subscription is not None and subscription.shared and subscription.durable


def _has_closed_consumer(delivery: Delivery) -> bool:
    return isinstance(delivery.consumer, ReferenceConsumer) and delivery.consumer.closed


@nearly_right(
    "commit-in-a-listener-leaves-its-message",
    "commit called by a message listener does not acknowledge the message that the listener has in hand",
    "6.2.7-1",
    "6.2.7-2",
    "6.2.7-12",
    "8.7-10",
)
def _commit_in_listener(patch: Patch) -> None:
    def commit(original: Callable[..., None], session: ReferenceSession) -> None:
        dispatcher = session.dispatcher
        current = dispatcher.current if dispatcher is not None and dispatcher.is_current_thread() else None
        if current is None or current not in session.state.work.acks:
            original(session)
            return
        session.state.work.acks.remove(current)
        try:
            original(session)
        finally:
            with session.broker.lock:
                session.state.enter(current)

    patch.at(fault_points.COMMIT, commit)


@nearly_right(
    "redelivery-to-another-session-looks-new",
    "a message that was rolled back by one session comes to another with count 1 and without JMSRedelivered",
    "6.2.10-34",
    "6.2.10-33",
)
def _looks_new(patch: Patch) -> None:
    holders: dict[tuple[StoredDeliveryQueue, int], SessionState] = {}

    def roll_back(original: Callable[..., None], session: ReferenceSession, work: Work) -> None:
        for ack in work.acks:
            holders[ack.source, ack.entry.number] = session.state
        original(session, work)

    def open_delivery(
        original: Callable[..., Delivery],
        state: SessionState,
        consumer: object,
        delivery_queue: StoredDeliveryQueue,
        entry: StoredMessage,
    ) -> Delivery:
        delivery = original(state, consumer, delivery_queue, entry)
        if holders.get((delivery_queue, entry.number), state) is not state:
            delivery.count = 1
        return delivery

    patch.at(fault_points.ROLLBACK, roll_back)
    patch.at(fault_points.HANDED_OVER, open_delivery)


@nearly_right(
    "rollback-forgets-closed-shared-durable-consumers",
    "rollback does not give back what a consumer of a shared durable subscription received before it was closed",
    "8.8-16",
    "6.2.7-7",
)
def _forgets_closed(patch: Patch) -> None:
    def roll_back(original: Callable[..., None], session: ReferenceSession, work: Work) -> None:
        if not session.closed:
            work.acks = [ack for ack in work.acks if not (_is_shared_durable(ack) and _has_closed_consumer(ack))]
        original(session, work)

    patch.at(fault_points.ROLLBACK, roll_back)


@nearly_right(
    "rollback-wakes-nobody",
    "a message given back by rollback is not handed to a consumer of another session that is waiting already",
    "6.2.7-9",
)
def _wakes_nobody(patch: Patch) -> None:
    quiet = threading.local()

    def roll_back(original: Callable[..., None], session: ReferenceSession, work: Work) -> None:
        quiet.now = not session.closed
        try:
            original(session, work)
        finally:
            quiet.now = False

    def put_back(
        original: Callable[..., None], delivery_queue: DeliveryQueue, entry: StoredMessage, deliveries: int
    ) -> None:
        waiting = delivery_queue.waiting
        if getattr(quiet, "now", False):
            delivery_queue.waiting = {}
        original(delivery_queue, entry, deliveries)
        delivery_queue.waiting = waiting

    patch.at(fault_points.ROLLBACK, roll_back)
    around(patch, DeliveryQueue, "put_back", put_back)


@nearly_right(
    "failed-commit-leaves-its-sends",
    "the messages sent in a transaction whose commit failed go out with the next commit of the session",
    "6.2.7-20",
    "6.2.7-5",
    "6.2.7-12",
)
def _leaves_sends(patch: Patch) -> None:
    undone: dict[ReferenceSession, Work] = {}

    def roll_back(original: Callable[..., None], session: ReferenceSession, work: Work) -> None:
        original(session, work)
        undone[session] = work

    def commit(original: Callable[..., None], session: ReferenceSession) -> None:
        undone.pop(session, None)
        try:
            original(session)
        except TransactionRolledBackException:
            if session in undone:
                session.state.work.sends[:0] = undone[session].sends
            raise

    patch.at(fault_points.ROLLBACK, roll_back)
    patch.at(fault_points.COMMIT, commit)


@nearly_right(
    "recover-in-a-listener-covers-its-consumer-only",
    "recover called by a message listener brings back the messages of that listener's consumer and no other",
    "6.2.10-23",
    "6.2.10-20",
)
def _own_consumer(patch: Patch) -> None:
    def recover(original: Callable[..., None], session: ReferenceSession) -> None:
        dispatcher = session.dispatcher
        if dispatcher is None or not dispatcher.is_current_thread() or dispatcher.current is None:
            original(session)
            return
        consumer, state = dispatcher.current.consumer, session.state
        with session.broker.lock:
            others = [one for one in state.unacknowledged if one.consumer is not consumer]
            state.unacknowledged = [one for one in state.unacknowledged if one.consumer is consumer]
        original(session)
        with session.broker.lock:
            state.unacknowledged[:0] = others

    around(patch, ReferenceSession, "recover", recover)


@nearly_right(
    "context-acknowledge-skips-closed-consumers",
    "acknowledge of a JMSContext leaves out messages whose consumer has been closed in the meantime",
    "6.2.10-14",
    "8.8-13",
)
def _skips_closed(patch: Patch) -> None:
    def acknowledge(original: Callable[..., None], context: ReferenceContext) -> None:
        state = context.session.state
        with state.broker.lock:
            skipped = [one for one in state.unacknowledged if _has_closed_consumer(one)]
            state.unacknowledged = [one for one in state.unacknowledged if one not in skipped]
        try:
            original(context)
        finally:
            with state.broker.lock:
                state.unacknowledged[:0] = skipped

    around(patch, ReferenceContext, "acknowledge", acknowledge)


@nearly_right(
    "acknowledge-is-cumulative-on-shared-durable-subscriptions",
    "acknowledge also settles earlier messages of the shared durable subscription that other sessions hold",
    "6.2.10-12",
    "8.3.4-12",
)
def _cumulative(patch: Patch) -> None:
    def acknowledge_all(original: Callable[..., None], session: ReferenceSession) -> None:
        acknowledged = [one for one in session.state.unacknowledged if _is_shared_durable(one)]
        original(session)
        connections: list[Any] = list(connection_of(session).server.connections)
        for state in (other.state for connection in connections for other in connection.sessions):
            earlier = [one for one in state.unacknowledged if any(_is_before(one, ours) for ours in acknowledged)]
            for one in earlier:
                state.unacknowledged.remove(one)
            state.acknowledge(earlier, durable=True)

    def _is_before(one: Delivery, other: Delivery) -> bool:
        return one.source is other.source and one.entry.number < other.entry.number

    patch.at(fault_points.ACKNOWLEDGED, acknowledge_all)


@nearly_right(
    "listener-acknowledges-durable-messages-in-batches",
    "messages that a listener got from a durable subscription are acknowledged three at a time, so a failure repeats two",
    "6.2.11-5",
    "6.2.10-4",
)
def _batches(patch: Patch) -> None:
    held: dict[SessionState, list[Delivery]] = {}

    def settle(original: Callable[..., None], state: SessionState, delivery: Delivery) -> None:
        listened = getattr(delivery.consumer, "listener", None) is not None
        if state.mode != Session.AUTO_ACKNOWLEDGE or delivery.source.subscription is None or not listened:
            original(state, delivery)
            return
        held.setdefault(state, []).append(delivery)
        if len(held[state]) == _BATCH:
            flush(original, state)

    def flush(original: Callable[..., None], state: SessionState) -> None:
        for delivery in held.pop(state, []):
            original(state, delivery)

    sound = SessionState.settle

    def drop_unfinished(original: Callable[..., None], session: ReferenceSession) -> None:
        if connection_of(session).lost is None:
            flush(sound, session.state)
        session.broker.redelivery.redeliver(held.pop(session.state, []))
        original(session)

    def close(original: Callable[..., None], consumer: ReferenceConsumer) -> None:
        original(consumer)
        flush(sound, consumer.session.state)

    patch.at(fault_points.SETTLED, settle)
    patch.at(fault_points.SESSION_ENDED, drop_unfinished)
    around(patch, ReferenceConsumer, "close", close)


@nearly_right(
    "delayed-messages-of-a-transaction-are-reversed",
    "messages sent to one destination in one transaction with the same delay arrive together, the last one first",
    "6.2.9.2-5",
    "6.2.9.2-10",
)
def _reversed(patch: Patch) -> None:
    delays: dict[StoredMessage, int] = {}
    releases: dict[StoredMessage, int] = {}

    def prepared(producer: ReferenceProducer, message: Message, entry: StoredMessage, options: Options) -> None:
        if options.delivery_delay:
            delays[entry] = options.delivery_delay

    def committed(session: ReferenceSession) -> None:
        sends = session.state.work.sends
        groups: dict[tuple[PhysicalDestination, int], list[int]] = {}
        for index, (physical, entry) in enumerate(sends):
            if entry in delays:
                groups.setdefault((physical, delays[entry]), []).append(index)
        for indexes in groups.values():
            together = [sends[index] for index in indexes]
            latest = max(entry.delivery_time for _, entry in together)
            for index, (physical, entry) in zip(indexes, reversed(together), strict=True):
                sends[index] = physical, entry
                releases[entry] = latest

    def add(
        original: Callable[..., None], schedule: Schedule, delivery_queue: StoredDeliveryQueue, entry: StoredMessage
    ) -> None:
        due, entry.delivery_time = entry.delivery_time, releases.get(entry, entry.delivery_time)
        original(schedule, delivery_queue, entry)
        entry.delivery_time = due

    after_send(patch, prepared)
    before_commit(patch, committed)
    around(patch, Schedule, "add", add)
