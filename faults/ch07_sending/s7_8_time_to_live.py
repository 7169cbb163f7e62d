"""Faults in 7.8: time to live that is ignored or measured roughly."""

from collections import defaultdict

from faults.kit import *

MANY = 10
"""Messages of one delivery queue beyond which the faults of this module show."""
HOUR = 3_600_000
MINUTE = 60_000


def _ignored_of_many(patch, applies):
    """Ignore the time to live of all messages of a delivery queue that has got many without a consumer."""
    arrived = defaultdict[StoredDeliveryQueue, set[str | None]](set)
    forgotten = set[str | None]()

    def admit(original, broker, delivery_queue, entry):
        if applies(delivery_queue) and entry.expiration:
            arrived[delivery_queue].add(entry.message_id)
            if len(arrived[delivery_queue]) > MANY:
                forgotten.update(arrived[delivery_queue])
        original(broker, delivery_queue, entry)

    def is_expired(original, broker, entry):
        return entry.message_id not in forgotten and original(broker, entry)

    patch.at(fault_points.ARRIVED, admit)
    patch.at(fault_points.EXPIRY_CHECKED, is_expired)


@saboteur(
    "7.8-4",
    "a queue that has got many messages with a time to live while nobody consumed them ignores it",
    by=_ignored_of_many,
)
def _(source):
    return isinstance(source.physical, PhysicalQueue) and not source.physical.consumers


saboteur(
    "7.8-5",
    "a durable subscription that has got many messages with a time to live ignores it",
    lambda patch: _ignored_of_many(patch, lambda source: source.subscription is not None),
)


@saboteur(
    "7.8-6", "messages that live for an hour or longer expire at full minutes only", at=fault_points.EXPIRY_CHECKED
)
def _(original, broker, entry):
    expired = original(broker, entry)
    if entry.expiration - entry.timestamp < HOUR:
        return expired
    return expired and entry.expiration // MINUTE < broker.clock.now() // MINUTE
