"""Faults in 7.8: time to live that is ignored or measured roughly."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable

from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.broker.broker import Broker
from reference_provider.broker.physical_destinations import PhysicalQueue, StoredDeliveryQueue
from reference_provider.broker.stored_message import StoredMessage

MANY = 10
"""Messages of one delivery queue beyond which the faults of this module show."""
HOUR = 3_600_000
MINUTE = 60_000


def _ignored_of_many(patch: Patch, applies: Callable[[StoredDeliveryQueue], bool]) -> None:
    """Ignore the time to live of all messages of a delivery queue that has got many without a consumer."""
    arrived = defaultdict[StoredDeliveryQueue, set[str | None]](set)
    forgotten = set[str | None]()

    def admit(
        original: Callable[..., None], broker: Broker, delivery_queue: StoredDeliveryQueue, entry: StoredMessage
    ) -> None:
        if applies(delivery_queue) and entry.expiration:
            arrived[delivery_queue].add(entry.message_id)
            if len(arrived[delivery_queue]) > MANY:
                forgotten.update(arrived[delivery_queue])
        original(broker, delivery_queue, entry)

    def is_expired(original: Callable[..., bool], broker: Broker, entry: StoredMessage) -> bool:
        return entry.message_id not in forgotten and original(broker, entry)

    patch.at(fault_points.ARRIVED, admit)
    patch.at(fault_points.EXPIRY_CHECKED, is_expired)


@saboteur("7.8-4", "a queue that has got many messages with a time to live while nobody consumed them ignores it")
def _(patch: Patch) -> None:
    _ignored_of_many(patch, lambda source: isinstance(source.physical, PhysicalQueue) and not source.physical.consumers)


@saboteur("7.8-5", "a durable subscription that has got many messages with a time to live ignores it")
def _(patch: Patch) -> None:
    _ignored_of_many(patch, lambda source: source.subscription is not None)


@saboteur("7.8-6", "messages that live for an hour or longer expire at full minutes only")
def _(patch: Patch) -> None:
    def is_expired(original: Callable[..., bool], broker: Broker, entry: StoredMessage) -> bool:
        expired = original(broker, entry)
        if entry.expiration - entry.timestamp < HOUR:
            return expired
        return expired and entry.expiration // MINUTE < broker.clock.now() // MINUTE

    patch.at(fault_points.EXPIRY_CHECKED, is_expired)
