"""Redelivery of messages that were not acknowledged, and the limit after which they go to the dead letter queue.

The limit is a feature of this provider, off by default; the specification leaves it open.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from reference_provider.broker.stored_message import Stamp, StoredMessage
from reference_provider.broker.transactions import TransactionBroker, Work
from reference_provider.destinations import ReferenceQueue

if TYPE_CHECKING:
    from reference_provider.broker.delivery import Delivery
    from reference_provider.broker.physical_destinations import PhysicalDestination
    from tck.api import Destination


class RedeliveryBroker(TransactionBroker, Protocol):
    """The interface that redelivery needs from the broker."""

    def physical_destination(self, destination: Destination | None) -> PhysicalDestination:
        """Return the physical destination of `destination`. Needs B."""
        ...


class Redelivery:
    """Redelivers messages, or moves those that reached the limit to the dead letter queue."""

    __slots__ = ("_broker", "_dead_letter_queue", "_limit")

    def __init__(self, broker: RedeliveryBroker, limit: int, dead_letter_queue: str | None) -> None:
        self._broker = broker
        self._limit = limit
        self._dead_letter_queue = dead_letter_queue

    def redeliver(self, deliveries: Sequence[Delivery]) -> None:
        """Redeliver messages in the order of their delivery; those at the limit go to the dead letter queue."""
        exhausted = [one for one in deliveries if one.held and self.is_exhausted(one)]
        with self._broker.lock:
            for one in deliveries:
                if one not in exhausted:
                    one.redeliver()
        if exhausted:
            self.move_to_dead_letter_queue(exhausted)

    def is_exhausted(self, delivery: Delivery) -> bool:
        """Return whether a message has been delivered as often as the limit allows."""
        return self._limit > 0 and delivery.count >= self._limit

    def move_to_dead_letter_queue(self, deliveries: Sequence[Delivery]) -> None:
        """Remove messages and send copies of them to the dead letter queue, if there is one."""
        work = Work(self._broker)
        work.acks = list(deliveries)
        if self._dead_letter_queue is not None:
            with self._broker.lock:
                physical = self._broker.physical_destination(ReferenceQueue(self._dead_letter_queue))
            work.sends = [(physical, dead_letter(one.entry)) for one in deliveries]
        work.perform()


def dead_letter(entry: StoredMessage) -> StoredMessage:
    """Copy a message for the dead letter queue: unchanged, except that it never expires."""
    stamp = Stamp(
        entry.destination,
        entry.delivery_mode,
        0,
        entry.delivery_time,
        entry.message_id,
        entry.timestamp,
        entry.priority,
    )
    return StoredMessage(entry.snapshot, stamp, entry.sender, entry.version)
