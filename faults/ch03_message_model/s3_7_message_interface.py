"""Faults in 3.7: messages without a body."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.client.producers import Options, ReferenceProducer
from reference_provider.messages import ReferenceMessage
from tck.api import Destination, Message, MessageFormatException


@saboteur("3.7-1", "a message without a body cannot be sent")
def _(patch: Patch) -> None:
    def prepare(
        original: Callable[..., Any],
        producer: ReferenceProducer,
        message: Message,
        destination: Destination,
        options: Options,
    ) -> Any:
        if type(message) is ReferenceMessage:
            raise MessageFormatException("the message has no body")
        return original(producer, message, destination, options)

    patch.at(fault_points.SEND_PREPARED, prepare)
