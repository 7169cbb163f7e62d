"""Faults of the compute server with requestors."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from faults.kit.arrivals import arriving, changed, is_queue
from faults.kit.common import around
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.broker.delivery import Delivery
from reference_provider.broker.physical_destinations import PhysicalDestination, StoredDeliveryQueue
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.client.consumers import ReferenceConsumer
from reference_provider.client.requestors import ReferenceQueueRequestor
from reference_provider.client.temporary_destinations import TemporaryDestinations
from reference_provider.destinations import ReferenceQueue


def _replies(patch: Patch, fault: Callable[[StoredMessage, int, StoredMessage | None, bool], StoredMessage]) -> None:
    """Change replies: the message, its ordinal, the last reply of all, and whether that came to the same queue."""
    last: list[tuple[StoredDeliveryQueue, StoredMessage]] = []

    def arrival(delivery_queue: StoredDeliveryQueue, entry: StoredMessage, ordinal: int) -> list[StoredMessage]:
        if not is_queue(delivery_queue, temporary=True):
            return [entry]
        before = last[-1] if last else (delivery_queue, None)
        last.append((delivery_queue, entry))
        return [fault(entry, ordinal, before[1], before[0] is delivery_queue)]

    arriving(patch, arrival)


@saboteur("pj-compute-requestor-1", "the third reply to a temporary queue has the body of the second")
def _(patch: Patch) -> None:
    def fault(entry: StoredMessage, ordinal: int, before: StoredMessage | None, same: bool) -> StoredMessage:
        return changed(entry, body=before.snapshot.body) if ordinal == 3 and before is not None and same else entry

    _replies(patch, fault)


@saboteur("pj-compute-requestor-2", "the fourth reply to a temporary queue loses its JMSCorrelationID")
def _(patch: Patch) -> None:
    _replies(patch, lambda entry, ordinal, _, same: changed(entry, correlation=None) if ordinal == 4 else entry)


@saboteur("pj-compute-requestor-3", "the fourth reply to a temporary queue names a common queue in JMSDestination")
def _(patch: Patch) -> None:
    def fault(entry: StoredMessage, ordinal: int, before: StoredMessage | None, same: bool) -> StoredMessage:
        del before, same
        if ordinal != 4:
            return entry
        readdressed = copy.copy(entry)
        readdressed.destination = ReferenceQueue("replies")
        return readdressed

    _replies(patch, fault)


@saboteur("pj-compute-requestor-4", "the second reply to a temporary queue has the body of another client's reply")
def _(patch: Patch) -> None:
    def fault(entry: StoredMessage, ordinal: int, before: StoredMessage | None, same: bool) -> StoredMessage:
        return changed(entry, body=before.snapshot.body) if ordinal == 2 and before is not None and not same else entry

    _replies(patch, fault)


@saboteur("pj-compute-requestor-5", "a queue message without JMSReplyTo is there again when its consumer is closed")
def _(patch: Patch) -> None:
    kept: list[Delivery] = []

    def remove_from_queue(original: Callable[[Delivery], None], delivery: Delivery) -> None:
        if is_queue(delivery.source) and delivery.entry.snapshot.reply_to is None:
            kept.append(delivery)
        else:
            original(delivery)

    def detach(original: Callable[[ReferenceConsumer], None], consumer: ReferenceConsumer) -> None:
        original(consumer)
        for one in [one for one in kept if one.source is consumer.receiver.delivery_queue]:
            kept.remove(one)
            one.source.put_back(one.entry, 0)

    patch.at(fault_points.REMOVED, remove_from_queue)
    patch.at(fault_points.CONSUMER_CLOSED, detach)


@saboteur("pj-compute-requestor-6", "another connection may consume from a temporary queue that has a consumer")
def _(patch: Patch) -> None:
    def check(original: Callable[..., None], own: TemporaryDestinations, physical: PhysicalDestination) -> None:
        if not physical.consumers:
            original(own, physical)

    patch.at(fault_points.TEMPORARY_CHECKED, check)


@saboteur("pj-compute-requestor-7", "a requestor that has made five requests leaves its session open")
def _(patch: Patch) -> None:
    made: dict[Any, int] = {}

    def request(original: Callable[..., Any], requestor: ReferenceQueueRequestor, message: Any) -> Any:
        made[requestor] = made.get(requestor, 0) + 1
        return original(requestor, message)

    def close(original: Callable[..., None], requestor: ReferenceQueueRequestor) -> None:
        if made.get(requestor, 0) < 5:
            original(requestor)

    around(patch, ReferenceQueueRequestor, "request", request)
    around(patch, ReferenceQueueRequestor, "close", close)
