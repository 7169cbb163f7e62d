"""Faults in 8.3.2: opening, sharing and the end of shared non-durable subscriptions."""

import copy
from collections import defaultdict

from faults.kit import *


def _selects(terms):
    return bool(terms) and isinstance(terms[0], str) and terms[0] != ""


@saboteur(
    "8.3.2-1",
    "createSharedConsumer() of a session with a selector returns a consumer that gets nothing",
    collateral=dict.fromkeys(
        ("8.3.2-4", "8.3.2-7", "8.3.2-14", "8.3.2-15", "8.3.2-16", "8.3.2-17", "8.3.2-19", "8.3.2-24"),
        "its consumer has a selector",
    ),
)
def _(patch):
    inside = inside_contexts(patch, "create_shared_consumer")

    def create(original, session, topic, name, *terms):
        if _selects(terms) and not inside() and not isinstance(session, ReferenceTopicSession):
            return session.create_consumer(topic, "1 = 2")
        return original(session, topic, name, *terms)

    patch.around(ReferenceSession, "create_shared_consumer", create)


@saboteur(
    "8.3.2-2",
    "createSharedConsumer() of a context with a selector returns a consumer that gets nothing",
    around=(ReferenceContext, "create_shared_consumer"),
)
def _(original, context, topic, name, *terms):
    if _selects(terms):
        return context.create_consumer(topic, "1 = 2")
    return original(context, topic, name, *terms)


@saboteur(
    "8.3.2-3",
    "createSharedConsumer() of a TopicSession with a selector is refused",
    around=(ReferenceTopicSession, "create_shared_consumer"),
)
def _(original, session, topic, name, *terms):
    if _selects(terms):
        raise IllegalStateException("not for a TopicSession")
    return original(session, topic, name, *terms)


@saboteur(
    "8.3.2-4",
    "a second consumer gets a shared subscription with a selector of its own",
    collateral=dict.fromkeys(("8.3.2-7", "8.3.2-15", "8.3.2-16", "8.3.2-18"), "two consumers share its subscription"),
    around=(Subscriptions, "shared"),
)
def _(original, subscriptions, key):
    found = original(subscriptions, key)
    if found is None or found.selector is None or found.consumers != 1:
        return found
    return None


def _shared_of(delivery_queue):
    every = getattr(delivery_queue.physical, "subscriptions", [])
    found = next((one for one in every if one.delivery_queue is delivery_queue), None)
    return found if found is not None and found.shared and not found.durable else None


@saboteur(
    "8.3.2-7",
    "with several consumers of a shared subscription each message comes twice",
    collateral={
        "8.3.2-4": "a case of it meets the fault under a condition that varies",
        **dict.fromkeys(
            ("8.3.2-9", "8.3.2-11", "8.3.2-12", "8.3.2-15", "8.3.2-16", "8.3.2-18", "8.3.2-22"),
            "several consumers share its subscription",
        ),
    },
    at=fault_points.ARRIVED,
)
def _(original, broker, delivery_queue, entry):
    original(broker, delivery_queue, entry)
    found = _shared_of(delivery_queue)
    shared_out = found is not None and found.consumers > 1
    if shared_out:
        again = copy.copy(entry)
        again.number, again.stored = broker.next_number(), False
        original(broker, delivery_queue, again)


@nearly_right(
    "three-selecting-shared-consumers-get-duplicates",
    "with three consumers and a selector a message that is not persistent comes twice",
    "8.3.2-7",
    at=fault_points.ARRIVED,
)
def _(original, broker, delivery_queue, entry):
    original(broker, delivery_queue, entry)
    found = _shared_of(delivery_queue)
    shared_out = found is not None and found.consumers == 3 and found.selector is not None
    if shared_out and entry.delivery_mode == DeliveryMode.NON_PERSISTENT:
        again = copy.copy(entry)
        again.number, again.stored = broker.next_number(), False
        original(broker, delivery_queue, again)


@saboteur(
    "8.3.2-9",
    "without client identifier a consumer joins an open shared subscription of any client",
    around=(Subscriptions, "shared"),
)
def _(original, subscriptions, key):
    found = original(subscriptions, key)
    if found is None and key[0] is None:
        others = [one for other, one in subscriptions._shared.items() if other[1] == key[1]]
        return others[0] if others else None
    return found


@saboteur(
    "8.3.2-11",
    "closing one of several consumers loses the next message of their shared subscription",
    at=fault_points.CONSUMER_CLOSED,
)
def _(original, consumer):
    original(consumer)
    found = consumer.receiver.subscription
    if found is not None and found.shared and not found.durable and found.consumers:
        for entry in list(found.delivery_queue.free_entries())[:1]:
            found.delivery_queue.remove(entry.number, entry.priority)


class _Kept:
    """Entries that the next first consumer of a shared subscription gets, by the key of the subscription."""

    def __init__(self, patch):
        self.entries = defaultdict(list)

        def open_shared(original, factory, *terms):
            receiver = original(factory, *terms)
            found = receiver.subscription
            if found is not None and found.key is not None and found.consumers == 1:
                with factory.broker.lock:
                    put_again(receiver, self.entries.pop(found.key, []))
            return receiver

        patch.around(ConsumerFactory, "open_shared", open_shared)


@saboteur(
    "8.3.2-12",
    "what is left in a shared subscription comes to the next consumer of its name",
    collateral=dict.fromkeys(("8.3.2-14", "8.3.2-17"), "it closes a subscription with messages left"),
)
def _(patch):
    kept = _Kept(patch)

    def detach(original, consumer):
        found = consumer.receiver.subscription
        if found is not None and found.key is not None and found.consumers == 1 and not found.durable:
            free = found.delivery_queue.free_entries()
            kept.entries[found.key] += list(free)
        original(consumer)

    patch.at(fault_points.CONSUMER_CLOSED, detach)


@saboteur("8.3.2-14", "what waits in a shared subscription survives a restart")
def _(patch):
    kept = _Kept(patch)

    def restart(original, server):
        subscriptions = server.broker.subscriptions
        for key, found in subscriptions._shared.items():
            kept.entries[key] += list(found.delivery_queue.free_entries())
        original(server)

    patch.at(fault_points.PROVIDER_RESTARTED, restart)
