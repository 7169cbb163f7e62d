"""Faults in 8.3.2: terms, durable subscriptions of the name, refusals."""

from faults.kit import *


def _key(factory, name):
    return (factory.connection.client_id_or_none, name)


def _joined(patch, joins):
    """Let a consumer with other terms join an open shared subscription where `joins` holds."""
    check = consumer_factory.check_same

    def check_same(subscription, physical, selector):
        if subscription.durable or not joins(subscription, physical, selector):
            check(subscription, physical, selector)

    patch.replace(consumer_factory, "check_same", check_same)


saboteur(
    "8.3.2-15",
    "a consumer with another topic joins an open shared subscription",
    lambda patch: _joined(patch, lambda found, physical, _selector: found.delivery_queue.physical is not physical),
)


@saboteur("8.3.2-16", "a consumer with another selector joins an open shared subscription", by=_joined)
def _(found, physical, selector):
    return found.selector != selector and found.delivery_queue.physical is physical


@saboteur("8.3.2-17", "the name of a shared subscription stays bound to its topic")
def _(patch):
    ended = {}

    def detach(original, consumer):
        original(consumer)
        found = consumer.receiver.subscription
        if found is not None and found.key is not None and not found.durable:
            physical = found.delivery_queue.physical
            if found.consumers == 0 and isinstance(physical, PhysicalTopic):
                ended[found.key] = physical

    def open_shared(original, factory, topic, name, *terms):
        before = ended.get(_key(factory, name))
        if before is not None and before.destination != topic:
            raise JMSException(f"{name!r} is a subscription of {before.destination}", "NAME_TAKEN")
        return original(factory, topic, name, *terms)

    patch.at(fault_points.CONSUMER_CLOSED, detach)
    patch.around(ConsumerFactory, "open_shared", open_shared)


@saboteur(
    "8.3.2-18",
    "a shared subscription gets all messages, whatever its selector",
    collateral={
        **dict.fromkeys(("8.3.2-1", "8.3.2-2", "8.3.2-3", "8.3.2-17", "8.3.2-24"), "its subscription has a selector"),
        **dict.fromkeys(("8.3.2-15", "8.3.2-16"), "a case of it meets the fault under a condition that varies"),
    },
    at=fault_points.SUBSCRIPTION_MATCHED,
)
def _(original, found, entry):
    careless = found.shared and not found.durable
    return original(found, entry) or careless


@nearly_right(
    "two-shared-consumers-get-all-non-persistent-messages",
    "with two consumers a shared subscription gets all messages that are not persistent",
    "8.3.2-18",
    at=fault_points.SUBSCRIPTION_MATCHED,
)
def _(original, found, entry):
    careless = found.shared and not found.durable and found.consumers == 2
    return original(found, entry) or (careless and entry.delivery_mode == DeliveryMode.NON_PERSISTENT)


@saboteur(
    "8.3.2-19",
    "a shared consumer is refused while an inactive durable subscription of its name is on another topic",
    around=(ConsumerFactory, "open_shared"),
)
def _(original, factory, topic, name, *terms):
    found = factory.broker.subscriptions.durable(_key(factory, name))
    if found is not None and not found.consumers and found.delivery_queue.physical.destination != topic:
        raise JMSException(f"{name!r} is a durable subscription", "NAME_TAKEN")
    return original(factory, topic, name, *terms)


@saboteur(
    "8.3.2-20",
    "unsubscribe() of an unshared subscription ends the shared one of its name",
    at=fault_points.SUBSCRIPTION_DELETED,
)
def _(original, factory, name):
    subscriptions = factory.broker.subscriptions
    found = subscriptions.durable(_key(factory, name))
    original(factory, name)
    other = subscriptions.shared(_key(factory, name))
    if found is not None and not found.shared and other is not None:
        with factory.broker.lock:
            physical = other.delivery_queue.physical
            if isinstance(physical, PhysicalTopic):
                physical.remove(other)


@saboteur("8.3.2-22", "the three forms of no selector count as different selectors of a shared subscription")
def _(patch):
    forms = {}

    def open_shared(original, factory, topic, name, selector):
        found = factory.broker.subscriptions.shared(_key(factory, name))
        if not selector and found in forms and forms[found] != selector:
            raise JMSException("another selector", "SUBSCRIPTION_IN_USE")
        receiver = original(factory, topic, name, selector)
        if not selector and receiver.subscription is not None:
            forms.setdefault(receiver.subscription, selector)
        return receiver

    patch.around(ConsumerFactory, "open_shared", open_shared)


saboteur(
    "8.3.2-23",
    "creating a shared consumer on null raises NullPointerException",
    lambda patch: null_refused(patch, ReferenceSession, "create_shared_consumer"),
)


@saboteur(
    "8.3.2-24",
    "a shared consumer with an invalid selector is created and gets nothing",
    around=(ConsumerFactory, "open_shared"),
)
def _(original, factory, *terms):
    try:
        return original(factory, *terms)
    except InvalidSelectorException:
        return original(factory, *terms[:2], "1 = 2")
