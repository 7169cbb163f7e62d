"""The temporary destinations of one connection: only it may consume from them, and they end with it.

One also ends when the client drops its object. The garbage collector says so at any moment and in any thread, perhaps
one that holds the broker lock, so it only notes the name; the next call that takes the lock does the rest.
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
    from reference_provider.broker.physical_destinations import PhysicalDestination
    from reference_provider.client.connections import ReferenceConnection


class TemporaryDestinations:
    """What one connection has created; guarded by the broker lock."""

    __slots__ = ("_broker", "_connection", "_dropped", "_places")

    def __init__(self, connection: ReferenceConnection) -> None:
        self._connection = connection
        self._broker = connection.broker
        self._places: dict[ReferenceDestination, PhysicalDestination] = {}
        self._dropped: deque[ReferenceDestination] = deque()

    def create_queue(self) -> ReferenceTemporaryQueue:
        """Make a temporary queue."""
        queue = ReferenceTemporaryQueue(self._broker.unique_name("temporary-queue-"), self.delete)
        self._add(queue)
        return queue

    def create_topic(self) -> ReferenceTemporaryTopic:
        """Make a temporary topic."""
        topic = ReferenceTemporaryTopic(self._broker.unique_name("temporary-topic-"), self.delete)
        self._add(topic)
        return topic

    def _add(self, destination: ReferenceDestination) -> None:
        identity = destination_of(destination.kind, destination.name)  # the client's own object must stay collectable
        with self._broker.lock:
            self.sweep()
            self._places[identity] = self._broker.add_place(identity, self._broker.next_row(), temporary=True)
        weakref.finalize(destination, self._dropped.append, identity).atexit = False

    def sweep(self) -> None:
        """Delete those whose objects the client has dropped. Needs B."""
        while self._dropped:
            identity = self._dropped.popleft()
            place = self._places.get(identity)
            if place is not None and place.consumers == 0:
                self._remove(identity, place)

    def check_consumable(self, place: PhysicalDestination) -> None:
        """Raise InvalidDestinationException for another connection's temporary destination. Needs B."""
        if place.temporary and place.destination not in self._places:
            raise InvalidDestinationException(
                f"{place.destination} belongs to another connection: only that one may consume from it"
            )

    def delete(self, destination: ReferenceDestination) -> None:
        """Delete one of them; JMSException while a consumer is open on it."""
        with self._broker.lock:
            place = self._places.get(destination)
            if place is None:
                return
            if place.consumers:
                raise JMSException(f"{destination} has {place.consumers} open consumers: close them first", "IN_USE")
            self._remove(destination, place)

    def _remove(self, destination: ReferenceDestination, place: PhysicalDestination) -> None:
        del self._places[destination]
        self._broker.remove_place(place)

    def delete_all(self) -> None:
        """Delete them all, at the end of the connection. Needs B."""
        for place in self._places.values():
            self._broker.remove_place(place)
        self._places.clear()
