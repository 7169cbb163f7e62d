"""Faults in 8.3.3: what is kept, for whom, and resumption with other terms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from faults.kit.declaring import nearly_right, saboteur
from faults.kit.patch import Patch
from faults.kit.subscriptions import (
    Acknowledged,
    after_durable_opened,
    before_durable_opens,
    deaf_after_restart,
    gone_after_restart,
    never_expires_inactive,
    put_again,
    settled_with_session,
    terms_match,
    when_durable_opens,
)
from reference_provider import fault_points
from reference_provider.broker.physical_destinations import Subscription
from reference_provider.broker.subscriptions import Key
from reference_provider.client.consumer_factory import ConsumerFactory
from reference_provider.client.receivers import Receiver


@saboteur("8.3.3-6", "closing a session acknowledges what it had from durable subscriptions")
def _(patch: Patch) -> None:
    settled_with_session(patch, transacted=True, shared=False)
    settled_with_session(patch, transacted=False, shared=False)


@nearly_right(
    "transacted-close-settles-what-came-from-durable",
    "closing a transacted session acknowledges what it had from durable subscriptions",
    "8.3.3-6",
)
def _(patch: Patch) -> None:
    settled_with_session(patch, transacted=True, shared=False)


@saboteur(
    "8.3.3-7",
    "a durable subscription that is resumed delivers an acknowledged message again",
    collateral=dict.fromkeys(
        ("8.3.3-6", "8.3.3-11", "8.3.3-31", "8.3.3-33", "8.3.3-34", "8.3.3-35", "8.3.3-36"), "it resumes a subscription"
    ),
)
def _(patch: Patch) -> None:
    acknowledged = Acknowledged(patch)
    openings: Counter[object] = Counter()

    def fault(receiver: Receiver) -> None:
        openings[receiver.delivery_queue] += 1
        entries = acknowledged.entries[receiver.delivery_queue]
        if openings[receiver.delivery_queue] > 1:
            put_again(receiver, entries[-1:])

    after_durable_opened(patch, fault)


@nearly_right(
    "fourth-resumption-repeats-an-acknowledged-message",
    "at its fourth resumption a durable subscription delivers acknowledged messages again",
    "8.3.3-7",
)
def _(patch: Patch) -> None:
    acknowledged = Acknowledged(patch)
    openings: Counter[object] = Counter()

    def fault(receiver: Receiver) -> None:
        openings[receiver.delivery_queue] += 1
        entries = acknowledged.entries[receiver.delivery_queue]
        if openings[receiver.delivery_queue] == 5 and len(entries) >= 12:
            put_again(receiver, entries[-1:])

    after_durable_opened(patch, fault)


@saboteur("8.3.3-8", "messages that expire in an inactive durable subscription are delivered")
def _(patch: Patch) -> None:
    never_expires_inactive(patch, shared=False)


@saboteur(
    "8.3.3-9",
    "durable subscriptions are gone after a restart",
    collateral={"8.3.3-28": "one of its cases goes through a restart", "8.3.3-35": "it restarts the provider"},
)
def _(patch: Patch) -> None:
    gone_after_restart(patch, shared=False)


@nearly_right(
    "selecting-durable-subscription-is-deaf-after-a-restart",
    "after a restart a durable subscription with a selector collects nothing more",
    "8.3.3-9",
)
def _(patch: Patch) -> None:
    deaf_after_restart(patch, shared=False)


@saboteur("8.3.3-16", "a client resumes an inactive durable subscription of the same name that another client has")
def _(patch: Patch) -> None:
    def open_stored(
        original: Callable[..., Receiver], factory: ConsumerFactory, topic: Any, key: Key, *terms: Any, shared: bool
    ) -> Receiver:
        every = factory.broker.subscriptions.all_durable()
        named = [one for one in every if one.key is not None and one.key[1] == key[1] and not one.shared]
        inactive = [one.key for one in named if not one.consumers]
        if not shared and inactive and not any(one.key == key for one in named):
            key = inactive[0] or key
        return original(factory, topic, key, *terms, shared=shared)

    patch.at(fault_points.SUBSCRIPTION_STORED, open_stored)


@saboteur("8.3.3-27", "a durable subscription that is resumed on another topic stays on the old one")
def _(patch: Patch) -> None:
    terms_match(
        patch,
        lambda terms, found, match: match or found.delivery_queue.physical is not terms.physical,
        shared=False,
    )


@saboteur("8.3.3-28", "a durable subscription that is resumed with another selector keeps the old one")
def _(patch: Patch) -> None:
    terms_match(
        patch,
        lambda terms, found, match: match or terms.selector != found.selector,
        shared=False,
    )


@saboteur("8.3.3-29", "a durable subscription that is resumed without noLocal keeps it")
def _(patch: Patch) -> None:
    terms_match(
        patch,
        lambda terms, found, match: (
            match
            or (
                terms.no_local is None
                and found.no_local is not None
                and terms.selector == found.selector
                and terms.physical is found.delivery_queue.physical
            )
        ),
        shared=False,
    )


@saboteur(
    "8.3.3-30",
    "a durable subscription with a selector begins anew when it is resumed",
    collateral=dict.fromkeys(
        (
            "8.3.3-1",
            "8.3.3-2",
            "8.3.3-3",
            "8.3.3-8",
            "8.3.3-9",
            "8.3.3-16",
            "8.3.3-24",
            "8.3.3-28",
            "8.3.3-33",
            "8.3.3-34",
            "8.3.3-35",
            "8.3.3-39",
        ),
        "it resumes a subscription with a selector",
    ),
)
def _(patch: Patch) -> None:
    terms_match(
        patch,
        lambda _terms, found, match: match and not found.selector,
        shared=False,
    )


@saboteur("8.3.3-31", "resumed with another form of no selector a durable subscription begins anew")
def _(patch: Patch) -> None:
    forms: dict[Subscription, object] = {}

    def fault(factory: ConsumerFactory, found: Subscription, selector: object) -> None:
        before = forms.pop(found, selector)
        if not found.consumers and found.selector is None and not selector and before != selector:
            factory.broker.subscriptions.delete(found)

    before_durable_opens(patch, fault, shared=False)
    when_durable_opens(patch, lambda _factory, found, selector: forms.update({found: selector}), shared=False)
