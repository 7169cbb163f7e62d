"""Faults in 3.4.7: JMSRedelivered."""

from faults.kit import *


@saboteur(
    "3.4.7-1", "JMSRedelivered is set after a rollback and not after a recover", around=(ReferenceSession, "recover")
)
def _(original, self):
    if self.mode == Session.CLIENT_ACKNOWLEDGE:
        with self.broker.lock:
            unacknowledged, self.state.unacknowledged = self.state.unacknowledged, []
            for delivery in unacknowledged:
                delivery.undo()
    original(self)


@saboteur("3.4.7-2", "the end of a session forgets that its messages were delivered", at=fault_points.SESSION_ENDED)
def _(original, session):
    with session.broker.lock:
        for delivery in (*session.state.work.acks, *session.state.unacknowledged):
            delivery.undo()
        session.state.work.acks, session.state.unacknowledged = [], []


@saboteur("3.4.7-4", "send sets JMSRedelivered on the sender's message", at=fault_points.HEADERS_WRITTEN)
def _(original, message, stamp):
    original(message, stamp)
    message.jms_redelivered = True
