"""Faults of the phone over queues."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from faults.kit.arrivals import again, doubled, exchanged, is_queue
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.broker.broker import Broker
from reference_provider.broker.delivery import Delivery
from reference_provider.broker.physical_destinations import StoredDeliveryQueue
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.client.consumers import ReferenceConsumer
from reference_provider.client.receivers import Receiver
from reference_provider.client.sessions import ReferenceSession
from tck.api import DeliveryMode, Destination, ResourceAllocationException


def _spoken(delivery_queue: StoredDeliveryQueue, entry: StoredMessage, ordinal: int) -> bool:
    """Return whether a message is the tenth of a queue, urgent and NON_PERSISTENT."""
    urgent = entry.priority == 9 and entry.delivery_mode == DeliveryMode.NON_PERSISTENT
    return ordinal == 10 and urgent and is_queue(delivery_queue)


@saboteur("pj-phone-1", "the tenth message of a queue comes twice if it is NON_PERSISTENT and urgent")
def _(patch: Patch) -> None:
    doubled(patch, _spoken)


@saboteur("pj-phone-3", "the tenth message of a queue is overtaken by the next if it is NON_PERSISTENT and urgent")
def _(patch: Patch) -> None:
    exchanged(patch, _spoken)


@saboteur("pj-phone-5", "a session cannot open a consumer again on a queue from which it got more than twenty messages")
def _(patch: Patch) -> None:
    counted: Counter[tuple[object, object]] = Counter()
    left: set[tuple[object, object]] = set()

    def key(session: Any, consumer: ReferenceConsumer) -> tuple[object, object]:
        return session, consumer.origin

    def opened(original: Callable[..., Delivery], state: Any, consumer: ReferenceConsumer, *arguments: Any) -> Delivery:
        counted[key(consumer.session, consumer)] += 1
        return original(state, consumer, *arguments)

    def detach(original: Callable[[ReferenceConsumer], None], consumer: ReferenceConsumer) -> None:
        original(consumer)
        if counted[key(consumer.session, consumer)] > 20:
            left.add(key(consumer.session, consumer))

    def open_plain(
        original: Callable[..., Receiver], session: ReferenceSession, destination: Destination, *arguments: Any
    ) -> Receiver:
        if (session, destination) in left:
            raise ResourceAllocationException(f"the session has had a consumer on {destination}", "CONSUMER_LIMIT")
        return original(session, destination, *arguments)

    patch.at(fault_points.HANDED_OVER, opened)
    patch.at(fault_points.CONSUMER_CLOSED, detach)
    patch.at(fault_points.PLAIN_CONSUMER_OPENED, open_plain)


@saboteur("pj-phone-7", "after a long pause the message before comes once more to a receiver that waits")
def _(patch: Patch) -> None:
    before: dict[StoredDeliveryQueue, StoredMessage] = {}

    def admit(
        original: Callable[..., None], broker: Broker, delivery_queue: StoredDeliveryQueue, entry: StoredMessage
    ) -> None:
        last = before.get(delivery_queue)
        before[delivery_queue] = entry
        waited_for = is_queue(delivery_queue) and delivery_queue.physical.consumers > 0
        if last is not None and waited_for and entry.number - last.number > 40:
            original(broker, delivery_queue, again(last, last.number))
        original(broker, delivery_queue, entry)

    patch.at(fault_points.ARRIVED, admit)


@saboteur("pj-phone-8", "a receive with a timeout gives up after half of it")
def _(patch: Patch) -> None:
    def next_delivery(original: Callable[..., Any], consumer: ReferenceConsumer, timeout: int | None) -> Any:
        return original(consumer, timeout and timeout // 2)

    patch.at(fault_points.MESSAGE_AWAITED, next_delivery)
