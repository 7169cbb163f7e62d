"""Faults in 2.5: the sets of interfaces."""

from __future__ import annotations

from typing import Any

from faults.kit.common import unsupported
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider.client.connection_factories import ReferenceQueueConnectionFactory
from reference_provider.client.context import ReferenceContext
from reference_provider.client.producers import ReferenceProducer
from tck.api import OMITTED, Message, MessageFormatException


@saboteur(
    "2.5-1",
    "createQueueConnection is not supported",
    collateral={"2.5-2": "its messages and destinations come from all interfaces"},
)
def _(patch: Patch) -> None:
    unsupported(
        patch, ReferenceQueueConnectionFactory, "create_queue_connection", "the old interfaces are not supported"
    )


@saboteur("2.5-2", "a MessageProducer refuses messages that a JMSContext created")
def _(patch: Patch) -> None:
    made: list[Message] = []
    creating, sending = ReferenceContext.create_text_message, ReferenceProducer.send

    def create_text_message(self: ReferenceContext, text: Any = OMITTED) -> Any:
        message = creating(self, text)
        made.append(message)
        return message

    def send(self: ReferenceProducer, message: Message, **options: Any) -> None:
        if any(message is one for one in made):
            raise MessageFormatException("the message is of another interface")
        sending(self, message, **options)

    patch.replace(ReferenceContext, "create_text_message", create_text_message)
    patch.replace(ReferenceProducer, "send", send)
