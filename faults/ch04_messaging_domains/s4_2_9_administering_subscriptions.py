"""Faults in 4.2.9: clients that create and delete durable subscriptions."""

from __future__ import annotations

from collections.abc import Callable

from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.broker.physical_destinations import PhysicalDestination, PhysicalTopic, Predicate, Subscription
from reference_provider.broker.subscriptions import Subscriptions
from reference_provider.client.consumer_factory import ConsumerFactory
from reference_provider.client.receivers import Receiver
from tck.api import JMSException


@saboteur("4.2.9-1", "a client cannot subscribe to a topic before an administrator registers it")
def _(patch: Patch) -> None:
    def open_receiver(
        original: Callable[..., Receiver],
        factory: ConsumerFactory,
        physical: PhysicalDestination,
        text: str | None,
        matches: Predicate | None,
        subscription: Subscription | None,
    ) -> Receiver:
        if isinstance(physical, PhysicalTopic) and subscription is not None and subscription.key is None:
            raise JMSException("the client is not registered as a subscriber")
        return original(factory, physical, text, matches, subscription)

    patch.at(fault_points.SUBSCRIPTION_OPENED, open_receiver)


@saboteur("4.2.9-2", "clients cannot create durable subscriptions")
def _(patch: Patch) -> None:
    def store(self: Subscriptions, *arguments: object, **options: object) -> Subscription:
        raise JMSException("no such durable subscription has been prepared")

    patch.replace(Subscriptions, "store", store)


@saboteur("4.2.9-3", "clients cannot delete durable subscriptions")
def _(patch: Patch) -> None:
    def unsubscribe(original: Callable[..., None], factory: ConsumerFactory, name: str | None) -> None:
        raise JMSException("ask an administrator to delete the subscription")

    patch.at(fault_points.SUBSCRIPTION_DELETED, unsubscribe)
