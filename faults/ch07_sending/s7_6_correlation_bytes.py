"""Faults in 7.6: JMSCorrelationID set as bytes on a JMSProducer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.client.simplified import ReferenceJMSProducer
from tck.api import Message


@saboteur("7.6-5", "bytes of the producer that are no text are replaced by question marks")
def _(patch: Patch) -> None:
    def overlay(original: Callable[..., None], producer: ReferenceJMSProducer, message: Message) -> None:
        original(producer, message)
        own = producer.get_jms_correlation_id_as_bytes()
        if own is not None:
            message.jms_correlation_id_as_bytes = own.decode("ascii", "replace").encode("ascii", "replace")

    patch.at(fault_points.PRODUCER_APPLIED, overlay)


@saboteur("7.6-7", "a message has the bytes that the array holds when it is sent")
def _(patch: Patch) -> None:
    original = ReferenceJMSProducer.set_jms_correlation_id_as_bytes
    arrays: dict[int, tuple[ReferenceJMSProducer, Any]] = {}

    def set_bytes(self: ReferenceJMSProducer, array: Any) -> Any:
        arrays[id(self)] = (self, array)
        return original(self, array)

    def from_array(apply: Callable[..., None], producer: ReferenceJMSProducer, message: Message) -> None:
        apply(producer, message)
        array = arrays.get(id(producer), (producer, None))[1]
        if isinstance(array, bytearray):
            message.jms_correlation_id_as_bytes = bytes(array)

    patch.replace(ReferenceJMSProducer, "set_jms_correlation_id_as_bytes", set_bytes)
    patch.at(fault_points.PRODUCER_APPLIED, from_array)
