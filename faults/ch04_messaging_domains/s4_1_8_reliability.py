"""Faults in 4.1.8: reliability of queues."""

from __future__ import annotations

from collections.abc import Callable

from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.broker.broker import Broker
from reference_provider.broker.physical_destinations import PhysicalDestination, PhysicalQueue, StoredDeliveryQueue
from reference_provider.broker.stored_message import StoredMessage


@saboteur("4.1.8-1", "messages sent to a queue without a consumer are dropped")
def _(patch: Patch) -> None:
    def route(
        original: Callable[..., list[StoredDeliveryQueue]],
        broker: Broker,
        physical: PhysicalDestination,
        entry: StoredMessage,
    ) -> list[StoredDeliveryQueue]:
        delivery_queues = original(broker, physical, entry)
        return [] if isinstance(physical, PhysicalQueue) and not physical.consumers else delivery_queues

    patch.at(fault_points.ROUTED, route)
