"""Faults in 8.3.3: what is kept, for whom, and resumption with other terms."""

from collections import Counter
from functools import partial

from faults.kit import *


@saboteur("8.3.3-6", "closing a session acknowledges what it had from durable subscriptions")
def _(patch):
    settled_with_session(patch, transacted=True, shared=False)
    settled_with_session(patch, transacted=False, shared=False)


@saboteur(
    "8.3.3-7",
    "a durable subscription that is resumed delivers an acknowledged message again",
    collateral=dict.fromkeys(
        ("8.3.3-6", "8.3.3-11", "8.3.3-31", "8.3.3-33", "8.3.3-34", "8.3.3-35", "8.3.3-36"), "it resumes a subscription"
    ),
)
def _(patch):
    acknowledged = Acknowledged(patch)
    openings = Counter()

    def fault(receiver):
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
def _(patch):
    acknowledged = Acknowledged(patch)
    openings = Counter()

    def fault(receiver):
        openings[receiver.delivery_queue] += 1
        entries = acknowledged.entries[receiver.delivery_queue]
        if openings[receiver.delivery_queue] == 5 and len(entries) >= 12:
            put_again(receiver, entries[-1:])

    after_durable_opened(patch, fault)


saboteur(
    "8.3.3-8",
    "messages that expire in an inactive durable subscription are delivered",
    lambda patch: never_expires_inactive(patch, shared=False),
)
saboteur(
    "8.3.3-9",
    "durable subscriptions are gone after a restart",
    lambda patch: gone_after_restart(patch, shared=False),
    collateral={"8.3.3-28": "one of its cases goes through a restart", "8.3.3-35": "it restarts the provider"},
)
nearly_right(
    "selecting-durable-subscription-is-deaf-after-a-restart",
    "after a restart a durable subscription with a selector collects nothing more",
    "8.3.3-9",
    install=lambda patch: deaf_after_restart(patch, shared=False),
)


@saboteur(
    "8.3.3-16",
    "a client resumes an inactive durable subscription of the same name that another client has",
    at=fault_points.SUBSCRIPTION_STORED,
)
def _(original, factory, topic, key, *terms, shared):
    every = factory.broker.subscriptions.all_durable()
    named = [one for one in every if one.key is not None and one.key[1] == key[1] and not one.shared]
    inactive = [one.key for one in named if not one.consumers]
    if not shared and inactive and not any(one.key == key for one in named):
        key = inactive[0] or key
    return original(factory, topic, key, *terms, shared=shared)


@saboteur(
    "8.3.3-27",
    "a durable subscription that is resumed on another topic stays on the old one",
    by=partial(terms_match, shared=False),
)
def _(terms, found, match):
    return match or found.delivery_queue.physical is not terms.physical


@saboteur(
    "8.3.3-28",
    "a durable subscription that is resumed with another selector keeps the old one",
    by=partial(terms_match, shared=False),
)
def _(terms, found, match):
    return match or terms.selector != found.selector


@saboteur(
    "8.3.3-29", "a durable subscription that is resumed without noLocal keeps it", by=partial(terms_match, shared=False)
)
def _(terms, found, match):
    return match or (
        terms.no_local is None
        and found.no_local is not None
        and terms.selector == found.selector
        and terms.physical is found.delivery_queue.physical
    )


saboteur(
    "8.3.3-30",
    "a durable subscription with a selector begins anew when it is resumed",
    lambda patch: terms_match(patch, lambda _terms, found, match: match and not found.selector, shared=False),
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


@saboteur("8.3.3-31", "resumed with another form of no selector a durable subscription begins anew")
def _(patch):
    forms = {}

    def fault(factory, found, selector):
        before = forms.pop(found, selector)
        if not found.consumers and found.selector is None and not selector and before != selector:
            factory.broker.subscriptions.delete(found)

    before_durable_opens(patch, fault, shared=False)
    when_durable_opens(patch, lambda _factory, found, selector: forms.update({found: selector}), shared=False)
