"""Faults in 4.2.3: established subscribers."""

from __future__ import annotations

from collections.abc import Callable

from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.broker.physical_destinations import PhysicalDestination, PhysicalTopic, Predicate, Subscription
from reference_provider.client.consumer_factory import ConsumerFactory
from reference_provider.client.receivers import Receiver


@saboteur("4.2.3-3", "a new subscriber makes the others lose their waiting messages")
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
            for other in physical.subscriptions:
                for entry in list(other.delivery_queue.free_entries()):
                    other.delivery_queue.remove(entry.number, entry.priority)
        return original(factory, physical, text, matches, subscription)

    patch.at(fault_points.SUBSCRIPTION_OPENED, open_receiver)
