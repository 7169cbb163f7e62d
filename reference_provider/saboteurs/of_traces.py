"""Faults that only many actors show: one for each property of traces that no saboteur of a single row breaks under load.

`settings["saboteur"]` takes their names as well as ids of rows: `listener-serial` lets two listeners of a session run at
once. Each fault strikes again and again, every so many times, so that a short workload meets it.
"""

from __future__ import annotations

import threading
from typing import Any, Final

from reference_provider.broker.broker import Broker
from reference_provider.broker.delivery import Delivery
from reference_provider.broker.physical_destinations import (
    PhysicalDestination,
    PhysicalTopic,
    StoredDeliveryQueue,
    Subscription,
)
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.client.completions import Completion, Completions
from reference_provider.client.connections import ReferenceConnection
from reference_provider.client.consumer_factory import ConsumerFactory
from reference_provider.client.consumers import ReferenceConsumer
from reference_provider.client.dispatch import Dispatcher
from reference_provider.client.producers import Options, ReferenceProducer
from reference_provider.client.receivers import Receiver
from reference_provider.client.sessions import ReferenceSession
from reference_provider.client.temporary_destinations import TemporaryDestinations
from reference_provider.clock import VirtualClock
from reference_provider.saboteurs.faults import after_send, as_received, session_of
from reference_provider.saboteurs.registry import Patch
from reference_provider.saboteurs.trace_faults import breaks, now_and_then
from tck.api import Message, MessageListener

LATER_MS: Final = 50
"""What comes too late comes so much later, on the provider's clock."""


# --- sends ------------------------------------------------------------------------------------------------------------


@breaks("expiration-computed")
def _expiration(patch: Patch) -> None:
    def fault(sender: ReferenceProducer, message: Message, entry: StoredMessage, options: Options) -> None:
        if entry.expiration:
            entry.expiration += 40
            message.jms_expiration = entry.expiration

    after_send(patch, fault)


@breaks("message-id-unique")
def _same_id(patch: Patch) -> None:
    strikes, last = now_and_then(), list[str | None]()

    def fault(sender: ReferenceProducer, message: Message, entry: StoredMessage, options: Options) -> None:
        if last and strikes():
            entry.message_id = message.jms_message_id = last[-1]
        last.append(entry.message_id)

    after_send(patch, fault)


@breaks("not-before-send")
def _clock_behind(patch: Patch) -> None:
    """For whoever has received something the provider's clock is behind: by its time messages come before they are sent."""
    take, monotonic_ns, behind = Receiver.take, VirtualClock.monotonic_ns, threading.local()

    def taken(self: Receiver) -> Delivery | None:
        delivery = take(self)
        if delivery is not None:
            behind.ns = LATER_MS * 1_000_000
        return delivery

    patch.replace(Receiver, "take", taken)
    patch.replace(VirtualClock, "monotonic_ns", lambda self: monotonic_ns(self) - getattr(behind, "ns", 0))


# --- order, listeners, stop and close ---------------------------------------------------------------------------------


@breaks("order-per-stream")
def _swapped(patch: Patch) -> None:
    original, strikes = Receiver.take, now_and_then(3)

    def take(self: Receiver) -> Delivery | None:
        delivery_queue = self.delivery_queue
        first = delivery_queue.take(self) if strikes() else None
        if first is None:
            return original(self)
        second = delivery_queue.take(self) if not delivery_queue.counts.get(first.number) else None
        if second is None:
            delivery_queue.put_back(first, delivery_queue.counts.get(first.number, 0))
            return original(self)
        delivery_queue.put_back(first, delivery_queue.counts.get(first.number, 0))
        return self.deliver(delivery_queue, second)

    patch.replace(Receiver, "take", take)


@breaks("listener-serial")
def _two_at_once(patch: Patch) -> None:
    original = Dispatcher.deliver

    def deliver(self: Dispatcher, delivery: Delivery) -> None:
        self.session.broker.clock.spawn(lambda: original(self, delivery), "second-thread-of-a-session")

    patch.replace(Dispatcher, "deliver", deliver)


@breaks("nothing-after-close")
def _after_close(patch: Patch) -> None:
    last: dict[int, tuple[ReferenceSession, MessageListener, Message]] = {}
    heard, closed = Dispatcher.call_listener, ReferenceConnection.close

    def on_message(self: Dispatcher, listener: MessageListener, delivery: Delivery) -> bool:
        last[id(self.session)] = (session_of(self), listener, self.session.message_of(delivery))
        return heard(self, listener, delivery)

    def close(self: ReferenceConnection) -> None:
        sessions = list(self.sessions)
        closed(self)
        for session in sessions:
            if id(session) in last:
                _, listener, message = last.pop(id(session))
                self.broker.clock.spawn(lambda: _later(self.broker, listener, message), "late-listener")  # noqa: B023 - runs with these

    def _later(broker: Broker, listener: MessageListener, message: Message) -> None:
        broker.clock.event().wait(LATER_MS)
        listener.on_message(message)

    patch.replace(Dispatcher, "call_listener", on_message)
    patch.replace(ReferenceConnection, "close", close)


@breaks("not-after-unsubscribe")
def _goes_on(patch: Patch) -> None:
    original = ReferenceConnection.close

    def close(self: ReferenceConnection) -> None:
        if any(isinstance(each.physical, PhysicalTopic) and each.listener for each in _consumers(self)):
            return
        original(self)

    patch.replace(ReferenceConnection, "close", close)


def _consumers(connection: ReferenceConnection) -> list[Any]:
    return [_Seen(consumer) for session in connection.sessions for consumer in session.consumers]


class _Seen:
    """A consumer with the place it reads from."""

    def __init__(self, consumer: ReferenceConsumer) -> None:
        self.physical = consumer.receiver.physical
        self.listener = consumer.listener


@breaks("nothing-while-stopped")
def _deaf_to_stop(patch: Patch) -> None:
    patch.replace(ReferenceConnection, "stop", lambda self: self.use())


@breaks("exception-listener-serial")
def _told_twice(patch: Patch) -> None:
    original = ReferenceConnection.report_loss

    def report(self: ReferenceConnection, why: str) -> None:
        original(self, why)
        original(self, why)

    patch.replace(ReferenceConnection, "report_loss", report)


# --- asynchronous sends -----------------------------------------------------------------------------------------------


@breaks("completion-once")
def _answered_twice(patch: Patch) -> None:
    original, strikes = Completions.add, now_and_then()

    def add(self: Completions, completion: Completion) -> None:
        original(self, completion)
        if strikes():
            original(self, completion)

    patch.replace(Completions, "add", add)


@breaks("completion-order")
def _answered_in_reverse(patch: Patch) -> None:
    held: dict[int, Completion] = {}
    original, waited = Completions.add, Completions.wait_until_done

    def add(self: Completions, completion: Completion) -> None:
        if id(self) not in held:
            held[id(self)] = completion
            return
        original(self, completion)
        original(self, held.pop(id(self)))

    def wait_until_done(self: Completions, sender: object = None) -> None:
        if id(self) in held:
            original(self, held.pop(id(self)))
        waited(self, sender)

    patch.replace(Completions, "add", add)
    patch.replace(Completions, "wait_until_done", wait_until_done)


@breaks("completion-serial")
def _answered_at_once(patch: Patch) -> None:
    original = Completions.call_listener

    def call(self: Completions, completion: Completion) -> None:
        self._clock.spawn(lambda: original(self, completion), "second-callback")

    patch.replace(Completions, "call_listener", call)


@breaks("commit-waits-for-completions")
def _impatient_commit(patch: Patch) -> None:
    patch.replace(Completions, "wait_until_done", lambda self, sender=None: None)


# --- deliveries -------------------------------------------------------------------------------------------------------


@breaks("no-invention")
def _forged(patch: Patch) -> None:
    strikes = now_and_then()

    def fault(message: Message, delivery: Delivery) -> None:
        if strikes():
            values: Any = message._properties  # type: ignore[attr-defined] # of every message of this provider
            message._properties = {  # type: ignore[attr-defined] # as above
                name: value + 0xFFFFFF if type(value) is int else value for name, value in values.items()
            }

    as_received(patch, fault)


@breaks("no-corruption")
def _body_changed(patch: Patch) -> None:
    strikes = now_and_then()

    def fault(message: Message, delivery: Delivery) -> None:
        text = getattr(message, "_text", None)
        if isinstance(text, str) and strikes():
            message._text = text[:-1] + "?"  # type: ignore[attr-defined] # of a text message

    as_received(patch, fault)


def _never_expires(patch: Patch) -> None:
    patch.replace(Broker, "is_expired", lambda self, entry: False)


breaks("not-after-expiry")(_never_expires)
breaks("expired-not-received")(_never_expires)


@breaks("no-local-honoured")
def _local_too(patch: Patch) -> None:
    patch.replace(ConsumerFactory, "no_local_identity", lambda self, no_local: None)


@breaks("not-before-subscription")
def _old_news(patch: Patch) -> None:
    last: dict[int, tuple[Broker, StoredMessage]] = {}
    arrived, added = Broker.arrive, PhysicalTopic.add

    def arrive(
        self: Broker, physical: PhysicalDestination, entry: StoredMessage, delivery_queues: list[StoredDeliveryQueue]
    ) -> None:
        arrived(self, physical, entry, delivery_queues)
        if isinstance(physical, PhysicalTopic):
            last[id(physical)] = (self, entry)

    def add(self: PhysicalTopic, subscription: Subscription) -> None:
        added(self, subscription)
        if id(self) in last and not subscription.delivery_queue.in_file:
            broker, entry = last[id(self)]
            broker.admit(subscription.delivery_queue, entry)

    patch.replace(Broker, "arrive", arrive)
    patch.replace(PhysicalTopic, "add", add)


@breaks("temporary-owner-only")
def _for_everybody(patch: Patch) -> None:
    patch.replace(TemporaryDestinations, "check_consumable", lambda self, physical: None)


@breaks("temporary-ends-with-connection")
def _outlives_its_connection(patch: Patch) -> None:
    patch.replace(TemporaryDestinations, "check_consumable", lambda self, physical: None)
    patch.replace(TemporaryDestinations, "delete_all", lambda self: None)
    patch.replace(TemporaryDestinations, "sweep", lambda self: None)
