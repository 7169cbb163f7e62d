"""Faults in 4.2.1: topics, publishers and subscribers."""

from __future__ import annotations

from collections import defaultdict

from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from faults.kit.subscriptions import rerouted
from reference_provider.broker.physical_destinations import PhysicalTopic, Subscription
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.client.domain_specific import ReferenceTopicSession
from tck.api import OMITTED, InvalidDestinationException, Omitted, Topic, TopicSubscriber


@saboteur("4.2.1-1", "a TopicSubscriber ignores noLocal", version="2.0")
def _(patch: Patch) -> None:
    original = ReferenceTopicSession.create_subscriber

    def create_subscriber(
        self: ReferenceTopicSession,
        topic: Topic | None,
        message_selector: str | Omitted | None = OMITTED,
        no_local: bool | Omitted = OMITTED,
    ) -> TopicSubscriber:
        return original(self, topic, message_selector)

    patch.replace(ReferenceTopicSession, "create_subscriber", create_subscriber)


@saboteur("4.2.1-2", "publishing to a topic without a subscriber fails")
def _(patch: Patch) -> None:
    def fault(physical: PhysicalTopic, entry: StoredMessage, wanting: list[Subscription]) -> list[Subscription]:
        if not physical.subscriptions:
            raise InvalidDestinationException(f"nobody subscribes to {physical.destination}")
        return wanting

    rerouted(patch, fault)


@saboteur("4.2.1-3", "messages of the third publisher to a topic are dropped")
def _(patch: Patch) -> None:
    publishers: defaultdict[int, list[str | None]] = defaultdict(list)

    def fault(physical: PhysicalTopic, entry: StoredMessage, wanting: list[Subscription]) -> list[Subscription]:
        known = publishers[id(physical)]
        if entry.sender not in known:
            known.append(entry.sender)
        return [] if entry.sender in known[2:3] else wanting

    rerouted(patch, fault)
