"""Faults in 3.4.5: JMSCorrelationID."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from faults.kit.common import as_received
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.broker.delivery import Delivery
from reference_provider.client.producers import ReferenceProducer
from reference_provider.messages import ReferenceMessage
from tck.api import Message


@saboteur("3.4.5-1", "a JMSCorrelationID that begins with ID: loses the prefix")
def _(patch: Patch) -> None:
    def fault(message: Message, delivery: Delivery) -> None:
        text = delivery.entry.snapshot.correlation
        if isinstance(text, str) and text.startswith("ID:"):
            message.jms_correlation_id = text.removeprefix("ID:")

    as_received(patch, fault)


@saboteur("3.4.5-2", "a JMSCorrelationID of the application is cut to 24 bytes")
def _(patch: Patch) -> None:
    def fault(message: Message, delivery: Delivery) -> None:
        text = delivery.entry.snapshot.correlation
        if isinstance(text, str) and not text.startswith("ID:"):
            message.jms_correlation_id = text.encode()[:24].decode(errors="ignore")

    as_received(patch, fault)


@saboteur("3.4.5-3", "a JMSCorrelationID that was not set arrives as the message id")
def _(patch: Patch) -> None:
    def fault(message: Message, delivery: Delivery) -> None:
        if delivery.entry.snapshot.correlation is None:
            message.jms_correlation_id = delivery.entry.message_id

    as_received(patch, fault)


@saboteur("3.4.5-4", "a JMSCorrelationID set as bytes arrives as null")
def _(patch: Patch) -> None:
    def fault(message: Message, delivery: Delivery) -> None:
        if isinstance(delivery.entry.snapshot.correlation, bytes):
            message.jms_correlation_id_as_bytes = None

    as_received(patch, fault)


@saboteur("3.4.5-6", "the message keeps a reference to the byte array of its JMSCorrelationID")
def _(patch: Patch) -> None:
    honest: Any = ReferenceMessage.jms_correlation_id_as_bytes

    def store(self: ReferenceMessage, value: Any) -> None:  # an array of any kind
        self._correlation = value

    def prepare(original: Callable[..., Any], producer: ReferenceProducer, message: Any, *arguments: Any) -> Any:
        if isinstance(message._correlation, bytearray):
            message._correlation = bytes(message._correlation)
        return original(producer, message, *arguments)

    patch.replace(ReferenceMessage, "jms_correlation_id_as_bytes", property(honest.fget, store))
    patch.at(fault_points.SEND_PREPARED, prepare)
