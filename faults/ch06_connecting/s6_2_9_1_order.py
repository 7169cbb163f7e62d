"""Faults in 6.2.9.1: the order of messages."""

from __future__ import annotations

from collections.abc import Callable

from faults.kit.declaring import nearly_right, saboteur
from faults.kit.patch import Patch
from faults.kit.subscriptions import after_durable_opened, rerouted
from reference_provider import fault_points
from reference_provider.broker.delivery import Delivery
from reference_provider.broker.physical_destinations import PhysicalTopic, StoredDeliveryQueue, Subscription
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.client.receivers import Receiver
from reference_provider.client.session_state import SessionState
from tck.api import Session


@saboteur("6.2.9.1-1", "acknowledge() covers only messages of the same consumer")
def _(patch: Patch) -> None:
    def open_delivery(
        original: Callable[..., Delivery],
        state: SessionState,
        consumer: object,
        delivery_queue: StoredDeliveryQueue,
        entry: StoredMessage,
    ) -> Delivery:
        delivery = original(state, consumer, delivery_queue, entry)

        def acknowledge() -> None:
            mine = [one for one in state.unacknowledged if one.consumer is consumer]
            state.unacknowledged = [one for one in state.unacknowledged if one not in mine]
            state.acknowledge(mine, durable=True)

        if state.mode == Session.CLIENT_ACKNOWLEDGE:
            delivery.acknowledge = acknowledge
        return delivery

    patch.at(fault_points.HANDED_OVER, open_delivery)


class _HeldBack:
    """Delivers the first free message of a stream third, once."""

    def __init__(self, patch: Patch) -> None:
        self._due: list[StoredDeliveryQueue] = []
        self._late: dict[Receiver, list[StoredMessage]] = {}

        patch.at(fault_points.MESSAGE_TAKEN, self._take)

    def order(self, delivery_queue: StoredDeliveryQueue) -> None:
        """Reorder a delivery queue at the next take."""
        self._due.append(delivery_queue)

    def _take(self, original: Callable[..., Delivery | None], receiver: Receiver) -> Delivery | None:
        delivery_queue = receiver.delivery_queue
        if delivery_queue in self._due and len(list(delivery_queue.free_entries())) > 3:
            self._due.remove(delivery_queue)
            first, second, third = (delivery_queue.take(receiver) for _ in range(3))
            self._late[receiver] = [entry for entry in (second, third, first) if entry is not None]
        if late := self._late.get(receiver):
            return receiver.deliver(delivery_queue, late.pop(0))
        return original(receiver)


def _may_come_instead(entry: StoredMessage, first: StoredMessage, receiver: Receiver) -> bool:
    """Return whether a message may be delivered where another one of its priority is due."""
    wanted = receiver.matches is None or receiver.matches(entry)
    return wanted and entry.priority == first.priority and not entry.expiration


@saboteur(
    "6.2.9.1-3",
    "subscribers of a topic get what waits for them the newest first",
    collateral={
        "6.2.9.1-1": "two messages wait for each subscriber, and one is received before an acknowledgement",
        "6.2.9.1-4": "several messages wait for its durable subscriber",
    },
)
def _(patch: Patch) -> None:
    def take(_original: Callable[..., Delivery | None], receiver: Receiver) -> Delivery | None:
        delivery_queue = receiver.delivery_queue
        first = delivery_queue.take(receiver)
        if first is None:
            return None
        chosen = first
        if isinstance(delivery_queue.physical, PhysicalTopic):
            later = [one for one in delivery_queue.free_entries() if _may_come_instead(one, first, receiver)]
            if later:
                chosen = later[-1]
                delivery_queue.level(first.priority).put_back(first.number)
                delivery_queue.take_number(chosen.number, chosen.priority)
        return receiver.deliver(delivery_queue, chosen)

    patch.at(fault_points.MESSAGE_TAKEN, take)


@nearly_right(
    "later-subscribers-get-a-burst-out-of-order",
    "only the first subscriber of a topic gets a burst of twelve messages in order",
    "6.2.9.1-3",
)
def _(patch: Patch) -> None:
    held_back = _HeldBack(patch)
    counted: dict[int, int] = {}

    def fault(physical: PhysicalTopic, entry: StoredMessage, wanting: list[Subscription]) -> list[Subscription]:
        for one in wanting[1:]:
            delivery_queue = one.delivery_queue
            counted[id(delivery_queue)] = counted.get(id(delivery_queue), 0) + 1
            if counted[id(delivery_queue)] == 12 and not delivery_queue.in_file:
                held_back.order(delivery_queue)
        return wanting

    rerouted(patch, fault)


@saboteur("6.2.9.1-4", "a resumed durable subscription delivers its first message third")
def _(patch: Patch) -> None:
    held_back = _HeldBack(patch)

    def fault(receiver: Receiver) -> None:
        if len(list(receiver.delivery_queue.free_entries())) > 3:
            held_back.order(receiver.delivery_queue)

    after_durable_opened(patch, fault)
