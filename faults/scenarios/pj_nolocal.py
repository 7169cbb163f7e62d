"""Faults of noLocal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.broker.physical_destinations import Subscription
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.client.consumers import ReferenceSubscriber


def _as_matched(patch: Patch, fault: Callable[[Subscription, StoredMessage, bool], bool]) -> None:
    """Let `fault` decide whether a subscription gets a message; it is told the right answer."""

    def wants(original: Callable[..., bool], subscription: Subscription, entry: StoredMessage) -> bool:
        return fault(subscription, entry, original(subscription, entry))

    patch.at(fault_points.SUBSCRIPTION_MATCHED, wants)


def _ignored(patch: Patch, when: Callable[[Subscription], bool]) -> None:
    """Ignore noLocal of some subscriptions."""

    def fault(subscription: Subscription, entry: StoredMessage, right: bool) -> bool:
        local = subscription.no_local is not None and when(subscription)
        return right or (local and (subscription.matches is None or bool(subscription.matches(entry))))

    _as_matched(patch, fault)


@saboteur("pj-nolocal-1", "noLocal is ignored where there is a selector too")
def _(patch: Patch) -> None:
    _ignored(patch, lambda subscription: subscription.matches is not None)


@saboteur("pj-nolocal-2", "a subscriber with a selector and without noLocal misses its second message")
def _(patch: Patch) -> None:
    matched = dict[Subscription, list[Any]]()

    def fault(subscription: Subscription, entry: StoredMessage, right: bool) -> bool:
        if not right or subscription.matches is None or subscription.no_local is not None:
            return right
        seen = matched.setdefault(subscription, [])
        if entry.message_id not in seen:
            seen.append(entry.message_id)
        return seen.index(entry.message_id) != 1

    _as_matched(patch, fault)


@saboteur("pj-nolocal-3", "getNoLocal of a durable subscriber is always false")
def _(patch: Patch) -> None:
    patch.replace(ReferenceSubscriber, "no_local", property(lambda _: False))


@saboteur("pj-nolocal-4", "noLocal is ignored while a durable subscription has no consumer")
def _(patch: Patch) -> None:
    _ignored(patch, lambda subscription: subscription.durable and not subscription.consumers)
