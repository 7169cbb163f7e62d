"""Faults in 4.1.1: point-to-point messaging in every interface."""

from __future__ import annotations

from reference_provider.broker.delivery import Delivery
from reference_provider.client.consumers import ReferenceConsumer, ReferenceReceiver
from reference_provider.saboteurs.faults import session_of
from reference_provider.saboteurs.registry import Patch, saboteur
from tck.api import Message, Session


@saboteur("4.1.1-1", "a QueueReceiver acknowledges on receipt in CLIENT_ACKNOWLEDGE too", version="2.0")
def _(patch: Patch) -> None:
    def hand_out(self: ReferenceReceiver, delivery: Delivery) -> Message:
        message = ReferenceConsumer.hand_out(self, delivery)
        if self.session.mode == Session.CLIENT_ACKNOWLEDGE:
            session_of(self).acknowledge_all()
        return message

    patch.replace(ReferenceReceiver, "hand_out", hand_out)
