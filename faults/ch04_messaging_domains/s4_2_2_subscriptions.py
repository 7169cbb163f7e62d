"""Faults in 4.2.2: identity, life and consumers of subscriptions."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from faults.kit.subscriptions import (
    Acknowledged,
    Reappearing,
    after_durable_opened,
    closed_collect,
    put_again,
    rerouted,
)
from reference_provider import fault_points
from reference_provider.broker.physical_destinations import PhysicalTopic, Subscription
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.broker.subscriptions import Key, Subscriptions
from reference_provider.client import consumer_factory
from reference_provider.client.consumer_factory import ConsumerFactory
from reference_provider.client.consumers import ReferenceConsumer
from reference_provider.client.receivers import Receiver
from reference_provider.client.sessions import ReferenceSession
from tck.api import MessageConsumer, ResourceAllocationException

INACTIVE_ROOM = 15
"""The number of messages that the inactive subscription of 4.2.2-20 keeps."""

AGE_MS = 10_000
"""How long the inactive subscription of 4.2.2-23 keeps a message, in milliseconds."""


@saboteur(
    "4.2.2-14",
    "consumers that two sessions of a connection create alike share a subscription",
    collateral={"4.2.2-4": "two of its many subscribers have the same selector"},
)
def _(patch: Patch) -> None:
    def fault(physical: PhysicalTopic, entry: StoredMessage, wanting: list[Subscription]) -> list[Subscription]:
        chosen: dict[object, Subscription] = {}
        for one in wanting:
            session: Any = one.session
            alike = one if session is None else (id(session.connection), one.selector, one.no_local)
            several = {id(other.session) for other in wanting if other.session is not None}
            chosen.setdefault(alike if len(several) == len(wanting) else one, one)
        return list(chosen.values())

    rerouted(patch, fault)


@saboteur("4.2.2-13", "a non-durable subscription collects messages after its consumer is closed")
def _(patch: Patch) -> None:
    closed_collect(patch, lambda entry: True)


@saboteur("4.2.2-15", "messages that a closed non-durable consumer did not receive go to the next one")
def _(patch: Patch) -> None:
    reappearing = Reappearing(patch)

    def detach(original: Callable[..., None], consumer: ReferenceConsumer) -> None:
        subscription = consumer.receiver.subscription
        if subscription is not None and subscription.key is None and not consumer.session.closing:
            reappearing.kept[consumer.receiver.physical].extend(
                itertools.islice(consumer.receiver.delivery_queue.free_entries(), 9)
            )
        original(consumer)

    patch.at(fault_points.CONSUMER_CLOSED, detach)


@saboteur("4.2.2-16", "a shared subscription is identified without the client identifier")
def _(patch: Patch) -> None:
    find, add = Subscriptions.shared, Subscriptions.add_shared

    def shared(self: Subscriptions, key: Key) -> Subscription | None:
        return find(self, (None, key[1]))

    def add_shared(self: Subscriptions, key: Key, *arguments: Any) -> Subscription:
        return add(self, (None, key[1]), *arguments)

    patch.replace(Subscriptions, "shared", shared)
    patch.replace(Subscriptions, "add_shared", add_shared)


def _one_per_session(patch: Patch, creator: str) -> None:
    original = getattr(ReferenceSession, creator)

    def create(self: ReferenceSession, topic: Any, name: Any, *arguments: Any) -> MessageConsumer:
        named = [one.receiver.subscription for one in self.consumers if one.receiver.subscription is not None]
        if any(one.key is not None and one.key[1] == name for one in named):
            raise ResourceAllocationException("the session has a consumer on the subscription")
        made: MessageConsumer = original(self, topic, name, *arguments)
        return made

    patch.replace(ReferenceSession, creator, create)


@saboteur("4.2.2-17", "a session refuses a second consumer on a shared subscription")
def _(patch: Patch) -> None:
    _one_per_session(patch, "create_shared_consumer")


@saboteur("4.2.2-28", "a session refuses a second consumer on a shared durable subscription")
def _(patch: Patch) -> None:
    _one_per_session(patch, "create_shared_durable_consumer")


@saboteur("4.2.2-18", "a second consumer makes a shared subscription drop its messages")
def _(patch: Patch) -> None:
    def open_receiver(original: Callable[..., Receiver], *arguments: Any) -> Receiver:
        receiver = original(*arguments)
        shared = receiver.subscription
        if shared is not None and shared.shared and not shared.durable and shared.consumers == 2:
            for entry in list(receiver.delivery_queue.free_entries()):
                receiver.delivery_queue.remove(entry.number, entry.priority)
        return receiver

    patch.at(fault_points.SUBSCRIPTION_OPENED, open_receiver)


@saboteur("4.2.2-19", "a shared subscription ends when the first of two consumers closes")
def _(patch: Patch) -> None:
    def detach(original: Callable[..., None], consumer: ReferenceConsumer) -> None:
        original(consumer)
        shared = consumer.receiver.subscription
        if shared is not None and shared.shared and not shared.durable and shared.consumers:
            consumer.session.broker.subscriptions.remove(shared)

    patch.at(fault_points.CONSUMER_CLOSED, detach)


@saboteur("4.2.2-20", "an inactive durable subscription keeps fifteen messages at most")
def _(patch: Patch) -> None:
    def wants(original: Callable[..., bool], subscription: Subscription, entry: StoredMessage) -> bool:
        full = (
            subscription.durable and subscription.consumers == 0 and len(subscription.delivery_queue) >= INACTIVE_ROOM
        )
        return original(subscription, entry) and not full

    patch.at(fault_points.SUBSCRIPTION_MATCHED, wants)


@saboteur("4.2.2-21", "unsubscribe keeps a subscription that has messages")
def _(patch: Patch) -> None:
    def unsubscribe(original: Callable[..., None], factory: ConsumerFactory, name: str | None) -> None:
        found = factory.broker.subscriptions.durable((factory.connection.client_id_or_none, name or ""))
        if found is None or not len(found.delivery_queue):
            original(factory, name)

    patch.at(fault_points.SUBSCRIPTION_DELETED, unsubscribe)


@saboteur("4.2.2-22", "a durable subscription that is resumed after five acknowledged messages delivers them again")
def _(patch: Patch) -> None:
    acknowledged = Acknowledged(patch)

    def fault(receiver: Receiver) -> None:
        entries = acknowledged.entries[receiver.delivery_queue]
        if len(entries) >= 5:
            put_again(receiver, entries)

    after_durable_opened(patch, fault)


@saboteur("4.2.2-23", "an inactive durable subscription keeps a message for ten seconds")
def _(patch: Patch) -> None:
    def fault(receiver: Receiver) -> None:
        oldest = receiver.slot.broker.clock.now() - AGE_MS
        for entry in [one for one in receiver.delivery_queue.free_entries() if one.timestamp < oldest]:
            receiver.delivery_queue.remove(entry.number, entry.priority)

    after_durable_opened(patch, fault)


@saboteur("4.2.2-24", "a durable subscription is created without a client identifier")
def _(patch: Patch) -> None:
    original = ConsumerFactory.open_durable

    def open_durable(self: ConsumerFactory, topic: Any, name: Any, selector: Any, no_local: Any) -> Receiver:
        if self.connection.client_id_or_none is None:
            return self.open_stored(topic, ("", name), selector, self.no_local_identity(no_local), shared=False)
        return original(self, topic, name, selector, no_local)

    patch.replace(ConsumerFactory, "open_durable", open_durable)


@saboteur("4.2.2-25", "an unshared durable subscription is identified by its name alone")
def _(patch: Patch) -> None:
    original = Subscriptions.durable

    def durable(self: Subscriptions, key: Key) -> Subscription | None:
        named = [one for known, one in self._durable.items() if known[1] == key[1] and not one.shared]
        return original(self, key) or next(iter(named), None)

    patch.replace(Subscriptions, "durable", durable)


@saboteur("4.2.2-26", "a second consumer of an unshared durable subscription joins the first")
def _(patch: Patch) -> None:
    patch.replace(consumer_factory, "check_free", lambda subscription, *, shared: None)


@saboteur("4.2.2-27", "a shared durable subscription is identified without the client identifier")
def _(patch: Patch) -> None:
    def open_stored(
        original: Callable[..., Receiver],
        factory: ConsumerFactory,
        topic: Any,
        key: Key,
        *terms: Any,
        shared: bool,
    ) -> Receiver:
        return original(factory, topic, (None, key[1]) if shared else key, *terms, shared=shared)

    patch.at(fault_points.SUBSCRIPTION_STORED, open_stored)


@saboteur("4.2.2-29", "noLocal is ignored for durable subscriptions")
def _(patch: Patch) -> None:
    def open_stored(
        original: Callable[..., Receiver],
        factory: ConsumerFactory,
        topic: Any,
        key: Key,
        selector: Any,
        no_local: Any,
        *,
        shared: bool,
    ) -> Receiver:
        return original(factory, topic, key, selector, None, shared=shared)

    patch.at(fault_points.SUBSCRIPTION_STORED, open_stored)


@saboteur("4.2.2-30", "a shared subscription omits messages of the connection that created it")
def _(patch: Patch) -> None:
    def open_receiver(original: Callable[..., Receiver], factory: ConsumerFactory, *arguments: Any) -> Receiver:
        receiver = original(factory, *arguments)
        shared = receiver.subscription
        if shared is not None and shared.shared and not shared.durable:
            shared.no_local = factory.connection.identity
        return receiver

    patch.at(fault_points.SUBSCRIPTION_OPENED, open_receiver)
