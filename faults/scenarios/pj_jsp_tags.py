"""Faults of a page with tags that write and read messages."""

from __future__ import annotations

from faults.kit.arrivals import arriving, changed, is_queue
from faults.kit.common import as_received
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider.broker.delivery import Delivery
from reference_provider.broker.physical_destinations import StoredDeliveryQueue
from reference_provider.broker.stored_message import StoredMessage
from tck.api import Message

LOW, LAST = 3, 4


@saboteur("pj-jsp-tags-1", "a text of low priority arrives without its full stop")
def _(patch: Patch) -> None:
    def arrival(_: StoredDeliveryQueue, entry: StoredMessage, ordinal: int) -> list[StoredMessage]:
        del ordinal
        text = entry.snapshot.body
        return [changed(entry, body=text.rstrip(".")) if entry.priority == LOW and isinstance(text, str) else entry]

    arriving(patch, arrival)


@saboteur("pj-jsp-tags-2", "a message of low priority that expires arrives with normal priority")
def _(patch: Patch) -> None:
    def fault(message: Message, delivery: Delivery) -> None:
        if delivery.priority == LOW and delivery.expiration:
            message.jms_priority = Message.DEFAULT_PRIORITY

    as_received(patch, fault)


@saboteur("pj-jsp-tags-3", "the fourth text of a queue arrives empty")
def _(patch: Patch) -> None:
    def arrival(stream: StoredDeliveryQueue, entry: StoredMessage, ordinal: int) -> list[StoredMessage]:
        return [changed(entry, body="") if ordinal == LAST and is_queue(stream) else entry]

    arriving(patch, arrival)


@saboteur(
    "pj-jsp-tags-4",
    "the fourth message of a queue without a consumer is lost",
    collateral={"pj-jsp-tags-3": "the message of the fourth tag has both an attribute and a body"},
)
def _(patch: Patch) -> None:
    def arrival(stream: StoredDeliveryQueue, entry: StoredMessage, ordinal: int) -> list[StoredMessage]:
        alone = is_queue(stream) and stream.physical.consumers == 0
        return [] if ordinal == LAST and alone else [entry]

    arriving(patch, arrival)
