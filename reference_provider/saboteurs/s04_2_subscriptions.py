"""Faults in 4.2.2, second half, 4.2.8 and 4.2.11: identity and life of subscriptions, recovery, quality of service."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from reference_provider.broker.delivery import Delivery
from reference_provider.broker.physical_destinations import PhysicalTopic, StoredDeliveryQueue, Subscription
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.broker.subscriptions import Key, Subscriptions
from reference_provider.client import consumer_factory
from reference_provider.client.consumer_factory import ConsumerFactory
from reference_provider.client.consumers import ReferenceConsumer
from reference_provider.client.receivers import Receiver
from reference_provider.client.sessions import ReferenceSession
from reference_provider.saboteurs.registry import Patch, saboteur
from reference_provider.saboteurs.s04_2_copies import Reappearing, closed_collect, put_again
from tck.api import DeliveryMode, MessageConsumer, ResourceAllocationException

INACTIVE_ROOM = 15
"""How many messages the inactive subscription of 4.2.2-20 has room for."""

AGE_MS = 10_000
"""How old a message gets in the inactive subscription of 4.2.2-23."""


@saboteur("4.2.2-16", "the client identifier does not count for a shared subscription")
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


@saboteur("4.2.2-17", "a second consumer of one session on a shared subscription is rejected")
def _(patch: Patch) -> None:
    _one_per_session(patch, "create_shared_consumer")


@saboteur("4.2.2-28", "a second consumer of one session on a shared durable subscription is rejected")
def _(patch: Patch) -> None:
    _one_per_session(patch, "create_shared_durable_consumer")


@saboteur("4.2.2-18", "a shared subscription drops what it has when its second consumer comes")
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


@saboteur("4.2.2-20", "an inactive durable subscription has room for fifteen messages")
def _(patch: Patch) -> None:
    original = Subscription.wants

    def wants(self: Subscription, entry: StoredMessage) -> bool:
        full = self.durable and self.consumers == 0 and len(self.delivery_queue) >= INACTIVE_ROOM
        return original(self, entry) and not full

    patch.replace(Subscription, "wants", wants)


@saboteur("4.2.2-21", "unsubscribe leaves a subscription that has messages")
def _(patch: Patch) -> None:
    original = ConsumerFactory._delete

    def _delete(self: ConsumerFactory, key: Key) -> None:
        found = self.broker.subscriptions.durable(key)
        if found is None or not len(found.delivery_queue):
            original(self, key)

    patch.replace(ConsumerFactory, "_delete", _delete)


class _Acknowledged:
    """What has been acknowledged on each durable stream, and the streams' next consumers."""

    def __init__(self, patch: Patch) -> None:
        self.entries: defaultdict[StoredDeliveryQueue, list[StoredMessage]] = defaultdict(list)
        taking = Delivery.remove_from_queue

        def remove_from_queue(delivery: Delivery) -> None:
            taking(delivery)
            if delivery.source.in_file and isinstance(delivery.source.physical, PhysicalTopic):
                self.entries[delivery.source].append(delivery.entry)

        patch.replace(Delivery, "remove_from_queue", remove_from_queue)


@saboteur("4.2.2-22", "a durable subscription that has delivered five messages or more begins with them again")
def _(patch: Patch) -> None:
    acknowledged = _Acknowledged(patch)
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


@saboteur("4.2.2-24", "a missing client identifier is replaced by an empty one")
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


@saboteur("4.2.2-27", "the client identifier does not count for a shared durable subscription")
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


@saboteur("4.2.2-30", "a shared subscription leaves out what the connection that made it publishes")
def _(patch: Patch) -> None:
    original = ConsumerFactory.open_shared

    def open_shared(self: ConsumerFactory, *arguments: Any) -> Receiver:
        receiver = original(self, *arguments)
        if receiver.subscription is not None:
            receiver.subscription.no_local = self.connection.identity
        return receiver

    patch.replace(ConsumerFactory, "open_shared", open_shared)


@saboteur("4.2.2-31", "each subscriber of a session gets a copy of its own", version="1.0")
def _(patch: Patch) -> None:
    patch.replace(PhysicalTopic, "first_of_each_session", lambda self, subscriptions: subscriptions)


@saboteur("4.2.8-1", "recover in a session drops what a non-durable subscriber had received")
def _(patch: Patch) -> None:
    original = ReferenceSession.recover

    def recover(self: ReferenceSession) -> None:
        self.state.unacknowledged = [
            one
            for one in self.state.unacknowledged
            if one.source.in_file or not isinstance(one.source.physical, PhysicalTopic)
        ]
        original(self)

    patch.replace(ReferenceSession, "recover", recover)


@saboteur("4.2.8-3", "the end of a session acknowledges what its durable subscribers received")
def _(patch: Patch) -> None:
    original = ReferenceSession.drop_unfinished

    def drop_unfinished(self: ReferenceSession) -> None:
        durable = [
            one
            for one in self.state.unacknowledged
            if one.source.in_file and isinstance(one.source.physical, PhysicalTopic)
        ]
        self.state.unacknowledged = [one for one in self.state.unacknowledged if one not in durable]
        self.state.acknowledge(durable, durable=True)
        original(self)

    patch.replace(ReferenceSession, "drop_unfinished", drop_unfinished)


@saboteur("4.2.8-4", "persistent messages are retained for non-durable subscribers that are closed")
def _(patch: Patch) -> None:
    closed_collect(patch, lambda entry: entry.delivery_mode == DeliveryMode.PERSISTENT)


def _nonpersistent(entries: list[StoredMessage]) -> list[StoredMessage]:
    return [entry for entry in entries if entry.delivery_mode == DeliveryMode.NON_PERSISTENT]


@saboteur("4.2.11-2", "non-persistent messages come again to the next non-durable subscriber")
def _(patch: Patch) -> None:
    reappearing = Reappearing(patch)
    taking = Delivery.remove_from_queue

    def remove_from_queue(self: Delivery) -> None:
        taking(self)
        if isinstance(self.source.physical, PhysicalTopic) and not self.source.in_file:
            reappearing.kept[self.source.physical].extend(_nonpersistent([self.entry]))

    patch.replace(Delivery, "remove_from_queue", remove_from_queue)


@saboteur("4.2.11-3", "acknowledged non-persistent messages reappear when a durable subscription is resumed")
def _(patch: Patch) -> None:
    acknowledged = _Acknowledged(patch)
    original = ConsumerFactory.open_durable

    def open_durable(self: ConsumerFactory, *arguments: Any) -> Receiver:
        receiver = original(self, *arguments)
        with self.broker.lock:
            put_again(receiver, _nonpersistent(acknowledged.entries[receiver.delivery_queue]))
        return receiver

    patch.replace(ConsumerFactory, "open_durable", open_durable)


@saboteur("4.2.11-4", "a non-durable subscription has room for thirty persistent messages")
def _(patch: Patch) -> None:
    original = Subscription.wants

    def wants(self: Subscription, entry: StoredMessage) -> bool:
        persistent = entry.delivery_mode == DeliveryMode.PERSISTENT
        return original(self, entry) and not (persistent and not self.durable and len(self.delivery_queue) >= 30)

    patch.replace(Subscription, "wants", wants)


@saboteur("4.2.11-5", "a durable subscription loses the first persistent message it has left when its consumer closes")
def _(patch: Patch) -> None:
    original = ReferenceConsumer.detach

    def detach(self: ReferenceConsumer) -> None:
        original(self)
        delivery_queue = self.receiver.delivery_queue
        if delivery_queue.in_file and isinstance(self.receiver.physical, PhysicalTopic):
            for entry in list(delivery_queue.free_entries())[:1]:
                delivery_queue.remove(entry.number, entry.priority)

    patch.replace(ReferenceConsumer, "detach", detach)
