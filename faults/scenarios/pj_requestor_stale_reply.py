"""Faults of the server that answers twice."""

from __future__ import annotations

from faults.kit.arrivals import arriving, changed, exchanged, is_queue
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider.broker.physical_destinations import StoredDeliveryQueue
from reference_provider.broker.stored_message import StoredMessage


@saboteur("pj-requestor-stale-reply-1", "the first reply to a temporary queue comes after the second")
def _(patch: Patch) -> None:
    exchanged(patch, lambda stream, entry, ordinal: ordinal == 1 and is_queue(stream, temporary=True))


@saboteur("pj-requestor-stale-reply-3", "the second reply to a temporary queue has no JMSCorrelationID")
def _(patch: Patch) -> None:
    def fault(stream: StoredDeliveryQueue, entry: StoredMessage, ordinal: int) -> list[StoredMessage]:
        return [changed(entry, correlation=None) if ordinal == 2 and is_queue(stream, temporary=True) else entry]

    arriving(patch, fault)
