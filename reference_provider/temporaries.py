"""The temporary destinations of one connection: only it may consume from them, and they end with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference_provider.destinations import (
    ReferenceDestination,
    ReferenceTemporaryQueue,
    ReferenceTemporaryTopic,
)
from reference_provider.places import Place
from tck.api import InvalidDestinationException, JMSException

if TYPE_CHECKING:
    from reference_provider.connections import ReferenceConnection


class Temporaries:
    """What one connection has created; guarded by the broker lock."""

    __slots__ = ("_broker", "_connection", "_places")

    def __init__(self, connection: ReferenceConnection) -> None:
        self._connection = connection
        self._broker = connection.broker
        self._places: dict[ReferenceDestination, Place] = {}

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
        with self._broker.lock:
            self._places[destination] = self._broker.add_place(destination, self._broker.next_row(), temporary=True)

    def check_consumable(self, place: Place) -> None:
        """Raise InvalidDestinationException for another connection's temporary destination. Needs B."""
        if place.temporary and place.destination not in self._places:
            raise InvalidDestinationException(
                f"{place.destination} belongs to another connection: only that one may consume from it"
            )

    def delete(self, destination: ReferenceDestination) -> None:
        """Delete one of them; JMSException while a consumer is open on it."""
        self._connection.check_open()
        with self._broker.lock:
            place = self._places.get(destination)
            if place is None:
                return
            if place.consumers:
                raise JMSException(f"{destination} has {place.consumers} open consumers: close them first", "IN_USE")
            del self._places[destination]
            self._broker.remove_place(place)

    def delete_all(self) -> None:
        """Delete them all, at the end of the connection. Needs B."""
        for place in self._places.values():
            self._broker.remove_place(place)
        self._places.clear()
