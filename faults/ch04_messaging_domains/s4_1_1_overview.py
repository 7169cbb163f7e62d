"""Faults in 4.1.1: point-to-point messaging in every interface."""

from faults.kit import *


@saboteur(
    "4.1.1-1",
    "a QueueReceiver acknowledges on receipt in CLIENT_ACKNOWLEDGE too",
    version="2.0",
    at=fault_points.MESSAGE_MADE,
)
def _(original, session, delivery):
    message = original(session, delivery)
    if isinstance(delivery.consumer, ReferenceReceiver) and session.mode == Session.CLIENT_ACKNOWLEDGE:
        session.acknowledge_all()
    return message
