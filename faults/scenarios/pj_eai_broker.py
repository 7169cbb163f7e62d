"""Faults of an integration broker."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from faults.kit.arrivals import arriving, changed, doubled, is_queue
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.broker.physical_destinations import PhysicalTopic, StoredDeliveryQueue
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.client.consumers import ReferenceConsumer

MANY, TENTH, FIFTH = 15, 10, 5


def _selecting(stream: StoredDeliveryQueue, *, used: bool) -> bool:
    """Return whether a delivery queue is that of a subscription with a selector that has a consumer, or none."""
    if not isinstance(stream.physical, PhysicalTopic):
        return False
    own = [one for one in stream.physical.subscriptions if one.delivery_queue is stream]
    return any(one.selector is not None and bool(one.consumers) is used for one in own)


@saboteur("pj-eai-broker-1", "the tenth message of a subscription with a selector and a consumer comes twice")
def _(patch: Patch) -> None:
    doubled(patch, lambda stream, _, ordinal: ordinal == TENTH and _selecting(stream, used=True))


@saboteur("pj-eai-broker-2", "the fifth message of a subscription with a selector and without a consumer is lost")
def _(patch: Patch) -> None:
    arriving(
        patch,
        lambda stream, entry, ordinal: [] if ordinal == FIFTH and _selecting(stream, used=False) else [entry],
    )


@saboteur(
    "pj-eai-broker-3",
    "a topic gives nothing to a consumer with a selector while another of its consumers has a backlog",
)
def _(patch: Patch) -> None:
    def next_delivery(original: Callable[..., Any], consumer: ReferenceConsumer, timeout: int | None) -> Any:
        physical = consumer.receiver.physical
        clock = consumer.session.broker.clock
        if isinstance(physical, PhysicalTopic) and consumer.receiver.selector is not None:
            busy = [one for one in physical.subscriptions if one.consumers and one.selector is None]
            until = clock.now() + 12_000
            while clock.now() < until and any(len(list(one.delivery_queue.free_entries())) > MANY for one in busy):
                clock.event().wait(100)
        return original(consumer, timeout)

    patch.at(fault_points.MESSAGE_AWAITED, next_delivery)


@saboteur("pj-eai-broker-4", "a text on a queue arrives with small letters behind its first word in capitals")
def _(patch: Patch) -> None:
    def arrival(stream: StoredDeliveryQueue, entry: StoredMessage, ordinal: int) -> list[StoredMessage]:
        del ordinal
        text = entry.snapshot.body
        return [
            changed(entry, body=text.replace("ASIA", "Asia")) if isinstance(text, str) and is_queue(stream) else entry
        ]

    arriving(patch, arrival)
