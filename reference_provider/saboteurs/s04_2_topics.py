"""Faults in 4.2.1, 4.2.3 to 4.2.6 and 4.2.9: topics, names of subscriptions, registration."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Callable

from reference_provider.broker.physical_destinations import (
    PhysicalDestination,
    PhysicalTopic,
    Predicate,
    StoredDeliveryQueue,
    Subscription,
)
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.broker.subscriptions import Subscriptions
from reference_provider.client import consumer_factory
from reference_provider.client.consumer_factory import ConsumerFactory
from reference_provider.client.context import ReferenceContext
from reference_provider.client.domain_specific import ReferenceTopicSession
from reference_provider.client.receivers import Receiver
from reference_provider.client.session_factories import SessionFactories
from reference_provider.destinations import ReferenceTopic
from reference_provider.provider import ReferenceProvider
from reference_provider.saboteurs.registry import Patch, saboteur
from tck.api import (
    OMITTED,
    InvalidDestinationException,
    JMSException,
    Omitted,
    TemporaryTopic,
    Topic,
    TopicSubscriber,
    UnsupportedOperationException,
)


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
    original = PhysicalTopic.route

    def route(self: PhysicalTopic, entry: StoredMessage) -> list[StoredDeliveryQueue]:
        if not self.subscriptions:
            raise InvalidDestinationException(f"nobody subscribes to {self.destination}")
        return original(self, entry)

    patch.replace(PhysicalTopic, "route", route)


@saboteur("4.2.1-3", "what the third publisher sends to a topic is dropped")
def _(patch: Patch) -> None:
    original = PhysicalTopic.route
    publishers: defaultdict[int, list[str | None]] = defaultdict(list)

    def route(self: PhysicalTopic, entry: StoredMessage) -> list[StoredDeliveryQueue]:
        known = publishers[id(self)]
        if entry.sender not in known:
            known.append(entry.sender)
        return [] if entry.sender in known[2:3] else original(self, entry)

    patch.replace(PhysicalTopic, "route", route)


@saboteur("4.2.3-3", "subscribers lose what waits for them when another one joins")
def _(patch: Patch) -> None:
    original = Subscriptions.add_unshared

    def add_unshared(self: Subscriptions, physical: PhysicalTopic, *arguments: object) -> Subscription:
        for other in physical.subscriptions:
            for entry in list(other.delivery_queue.free_entries()):
                other.delivery_queue.remove(entry.number, entry.priority)
        return original(self, physical, *arguments)  # type: ignore[arg-type] # as given

    patch.replace(Subscriptions, "add_unshared", add_unshared)


def _refuse_names(patch: Patch, refused: Callable[[str], bool]) -> None:
    original = consumer_factory.checked_name

    def checked_name(name: str | None) -> str:
        checked = original(name)
        if refused(checked):
            raise JMSException(f"no subscription can be named {checked!r}")
        return checked

    patch.replace(consumer_factory, "checked_name", checked_name)


@saboteur("4.2.4-1", "names of subscriptions cannot have letters beyond ASCII")
def _(patch: Patch) -> None:
    _refuse_names(patch, lambda name: not name.isascii())


@saboteur("4.2.4-2", "names of subscriptions cannot begin with a digit")
def _(patch: Patch) -> None:
    _refuse_names(patch, lambda name: name[0].isdigit())


@saboteur("4.2.4-3", "names of subscriptions cannot have underscores")
def _(patch: Patch) -> None:
    _refuse_names(patch, lambda name: "_" in name)


@saboteur("4.2.4-4", "names of subscriptions cannot have dots")
def _(patch: Patch) -> None:
    _refuse_names(patch, lambda name: "." in name)


@saboteur("4.2.4-5", "names of subscriptions cannot have minus signs")
def _(patch: Patch) -> None:
    _refuse_names(patch, lambda name: "-" in name)


@saboteur(
    "4.2.4-7",
    "names of subscriptions have at most 64 characters",
    collateral={"4.2.4-8": "its names have 128 characters"},
)
def _(patch: Patch) -> None:
    _refuse_names(patch, lambda name: len(name) > 64)


@saboteur("4.2.4-8", "names of subscriptions count to their hundredth character")
def _(patch: Patch) -> None:
    original = consumer_factory.checked_name
    patch.replace(consumer_factory, "checked_name", lambda name: original(name)[:100])


@saboteur("4.2.5-2", "JMSContext.createTemporaryTopic is not supported")
def _(patch: Patch) -> None:
    def create_temporary_topic(self: ReferenceContext) -> TemporaryTopic:
        raise UnsupportedOperationException("a context has no temporary topics")

    patch.replace(ReferenceContext, "create_temporary_topic", create_temporary_topic)


_LOOKS = itertools.count(1)


class _Renamed(ReferenceTopic):
    """A topic that gives another name at each look."""

    __slots__ = ()

    @property
    def topic_name(self) -> str:
        return f"{self.name}.{next(_LOOKS)}"


@saboteur(
    "4.2.6-1",
    "an administered topic gives another name at each look",
    collateral={"4.2.6-2": "it makes a second object of the name"},
)
def _(patch: Patch) -> None:
    patch.replace(ReferenceProvider, "create_topic", lambda self, name: self._create(_Renamed(name)))


class _PrivateTopic(ReferenceTopic):
    """A topic that is equal to itself alone."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)


@saboteur("4.2.6-2", "each createTopic makes a private topic")
def _(patch: Patch) -> None:
    def create_topic(self: SessionFactories, topic_name: str | None) -> Topic:
        self.check_open()
        return _PrivateTopic(str(topic_name))

    patch.replace(SessionFactories, "create_topic", create_topic)


@saboteur("4.2.9-1", "a client cannot subscribe to a topic before an administrator has registered it")
def _(patch: Patch) -> None:
    original = ConsumerFactory.open_receiver

    def open_receiver(
        self: ConsumerFactory,
        physical: PhysicalDestination,
        text: str | None,
        matches: Predicate | None,
        subscription: Subscription | None,
    ) -> Receiver:
        if isinstance(physical, PhysicalTopic) and subscription is not None and subscription.key is None:
            raise JMSException("the client is not registered as a subscriber")
        return original(self, physical, text, matches, subscription)

    patch.replace(ConsumerFactory, "open_receiver", open_receiver)


@saboteur("4.2.9-2", "durable subscriptions are made by administrators alone")
def _(patch: Patch) -> None:
    def store(self: Subscriptions, *arguments: object, **options: object) -> Subscription:
        raise JMSException("no such durable subscription has been prepared")

    patch.replace(Subscriptions, "store", store)


@saboteur("4.2.9-3", "durable subscriptions are deleted by administrators alone")
def _(patch: Patch) -> None:
    def unsubscribe(self: ConsumerFactory, name: str | None) -> None:
        raise JMSException("ask an administrator to delete the subscription")

    patch.replace(ConsumerFactory, "unsubscribe", unsubscribe)
