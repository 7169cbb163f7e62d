"""Faults in 4.1.8: reliability of queues."""

from __future__ import annotations

from reference_provider.broker.physical_destinations import PhysicalQueue, StoredDeliveryQueue
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.saboteurs.registry import Patch, saboteur


@saboteur("4.1.8-1", "messages sent to a queue without a consumer are dropped")
def _(patch: Patch) -> None:
    original = PhysicalQueue.route

    def route(self: PhysicalQueue, entry: StoredMessage) -> list[StoredDeliveryQueue]:
        return original(self, entry) if self.consumers else []

    patch.replace(PhysicalQueue, "route", route)
