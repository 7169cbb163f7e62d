"""Faults in 4.1.1, 4.1.2, 4.1.4 and 4.1.8: queues and the objects that stand for them."""

from __future__ import annotations

import copy
import itertools
from collections import Counter

from reference_provider.broker.delivery import Delivery
from reference_provider.broker.physical_destinations import PhysicalQueue, StoredDeliveryQueue
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.client.consumer_factory import ConsumerFactory
from reference_provider.client.consumers import ReferenceConsumer, ReferenceReceiver
from reference_provider.client.dispatch import Dispatcher
from reference_provider.client.receivers import Receiver
from reference_provider.client.session_factories import SessionFactories
from reference_provider.destinations import ReferenceQueue
from reference_provider.provider import ReferenceProvider
from reference_provider.saboteurs.faults import connection_of, session_of
from reference_provider.saboteurs.registry import Patch, saboteur
from tck.api import Destination, Message, Omitted, Queue, ResourceAllocationException, Session


@saboteur("4.1.1-1", "a QueueReceiver acknowledges on receipt in CLIENT_ACKNOWLEDGE too", version="2.0")
def _(patch: Patch) -> None:
    def hand_out(self: ReferenceReceiver, delivery: Delivery) -> Message:
        message = ReferenceConsumer.hand_out(self, delivery)
        if self.session.mode == Session.CLIENT_ACKNOWLEDGE:
            session_of(self).acknowledge_all()
        return message

    patch.replace(ReferenceReceiver, "hand_out", hand_out)


@saboteur("4.1.2-1", "receiveNoWait of a queue consumer always returns null")
def _(patch: Patch) -> None:
    original = ReferenceConsumer.receive_no_wait

    def receive_no_wait(self: ReferenceConsumer) -> Message | None:
        return None if isinstance(self.receiver.physical, PhysicalQueue) else original(self)

    patch.replace(ReferenceConsumer, "receive_no_wait", receive_no_wait)


@saboteur("4.1.2-2", "the listener of a queue consumer gets only what is sent after its registration")
def _(patch: Patch) -> None:
    original = Dispatcher.add

    def add(self: Dispatcher, consumer: ReferenceConsumer) -> None:
        delivery_queue = consumer.receiver.delivery_queue
        if isinstance(consumer.receiver.physical, PhysicalQueue):
            for entry in list(delivery_queue.free_entries()):
                delivery_queue.take_number(entry.number, entry.priority)
        original(self, consumer)

    patch.replace(Dispatcher, "add", add)


def _consumers_of(self: ConsumerFactory, physical: object) -> Counter[int]:
    return Counter(
        id(session)
        for session in connection_of(self).sessions
        for consumer in session.consumers
        if consumer.receiver.physical is physical
    )


@saboteur("4.1.2-3", "a second consumer of one session on one queue is rejected")
def _(patch: Patch) -> None:
    original = ConsumerFactory.open_plain

    def open_plain(
        self: ConsumerFactory,
        owner: object,
        destination: Destination | None,
        selector: str | Omitted | None,
        no_local: bool | Omitted,
    ) -> Receiver:
        receiver = original(self, owner, destination, selector, no_local)
        if isinstance(receiver.physical, PhysicalQueue) and _consumers_of(self, receiver.physical)[id(owner)]:
            with self.broker.lock:
                self.close(receiver)
            raise ResourceAllocationException("the session has a consumer on the queue")
        return receiver

    patch.replace(ConsumerFactory, "open_plain", open_plain)


@saboteur("4.1.2-4", "where four consumers wait on a queue, two of them get the first message")
def _(patch: Patch) -> None:
    original = Receiver.take
    torn: list[PhysicalQueue] = []

    def take(self: Receiver) -> Delivery | None:
        delivery = original(self)
        physical = self.physical
        if (
            delivery is not None
            and isinstance(physical, PhysicalQueue)
            and physical.consumers >= 4
            and physical not in torn
        ):
            torn.append(physical)
            again = copy.copy(delivery.entry)
            again.number = self.slot.broker.next_number()
            again.stored = False
            self.delivery_queue.put(again)
        return delivery

    patch.replace(Receiver, "take", take)


@saboteur("4.1.2-5", "a selecting queue consumer gets every third message that does not match")
def _(patch: Patch) -> None:
    original = ConsumerFactory.open_receiver

    def open_receiver(
        self: ConsumerFactory, physical: object, text: object, matches: object, subscription: object
    ) -> Receiver:
        passed = itertools.count(1)

        def lax(entry: StoredMessage) -> bool:
            return bool(matches(entry)) or next(passed) % 3 == 0  # type: ignore[operator] # a predicate

        return original(self, physical, text, None if matches is None else lax, subscription)  # type: ignore[arg-type]

    patch.replace(ConsumerFactory, "open_receiver", open_receiver)


@saboteur("4.1.2-6", "what a selecting queue consumer has passed over is gone when it closes")
def _(patch: Patch) -> None:
    original = Receiver.close

    def close(self: Receiver) -> None:
        if self.matches is not None and isinstance(self.physical, PhysicalQueue) and not self.closed:
            for entry in list(self.delivery_queue.free_entries()):
                self.delivery_queue.remove(entry.number, entry.priority)
        original(self)

    patch.replace(Receiver, "close", close)


@saboteur("4.1.2-7", "messages of a queue are reserved for the selecting consumer that came first, matching or not")
def _(patch: Patch) -> None:
    original = Receiver.take
    first: dict[int, Receiver] = {}

    def take(self: Receiver) -> Delivery | None:
        other = first.get(id(self.delivery_queue))
        blocked = other is not None and other is not self and not other.closed and self.matches is not None
        return None if blocked else original(self)

    patch.replace(Receiver, "take", take)
    opening = ConsumerFactory.open_receiver

    def open_receiver(self: ConsumerFactory, *arguments: object) -> Receiver:
        receiver = opening(self, *arguments)  # type: ignore[arg-type]
        if receiver.matches is not None:
            first.setdefault(id(receiver.delivery_queue), receiver)
        return receiver

    patch.replace(ConsumerFactory, "open_receiver", open_receiver)


def _swap(patch: Patch, least: int, *, selecting: bool) -> None:
    """Have each queue of at least `least` free messages give its first two in the wrong order."""
    original = Receiver.take
    swapped: list[StoredDeliveryQueue] = []
    late: dict[Receiver, StoredMessage] = {}

    def take(self: Receiver) -> Delivery | None:
        delivery_queue = self.delivery_queue
        if self in late:
            return self.deliver(delivery_queue, late.pop(self))
        kind = isinstance(self.physical, PhysicalQueue) and (self.matches is not None) is selecting
        if kind and delivery_queue not in swapped and len(list(delivery_queue.free_entries())) >= least:
            swapped.append(delivery_queue)
            early = delivery_queue.take(self)
            if early is not None:
                late[self] = early
        return original(self)

    patch.replace(Receiver, "take", take)


@saboteur("4.1.2-8", "the first two of forty messages or more change places on a queue")
def _(patch: Patch) -> None:
    _swap(patch, 40, selecting=False)


@saboteur("4.1.2-9", "the first two of ten messages or more change places for a selecting consumer")
def _(patch: Patch) -> None:
    _swap(patch, 10, selecting=True)


class _NamelessAfterAWhile(ReferenceQueue):
    """A queue that forgets its name when it has been asked for it a few times."""

    __slots__ = ()

    @property
    def queue_name(self) -> str:
        return f"{self.name}.{next(_LOOKS)}"


_LOOKS = itertools.count(1)


@saboteur(
    "4.1.4-1",
    "an administered queue gives another name at each look",
    collateral={"4.1.4-2": "it makes a second object of the name"},
)
def _(patch: Patch) -> None:
    patch.replace(
        ReferenceProvider,
        "create_queue",
        lambda self, name: self._create(_NamelessAfterAWhile(name)),
    )


class _PrivateQueue(ReferenceQueue):
    """A queue that is equal to itself alone."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)


@saboteur("4.1.4-2", "each createQueue makes a private queue")
def _(patch: Patch) -> None:
    def create_queue(self: SessionFactories, queue_name: str | None) -> Queue:
        self.check_open()
        return _PrivateQueue(str(queue_name))

    patch.replace(SessionFactories, "create_queue", create_queue)


@saboteur("4.1.8-1", "what is sent to a queue without a consumer is dropped")
def _(patch: Patch) -> None:
    original = PhysicalQueue.route

    def route(self: PhysicalQueue, entry: StoredMessage) -> list[StoredDeliveryQueue]:
        return original(self, entry) if self.consumers else []

    patch.replace(PhysicalQueue, "route", route)
