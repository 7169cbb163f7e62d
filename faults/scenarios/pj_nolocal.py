"""Faults of noLocal."""

from typing import Any

from faults.kit import *


def _as_matched(patch, fault):
    """Let `fault` decide whether a subscription gets a message; it is told the right answer."""

    def wants(original, subscription, entry):
        return fault(subscription, entry, original(subscription, entry))

    patch.at(fault_points.SUBSCRIPTION_MATCHED, wants)


def _ignored(patch, when):
    """Ignore noLocal of some subscriptions."""

    def fault(subscription, entry, right):
        local = subscription.no_local is not None and when(subscription)
        return right or (local and (subscription.matches is None or bool(subscription.matches(entry))))

    _as_matched(patch, fault)


saboteur(
    "pj-nolocal-1",
    "noLocal is ignored where there is a selector too",
    lambda patch: _ignored(patch, lambda subscription: subscription.matches is not None),
)


@saboteur("pj-nolocal-2", "a subscriber with a selector and without noLocal misses its second message")
def _(patch):
    matched = dict[Subscription, list[Any]]()

    def fault(subscription, entry, right):
        if not right or subscription.matches is None or subscription.no_local is not None:
            return right
        seen = matched.setdefault(subscription, [])
        if entry.message_id not in seen:
            seen.append(entry.message_id)
        return seen.index(entry.message_id) != 1

    _as_matched(patch, fault)


saboteur(
    "pj-nolocal-3",
    "getNoLocal of a durable subscriber is always false",
    lambda patch: patch.replace(ReferenceSubscriber, "no_local", property(lambda _: False)),
)
saboteur(
    "pj-nolocal-4",
    "noLocal is ignored while a durable subscription has no consumer",
    lambda patch: _ignored(patch, lambda subscription: subscription.durable and not subscription.consumers),
)
