"""Faults in 7.7: PERSISTENT messages and failures of the provider."""

from faults.kit import *

SURVIVAL = dict.fromkeys(("7.7-5", "7.7-6"), "the case receives messages that were sent before the failure")


def _in_memory_only(patch, kind):
    """Keep all messages of destinations of a kind in memory only."""

    def stores(original, physical, entry, delivery_queues):
        return not isinstance(physical, kind) and original(physical, entry, delivery_queues)

    patch.at(fault_points.STORED, stores)


saboteur(
    "7.7-3",
    "PERSISTENT messages of queues are kept in memory only",
    lambda patch: _in_memory_only(patch, PhysicalQueue),
    collateral=SURVIVAL,
)
saboteur(
    "7.7-4",
    "PERSISTENT messages of durable subscriptions are kept in memory only",
    lambda patch: _in_memory_only(patch, PhysicalTopic),
    collateral=SURVIVAL,
)
