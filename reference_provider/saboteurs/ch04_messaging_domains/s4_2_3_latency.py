"""Faults in 4.2.3: established subscribers."""

from __future__ import annotations

from reference_provider.broker.physical_destinations import PhysicalTopic, Subscription
from reference_provider.broker.subscriptions import Subscriptions
from reference_provider.saboteurs.registry import Patch, saboteur


@saboteur("4.2.3-3", "a new subscriber makes the others lose their waiting messages")
def _(patch: Patch) -> None:
    original = Subscriptions.add_unshared

    def add_unshared(self: Subscriptions, physical: PhysicalTopic, *arguments: object) -> Subscription:
        for other in physical.subscriptions:
            for entry in list(other.delivery_queue.free_entries()):
                other.delivery_queue.remove(entry.number, entry.priority)
        return original(self, physical, *arguments)  # type: ignore[arg-type] # as given

    patch.replace(Subscriptions, "add_unshared", add_unshared)
