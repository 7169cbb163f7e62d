"""Faults in 3.12: messages of another implementation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from faults.kit.common import after_send
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.client.producers import Options, ReferenceProducer
from reference_provider.messages.message import ReferenceMessage
from tck.api import Destination, JMSException, Message, StreamMessage


@saboteur(
    "3.12-1",
    "send refuses messages of other implementations",
    collateral={
        "3.12-10": "it sends messages of another implementation",
        "3.12-12": "it sends messages of another implementation",
        "3.12-9": "it sends messages of another implementation",
    },
)
def _(patch: Patch) -> None:
    def prepare(
        original: Callable[..., Any],
        producer: ReferenceProducer,
        message: Message,
        destination: Destination,
        options: Options,
    ) -> Any:
        if not isinstance(message, ReferenceMessage):
            raise JMSException(f"{type(message).__name__} is not a class of this provider")
        return original(producer, message, destination, options)

    patch.at(fault_points.SEND_PREPARED, prepare)


@saboteur(
    "3.12-2",
    "the body of a stream message of another implementation is lost",
    collateral={"3.12-10": "it sends stream messages of another implementation"},
)
def _(patch: Patch) -> None:
    def fault(sender: ReferenceProducer, message: Message, entry: StoredMessage, options: Options) -> None:
        if isinstance(message, StreamMessage) and not isinstance(message, ReferenceMessage):
            entry.snapshot = entry.snapshot._replace(body=())

    after_send(patch, fault)


@saboteur(
    "3.12-3",
    "the properties of messages of other implementations are lost",
    collateral={"3.12-12": "it reads properties of messages of another implementation"},
)
def _(patch: Patch) -> None:
    def fault(sender: ReferenceProducer, message: Message, entry: StoredMessage, options: Options) -> None:
        if not isinstance(message, ReferenceMessage):
            own = {name: value for name, value in entry.snapshot.properties.items() if name.startswith("JMSX")}
            entry.snapshot = entry.snapshot._replace(properties=own)

    after_send(patch, fault)
