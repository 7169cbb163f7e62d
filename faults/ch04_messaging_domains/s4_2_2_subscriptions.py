"""Faults in 4.2.2: identity, life and consumers of subscriptions."""

import itertools

from faults.kit import *

INACTIVE_ROOM = 15
"""The number of messages that the inactive subscription of 4.2.2-20 keeps."""

AGE_MS = 10_000
"""How long the inactive subscription of 4.2.2-23 keeps a message, in milliseconds."""


@saboteur(
    "4.2.2-14",
    "consumers that two sessions of a connection create alike share a subscription",
    collateral={"4.2.2-4": "two of its many subscribers have the same selector"},
    by=rerouted,
)
def _(physical, entry, wanting):
    chosen = {}
    for one in wanting:
        session = one.session
        alike = one if session is None else (id(session.connection), one.selector, one.no_local)
        several = {id(other.session) for other in wanting if other.session is not None}
        chosen.setdefault(alike if len(several) == len(wanting) else one, one)
    return list(chosen.values())


saboteur(
    "4.2.2-13",
    "a non-durable subscription collects messages after its consumer is closed",
    lambda patch: closed_collect(patch, lambda entry: True),
)


@saboteur("4.2.2-15", "messages that a closed non-durable consumer did not receive go to the next one")
def _(patch):
    reappearing = Reappearing(patch)

    def detach(original, consumer):
        subscription = consumer.receiver.subscription
        if subscription is not None and subscription.key is None and not consumer.session.closing:
            reappearing.kept[consumer.receiver.physical].extend(
                itertools.islice(consumer.receiver.delivery_queue.free_entries(), 9)
            )
        original(consumer)

    patch.at(fault_points.CONSUMER_CLOSED, detach)


@saboteur("4.2.2-16", "a shared subscription is identified without the client identifier")
def _(patch):
    find, add = Subscriptions.shared, Subscriptions.add_shared

    def shared(self, key):
        return find(self, (None, key[1]))

    def add_shared(self, key, *arguments):
        return add(self, (None, key[1]), *arguments)

    patch.replace(Subscriptions, "shared", shared)
    patch.replace(Subscriptions, "add_shared", add_shared)


def _one_per_session(patch, creator):
    original = getattr(ReferenceSession, creator)

    def create(self, topic, name, *arguments):
        named = [one.receiver.subscription for one in self.consumers if one.receiver.subscription is not None]
        if any(one.key is not None and one.key[1] == name for one in named):
            raise ResourceAllocationException("the session has a consumer on the subscription")
        return original(self, topic, name, *arguments)

    patch.replace(ReferenceSession, creator, create)


saboteur(
    "4.2.2-17",
    "a session refuses a second consumer on a shared subscription",
    lambda patch: _one_per_session(patch, "create_shared_consumer"),
)
saboteur(
    "4.2.2-28",
    "a session refuses a second consumer on a shared durable subscription",
    lambda patch: _one_per_session(patch, "create_shared_durable_consumer"),
)


@saboteur(
    "4.2.2-18", "a second consumer makes a shared subscription drop its messages", at=fault_points.SUBSCRIPTION_OPENED
)
def _(original, *arguments):
    receiver = original(*arguments)
    shared = receiver.subscription
    if shared is not None and shared.shared and not shared.durable and shared.consumers == 2:
        for entry in list(receiver.delivery_queue.free_entries()):
            receiver.delivery_queue.remove(entry.number, entry.priority)
    return receiver


@saboteur(
    "4.2.2-19", "a shared subscription ends when the first of two consumers closes", at=fault_points.CONSUMER_CLOSED
)
def _(original, consumer):
    original(consumer)
    shared = consumer.receiver.subscription
    if shared is not None and shared.shared and not shared.durable and shared.consumers:
        consumer.session.broker.subscriptions.remove(shared)


@saboteur(
    "4.2.2-20", "an inactive durable subscription keeps fifteen messages at most", at=fault_points.SUBSCRIPTION_MATCHED
)
def _(original, subscription, entry):
    full = subscription.durable and subscription.consumers == 0 and len(subscription.delivery_queue) >= INACTIVE_ROOM
    return original(subscription, entry) and not full


@saboteur("4.2.2-21", "unsubscribe keeps a subscription that has messages", at=fault_points.SUBSCRIPTION_DELETED)
def _(original, factory, name):
    found = factory.broker.subscriptions.durable((factory.connection.client_id_or_none, name or ""))
    if found is None or not len(found.delivery_queue):
        original(factory, name)


@saboteur("4.2.2-22", "a durable subscription that is resumed after five acknowledged messages delivers them again")
def _(patch):
    acknowledged = Acknowledged(patch)

    def fault(receiver):
        entries = acknowledged.entries[receiver.delivery_queue]
        if len(entries) >= 5:
            put_again(receiver, entries)

    after_durable_opened(patch, fault)


@saboteur("4.2.2-23", "an inactive durable subscription keeps a message for ten seconds", by=after_durable_opened)
def _(receiver):
    oldest = receiver.slot.broker.clock.now() - AGE_MS
    for entry in [one for one in receiver.delivery_queue.free_entries() if one.timestamp < oldest]:
        receiver.delivery_queue.remove(entry.number, entry.priority)


@saboteur(
    "4.2.2-24",
    "a durable subscription is created without a client identifier",
    around=(ConsumerFactory, "open_durable"),
)
def _(original, self, topic, name, selector, no_local):
    if self.connection.client_id_or_none is None:
        return self.open_stored(topic, ("", name), selector, self.no_local_identity(no_local), shared=False)
    return original(self, topic, name, selector, no_local)


@saboteur(
    "4.2.2-25", "an unshared durable subscription is identified by its name alone", around=(Subscriptions, "durable")
)
def _(original, self, key):
    named = [one for known, one in self._durable.items() if known[1] == key[1] and not one.shared]
    return original(self, key) or next(iter(named), None)


saboteur(
    "4.2.2-26",
    "a second consumer of an unshared durable subscription joins the first",
    lambda patch: patch.replace(consumer_factory, "check_free", lambda subscription, *, shared: None),
)


@saboteur(
    "4.2.2-27",
    "a shared durable subscription is identified without the client identifier",
    at=fault_points.SUBSCRIPTION_STORED,
)
def _(original, factory, topic, key, *terms, shared):
    return original(factory, topic, (None, key[1]) if shared else key, *terms, shared=shared)


@saboteur("4.2.2-29", "noLocal is ignored for durable subscriptions", at=fault_points.SUBSCRIPTION_STORED)
def _(original, factory, topic, key, selector, no_local, *, shared):
    return original(factory, topic, key, selector, None, shared=shared)


@saboteur(
    "4.2.2-30",
    "a shared subscription omits messages of the connection that created it",
    at=fault_points.SUBSCRIPTION_OPENED,
)
def _(original, factory, *arguments):
    receiver = original(factory, *arguments)
    shared = receiver.subscription
    if shared is not None and shared.shared and not shared.durable:
        shared.no_local = factory.connection.identity
    return receiver
