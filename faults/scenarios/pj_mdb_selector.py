"""Faults of a listener with a selector."""

from faults.kit import *


def _lacks_weight(entry):
    """Return whether a message is a blue car without a weight."""
    values = entry.snapshot.properties
    return entry.snapshot.type == "car" and values.get("color") == "blue" and "weight" not in values


@saboteur(
    "pj-mdb-selector-1",
    "a consumer of a queue gets messages for which its selector is unknown",
    collateral={"pj-mdb-selector-2": "the message does not stay on the queue"},
    at=fault_points.SUBSCRIPTION_OPENED,
)
def _(original, factory, physical, selector, matches, *others):
    wide = matches and (lambda entry: matches(entry) or _lacks_weight(entry))
    return original(factory, physical, selector, wide, *others)


@saboteur(
    "pj-mdb-selector-2",
    "the close of a consumer with a selector takes the first message along that it passed over",
    at=fault_points.CONSUMER_CLOSED,
)
def _(original, consumer):
    original(consumer)
    receiver = consumer.receiver
    left = list(receiver.delivery_queue.free_entries())
    if receiver.selector is not None and receiver.subscription is None and left:
        receiver.delivery_queue.remove(left[0].number, left[0].priority)


def _subscriptions(patch, fault):
    """Decide anew whether a subscription with a selector gets a message."""

    def wants(original, subscription, entry):
        honest = original(subscription, entry)
        return honest if subscription.selector is None else fault(subscription, entry, honest)

    patch.at(fault_points.SUBSCRIPTION_MATCHED, wants)


@saboteur(
    "pj-mdb-selector-3", "a non-durable subscription gets messages for which its selector is unknown", by=_subscriptions
)
def _(one, entry, honest):
    return honest or (not one.durable and _lacks_weight(entry))


@saboteur(
    "pj-mdb-selector-4", "a durable subscription without a consumer does not get the first message that it selects"
)
def _(patch):
    seen = set[Subscription]()

    def fault(subscription, entry, honest):
        first = honest and subscription.durable and not subscription.consumers and subscription not in seen
        if first:
            seen.add(subscription)
        return honest and not first

    _subscriptions(patch, fault)
