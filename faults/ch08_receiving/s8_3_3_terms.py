"""Faults in 8.3.3: selector, noLocal, and other subscriptions of the same name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from faults.kit.common import around, connection_of
from faults.kit.declaring import nearly_right, saboteur
from faults.kit.patch import Patch
from faults.kit.subscriptions import wanted_otherwise, when_durable_opens
from reference_provider.broker.physical_destinations import Subscription
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.client import consumer_factory
from reference_provider.client.consumer_factory import ConsumerFactory
from reference_provider.client.receivers import Receiver
from tck.api import DeliveryMode, JMSException


@saboteur("8.3.3-32", "opening an unshared durable consumer turns an inactive shared subscription into an unshared one")
def _(patch: Patch) -> None:
    check = consumer_factory.check_kind

    def check_kind(subscription: Subscription, *, shared: bool) -> None:
        if subscription.shared and not subscription.consumers:
            subscription.shared = shared
        check(subscription, shared=shared)

    patch.replace(consumer_factory, "check_kind", check_kind)


@saboteur(
    "8.3.3-33",
    "while a durable subscription is inactive it gets all messages",
    collateral={"8.3.3-28": "messages come while its subscription is inactive"},
)
def _(patch: Patch) -> None:
    def fault(one: Subscription, entry: StoredMessage, wanted: bool) -> bool:
        return wanted or (not one.consumers and one.is_foreign(entry))

    wanted_otherwise(patch, fault, shared=False)


@nearly_right(
    "inactive-subscription-gets-all-non-persistent-messages",
    "while a durable subscription is inactive it gets all messages that are not persistent",
    "8.3.3-33",
)
def _(patch: Patch) -> None:
    def fault(one: Subscription, entry: StoredMessage, wanted: bool) -> bool:
        careless = not one.consumers and entry.delivery_mode == DeliveryMode.NON_PERSISTENT
        return wanted or (careless and one.is_foreign(entry))

    wanted_otherwise(patch, fault, shared=False)


@saboteur(
    "8.3.3-34",
    "noLocal of an open durable subscription lets in own messages",
    collateral=dict.fromkeys(("8.3.3-27", "8.3.3-29", "8.3.3-35"), "its subscription has noLocal"),
)
def _(patch: Patch) -> None:
    def fault(one: Subscription, entry: StoredMessage, wanted: bool) -> bool:
        let_in = bool(one.consumers) and not one.is_foreign(entry) and (one.matches is None or one.matches(entry))
        return wanted or let_in

    wanted_otherwise(patch, fault, shared=False)


@nearly_right(
    "open-no-local-subscription-lets-own-non-persistent-in",
    "noLocal of an open durable subscription lets in own messages that are not persistent",
    "8.3.3-34",
)
def _(patch: Patch) -> None:
    def fault(one: Subscription, entry: StoredMessage, wanted: bool) -> bool:
        let_in = bool(one.consumers) and not one.is_foreign(entry) and one.selector is None
        return wanted or (let_in and entry.delivery_mode == DeliveryMode.NON_PERSISTENT)

    wanted_otherwise(patch, fault, shared=False)


@saboteur("8.3.3-35", "once the connection of its consumer is closed noLocal of a durable subscription does not hold")
def _(patch: Patch) -> None:
    last: dict[Subscription, ConsumerFactory] = {}
    when_durable_opens(patch, lambda factory, one, _selector: last.update({one: factory}), shared=False)

    def fault(one: Subscription, entry: StoredMessage, wanted: bool) -> bool:
        left = one in last and not one.consumers and connection_of(last[one]).closed
        return wanted or (left and (one.matches is None or one.matches(entry)))

    wanted_otherwise(patch, fault, shared=False)


@saboteur("8.3.3-36", "noLocal of a durable subscription keeps out the messages of every client identifier")
def _(patch: Patch) -> None:
    wanted_otherwise(
        patch,
        lambda one, entry, wanted: wanted and not (one.no_local is not None and not _anonymous(entry)),
        shared=False,
    )


def _anonymous(entry: StoredMessage) -> bool:
    """Return whether a message is of a connection without client identifier."""
    return str(entry.sender).startswith("connection-")


@saboteur("8.3.3-38", "a shared subscription is refused while a durable one of the same name and client exists")
def _(patch: Patch) -> None:
    def opened(
        original: Callable[..., Receiver], factory: ConsumerFactory, topic: Any, name: Any, *terms: Any
    ) -> Receiver:
        found = factory.broker.subscriptions.durable((factory.connection.client_id_or_none, name))
        if found is not None and not found.shared:
            raise JMSException("the name is taken", "NAME_TAKEN")
        return original(factory, topic, name, *terms)

    around(patch, ConsumerFactory, "open_shared", opened)
