"""Faults in 8.3.2: opening, sharing and the end of shared non-durable subscriptions."""

from __future__ import annotations

import copy
from collections import defaultdict
from collections.abc import Callable
from typing import Any

from faults.kit.common import around
from faults.kit.declaring import nearly_right, saboteur
from faults.kit.patch import Patch
from faults.kit.subscriptions import inside_contexts, put_again
from reference_provider import fault_points
from reference_provider.broker.broker import Broker
from reference_provider.broker.physical_destinations import StoredDeliveryQueue, Subscription
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.broker.subscriptions import Key, Subscriptions
from reference_provider.client.consumer_factory import ConsumerFactory
from reference_provider.client.consumers import ReferenceConsumer
from reference_provider.client.context import ReferenceContext
from reference_provider.client.domain_specific import ReferenceTopicSession
from reference_provider.client.receivers import Receiver
from reference_provider.client.sessions import ReferenceSession
from reference_provider.server import Server
from tck.api import DeliveryMode, IllegalStateException


def _selects(terms: tuple[Any, ...]) -> bool:
    return bool(terms) and isinstance(terms[0], str) and terms[0] != ""


@saboteur(
    "8.3.2-1",
    "createSharedConsumer() of a session with a selector returns a consumer that gets nothing",
    collateral=dict.fromkeys(
        ("8.3.2-4", "8.3.2-7", "8.3.2-14", "8.3.2-15", "8.3.2-16", "8.3.2-17", "8.3.2-19", "8.3.2-24"),
        "its consumer has a selector",
    ),
)
def _(patch: Patch) -> None:
    inside = inside_contexts(patch, "create_shared_consumer")

    def create(original: Callable[..., Any], session: ReferenceSession, topic: Any, name: Any, *terms: Any) -> Any:
        if _selects(terms) and not inside() and not isinstance(session, ReferenceTopicSession):
            return session.create_consumer(topic, "1 = 2")
        return original(session, topic, name, *terms)

    around(patch, ReferenceSession, "create_shared_consumer", create)


@saboteur("8.3.2-2", "createSharedConsumer() of a context with a selector returns a consumer that gets nothing")
def _(patch: Patch) -> None:
    def create(original: Callable[..., Any], context: ReferenceContext, topic: Any, name: Any, *terms: Any) -> Any:
        if _selects(terms):
            return context.create_consumer(topic, "1 = 2")
        return original(context, topic, name, *terms)

    around(patch, ReferenceContext, "create_shared_consumer", create)


@saboteur("8.3.2-3", "createSharedConsumer() of a TopicSession with a selector is refused")
def _(patch: Patch) -> None:
    def create(original: Callable[..., Any], session: ReferenceSession, topic: Any, name: Any, *terms: Any) -> Any:
        if _selects(terms):
            raise IllegalStateException("not for a TopicSession")
        return original(session, topic, name, *terms)

    around(patch, ReferenceTopicSession, "create_shared_consumer", create)


@saboteur(
    "8.3.2-4",
    "a second consumer gets a shared subscription with a selector of its own",
    collateral=dict.fromkeys(("8.3.2-7", "8.3.2-15", "8.3.2-16", "8.3.2-18"), "two consumers share its subscription"),
)
def _(patch: Patch) -> None:
    def shared(original: Callable[..., Subscription | None], subscriptions: Subscriptions, key: Key) -> Any:
        found = original(subscriptions, key)
        if found is None or found.selector is None or found.consumers != 1:
            return found
        return None

    around(patch, Subscriptions, "shared", shared)


def _shared_of(delivery_queue: StoredDeliveryQueue) -> Subscription | None:
    every: list[Subscription] = getattr(delivery_queue.physical, "subscriptions", [])
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
)
def _(patch: Patch) -> None:
    def admit(
        original: Callable[..., None], broker: Broker, delivery_queue: StoredDeliveryQueue, entry: StoredMessage
    ) -> None:
        original(broker, delivery_queue, entry)
        found = _shared_of(delivery_queue)
        shared_out = found is not None and found.consumers > 1
        if shared_out:
            again = copy.copy(entry)
            again.number, again.stored = broker.next_number(), False
            original(broker, delivery_queue, again)

    patch.at(fault_points.ARRIVED, admit)


@nearly_right(
    "three-selecting-shared-consumers-get-duplicates",
    "with three consumers and a selector a message that is not persistent comes twice",
    "8.3.2-7",
)
def _(patch: Patch) -> None:
    def admit(
        original: Callable[..., None], broker: Broker, delivery_queue: StoredDeliveryQueue, entry: StoredMessage
    ) -> None:
        original(broker, delivery_queue, entry)
        found = _shared_of(delivery_queue)
        shared_out = found is not None and found.consumers == 3 and found.selector is not None
        if shared_out and entry.delivery_mode == DeliveryMode.NON_PERSISTENT:
            again = copy.copy(entry)
            again.number, again.stored = broker.next_number(), False
            original(broker, delivery_queue, again)

    patch.at(fault_points.ARRIVED, admit)


@saboteur("8.3.2-9", "without client identifier a consumer joins an open shared subscription of any client")
def _(patch: Patch) -> None:
    def shared(original: Callable[..., Subscription | None], subscriptions: Any, key: Key) -> Subscription | None:
        found = original(subscriptions, key)
        if found is None and key[0] is None:
            others = [one for other, one in subscriptions._shared.items() if other[1] == key[1]]
            return others[0] if others else None
        return found

    around(patch, Subscriptions, "shared", shared)


@saboteur("8.3.2-11", "closing one of several consumers loses the next message of their shared subscription")
def _(patch: Patch) -> None:
    def detach(original: Callable[..., None], consumer: ReferenceConsumer) -> None:
        original(consumer)
        found = consumer.receiver.subscription
        if found is not None and found.shared and not found.durable and found.consumers:
            for entry in list(found.delivery_queue.free_entries())[:1]:
                found.delivery_queue.remove(entry.number, entry.priority)

    patch.at(fault_points.CONSUMER_CLOSED, detach)


@nearly_right(
    "close-of-the-first-of-four-shared-consumers-loses-one",
    "closing the first of four consumers loses the next message of their shared subscription",
    "8.3.2-11",
)
def _(patch: Patch) -> None:
    def detach(original: Callable[..., None], consumer: ReferenceConsumer) -> None:
        original(consumer)
        found = consumer.receiver.subscription
        if found is not None and found.shared and not found.durable and found.consumers == 3:
            for entry in list(found.delivery_queue.free_entries())[:1]:
                found.delivery_queue.remove(entry.number, entry.priority)

    patch.at(fault_points.CONSUMER_CLOSED, detach)


class _Kept:
    """Entries that the next first consumer of a shared subscription gets, by the key of the subscription."""

    def __init__(self, patch: Patch) -> None:
        self.entries: defaultdict[Key, list[StoredMessage]] = defaultdict(list)

        def open_shared(original: Callable[..., Receiver], factory: ConsumerFactory, *terms: Any) -> Receiver:
            receiver = original(factory, *terms)
            found = receiver.subscription
            if found is not None and found.key is not None and found.consumers == 1:
                with factory.broker.lock:
                    put_again(receiver, self.entries.pop(found.key, []))
            return receiver

        around(patch, ConsumerFactory, "open_shared", open_shared)


@saboteur(
    "8.3.2-12",
    "what is left in a shared subscription comes to the next consumer of its name",
    collateral=dict.fromkeys(("8.3.2-14", "8.3.2-17"), "it closes a subscription with messages left"),
)
def _(patch: Patch) -> None:
    kept = _Kept(patch)

    def detach(original: Callable[..., None], consumer: ReferenceConsumer) -> None:
        found = consumer.receiver.subscription
        if found is not None and found.key is not None and found.consumers == 1 and not found.durable:
            free = found.delivery_queue.free_entries()
            kept.entries[found.key] += list(free)
        original(consumer)

    patch.at(fault_points.CONSUMER_CLOSED, detach)


@saboteur("8.3.2-14", "what waits in a shared subscription survives a restart")
def _(patch: Patch) -> None:
    kept = _Kept(patch)

    def restart(original: Callable[..., None], server: Server) -> None:
        subscriptions: Any = server.broker.subscriptions
        for key, found in subscriptions._shared.items():
            kept.entries[key] += list(found.delivery_queue.free_entries())
        original(server)

    patch.at(fault_points.PROVIDER_RESTARTED, restart)
