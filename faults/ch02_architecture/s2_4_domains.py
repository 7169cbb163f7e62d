"""Faults in 2.4: the two messaging domains."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from faults.kit.common import unsupported
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from faults.kit.subscriptions import rerouted
from reference_provider import fault_points
from reference_provider.broker.physical_destinations import (
    PhysicalDestination,
    PhysicalQueue,
    PhysicalTopic,
)
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.client.connection_factories import ReferenceTopicConnectionFactory
from reference_provider.client.sessions import ReferenceSession
from tck.api import OMITTED, IllegalStateException, InvalidDestinationException, Topic


@saboteur("2.4-1", "createTopicConnection is not supported")
def _(patch: Patch) -> None:
    unsupported(patch, ReferenceTopicConnectionFactory, "create_topic_connection", "topics are not supported")


@saboteur("2.4-2", "a session that consumes from a queue refuses to publish to a topic")
def _(patch: Patch) -> None:
    def submit(
        original: Callable[..., None], session: ReferenceSession, physical: PhysicalDestination, entry: StoredMessage
    ) -> None:
        queued = any(isinstance(consumer.receiver.physical, PhysicalQueue) for consumer in session.consumers)
        if queued and isinstance(physical, PhysicalTopic) and type(session) is ReferenceSession:
            raise IllegalStateException("the session is used for queues")
        original(session, physical, entry)

    patch.at(fault_points.SEND_SUBMITTED, submit)


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
    rerouted(patch, lambda physical, entry, wanting: wanting[:1])
