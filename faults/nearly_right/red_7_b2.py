"""Red round 7, fourth part: faults in sending, subscriptions and receiving, written without sight of the suite."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from faults.kit.common import after_send
from faults.kit.declaring import nearly_right
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.broker.broker import Broker
from reference_provider.broker.delivery import Delivery
from reference_provider.broker.delivery_queue import DeliveryQueue
from reference_provider.broker.physical_destinations import (
    PhysicalDestination,
    PhysicalQueue,
    PhysicalTopic,
    StoredDeliveryQueue,
    Subscription,
)
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.broker.subscriptions import Key
from reference_provider.broker.transactions import Work
from reference_provider.client.completions import Completion, Completions
from reference_provider.client.connections import ReferenceConnection
from reference_provider.client.consumer_factory import ConsumerFactory
from reference_provider.client.consumers import ReferenceConsumer
from reference_provider.client.producers import ReferenceProducer
from reference_provider.client.receivers import Receiver
from reference_provider.client.session_state import SessionState
from tck.api import OMITTED, DeliveryMode, Destination, Message, Omitted, Session, Topic


@nearly_right(
    "used-producer-does-not-see-its-queue-deleted",
    "a producer that has sent to a temporary queue goes on sending to it, without an exception, after its deletion",
    "7.1-10",
    "7.2-5",
)
def _deleted(patch: Patch) -> None:
    original = ReferenceProducer.physical_destination

    def physical_destination(self: ReferenceProducer, destination: Destination) -> PhysicalDestination:
        used = self._physical
        if used is not None and used.temporary and destination is self._destination:
            return used
        return original(self, destination)

    patch.replace(ReferenceProducer, "physical_destination", physical_destination)


@nearly_right(
    "failed-non-persistent-send-counts-as-complete",
    "an asynchronous send of a NON_PERSISTENT message that failed at the provider ends in onCompletion",
    "7.3-10",
    "7.3.2-3",
)
def _completed(patch: Patch) -> None:
    def add(original: Callable[[Completions, Completion], None], callbacks: Completions, one: Completion) -> None:
        if one.error is not None and one.message.jms_delivery_mode == DeliveryMode.NON_PERSISTENT:
            one = replace(one, error=None)
        original(callbacks, one)

    patch.at(fault_points.COMPLETION_QUEUED, add)


@nearly_right(
    "delay-of-a-month-is-none",
    "a delivery delay of more than 2147483647 ms, which is 25 days, is negative within: the message comes at once",
    "7.9-3",
    "7.9-1",
    "7.9-4",
    "3.4.13-1",
)
def _month(patch: Patch) -> None:
    original = ReferenceProducer.delivery_time

    def delivery_time(self: ReferenceProducer, now: int, delay: int) -> int:
        return original(self, now, (delay + 2**31) % 2**32 - 2**31)

    patch.replace(ReferenceProducer, "delivery_time", delivery_time)


@nearly_right(
    "transaction-waits-for-its-delayed-message",
    "what a transaction sends to a destination after a delayed message does not arrive before that message",
    "7.9-6",
    "6.2.7-3",
)
def _waits(patch: Patch) -> None:
    original = Work.after

    def after(self: Work) -> None:
        broker: Any = self.broker
        due: dict[int, int] = {}
        routed = self.routed_sends
        at_once: list[tuple[PhysicalDestination, StoredMessage, list[StoredDeliveryQueue]]] = []
        for physical, entry, delivery_queues in routed:
            wait_until = due.get(id(physical), 0)
            due[id(physical)] = max(wait_until, entry.delivery_time)
            if max(entry.delivery_time, broker.clock.now()) >= wait_until:
                at_once.append((physical, entry, delivery_queues))
            else:
                physical.in_file = physical.in_file or entry.stored
                _arrive_at(broker, wait_until, entry, delivery_queues)
        self.routed_sends = at_once
        original(self)

    patch.replace(Work, "after", after)


def _arrive_at(broker: Broker, when: int, entry: StoredMessage, delivery_queues: Sequence[StoredDeliveryQueue]) -> None:
    def arrive() -> None:
        with broker.lock:
            for delivery_queue in delivery_queues:
                broker.admit(delivery_queue, entry)

    broker.clock.call_at(when, arrive)


@nearly_right(
    "no-local-means-the-connection-that-subscribed",
    "noLocal of a durable subscription leaves out what the connection that created it publishes, but not what later"
    " connections with the same client identifier publish",
    "8.3.3-35",
)
def _no_local(patch: Patch) -> None:
    senders: dict[int, tuple[StoredMessage, object]] = {}
    creators: dict[int, tuple[Subscription, object]] = {}
    original = Subscription.is_foreign

    def note(producer: ReferenceProducer, _: Message, entry: StoredMessage, __: Any) -> None:
        connection: Any = producer.session.connection
        if connection.client_id_or_none is not None:
            senders[id(entry)] = (entry, connection)

    def open_stored(original_open: Callable[..., Receiver], factory: ConsumerFactory, *rest: Any, **named: Any) -> Any:
        receiver = original_open(factory, *rest, **named)
        if receiver.subscription is not None:
            creators.setdefault(id(receiver.subscription), (receiver.subscription, factory.connection))
        return receiver

    def is_foreign(self: Subscription, entry: StoredMessage) -> bool:
        if original(self, entry) or id(self) not in creators or id(entry) not in senders:
            return original(self, entry)
        return senders[id(entry)][1] is not creators[id(self)][1]

    after_send(patch, note)
    patch.at(fault_points.SUBSCRIPTION_STORED, open_stored)
    patch.replace(Subscription, "is_foreign", is_foreign)


@nearly_right(
    "durable-selector-stays-when-left-out",
    "a durable subscription that was made with a selector keeps it, and what it holds, when its consumer comes back"
    " through a method without selector",
    "8.3.3-28",
    "8.3.4-21",
    "8.3.3-37",
)
def _left_out(patch: Patch) -> None:
    def open_stored(
        original: Callable[..., Receiver],
        factory: ConsumerFactory,
        topic: Topic | None,
        key: Key,
        selector: str | Omitted | None,
        *rest: Any,
        **named: Any,
    ) -> Receiver:
        found = factory.broker.subscriptions.durable(key)
        if selector is OMITTED and found is not None and found.delivery_queue.physical.destination == topic:
            selector = found.selector
        return original(factory, topic, key, selector, *rest, **named)

    patch.at(fault_points.SUBSCRIPTION_STORED, open_stored)


@nearly_right(
    "unsubscribe-ends-the-non-durable-namesake",
    "unsubscribe of a durable subscription also ends the shared non-durable subscription of that name, whose consumers"
    " then receive nothing more",
    "8.3.2-20",
    "8.3.3-38",
    "8.3.4-26",
)
def _namesake(patch: Patch) -> None:
    def unsubscribe(
        original: Callable[[ConsumerFactory, str | None], None], factory: ConsumerFactory, name: str | None
    ) -> None:
        original(factory, name)
        with factory.broker.lock:
            namesake = factory.broker.subscriptions.shared((factory.connection.client_id_or_none, name or ""))
            if namesake is not None and isinstance(namesake.delivery_queue.physical, PhysicalTopic):
                namesake.delivery_queue.physical.remove(namesake)

    patch.at(fault_points.SUBSCRIPTION_DELETED, unsubscribe)


@nearly_right(
    "expired-message-ends-receive-no-wait",
    "receiveNoWait returns null if it comes upon an expired message, although one that lives is behind it",
    "8.5-3",
    "8.6-3",
)
def _expired(patch: Patch) -> None:
    discarded: dict[int, int] = {}
    discard_one = Broker.discard

    def discard(self: Broker, delivery_queue: DeliveryQueue, entry: StoredMessage) -> None:
        discarded[id(delivery_queue)] = discarded.get(id(delivery_queue), 0) + 1
        discard_one(self, delivery_queue, entry)

    def next_delivery(
        original: Callable[[ReferenceConsumer, int | None], Delivery | None],
        consumer: ReferenceConsumer,
        timeout: int | None,
    ) -> Delivery | None:
        key = id(consumer.receiver.delivery_queue)
        before = discarded.get(key, 0)
        delivery = original(consumer, timeout)
        if delivery is None or timeout != 0 or discarded.get(key, 0) == before:
            return delivery
        with consumer.session.broker.lock:
            consumer.session.state.cancel_delivery(delivery)
        return None

    patch.replace(Broker, "discard", discard)
    patch.at(fault_points.MESSAGE_AWAITED, next_delivery)


@nearly_right(
    "consumer-closed-while-stopped-takes-a-message-along",
    "when a consumer of a queue is closed while its connection, once started, is stopped, the next message of the queue"
    " is lost with what was fetched ahead",
    "8.8-3",
    "8.4-2",
)
def _fetched(patch: Patch) -> None:
    started: list[ReferenceConnection] = []
    original = ReferenceConsumer.close

    def start(start_it: Callable[[ReferenceConnection], None], connection: ReferenceConnection) -> None:
        start_it(connection)
        if connection not in started:
            started.append(connection)

    def close(self: ReferenceConsumer) -> None:
        session = self.session
        if not self.closed and not session.closing and session.connection in started:
            with session.broker.lock:
                if not session.connection.running and isinstance(self.receiver.physical, PhysicalQueue):
                    fetched = self.receiver.take()
                    if fetched is not None:
                        for owed in (session.state.unacknowledged, session.state.work.acks):
                            if fetched in owed:
                                owed.remove(fetched)
                        fetched.remove_from_queue()
        original(self)

    patch.at(fault_points.CONNECTION_STARTED, start)
    patch.replace(ReferenceConsumer, "close", close)


@nearly_right(
    "listener-that-closed-its-consumer-owes-the-message",
    "in DUPS_OK_ACKNOWLEDGE mode the message whose listener closed its own consumer is not acknowledged, but comes again",
    "8.8-10",
    "8.8-12",
)
def _owes(patch: Patch) -> None:
    def settle(original: Callable[[SessionState, Delivery], None], state: SessionState, delivery: Delivery) -> None:
        if state.mode == Session.DUPS_OK_ACKNOWLEDGE and getattr(delivery.consumer, "closed", False):
            state.broker.redelivery.redeliver([delivery])
        else:
            original(state, delivery)

    patch.at(fault_points.SETTLED, settle)
