"""Faults in 8.3.3: selector, noLocal, and other subscriptions of the same name."""

from functools import partial

from faults.kit import *


@saboteur(
    "8.3.3-32",
    "opening an unshared durable consumer turns an inactive shared subscription into an unshared one",
    around=(consumer_factory, "check_kind"),
)
def _(check, subscription, *, shared):
    if subscription.shared and not subscription.consumers:
        subscription.shared = shared
    check(subscription, shared=shared)


@saboteur(
    "8.3.3-33",
    "while a durable subscription is inactive it gets all messages",
    collateral={"8.3.3-28": "messages come while its subscription is inactive"},
    by=partial(wanted_otherwise, shared=False),
)
def _(one, entry, wanted):
    return wanted or (not one.consumers and one.is_foreign(entry))


@saboteur(
    "8.3.3-34",
    "noLocal of an open durable subscription lets in own messages",
    collateral=dict.fromkeys(("8.3.3-27", "8.3.3-29", "8.3.3-35"), "its subscription has noLocal"),
    by=partial(wanted_otherwise, shared=False),
)
def _(one, entry, wanted):
    let_in = bool(one.consumers) and not one.is_foreign(entry) and (one.matches is None or one.matches(entry))
    return wanted or let_in


@saboteur("8.3.3-35", "once the connection of its consumer is closed noLocal of a durable subscription does not hold")
def _(patch):
    last = {}
    when_durable_opens(patch, lambda factory, one, _selector: last.update({one: factory}), shared=False)

    def fault(one, entry, wanted):
        left = one in last and not one.consumers and (last[one]).connection.closed
        return wanted or (left and (one.matches is None or one.matches(entry)))

    wanted_otherwise(patch, fault, shared=False)


@saboteur(
    "8.3.3-36",
    "noLocal of a durable subscription keeps out the messages of every client identifier",
    by=partial(wanted_otherwise, shared=False),
)
def _(one, entry, wanted):
    return wanted and not (one.no_local is not None and not _anonymous(entry))


def _anonymous(entry):
    """Return whether a message is of a connection without client identifier."""
    return str(entry.sender).startswith("connection-")


@saboteur(
    "8.3.3-38",
    "a shared subscription is refused while a durable one of the same name and client exists",
    around=(ConsumerFactory, "open_shared"),
)
def _(original, factory, topic, name, *terms):
    found = factory.broker.subscriptions.durable((factory.connection.client_id_or_none, name))
    if found is not None and not found.shared:
        raise JMSException("the name is taken", "NAME_TAKEN")
    return original(factory, topic, name, *terms)
