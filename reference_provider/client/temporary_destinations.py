"""The temporary destinations of one connection: only that connection may consume from them, and they end with it.

One also ends when the client drops its object. The garbage collector reports that at any moment and in any thread,
perhaps one that holds the broker lock. So it only records the name; the next call that takes the lock deletes the
destination.
"""

from __future__ import annotations

import weakref
from collections import deque
from typing import TYPE_CHECKING

from reference_provider.destinations import (
    ReferenceDestination,
    ReferenceTemporaryQueue,
    ReferenceTemporaryTopic,
    destination_of,
)
from tck.api import InvalidDestinationException, JMSException

if TYPE_CHECKING:
    from reference_provider.broker.broker import Broker
    from reference_provider.broker.physical_destinations import PhysicalDestination


class TemporaryDestinations:
    """The temporary destinations that one connection has created; guarded by the broker lock."""

    __slots__ = ("_dropped", "_physical", "broker")

    def __init__(self, broker: Broker) -> None:
        self.broker = broker
        self._physical: dict[ReferenceDestination, PhysicalDestination] = {}
        self._dropped: deque[ReferenceDestination] = deque()

    def create_queue(self) -> ReferenceTemporaryQueue:
        """Create a temporary queue."""
        queue = ReferenceTemporaryQueue(self.broker.unique_name("temporary-queue-"), self.delete)
        self._add(queue)
        return queue

    def create_topic(self) -> ReferenceTemporaryTopic:
        """Create a temporary topic."""
        topic = ReferenceTemporaryTopic(self.broker.unique_name("temporary-topic-"), self.delete)
        self._add(topic)
        return topic

    def _add(self, destination: ReferenceDestination) -> None:
        identity = destination_of(
            destination.kind, destination.name
        )  # holds no reference to the client's object, which must stay collectable
        with self.broker.lock:
            self.sweep()
            self._physical[identity] = self.broker.add_physical_destination(
                identity, self.broker.next_row(), temporary=True
            )
        weakref.finalize(destination, self._dropped.append, identity).atexit = False

    def sweep(self) -> None:
        """Delete those that the client has dropped. Needs B."""
        while self._dropped:
            identity = self._dropped.popleft()
            physical = self._physical.get(identity)
            if physical is not None and physical.consumers == 0:
                self._remove(identity, physical)

    def check_consumable(self, physical: PhysicalDestination) -> None:
        """Raise InvalidDestinationException for another connection's temporary destination. Needs B."""
        if physical.temporary and physical.destination not in self._physical:
            raise InvalidDestinationException(
                f"{physical.destination} belongs to another connection: only that one may consume from it"
            )

    def delete(self, destination: ReferenceDestination) -> None:
        """Delete one of them; JMSException while a consumer is open on it."""
        with self.broker.lock:
            physical = self._physical.get(destination)
            if physical is None:
                return
            if physical.consumers:
                raise JMSException(f"{destination} has {physical.consumers} open consumers: close them first", "IN_USE")
            self._remove(destination, physical)

    def _remove(self, destination: ReferenceDestination, physical: PhysicalDestination) -> None:
        del self._physical[destination]
        self.broker.remove_physical_destination(physical)

    def delete_all(self) -> None:
        """Delete them all, at the end of the connection. Needs B."""
        for physical in self._physical.values():
            self.broker.remove_physical_destination(physical)
        self._physical.clear()
