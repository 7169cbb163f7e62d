"""Faults in 4.2.8: recovery and redelivery to topic subscribers."""

from faults.kit import *


@saboteur("4.2.8-1", "recover() drops the messages of non-durable subscribers", around=(ReferenceSession, "recover"))
def _(original, self):
    self.state.unacknowledged = [
        one
        for one in self.state.unacknowledged
        if one.source.in_file or not isinstance(one.source.physical, PhysicalTopic)
    ]
    original(self)


@saboteur(
    "4.2.8-3", "closing a session acknowledges the messages of its durable subscribers", at=fault_points.SESSION_ENDED
)
def _(original, session):
    durable = [
        one
        for one in session.state.unacknowledged
        if one.source.in_file and isinstance(one.source.physical, PhysicalTopic)
    ]
    session.state.unacknowledged = [one for one in session.state.unacknowledged if one not in durable]
    session.state.acknowledge(durable, durable=True)
    original(session)


saboteur(
    "4.2.8-4",
    "closed non-durable subscribers get persistent messages when they return",
    lambda patch: closed_collect(patch, lambda entry: entry.delivery_mode == DeliveryMode.PERSISTENT),
)
