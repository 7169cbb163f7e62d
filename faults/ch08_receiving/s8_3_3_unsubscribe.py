"""Faults in 8.3.3: the deletion of unshared durable subscriptions."""

from faults.kit import *


def _own(factory, name):
    found = factory.broker.subscriptions.durable((factory.connection.client_id_or_none, name or ""))
    return found if found is not None and not found.shared else None


@saboteur(
    "8.3.3-18",
    "unsubscribe keeps the subscription",
    collateral=dict.fromkeys(("8.3.3-19", "8.3.3-23", "8.3.3-25", "8.3.3-26"), "it unsubscribes"),
    at=fault_points.SUBSCRIPTION_DELETED,
)
def _(original, factory, name):
    found = _own(factory, name)
    if found is None or found.consumers:
        original(factory, name)


@nearly_right(
    "unsubscribe-keeps-a-selecting-no-local-subscription",
    "unsubscribe keeps a durable subscription that has a selector, noLocal and two messages",
    "8.3.3-18",
    at=fault_points.SUBSCRIPTION_DELETED,
)
def _(original, factory, name):
    found = _own(factory, name)
    if found is None or found.selector is None or found.no_local is None or len(found.delivery_queue) != 2:
        original(factory, name)


@saboteur(
    "8.3.3-19",
    "unsubscribe drops the messages of a subscription, which goes on collecting",
    collateral=dict.fromkeys(("8.3.3-18", "8.3.3-23", "8.3.3-25", "8.3.3-26"), "it unsubscribes"),
    at=fault_points.SUBSCRIPTION_DELETED,
)
def _(original, factory, name):
    found = _own(factory, name)
    if found is None or found.consumers:
        original(factory, name)
        return
    with factory.broker.lock:
        for entry in list(found.delivery_queue.free_entries()):
            found.delivery_queue.remove(entry.number, entry.priority)


@nearly_right(
    "unsubscribe-empties-a-filled-subscription",
    "unsubscribe drops the messages of a subscription with more than three, which goes on collecting",
    "8.3.3-19",
    at=fault_points.SUBSCRIPTION_DELETED,
)
def _(original, factory, name):
    found = _own(factory, name)
    if found is None or found.consumers or len(found.delivery_queue) <= 3:
        original(factory, name)
        return
    with factory.broker.lock:
        for entry in list(found.delivery_queue.free_entries()):
            found.delivery_queue.remove(entry.number, entry.priority)


@saboteur("8.3.3-23", "unsubscribe of a name that was deleted before does nothing")
def _(patch):
    deleted = set()

    def unsubscribe(original, factory, name):
        try:
            original(factory, name)
        except InvalidDestinationException:
            if name not in deleted:
                raise
        deleted.add(name)

    patch.at(fault_points.SUBSCRIPTION_DELETED, unsubscribe)


@saboteur(
    "8.3.3-24",
    "unsubscribe deletes inactive subscriptions of that name of other clients",
    at=fault_points.SUBSCRIPTION_DELETED,
)
def _(original, factory, name):
    subscriptions = factory.broker.subscriptions
    named = [one for one in subscriptions.all_durable() if one.key is not None and one.key[1] == name]
    if not any(one.key == (factory.connection.client_id_or_none, name) for one in named):
        for one in [each for each in named if not each.consumers]:
            subscriptions.delete(one)
    original(factory, name)


def _lingering(patch, lingers, over):
    """Refuse unsubscribe() while a closed consumer `lingers`, until its session is over."""
    kept = []

    def detach(original, consumer):
        subscription = consumer.receiver.subscription
        if subscription is not None and subscription.durable and not subscription.shared and lingers(consumer):
            kept.append((subscription, consumer.session))
        original(consumer)

    def unsubscribe(original, factory, name):
        found = _own(factory, name)
        if any(subscription is found and not over(session) for subscription, session in kept):
            raise JMSException("the subscription is in use", "IN_USE")
        original(factory, name)

    patch.at(fault_points.CONSUMER_CLOSED, detach)
    patch.at(fault_points.SUBSCRIPTION_DELETED, unsubscribe)


saboteur(
    "8.3.3-25",
    "a consumer that had a listener counts as active until its session is closed",
    lambda patch: _lingering(
        patch,
        lambda consumer: consumer.listener is not None and not consumer.session.closing,
        lambda session: session.closed,
    ),
)
saboteur(
    "8.3.3-26",
    "a consumer whose session is closed counts as active until the connection is closed",
    lambda patch: _lingering(
        patch, lambda consumer: consumer.session.closing, lambda session: session.connection.closed
    ),
)
