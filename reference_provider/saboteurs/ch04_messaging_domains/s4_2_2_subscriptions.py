"""Faults in 4.2.2: identity, life and consumers of subscriptions."""

from __future__ import annotations

import itertools
from typing import Any

from reference_provider.broker.physical_destinations import PhysicalTopic, Subscription
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.broker.subscriptions import Key, Subscriptions
from reference_provider.client import consumer_factory
from reference_provider.client.consumer_factory import ConsumerFactory
from reference_provider.client.consumers import ReferenceConsumer
from reference_provider.client.receivers import Receiver
from reference_provider.client.sessions import ReferenceSession
from reference_provider.saboteurs.registry import Patch, saboteur
from reference_provider.saboteurs.subscription_faults import (
    Acknowledged,
    Reappearing,
    closed_collect,
    put_again,
    rerouted,
)
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
    closing = ReferenceConsumer.detach

    def detach(self: ReferenceConsumer) -> None:
        subscription = self.receiver.subscription
        if subscription is not None and subscription.key is None and not self.session.closing:
            reappearing.kept[self.receiver.physical].extend(
                itertools.islice(self.receiver.delivery_queue.free_entries(), 9)
            )
        closing(self)

    patch.replace(ReferenceConsumer, "detach", detach)


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
    original = ConsumerFactory.open_shared

    def open_shared(self: ConsumerFactory, *arguments: Any) -> Receiver:
        receiver = original(self, *arguments)
        if receiver.subscription is not None and receiver.subscription.consumers == 2:
            with self.broker.lock:
                for entry in list(receiver.delivery_queue.free_entries()):
                    receiver.delivery_queue.remove(entry.number, entry.priority)
        return receiver

    patch.replace(ConsumerFactory, "open_shared", open_shared)


@saboteur("4.2.2-19", "a shared subscription ends when the first of two consumers closes")
def _(patch: Patch) -> None:
    original = ConsumerFactory.close

    def close(self: ConsumerFactory, receiver: Receiver) -> None:
        original(self, receiver)
        subscription = receiver.subscription
        if subscription is not None and subscription.shared and not subscription.durable and subscription.consumers:
            self.broker.subscriptions.remove(subscription)

    patch.replace(ConsumerFactory, "close", close)


@saboteur("4.2.2-20", "an inactive durable subscription keeps fifteen messages at most")
def _(patch: Patch) -> None:
    original = Subscription.wants

    def wants(self: Subscription, entry: StoredMessage) -> bool:
        full = self.durable and self.consumers == 0 and len(self.delivery_queue) >= INACTIVE_ROOM
        return original(self, entry) and not full

    patch.replace(Subscription, "wants", wants)


@saboteur("4.2.2-21", "unsubscribe keeps a subscription that has messages")
def _(patch: Patch) -> None:
    original = ConsumerFactory._delete

    def _delete(self: ConsumerFactory, key: Key) -> None:
        found = self.broker.subscriptions.durable(key)
        if found is None or not len(found.delivery_queue):
            original(self, key)

    patch.replace(ConsumerFactory, "_delete", _delete)


@saboteur("4.2.2-22", "a durable subscription that is resumed after five acknowledged messages delivers them again")
def _(patch: Patch) -> None:
    acknowledged = Acknowledged(patch)
    original = ConsumerFactory.open_durable

    def open_durable(self: ConsumerFactory, *arguments: Any) -> Receiver:
        receiver = original(self, *arguments)
        entries = acknowledged.entries[receiver.delivery_queue]
        if len(entries) >= 5:
            with self.broker.lock:
                put_again(receiver, entries)
        return receiver

    patch.replace(ConsumerFactory, "open_durable", open_durable)


@saboteur("4.2.2-23", "an inactive durable subscription keeps a message for ten seconds")
def _(patch: Patch) -> None:
    original = ConsumerFactory.open_durable

    def open_durable(self: ConsumerFactory, *arguments: Any) -> Receiver:
        receiver = original(self, *arguments)
        oldest = self.broker.clock.now() - AGE_MS
        with self.broker.lock:
            for entry in [one for one in receiver.delivery_queue.free_entries() if one.timestamp < oldest]:
                receiver.delivery_queue.remove(entry.number, entry.priority)
        return receiver

    patch.replace(ConsumerFactory, "open_durable", open_durable)


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
    def open_shared_durable(self: ConsumerFactory, topic: Any, name: Any, selector: Any) -> Receiver:
        return self.open_stored(topic, (None, consumer_factory.checked_name(name)), selector, None, shared=True)

    patch.replace(ConsumerFactory, "open_shared_durable", open_shared_durable)


@saboteur("4.2.2-29", "noLocal is ignored for durable subscriptions")
def _(patch: Patch) -> None:
    original = ConsumerFactory.open_stored

    def open_stored(
        self: ConsumerFactory, topic: Any, key: Key, selector: Any, no_local: Any, *, shared: bool
    ) -> Receiver:
        return original(self, topic, key, selector, None, shared=shared)

    patch.replace(ConsumerFactory, "open_stored", open_stored)


@saboteur("4.2.2-30", "a shared subscription omits messages of the connection that created it")
def _(patch: Patch) -> None:
    original = ConsumerFactory.open_shared

    def open_shared(self: ConsumerFactory, *arguments: Any) -> Receiver:
        receiver = original(self, *arguments)
        if receiver.subscription is not None:
            receiver.subscription.no_local = self.connection.identity
        return receiver

    patch.replace(ConsumerFactory, "open_shared", open_shared)
