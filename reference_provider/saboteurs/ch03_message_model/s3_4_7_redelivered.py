"""Faults in 3.4.7: JMSRedelivered."""

from __future__ import annotations

from reference_provider.broker.stored_message import Stamp
from reference_provider.client import producers
from reference_provider.client.sessions import ReferenceSession
from reference_provider.saboteurs.registry import Patch, saboteur
from tck.api import Message, Session


@saboteur("3.4.7-1", "JMSRedelivered is set after a rollback and not after a recover")
def _(patch: Patch) -> None:
    original = ReferenceSession.recover

    def recover(self: ReferenceSession) -> None:
        if self.mode == Session.CLIENT_ACKNOWLEDGE:
            with self.broker.lock:
                unacknowledged, self.state.unacknowledged = self.state.unacknowledged, []
                for delivery in unacknowledged:
                    delivery.undo()
        original(self)

    patch.replace(ReferenceSession, "recover", recover)


@saboteur("3.4.7-2", "the end of a session forgets that its messages were delivered")
def _(patch: Patch) -> None:
    def drop_unfinished(self: ReferenceSession) -> None:
        with self.broker.lock:
            for delivery in (*self.state.work.acks, *self.state.unacknowledged):
                delivery.undo()
            self.state.work.acks, self.state.unacknowledged = [], []

    patch.replace(ReferenceSession, "drop_unfinished", drop_unfinished)


@saboteur("3.4.7-4", "send sets JMSRedelivered on the sender's message")
def _(patch: Patch) -> None:
    original = producers.write_headers

    def write_headers(message: Message, stamp: Stamp) -> None:
        original(message, stamp)
        message.jms_redelivered = True

    patch.replace(producers, "write_headers", write_headers)
