"""Faults in 4.1.5 and 4.2.7: temporary queues and topics."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Callable
from typing import Any, cast

from reference_provider.broker.physical_destinations import PhysicalDestination, PhysicalQueue, PhysicalTopic
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.client.consumer_factory import ConsumerFactory
from reference_provider.client.receivers import Receiver
from reference_provider.client.session_factories import SessionFactories
from reference_provider.client.sessions import ReferenceSession
from reference_provider.client.temporary_destinations import TemporaryDestinations
from reference_provider.destinations import ReferenceDestination, ReferenceTemporaryQueue, ReferenceTemporaryTopic
from reference_provider.saboteurs.faults import connection_of
from reference_provider.saboteurs.registry import Patch, saboteur
from tck.api import (
    Destination,
    InvalidDestinationException,
    JMSException,
    Omitted,
    TemporaryQueue,
    TemporaryTopic,
)


@saboteur("4.1.5-1", "temporary queues are numbered per connection and collide")
def _(patch: Patch) -> None:
    numbers: defaultdict[TemporaryDestinations, itertools.count[int]] = defaultdict(lambda: itertools.count(1))

    def create_queue(self: TemporaryDestinations) -> ReferenceTemporaryQueue:
        queue = ReferenceTemporaryQueue(f"temporary-queue-{next(numbers[self])}", self.delete)
        self._add(queue)
        return queue

    patch.replace(TemporaryDestinations, "create_queue", create_queue)


@saboteur("4.1.5-2", "a temporary queue has no name", collateral={"4.1.5-1": "it compares the names"})
def _(patch: Patch) -> None:
    patch.replace(ReferenceTemporaryQueue, "queue_name", property(lambda self: None))


@saboteur("4.2.7-1", "temporary topics are numbered per connection and collide")
def _(patch: Patch) -> None:
    numbers: defaultdict[TemporaryDestinations, itertools.count[int]] = defaultdict(lambda: itertools.count(1))

    def create_topic(self: TemporaryDestinations) -> ReferenceTemporaryTopic:
        topic = ReferenceTemporaryTopic(f"temporary-topic-{next(numbers[self])}", self.delete)
        self._add(topic)
        return topic

    patch.replace(TemporaryDestinations, "create_topic", create_topic)


def _makers(patch: Patch) -> dict[str, ReferenceSession]:
    """Note which session has made each temporary destination, by name."""
    makers: dict[str, ReferenceSession] = {}
    for name in ("create_temporary_queue", "create_temporary_topic"):
        patch.replace(SessionFactories, name, _noting(getattr(SessionFactories, name), makers))
    return makers


def _noting(
    original: Callable[[SessionFactories], TemporaryQueue | TemporaryTopic], makers: dict[str, ReferenceSession]
) -> Callable[[SessionFactories], TemporaryQueue | TemporaryTopic]:
    def make(self: SessionFactories) -> TemporaryQueue | TemporaryTopic:
        made: Any = original(self)
        makers[made.name] = cast("ReferenceSession", self)
        return made  # type: ignore[no-any-return] # as the original made it

    return make


@saboteur("4.1.5-3", "temporary destinations are deleted with the session that made them")
def _(patch: Patch) -> None:
    makers = _makers(patch)
    original = ReferenceSession.shut

    def shut(self: ReferenceSession) -> bool:
        temporaries = self.connection.temporaries
        if not connection_of(self).closing:
            for physical in [one for one in temporaries._physical.values() if makers[one.destination.name] is self]:
                with self.broker.lock:
                    temporaries._remove(physical.destination, physical)
        return original(self)

    patch.replace(ReferenceSession, "shut", shut)


@saboteur("4.1.5-4", "temporary destinations stay, as ordinary ones, when their connection ends")
def _(patch: Patch) -> None:
    def delete_all(self: TemporaryDestinations) -> None:
        for physical in self._physical.values():
            physical.temporary = False
        self._physical.clear()

    patch.replace(TemporaryDestinations, "delete_all", delete_all)


def _anyone_consumes(patch: Patch, kind: type[PhysicalDestination]) -> None:
    original = TemporaryDestinations.check_consumable

    def check_consumable(self: TemporaryDestinations, physical: PhysicalDestination) -> None:
        if not isinstance(physical, kind):
            original(self, physical)

    patch.replace(TemporaryDestinations, "check_consumable", check_consumable)


@saboteur("4.1.5-5", "any connection may consume from a temporary queue")
def _(patch: Patch) -> None:
    _anyone_consumes(patch, PhysicalQueue)


@saboteur("4.2.7-4", "any connection may consume from a temporary topic")
def _(patch: Patch) -> None:
    _anyone_consumes(patch, PhysicalTopic)


def _maker_consumes(patch: Patch, kind: type[Destination]) -> None:
    makers = _makers(patch)
    original = ConsumerFactory.open_plain

    def open_plain(
        self: ConsumerFactory,
        owner: object,
        destination: Destination | None,
        selector: str | Omitted | None,
        no_local: bool | Omitted,
    ) -> Receiver:
        if isinstance(destination, ReferenceDestination) and isinstance(destination, kind):
            maker = makers.get(destination.name)
            if maker not in {None, owner} and not maker.closed and maker.connection is connection_of(self):
                raise InvalidDestinationException(f"{destination} was made by another session")
        return original(self, owner, destination, selector, no_local)

    patch.replace(ConsumerFactory, "open_plain", open_plain)


@saboteur("4.1.5-6", "only the session that made a temporary queue consumes from it, as long as it is open")
def _(patch: Patch) -> None:
    _maker_consumes(patch, TemporaryQueue)


@saboteur("4.2.7-5", "only the session that made a temporary topic consumes from it, as long as it is open")
def _(patch: Patch) -> None:
    _maker_consumes(patch, TemporaryTopic)


@saboteur("2.16-3", "what other connections send to a temporary destination is dropped")
def _(patch: Patch) -> None:
    original = ReferenceSession.submit

    def submit(self: ReferenceSession, physical: PhysicalDestination, entry: StoredMessage) -> None:
        if not physical.temporary or physical.destination in self.connection.temporaries._physical:
            original(self, physical, entry)

    patch.replace(ReferenceSession, "submit", submit)


def _no_delete(patch: Patch, kind: type[PhysicalDestination]) -> None:
    original = TemporaryDestinations.delete

    def delete(self: TemporaryDestinations, destination: ReferenceDestination) -> None:
        physical = self._physical.get(destination)
        if not isinstance(physical, kind) or physical.consumers:
            original(self, destination)

    patch.replace(TemporaryDestinations, "delete", delete)


@saboteur("4.1.5-8", "delete of a temporary queue does nothing")
def _(patch: Patch) -> None:
    _no_delete(patch, PhysicalQueue)


@saboteur("4.2.7-8", "delete of a temporary topic does nothing")
def _(patch: Patch) -> None:
    _no_delete(patch, PhysicalTopic)


def _silent_delete(patch: Patch, kind: type[PhysicalDestination]) -> None:
    original = TemporaryDestinations.delete

    def delete(self: TemporaryDestinations, destination: ReferenceDestination) -> None:
        physical = self._physical.get(destination)
        try:
            original(self, destination)
        except JMSException:
            if not isinstance(physical, kind):
                raise
            with self.broker.lock:
                self._remove(destination, physical)

    patch.replace(TemporaryDestinations, "delete", delete)


@saboteur("4.1.5-9", "delete takes a temporary queue away from its open receivers")
def _(patch: Patch) -> None:
    _silent_delete(patch, PhysicalQueue)


@saboteur("4.2.7-9", "delete takes a temporary topic away from its open subscribers")
def _(patch: Patch) -> None:
    _silent_delete(patch, PhysicalTopic)
