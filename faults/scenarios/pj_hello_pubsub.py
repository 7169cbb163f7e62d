"""Faults of Hello World over a topic."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from faults.kit.arrivals import again
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.broker.broker import Broker
from reference_provider.broker.delivery import Delivery
from reference_provider.broker.physical_destinations import PhysicalTopic, StoredDeliveryQueue
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.client.session_state import SessionState
from reference_provider.client.sessions import ReferenceSession


@saboteur("pj-hello-pubsub-1", "the third subscriber of a topic gets its first message twice")
def _(patch: Patch) -> None:
    torn: list[StoredDeliveryQueue] = []

    def admit(
        original: Callable[..., None], broker: Broker, delivery_queue: StoredDeliveryQueue, entry: StoredMessage
    ) -> None:
        original(broker, delivery_queue, entry)
        if delivery_queue in list(delivery_queue.physical.delivery_queues())[2:3] and delivery_queue not in torn:
            torn.append(delivery_queue)
            original(broker, delivery_queue, again(entry, broker.next_number()))

    patch.at(fault_points.ARRIVED, admit)


@saboteur(
    "pj-hello-pubsub-3", "acknowledging the first message of a topic settles the copies that others have received"
)
def _(patch: Patch) -> None:
    states: list[SessionState] = []

    def open_delivery(original: Callable[..., Delivery], state: SessionState, *arguments: Any) -> Delivery:
        if state not in states:
            states.append(state)
        return original(state, *arguments)

    def acknowledge_all(original: Callable[..., None], session: ReferenceSession) -> None:
        held = session.state.unacknowledged
        settled = {one.entry.number for one in held[:1] if isinstance(one.source.physical, PhysicalTopic)}
        original(session)
        for other in states:
            other.unacknowledged = [one for one in other.unacknowledged if one.entry.number not in settled]

    patch.at(fault_points.HANDED_OVER, open_delivery)
    patch.at(fault_points.ACKNOWLEDGED, acknowledge_all)
