"""Faults of the tuple space over a restart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from faults.kit.arrivals import again
from faults.kit.common import around
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.broker.delivery import Delivery
from reference_provider.broker.physical_destinations import PhysicalDestination, PhysicalQueue, StoredDeliveryQueue
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.client.sessions import ReferenceSession
from tck.api import DeliveryMode


def _stored_otherwise(patch: Patch, fault: Callable[[StoredMessage, int, bool], bool]) -> None:
    """Let `fault` decide whether a queue message is stored: the message, its ordinal in its queue and mode, the truth."""
    counted: Counter[tuple[PhysicalDestination, int]] = Counter()

    def stores(
        original: Callable[..., bool], physical: PhysicalDestination, entry: StoredMessage, *arguments: Any
    ) -> bool:
        stored = original(physical, entry, *arguments)
        if not isinstance(physical, PhysicalQueue) or physical.temporary:
            return stored
        counted[physical, entry.delivery_mode] += 1
        return fault(entry, counted[physical, entry.delivery_mode], stored)

    patch.at(fault_points.STORED, stores)


@saboteur("pj-qspace-persistent-1", "the thirtieth PERSISTENT message of a queue is not written to the file")
def _(patch: Patch) -> None:
    def fault(entry: StoredMessage, ordinal: int, stored: bool) -> bool:
        return stored and not (entry.delivery_mode == DeliveryMode.PERSISTENT and ordinal == 30)

    _stored_otherwise(patch, fault)


@saboteur("pj-qspace-persistent-2", "the fifth acknowledgement of a queue is not written to the file")
def _(patch: Patch) -> None:
    counted: Counter[StoredDeliveryQueue] = Counter()

    def forget(original: Callable[[Delivery], list[Any]], delivery: Delivery) -> list[Any]:
        counted[delivery.source] += 1
        return (
            []
            if counted[delivery.source] == 5 and isinstance(delivery.source.physical, PhysicalQueue)
            else original(delivery)
        )

    around(patch, Delivery, "forget_statements", forget)


@saboteur("pj-qspace-persistent-3", "the twentieth NON_PERSISTENT message of a queue is written to the file twice")
def _(patch: Patch) -> None:
    counted: Counter[PhysicalDestination] = Counter()
    written: list[str | None] = []

    def submit(
        original: Callable[..., None],
        session: ReferenceSession,
        physical: PhysicalDestination,
        entry: StoredMessage,
    ) -> None:
        counted[physical] += entry.delivery_mode == DeliveryMode.NON_PERSISTENT
        if entry.delivery_mode != DeliveryMode.NON_PERSISTENT or counted[physical] != 20:
            original(session, physical, entry)
            return
        written.append(entry.message_id)
        original(session, physical, entry)
        original(session, physical, again(entry, session.broker.next_number()))

    patch.at(fault_points.SEND_SUBMITTED, submit)
    _stored_otherwise(patch, lambda entry, _, stored: stored or entry.message_id in written)
