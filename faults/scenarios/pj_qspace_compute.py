"""Faults of the compute farm on a tuple space."""

from __future__ import annotations

from collections.abc import Callable

from faults.kit.arrivals import again, arriving, changed, comes_again, is_queue
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.broker.broker import Broker
from reference_provider.broker.physical_destinations import StoredDeliveryQueue
from reference_provider.broker.stored_message import StoredMessage


@saboteur("pj-qspace-compute-1", "the fifteenth message of a queue has the body of the fourteenth")
def _(patch: Patch) -> None:
    bodies: dict[StoredDeliveryQueue, object] = {}

    def fault(stream: StoredDeliveryQueue, entry: StoredMessage, ordinal: int) -> list[StoredMessage]:
        if ordinal == 15 and is_queue(stream):
            return [changed(entry, body=bodies[stream])]
        bodies[stream] = entry.snapshot.body
        return [entry]

    arriving(patch, fault)


@saboteur(
    "pj-qspace-compute-3",
    "the tenth message of a queue comes once more after the twentieth",
    collateral={"pj-qspace-compute-4": "a server answers the task again, and nobody takes that result"},
)
def _(patch: Patch) -> None:
    arrived: dict[StoredDeliveryQueue, list[StoredMessage]] = {}

    def admit(
        original: Callable[..., None], broker: Broker, delivery_queue: StoredDeliveryQueue, entry: StoredMessage
    ) -> None:
        original(broker, delivery_queue, entry)
        entries = arrived.setdefault(delivery_queue, [])
        entries.append(entry)
        if len(entries) == 20 and is_queue(delivery_queue):
            original(broker, delivery_queue, again(entries[9], broker.next_number()))

    patch.at(fault_points.ARRIVED, admit)


@saboteur("pj-qspace-compute-4", "the fifteenth message of a queue is there again when a connection is closed")
def _(patch: Patch) -> None:
    comes_again(patch, 15)
