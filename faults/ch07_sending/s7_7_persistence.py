"""Faults in 7.7: PERSISTENT messages and failures of the provider."""

from __future__ import annotations

from collections.abc import Callable

from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.broker.physical_destinations import (
    PhysicalDestination,
    PhysicalQueue,
    PhysicalTopic,
    StoredDeliveryQueue,
)
from reference_provider.broker.stored_message import StoredMessage

SURVIVAL = dict.fromkeys(("7.7-5", "7.7-6"), "the case receives messages that were sent before the failure")


def _in_memory_only(patch: Patch, kind: type[PhysicalDestination]) -> None:
    """Keep all messages of destinations of a kind in memory only."""

    def stores(
        original: Callable[..., bool],
        physical: PhysicalDestination,
        entry: StoredMessage,
        delivery_queues: list[StoredDeliveryQueue],
    ) -> bool:
        return not isinstance(physical, kind) and original(physical, entry, delivery_queues)

    patch.at(fault_points.STORED, stores)


@saboteur("7.7-3", "PERSISTENT messages of queues are kept in memory only", collateral=SURVIVAL)
def _(patch: Patch) -> None:
    _in_memory_only(patch, PhysicalQueue)


@saboteur("7.7-4", "PERSISTENT messages of durable subscriptions are kept in memory only", collateral=SURVIVAL)
def _(patch: Patch) -> None:
    _in_memory_only(patch, PhysicalTopic)
