"""Faults in 3.4.7: JMSRedelivered."""

from __future__ import annotations

from collections.abc import Callable

from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.broker.stored_message import Stamp
from reference_provider.client.sessions import ReferenceSession
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
    def drop_unfinished(original: Callable[..., None], session: ReferenceSession) -> None:
        with session.broker.lock:
            for delivery in (*session.state.work.acks, *session.state.unacknowledged):
                delivery.undo()
            session.state.work.acks, session.state.unacknowledged = [], []

    patch.at(fault_points.SESSION_ENDED, drop_unfinished)


@saboteur("3.4.7-4", "send sets JMSRedelivered on the sender's message")
def _(patch: Patch) -> None:
    def write_headers(original: Callable[..., None], message: Message, stamp: Stamp) -> None:
        original(message, stamp)
        message.jms_redelivered = True

    patch.at(fault_points.HEADERS_WRITTEN, write_headers)
