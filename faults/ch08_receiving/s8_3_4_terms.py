"""Faults in 8.3.4: terms that change, other subscriptions of the name, deletion, refusals."""

from functools import partial

from faults.kit import *


@saboteur(
    "8.3.4-17",
    "unsubscribe is refused without client identifier",
    collateral={"8.3.4-26": "it unsubscribes without client identifier"},
    at=fault_points.SUBSCRIPTION_DELETED,
)
def _(original, factory, name):
    found = factory.broker.subscriptions.durable((None, name or ""))
    if factory.connection.client_id_or_none is None and found is not None:
        raise JMSException("set a client identifier first", "NO_CLIENT_ID")
    original(factory, name)


@nearly_right(
    "unsubscribe-of-a-selecting-subscription-needs-an-identifier",
    "unsubscribe without client identifier is refused for a subscription with a selector",
    "8.3.4-17",
    at=fault_points.SUBSCRIPTION_DELETED,
)
def _(original, factory, name):
    found = factory.broker.subscriptions.durable((None, name or ""))
    if factory.connection.client_id_or_none is None and found is not None and found.selector is not None:
        raise JMSException("set a client identifier first", "NO_CLIENT_ID")
    original(factory, name)


@saboteur(
    "8.3.4-20",
    "a shared durable subscription that is resumed on another topic stays on the old one",
    collateral={"8.3.4-5": "it resumes the subscription on another topic"},
    by=partial(terms_match, shared=True),
)
def _(terms, found, match):
    return match or found.delivery_queue.physical is not terms.physical


@saboteur(
    "8.3.4-21",
    "a shared durable subscription that is resumed with another selector keeps the old one",
    collateral={"8.3.4-5": "it resumes the subscription with another selector"},
    by=partial(terms_match, shared=True),
)
def _(terms, found, match):
    return match or (terms.selector != found.selector and found.delivery_queue.physical is terms.physical)


def _joined(patch, joins):
    """Let a consumer with other terms join an open shared durable subscription where `joins` holds."""
    check = consumer_factory.check_same

    def check_same(subscription, physical, selector):
        if not (subscription.durable and joins(subscription, physical, selector)):
            check(subscription, physical, selector)

    patch.replace(consumer_factory, "check_same", check_same)
    terms_match(
        patch,
        lambda terms, found, match: match or bool(found.consumers and joins(found, terms.physical, terms.selector)),
        shared=True,
    )


saboteur(
    "8.3.4-22",
    "a consumer with another topic joins an open shared durable subscription",
    lambda patch: _joined(patch, lambda found, physical, _selector: found.delivery_queue.physical is not physical),
)


@saboteur("8.3.4-23", "a consumer with another selector joins an open shared durable subscription", by=_joined)
def _(found, physical, selector):
    return found.selector != selector and found.delivery_queue.physical is physical


@saboteur(
    "8.3.4-24",
    "opening a shared durable consumer turns an inactive unshared subscription into a shared one",
    around=(consumer_factory, "check_kind"),
)
def _(check, subscription, *, shared):
    if not subscription.shared and not subscription.consumers:
        subscription.shared = shared
    check(subscription, shared=shared)


@saboteur(
    "8.3.4-25",
    "a shared durable subscription ignores its selector",
    collateral=dict.fromkeys(
        ("8.3.4-1", "8.3.4-2", "8.3.4-3", "8.3.4-15", "8.3.4-21", "8.3.4-22", "8.3.4-23"),
        "its subscription has a selector",
    ),
    by=partial(wanted_otherwise, shared=True),
)
def _(one, entry, wanted):
    return wanted or (one.selector is not None)


@saboteur(
    "8.3.4-26",
    "a shared durable consumer is refused while an open shared subscription has its name",
    around=(ConsumerFactory, "open_shared_durable"),
)
def _(original, factory, topic, name, *terms):
    if factory.broker.subscriptions.shared((factory.connection.client_id_or_none, name)) is not None:
        raise JMSException("the name is taken", "NAME_TAKEN")
    return original(factory, topic, name, *terms)


@saboteur(
    "8.3.4-28",
    "the three forms of no selector count as different selectors of a shared durable subscription",
    by=lambda patch, made: _forms_differ(patch, lambda before, now: before != now, made),
)
def _(factory, found):
    if found.consumers:
        raise JMSException("another selector", "SUBSCRIPTION_IN_USE")
    factory.broker.subscriptions.delete(found)


def _forms_differ(patch, differ, then):
    """Run a fault where `differ` tells a form of no selector from the first one of a subscription without selector."""
    forms = {}

    def fault(factory, found, selector):
        if found.selector is None and not selector and differ(forms.get(found, selector), selector):
            then(factory, found)

    before_durable_opens(patch, fault, shared=True)
    when_durable_opens(patch, lambda _factory, found, selector: forms.setdefault(found, selector), shared=True)


saboteur(
    "8.3.4-29",
    "creating a shared durable consumer on null raises NullPointerException",
    lambda patch: null_refused(patch, ReferenceSession, "create_shared_durable_consumer"),
)


@saboteur(
    "8.3.4-30",
    "a shared durable consumer with an invalid selector is created and gets nothing",
    around=(ConsumerFactory, "open_shared_durable"),
)
def _(original, factory, topic, name, *terms):
    try:
        return original(factory, topic, name, *terms)
    except InvalidSelectorException:
        return original(factory, topic, name, "1 = 2")
