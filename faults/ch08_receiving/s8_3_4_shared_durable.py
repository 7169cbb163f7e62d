"""Faults in 8.3.4: opening, sharing and keeping of shared durable subscriptions."""

import copy
from functools import partial

from faults.kit import *


def _selects(terms):
    return bool(terms) and isinstance(terms[0], str) and terms[0] != ""


@saboteur(
    "8.3.4-1",
    "createSharedDurableConsumer() of a session with a selector returns a consumer that gets nothing",
    collateral=dict.fromkeys(
        (
            "8.3.4-4",
            "8.3.4-14",
            "8.3.4-15",
            "8.3.4-17",
            "8.3.4-20",
            "8.3.4-21",
            "8.3.4-22",
            "8.3.4-23",
            "8.3.4-24",
            "8.3.4-30",
        ),
        "its consumer has a selector",
    ),
)
def _(patch):
    inside = inside_contexts(patch, "create_shared_durable_consumer")

    def create(original, session, topic, name, *terms):
        if _selects(terms) and not inside() and not isinstance(session, ReferenceTopicSession):
            return session.create_consumer(topic, "1 = 2")
        return original(session, topic, name, *terms)

    patch.around(ReferenceSession, "create_shared_durable_consumer", create)


@saboteur(
    "8.3.4-2",
    "createSharedDurableConsumer() of a context with a selector returns a consumer that gets nothing",
    around=(ReferenceContext, "create_shared_durable_consumer"),
)
def _(original, context, topic, name, *terms):
    if _selects(terms):
        return context.create_consumer(topic, "1 = 2")
    return original(context, topic, name, *terms)


@saboteur(
    "8.3.4-3",
    "createSharedDurableConsumer() of a TopicSession with a selector is refused",
    around=(ReferenceTopicSession, "create_shared_durable_consumer"),
)
def _(original, session, topic, name, *terms):
    if _selects(terms):
        raise IllegalStateException("not for a TopicSession")
    return original(session, topic, name, *terms)


@saboteur(
    "8.3.4-4",
    "an inactive shared durable subscription begins anew",
    collateral=dict.fromkeys(
        (
            "8.3.4-1",
            "8.3.4-2",
            "8.3.4-3",
            "8.3.4-10",
            "8.3.4-11",
            "8.3.4-12",
            "8.3.4-14",
            "8.3.4-15",
            "8.3.4-25",
            "8.3.4-26",
            "8.3.4-28",
        ),
        "it resumes a subscription",
    ),
    by=partial(before_durable_opens, shared=True),
)
def _(factory, found, selector):
    if not found.consumers:
        factory.broker.subscriptions.delete(found)


@nearly_right(
    "selecting-shared-subscription-with-six-begins-anew",
    "an inactive shared durable subscription with a selector and six messages begins anew",
    "8.3.4-4",
    by=partial(before_durable_opens, shared=True),
)
def _(factory, found, selector):
    if not found.consumers and len(found.delivery_queue) == 6 and found.selector is not None:
        factory.broker.subscriptions.delete(found)


@saboteur(
    "8.3.4-7",
    "with several consumers a message comes twice",
    collateral=dict.fromkeys(
        ("8.3.4-13", "8.3.4-16", "8.3.4-22", "8.3.4-23", "8.3.4-25"), "several consumers share its subscription"
    ),
)
def _(patch):
    def admit(original, broker, delivery_queue, entry):
        original(broker, delivery_queue, entry)
        every = broker.subscriptions.all_durable()
        found = next((one for one in every if one.shared and one.delivery_queue is delivery_queue), None)
        if found is not None and found.consumers > 1:
            entries.append((delivery_queue, entry))

    entries = []

    def detach(original, consumer):
        mine = [entry for queue, entry in entries if queue is consumer.receiver.delivery_queue]
        entries[:] = [one for one in entries if one[0] is not consumer.receiver.delivery_queue]
        put_again(consumer.receiver, mine)
        original(consumer)

    patch.at(fault_points.ARRIVED, admit)
    patch.at(fault_points.CONSUMER_CLOSED, detach)


def _joining(patch, *, active):
    """Let a connection without client identifier join a shared subscription that has one, while it is active or inactive."""

    def open_stored(original, factory, topic, key, *terms, shared):
        every = factory.broker.subscriptions.all_durable()
        named = [one for one in every if one.key is not None and one.key[1] == key[1] and one.shared]
        others = [one.key for one in named if bool(one.consumers) is active]
        if shared and key[0] is None and others and not any(one.key == key for one in named):
            key = others[0] or key
        return original(factory, topic, key, *terms, shared=shared)

    patch.at(fault_points.SUBSCRIPTION_STORED, open_stored)


saboteur(
    "8.3.4-9",
    "without client identifier a consumer joins an open shared durable subscription of any client",
    lambda patch: _joining(patch, active=True),
)
saboteur(
    "8.3.4-10",
    "without client identifier a consumer resumes an inactive shared durable subscription of any client",
    lambda patch: _joining(patch, active=False),
)
saboteur(
    "8.3.4-11",
    "an inactive shared durable subscription drops what is sent",
    lambda patch: wanted_otherwise(patch, lambda one, entry, wanted: wanted and bool(one.consumers), shared=True),
    collateral={
        **dict.fromkeys(
            ("8.3.4-1", "8.3.4-2", "8.3.4-14", "8.3.4-15", "8.3.4-16", "8.3.4-25", "8.3.4-26"),
            "messages come while its subscription is inactive",
        ),
        **dict.fromkeys(
            ("8.3.4-3", "8.3.4-10", "8.3.4-28"), "a case of it meets the fault under a condition that varies"
        ),
    },
)


@nearly_right(
    "inactive-named-shared-subscription-drops-non-persistent",
    "an inactive shared durable subscription with a client identifier drops messages that are not persistent",
    "8.3.4-11",
    by=partial(wanted_otherwise, shared=True),
)
def _(one, entry, wanted):
    careless = not one.consumers and one.key is not None and one.key[0] is not None and one.selector is None
    return wanted and not (careless and entry.delivery_mode == DeliveryMode.NON_PERSISTENT)


@saboteur(
    "8.3.4-12", "closing a session acknowledges what it had from shared durable subscriptions, in a transaction too"
)
def _(patch):
    settled_with_session(patch, transacted=True, shared=True)
    settled_with_session(patch, transacted=False, shared=True)


@saboteur(
    "8.3.4-13",
    "a later consumer of a shared durable subscription gets the last acknowledged message again",
    collateral=dict.fromkeys(
        ("8.3.4-4", "8.3.4-7", "8.3.4-11", "8.3.4-16", "8.3.4-22", "8.3.4-23", "8.3.4-25"),
        "a consumer joins its subscription after others",
    ),
)
def _(patch):
    acknowledged = Acknowledged(patch)

    def fault(factory, found, selector):
        entries = acknowledged.entries[found.delivery_queue]
        if entries:
            again = copy.copy(entries[-1])
            again.number, again.stored = factory.broker.next_number(), False
            found.delivery_queue.put(again)

    when_durable_opens(patch, fault, shared=True)


saboteur(
    "8.3.4-14",
    "messages that expire in an inactive shared durable subscription are delivered",
    lambda patch: never_expires_inactive(patch, shared=True),
)
saboteur(
    "8.3.4-15",
    "shared durable subscriptions are gone after a restart",
    lambda patch: gone_after_restart(patch, shared=True),
    collateral={"8.3.4-4": "it resumes a subscription with a selector after a restart"},
)
nearly_right(
    "selecting-shared-durable-subscription-is-deaf-after-a-restart",
    "after a restart a shared durable subscription with a selector collects nothing more",
    "8.3.4-15",
    install=lambda patch: deaf_after_restart(patch, shared=True),
)


@saboteur(
    "8.3.4-16",
    "closing one of several consumers loses the next message of their shared durable subscription",
    collateral=dict.fromkeys(("8.3.4-22", "8.3.4-23"), "it closes one of several consumers"),
    at=fault_points.CONSUMER_CLOSED,
)
def _(original, consumer):
    original(consumer)
    found = consumer.receiver.subscription
    if found is not None and found.durable and found.shared and found.consumers:
        for entry in list(found.delivery_queue.free_entries())[:1]:
            found.delivery_queue.remove(entry.number, entry.priority)


@nearly_right(
    "close-of-the-first-of-three-durable-consumers-loses-one",
    "closing the first of three consumers loses the next message of their shared durable subscription",
    "8.3.4-16",
    at=fault_points.CONSUMER_CLOSED,
)
def _(original, consumer):
    original(consumer)
    found = consumer.receiver.subscription
    if found is not None and found.durable and found.shared and found.consumers == 2:
        for entry in list(found.delivery_queue.free_entries())[:1]:
            found.delivery_queue.remove(entry.number, entry.priority)
