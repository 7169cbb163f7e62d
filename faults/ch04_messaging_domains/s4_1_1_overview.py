"""Faults in 4.1.1: point-to-point messaging in every interface."""

from __future__ import annotations

from collections.abc import Callable

from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.broker.delivery import Delivery
from reference_provider.client.consumers import ReferenceReceiver
from reference_provider.client.sessions import ReferenceSession
from tck.api import Message, Session


@saboteur("4.1.1-1", "a QueueReceiver acknowledges on receipt in CLIENT_ACKNOWLEDGE too", version="2.0")
def _(patch: Patch) -> None:
    def message_of(original: Callable[..., Message], session: ReferenceSession, delivery: Delivery) -> Message:
        message = original(session, delivery)
        if isinstance(delivery.consumer, ReferenceReceiver) and session.mode == Session.CLIENT_ACKNOWLEDGE:
            session.acknowledge_all()
        return message

    patch.at(fault_points.MESSAGE_MADE, message_of)
