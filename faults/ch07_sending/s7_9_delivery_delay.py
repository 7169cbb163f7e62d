"""Faults in 7.9: when delayed messages are available."""

from __future__ import annotations

from collections.abc import Callable

from faults.kit.declaring import saboteur
from faults.kit.delays import kept_until, remains
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.broker.broker import Broker
from reference_provider.broker.physical_destinations import StoredDeliveryQueue
from reference_provider.broker.stored_message import StoredMessage


@saboteur("7.9-5", "a delayed message waits for those with a longer delay that were sent to its destination before it")
def _(patch: Patch) -> None:
    def admit(original: Callable[..., None], broker: Broker, source: StoredDeliveryQueue, entry: StoredMessage) -> None:
        due = entry.delivery_time
        if remains(broker, entry) > 0:
            due = max(due, *(one.delivery_time for one in broker.schedule.waiting_for(source)), due)
        kept_until(original, broker, source, entry, due)

    patch.at(fault_points.ARRIVED, admit)
