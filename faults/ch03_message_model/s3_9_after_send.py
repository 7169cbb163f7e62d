"""Faults in 3.9: messages that the client changes after the send."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from faults.kit.common import after_send, as_received
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.broker.delivery import Delivery
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.client.producers import Options, ReferenceProducer
from reference_provider.messages.bytes_message import ReferenceBytesMessage
from tck.api import Destination, JMSException, Message


def _sender_shown(patch: Patch, fault: Any) -> None:  # a function of the received and the sender's message
    sent: dict[int, tuple[StoredMessage, Any]] = {}

    def remember(sender: ReferenceProducer, message: Message, entry: StoredMessage, options: Options) -> None:
        sent[id(entry)] = (entry, message)

    def show(message: Message, delivery: Delivery) -> None:
        if id(delivery.entry) in sent:
            fault(message, sent[id(delivery.entry)][1])

    after_send(patch, remember)
    as_received(patch, show)


@saboteur("3.9-1", "the receiver reads the body of the sender's bytes message")
def _(patch: Patch) -> None:
    def fault(message: Any, sender: Any) -> None:
        if isinstance(message, ReferenceBytesMessage):
            message._restore_body(sender._frozen_body())

    _sender_shown(patch, fault)


@saboteur("3.9-2", "sender and receiver share the properties of a message")
def _(patch: Patch) -> None:
    def fault(message: Any, sender: Any) -> None:
        message._properties = sender._properties

    _sender_shown(patch, fault)


@saboteur("3.9-3", "send makes the sender's bytes message read-only")
def _(patch: Patch) -> None:
    def fault(sender: ReferenceProducer, message: Message, entry: StoredMessage, options: Options) -> None:
        if isinstance(message, ReferenceBytesMessage):
            message.reset()

    after_send(patch, fault)


@saboteur("3.9-4", "a message cannot be sent twice")
def _(patch: Patch) -> None:
    def prepare(
        original: Callable[..., Any],
        producer: ReferenceProducer,
        message: Message,
        destination: Destination,
        options: Options,
    ) -> Any:
        if message.jms_message_id is not None:
            raise JMSException("the message was sent before")
        return original(producer, message, destination, options)

    patch.at(fault_points.SEND_PREPARED, prepare)
