"""Faults of a durable subscription that is resumed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.broker.broker import Broker
from reference_provider.broker.physical_destinations import Subscription
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.client import consumer_factory
from reference_provider.client.consumer_factory import ConsumerFactory
from tck.api import InvalidDestinationException


@saboteur("pj-durable-resume-1", "the third message for a durable subscription without a consumer is not kept")
def _(patch: Patch) -> None:
    kept = Counter[Subscription]()
    routed = dict[tuple[Subscription, str], bool]()

    def wants(original: Callable[..., bool], subscription: Subscription, entry: StoredMessage) -> bool:
        wanted = original(subscription, entry)
        if wanted and subscription.durable and not subscription.consumers:
            key = (subscription, str(entry.message_id))
            if key not in routed:
                kept[subscription] += 1
                routed[key] = kept[subscription] != 3
            return routed[key]
        return wanted

    patch.at(fault_points.SUBSCRIPTION_MATCHED, wants)


@saboteur("pj-durable-resume-2", "a message that expires in a durable subscription is delivered")
def _(patch: Patch) -> None:
    def is_expired(original: Callable[..., bool], broker: Broker, entry: StoredMessage) -> bool:
        return False

    patch.at(fault_points.EXPIRY_CHECKED, is_expired)


@saboteur("pj-durable-resume-3", "a durable subscription keeps its old selector when none was set before")
def _(patch: Patch) -> None:
    def open_stored(
        original: Callable[..., Any],
        factory: ConsumerFactory,
        topic: Any,
        key: Any,
        selector: Any,
        *rest: Any,
        **kind: Any,
    ) -> Any:
        found = factory.broker.subscriptions.durable(key)
        if found is not None and found.selector is None and found.delivery_queue.physical.destination == topic:
            selector = None
        return original(factory, topic, key, selector, *rest, **kind)

    patch.at(fault_points.SUBSCRIPTION_STORED, open_stored)


@saboteur("pj-durable-resume-4", "a second consumer of an unshared durable subscription is accepted")
def _(patch: Patch) -> None:
    patch.replace(consumer_factory, "check_free", lambda *arguments, **kind: None)


@saboteur("pj-durable-resume-6", "unsubscribe of a name that existed before does nothing")
def _(patch: Patch) -> None:
    deleted = set[Any]()

    def unsubscribe(original: Callable[..., None], factory: ConsumerFactory, name: str | None) -> None:
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
def _(patch: Patch) -> None:
    gone = set[str | None]()

    def unsubscribe(original: Callable[..., None], factory: ConsumerFactory, name: str | None) -> None:
        original(factory, name)
        gone.add(name)

    def wants(original: Callable[..., bool], subscription: Subscription, entry: StoredMessage) -> bool:
        name = subscription.key[1] if subscription.key else None
        return original(subscription, entry) and name not in gone

    patch.at(fault_points.SUBSCRIPTION_DELETED, unsubscribe)
    patch.at(fault_points.SUBSCRIPTION_MATCHED, wants)
