"""Faults of the farm that searches a password."""

from __future__ import annotations

from faults.kit.arrivals import arriving, changed, comes_again, doubled, is_queue
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider.broker.physical_destinations import StoredDeliveryQueue
from reference_provider.broker.stored_message import StoredMessage


@saboteur("pj-password-farm-1", "the last byte of the seventeenth message of a queue arrives as zero")
def _(patch: Patch) -> None:
    def fault(stream: StoredDeliveryQueue, entry: StoredMessage, ordinal: int) -> list[StoredMessage]:
        body = entry.snapshot.body
        if ordinal != 17 or not is_queue(stream) or not isinstance(body, bytes):
            return [entry]
        return [changed(entry, body=body[:-1] + b"\0")]

    arriving(patch, fault)


@saboteur("pj-password-farm-2", "the third message of a queue comes twice")
def _(patch: Patch) -> None:
    doubled(patch, lambda stream, _, ordinal: ordinal == 3 and is_queue(stream))


@saboteur("pj-password-farm-4", "the seventeenth message of a queue is there again when a connection is closed")
def _(patch: Patch) -> None:
    comes_again(patch, 17)
