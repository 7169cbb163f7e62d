"""Faults in 8.3.3: the deletion of unshared durable subscriptions."""

from __future__ import annotations

from collections.abc import Callable

from faults.kit.common import connection_of, session_of
from faults.kit.declaring import nearly_right, saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.broker.physical_destinations import Subscription
from reference_provider.client.consumer_factory import ConsumerFactory
from reference_provider.client.consumers import ReferenceConsumer
from reference_provider.client.sessions import ReferenceSession
from tck.api import InvalidDestinationException, JMSException

Delete = Callable[[ConsumerFactory, str | None], None]


def _own(factory: ConsumerFactory, name: str | None) -> Subscription | None:
    found = factory.broker.subscriptions.durable((factory.connection.client_id_or_none, name or ""))
    return found if found is not None and not found.shared else None


@saboteur(
    "8.3.3-18",
    "unsubscribe keeps the subscription",
    collateral=dict.fromkeys(("8.3.3-19", "8.3.3-23", "8.3.3-25", "8.3.3-26"), "it unsubscribes"),
)
def _(patch: Patch) -> None:
    def unsubscribe(original: Delete, factory: ConsumerFactory, name: str | None) -> None:
        found = _own(factory, name)
        if found is None or found.consumers:
            original(factory, name)

    patch.at(fault_points.SUBSCRIPTION_DELETED, unsubscribe)


@nearly_right(
    "unsubscribe-keeps-a-selecting-no-local-subscription",
    "unsubscribe keeps a durable subscription that has a selector, noLocal and two messages",
    "8.3.3-18",
)
def _(patch: Patch) -> None:
    def unsubscribe(original: Delete, factory: ConsumerFactory, name: str | None) -> None:
        found = _own(factory, name)
        if found is None or found.selector is None or found.no_local is None or len(found.delivery_queue) != 2:
            original(factory, name)

    patch.at(fault_points.SUBSCRIPTION_DELETED, unsubscribe)


@saboteur(
    "8.3.3-19",
    "unsubscribe drops the messages of a subscription, which goes on collecting",
    collateral=dict.fromkeys(("8.3.3-18", "8.3.3-23", "8.3.3-25", "8.3.3-26"), "it unsubscribes"),
)
def _(patch: Patch) -> None:
    def unsubscribe(original: Delete, factory: ConsumerFactory, name: str | None) -> None:
        found = _own(factory, name)
        if found is None or found.consumers:
            original(factory, name)
            return
        with factory.broker.lock:
            for entry in list(found.delivery_queue.free_entries()):
                found.delivery_queue.remove(entry.number, entry.priority)

    patch.at(fault_points.SUBSCRIPTION_DELETED, unsubscribe)


@nearly_right(
    "unsubscribe-empties-a-filled-subscription",
    "unsubscribe drops the messages of a subscription with more than three, which goes on collecting",
    "8.3.3-19",
)
def _(patch: Patch) -> None:
    def unsubscribe(original: Delete, factory: ConsumerFactory, name: str | None) -> None:
        found = _own(factory, name)
        if found is None or found.consumers or len(found.delivery_queue) <= 3:
            original(factory, name)
            return
        with factory.broker.lock:
            for entry in list(found.delivery_queue.free_entries()):
                found.delivery_queue.remove(entry.number, entry.priority)

    patch.at(fault_points.SUBSCRIPTION_DELETED, unsubscribe)


@saboteur("8.3.3-23", "unsubscribe of a name that was deleted before does nothing")
def _(patch: Patch) -> None:
    deleted: set[str | None] = set()

    def unsubscribe(original: Delete, factory: ConsumerFactory, name: str | None) -> None:
        try:
            original(factory, name)
        except InvalidDestinationException:
            if name not in deleted:
                raise
        deleted.add(name)

    patch.at(fault_points.SUBSCRIPTION_DELETED, unsubscribe)


@saboteur("8.3.3-24", "unsubscribe deletes inactive subscriptions of that name of other clients")
def _(patch: Patch) -> None:
    def unsubscribe(original: Delete, factory: ConsumerFactory, name: str | None) -> None:
        subscriptions = factory.broker.subscriptions
        named = [one for one in subscriptions.all_durable() if one.key is not None and one.key[1] == name]
        if not any(one.key == (factory.connection.client_id_or_none, name) for one in named):
            for one in [each for each in named if not each.consumers]:
                subscriptions.delete(one)
        original(factory, name)

    patch.at(fault_points.SUBSCRIPTION_DELETED, unsubscribe)


@nearly_right(
    "unsubscribe-deletes-a-foreign-no-local-subscription",
    "unsubscribe deletes the inactive subscription of another client, where the own client has none",
    "8.3.3-24",
)
def _(patch: Patch) -> None:
    def unsubscribe(original: Delete, factory: ConsumerFactory, name: str | None) -> None:
        subscriptions = factory.broker.subscriptions
        named = [one for one in subscriptions.all_durable() if one.key is not None and one.key[1] == name]
        if not any(one.key == (factory.connection.client_id_or_none, name) for one in named):
            for one in [each for each in named if each.no_local is not None and not each.consumers]:
                subscriptions.delete(one)
        original(factory, name)

    patch.at(fault_points.SUBSCRIPTION_DELETED, unsubscribe)


def _lingering(
    patch: Patch, lingers: Callable[[ReferenceConsumer], bool], over: Callable[[ReferenceSession], bool]
) -> None:
    """Refuse unsubscribe() while a closed consumer `lingers`, until its session is over."""
    kept: list[tuple[Subscription, ReferenceSession]] = []

    def detach(original: Callable[[ReferenceConsumer], None], consumer: ReferenceConsumer) -> None:
        subscription = consumer.receiver.subscription
        if subscription is not None and subscription.durable and not subscription.shared and lingers(consumer):
            kept.append((subscription, session_of(consumer)))
        original(consumer)

    def unsubscribe(original: Delete, factory: ConsumerFactory, name: str | None) -> None:
        found = _own(factory, name)
        if any(subscription is found and not over(session) for subscription, session in kept):
            raise JMSException("the subscription is in use", "IN_USE")
        original(factory, name)

    patch.at(fault_points.CONSUMER_CLOSED, detach)
    patch.at(fault_points.SUBSCRIPTION_DELETED, unsubscribe)


@saboteur("8.3.3-25", "a consumer that had a listener counts as active until its session is closed")
def _(patch: Patch) -> None:
    _lingering(
        patch,
        lambda consumer: consumer.listener is not None and not consumer.session.closing,
        lambda session: session.closed,
    )


@saboteur("8.3.3-26", "a consumer whose session is closed counts as active until the connection is closed")
def _(patch: Patch) -> None:
    _lingering(patch, lambda consumer: consumer.session.closing, lambda session: connection_of(session).closed)
