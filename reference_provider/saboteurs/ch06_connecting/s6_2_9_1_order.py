"""Faults in 6.2.9.1: the order of messages."""

from __future__ import annotations

from reference_provider.broker.delivery import Delivery
from reference_provider.broker.physical_destinations import PhysicalTopic, StoredDeliveryQueue
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.client.consumer_factory import ConsumerFactory
from reference_provider.client.receivers import Receiver
from reference_provider.client.session_state import SessionState
from reference_provider.saboteurs.registry import Patch, saboteur
from tck.api import Session


@saboteur("6.2.9.1-1", "acknowledge() covers only messages of the same consumer")
def _(patch: Patch) -> None:
    original = SessionState.open_delivery

    def open_delivery(
        self: SessionState, consumer: object, delivery_queue: StoredDeliveryQueue, entry: StoredMessage
    ) -> Delivery:
        delivery = original(self, consumer, delivery_queue, entry)

        def acknowledge() -> None:
            mine = [one for one in self.unacknowledged if one.consumer is consumer]
            self.unacknowledged = [one for one in self.unacknowledged if one not in mine]
            self.acknowledge(mine, durable=True)

        if self.mode == Session.CLIENT_ACKNOWLEDGE:
            delivery.acknowledge = acknowledge
        return delivery

    patch.replace(SessionState, "open_delivery", open_delivery)


class _HeldBack:
    """Delivers the first free message of a stream third, once."""

    def __init__(self, patch: Patch) -> None:
        self._original = Receiver.take
        self._due: list[StoredDeliveryQueue] = []
        self._late: dict[Receiver, list[StoredMessage]] = {}

        def take(receiver: Receiver) -> Delivery | None:
            return self._take(receiver)

        patch.replace(Receiver, "take", take)

    def order(self, delivery_queue: StoredDeliveryQueue) -> None:
        """Reorder a delivery queue at the next take."""
        self._due.append(delivery_queue)

    def _take(self, receiver: Receiver) -> Delivery | None:
        delivery_queue = receiver.delivery_queue
        if delivery_queue in self._due and len(list(delivery_queue.free_entries())) > 3:
            self._due.remove(delivery_queue)
            first, second, third = (delivery_queue.take(receiver) for _ in range(3))
            self._late[receiver] = [entry for entry in (second, third, first) if entry is not None]
        if late := self._late.get(receiver):
            return receiver.deliver(delivery_queue, late.pop(0))
        return self._original(receiver)


@saboteur("6.2.9.1-3", "only the first subscriber of a topic gets a burst of twelve messages in order")
def _(patch: Patch) -> None:
    held_back = _HeldBack(patch)
    original = PhysicalTopic.route
    counted: dict[int, int] = {}

    def route(self: PhysicalTopic, entry: StoredMessage) -> list[StoredDeliveryQueue]:
        delivery_queues = original(self, entry)
        for delivery_queue in delivery_queues[1:]:
            counted[id(delivery_queue)] = counted.get(id(delivery_queue), 0) + 1
            if counted[id(delivery_queue)] == 12 and not delivery_queue.in_file:
                held_back.order(delivery_queue)
        return delivery_queues

    patch.replace(PhysicalTopic, "route", route)


@saboteur("6.2.9.1-4", "a resumed durable subscription delivers its first message third")
def _(patch: Patch) -> None:
    held_back = _HeldBack(patch)
    original = ConsumerFactory.open_durable

    def open_durable(self: ConsumerFactory, *arguments: object) -> Receiver:
        receiver: Receiver = original(self, *arguments)  # type: ignore[arg-type]
        if len(list(receiver.delivery_queue.free_entries())) > 3:
            held_back.order(receiver.delivery_queue)
        return receiver

    patch.replace(ConsumerFactory, "open_durable", open_durable)
