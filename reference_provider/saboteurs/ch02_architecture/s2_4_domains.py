"""Faults in 2.4: the two messaging domains."""

from __future__ import annotations

from typing import Any

from reference_provider.broker.physical_destinations import (
    PhysicalDestination,
    PhysicalQueue,
    PhysicalTopic,
    StoredDeliveryQueue,
    Subscription,
)
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.client.connection_factories import ReferenceTopicConnectionFactory
from reference_provider.client.sessions import ReferenceSession
from reference_provider.saboteurs.faults import unsupported
from reference_provider.saboteurs.registry import Patch, saboteur
from tck.api import OMITTED, IllegalStateException, InvalidDestinationException, Topic


@saboteur("2.4-1", "createTopicConnection is not supported")
def _(patch: Patch) -> None:
    unsupported(patch, ReferenceTopicConnectionFactory, "create_topic_connection", "topics are not supported")


@saboteur("2.4-2", "a session that consumes from a queue refuses to publish to a topic")
def _(patch: Patch) -> None:
    original = ReferenceSession.submit

    def submit(self: ReferenceSession, physical: PhysicalDestination, entry: StoredMessage) -> None:
        queued = any(isinstance(consumer.receiver.physical, PhysicalQueue) for consumer in self.consumers)
        if queued and isinstance(physical, PhysicalTopic) and type(self) is ReferenceSession:
            raise IllegalStateException("the session is used for queues")
        original(self, physical, entry)

    patch.replace(ReferenceSession, "submit", submit)


@saboteur("2.4-3", "createConsumer with a selector refuses topics")
def _(patch: Patch) -> None:
    original = ReferenceSession.create_consumer

    def create_consumer(
        self: ReferenceSession, destination: Any, message_selector: Any = OMITTED, no_local: Any = OMITTED
    ) -> Any:
        if isinstance(destination, Topic) and message_selector is not OMITTED:
            raise InvalidDestinationException("a selector needs a queue")
        return original(self, destination, message_selector, no_local)

    patch.replace(ReferenceSession, "create_consumer", create_consumer)


@saboteur("2.4-4", "consumers of a topic compete for its messages")
def _(patch: Patch) -> None:
    def route(self: PhysicalTopic, entry: StoredMessage) -> list[StoredDeliveryQueue]:
        wanting: list[Subscription] = [one for one in self.subscriptions if one.wants(entry)]
        return [one.delivery_queue for one in wanting[:1]]

    patch.replace(PhysicalTopic, "route", route)
