"""Faults of a durable subscription that is resumed."""

from collections import Counter
from typing import Any

from faults.kit import *


@saboteur("pj-durable-resume-1", "the third message for a durable subscription without a consumer is not kept")
def _(patch):
    kept = Counter[Subscription]()
    routed = dict[tuple[Subscription, str], bool]()

    def wants(original, subscription, entry):
        wanted = original(subscription, entry)
        if wanted and subscription.durable and not subscription.consumers:
            key = (subscription, str(entry.message_id))
            if key not in routed:
                kept[subscription] += 1
                routed[key] = kept[subscription] != 3
            return routed[key]
        return wanted

    patch.at(fault_points.SUBSCRIPTION_MATCHED, wants)


saboteur(
    "pj-durable-resume-2",
    "a message that expires in a durable subscription is delivered",
    lambda patch: patch.at(fault_points.EXPIRY_CHECKED, lambda original, broker, entry: False),
)


@saboteur(
    "pj-durable-resume-3",
    "a durable subscription keeps its old selector when none was set before",
    at=fault_points.SUBSCRIPTION_STORED,
)
def _(original, factory, topic, key, selector, *rest, **kind):
    found = factory.broker.subscriptions.durable(key)
    if found is not None and found.selector is None and found.delivery_queue.physical.destination == topic:
        selector = None
    return original(factory, topic, key, selector, *rest, **kind)


saboteur(
    "pj-durable-resume-4",
    "a second consumer of an unshared durable subscription is accepted",
    lambda patch: patch.replace(consumer_factory, "check_free", lambda *arguments, **kind: None),
)


@saboteur("pj-durable-resume-6", "unsubscribe of a name that existed before does nothing")
def _(patch):
    deleted = set[Any]()

    def unsubscribe(original, factory, name):
        key = (factory.connection.client_id_or_none, name)
        try:
            original(factory, name)
        except InvalidDestinationException:
            if key not in deleted:
                raise
        deleted.add(key)

    patch.at(fault_points.SUBSCRIPTION_DELETED, unsubscribe)


@saboteur(
    "pj-durable-resume-7",
    "after unsubscribe, subscriptions of this name get no more messages, whichever client owns them",
)
def _(patch):
    gone = set[str | None]()

    def unsubscribe(original, factory, name):
        original(factory, name)
        gone.add(name)

    def wants(original, subscription, entry):
        name = subscription.key[1] if subscription.key else None
        return original(subscription, entry) and name not in gone

    patch.at(fault_points.SUBSCRIPTION_DELETED, unsubscribe)
    patch.at(fault_points.SUBSCRIPTION_MATCHED, wants)
