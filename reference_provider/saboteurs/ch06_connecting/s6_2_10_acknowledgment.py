"""Faults in 6.2.10: acknowledge()."""

from __future__ import annotations

from collections.abc import Callable

from reference_provider import fault_points
from reference_provider.broker.delivery import Delivery
from reference_provider.broker.physical_destinations import StoredDeliveryQueue
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.client.context import ReferenceContext
from reference_provider.client.session_state import SessionState
from reference_provider.saboteurs.registry import Patch, saboteur
from tck.api import Session


@saboteur("6.2.10-9", "acknowledge() covers only the message itself")
def _(patch: Patch) -> None:
    def open_delivery(
        original: Callable[..., Delivery],
        state: SessionState,
        consumer: object,
        delivery_queue: StoredDeliveryQueue,
        entry: StoredMessage,
    ) -> Delivery:
        delivery = original(state, consumer, delivery_queue, entry)

        def acknowledge() -> None:
            state.unacknowledged = [one for one in state.unacknowledged if one is not delivery]
            state.acknowledge([delivery], durable=True)

        if state.mode == Session.CLIENT_ACKNOWLEDGE:
            delivery.acknowledge = acknowledge
        return delivery

    patch.at(fault_points.HANDED_OVER, open_delivery)


@saboteur("6.2.10-14", "acknowledge() of a context does nothing")
def _(patch: Patch) -> None:
    patch.replace(ReferenceContext, "acknowledge", lambda self: None)
