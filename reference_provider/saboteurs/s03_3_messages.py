"""Faults in 3.3, 3.6 and 3.7: what every kind of message has, acknowledgment, messages without a body."""

from __future__ import annotations

from typing import Any

from reference_provider.broker.delivery import Delivery
from reference_provider.broker.transactions import Work
from reference_provider.client.producers import Options, ReferenceProducer
from reference_provider.client.sessions import ReferenceSession
from reference_provider.messages import ReferenceMessage
from reference_provider.messages.stream_message import ReferenceStreamMessage
from reference_provider.saboteurs.faults import as_received
from reference_provider.saboteurs.registry import Patch, saboteur
from tck.api import BytesMessage, Destination, IllegalStateException, Message, MessageFormatException, Session


@saboteur("3.3-1", "stream messages lose their JMSType")
def _(patch: Patch) -> None:
    def fault(message: Message, delivery: Delivery) -> None:
        if isinstance(message, ReferenceStreamMessage):
            message.jms_type = None

    as_received(patch, fault)


@saboteur("3.3-2", "bytes messages lose their properties")
def _(patch: Patch) -> None:
    def fault(message: Any, delivery: Delivery) -> None:
        if isinstance(message, BytesMessage):
            message._properties = {}  # type: ignore[attr-defined]

    as_received(patch, fault)


@saboteur("3.6-1", "acknowledge does nothing on a stream message")
def _(patch: Patch) -> None:
    patch.replace(ReferenceStreamMessage, "acknowledge", lambda self: None)


def _acknowledge(patch: Patch, mode: int, fault: Any) -> None:
    """Have `Message.acknowledge` do something else in sessions of one mode."""
    original = ReferenceSession.acknowledge_from_message

    def acknowledge_from_message(self: ReferenceSession) -> None:
        if self.mode == mode:
            fault(self)
        else:
            original(self)

    patch.replace(ReferenceSession, "acknowledge_from_message", acknowledge_from_message)


def _refuse(session: ReferenceSession) -> None:
    raise IllegalStateException("there is nothing to acknowledge")


@saboteur("3.6-2", "acknowledge in DUPS_OK_ACKNOWLEDGE raises IllegalStateException")
def _(patch: Patch) -> None:
    _acknowledge(patch, Session.DUPS_OK_ACKNOWLEDGE, _refuse)


def _settle(session: ReferenceSession) -> None:
    consumed = Work(session.broker)
    consumed.acks, session.state.work.acks = session.state.work.acks, []
    consumed.perform()


@saboteur("3.6-3", "acknowledge in a transaction consumes the message for good")
def _(patch: Patch) -> None:
    _acknowledge(patch, Session.SESSION_TRANSACTED, _settle)


@saboteur("3.7-1", "a message without a body cannot be sent")
def _(patch: Patch) -> None:
    original = ReferenceProducer.prepare

    def prepare(self: ReferenceProducer, message: Message, destination: Destination, options: Options) -> Any:
        if type(message) is ReferenceMessage:
            raise MessageFormatException("the message has no body")
        return original(self, message, destination, options)

    patch.replace(ReferenceProducer, "prepare", prepare)
