"""Faults in 6.2.10: acknowledge()."""

from __future__ import annotations

from reference_provider.broker.delivery import Delivery
from reference_provider.broker.physical_destinations import StoredDeliveryQueue
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.client.context import ReferenceContext
from reference_provider.client.session_state import SessionState
from reference_provider.saboteurs.registry import Patch, saboteur
from tck.api import Session


@saboteur("6.2.10-9", "acknowledge() covers only the message itself")
def _(patch: Patch) -> None:
    original = SessionState.open_delivery

    def open_delivery(
        self: SessionState, consumer: object, delivery_queue: StoredDeliveryQueue, entry: StoredMessage
    ) -> Delivery:
        delivery = original(self, consumer, delivery_queue, entry)

        def acknowledge() -> None:
            self.unacknowledged = [one for one in self.unacknowledged if one is not delivery]
            self.acknowledge([delivery], durable=True)

        if self.mode == Session.CLIENT_ACKNOWLEDGE:
            delivery.acknowledge = acknowledge
        return delivery

    patch.replace(SessionState, "open_delivery", open_delivery)


@saboteur("6.2.10-14", "acknowledge() of a context does nothing")
def _(patch: Patch) -> None:
    patch.replace(ReferenceContext, "acknowledge", lambda self: None)
