"""Faults of a listener with a selector."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.broker.physical_destinations import Subscription
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.client.consumers import ReferenceConsumer
from reference_provider.client.receivers import Receiver


def _lacks_weight(entry: StoredMessage) -> bool:
    """Return whether a message is a blue car without a weight."""
    values = entry.snapshot.properties
    return entry.snapshot.type == "car" and values.get("color") == "blue" and "weight" not in values


@saboteur(
    "pj-mdb-selector-1",
    "a consumer of a queue gets messages for which its selector is unknown",
    collateral={"pj-mdb-selector-2": "the message does not stay on the queue"},
)
def _(patch: Patch) -> None:
    def open_receiver(
        original: Callable[..., Receiver], factory: Any, physical: Any, selector: Any, matches: Any, *others: Any
    ) -> Receiver:
        wide = matches and (lambda entry: matches(entry) or _lacks_weight(entry))
        return original(factory, physical, selector, wide, *others)

    patch.at(fault_points.SUBSCRIPTION_OPENED, open_receiver)


@saboteur(
    "pj-mdb-selector-2", "the close of a consumer with a selector takes the first message along that it passed over"
)
def _(patch: Patch) -> None:
    def detach(original: Callable[[ReferenceConsumer], None], consumer: ReferenceConsumer) -> None:
        original(consumer)
        receiver = consumer.receiver
        left = list(receiver.delivery_queue.free_entries())
        if receiver.selector is not None and receiver.subscription is None and left:
            receiver.delivery_queue.remove(left[0].number, left[0].priority)

    patch.at(fault_points.CONSUMER_CLOSED, detach)


def _subscriptions(patch: Patch, fault: Callable[[Subscription, StoredMessage, bool], bool]) -> None:
    """Decide anew whether a subscription with a selector gets a message."""

    def wants(original: Callable[..., bool], subscription: Subscription, entry: StoredMessage) -> bool:
        honest = original(subscription, entry)
        return honest if subscription.selector is None else fault(subscription, entry, honest)

    patch.at(fault_points.SUBSCRIPTION_MATCHED, wants)


@saboteur("pj-mdb-selector-3", "a non-durable subscription gets messages for which its selector is unknown")
def _(patch: Patch) -> None:
    _subscriptions(patch, lambda one, entry, honest: honest or (not one.durable and _lacks_weight(entry)))


@saboteur(
    "pj-mdb-selector-4", "a durable subscription without a consumer does not get the first message that it selects"
)
def _(patch: Patch) -> None:
    seen = set[Subscription]()

    def fault(subscription: Subscription, entry: StoredMessage, honest: bool) -> bool:
        del entry
        first = honest and subscription.durable and not subscription.consumers and subscription not in seen
        if first:
            seen.add(subscription)
        return honest and not first

    _subscriptions(patch, fault)
