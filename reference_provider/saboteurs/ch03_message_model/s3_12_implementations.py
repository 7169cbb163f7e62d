"""Faults in 3.12: messages of another implementation."""

from __future__ import annotations

from typing import Any

from reference_provider.client.producers import Options, ReferenceProducer
from reference_provider.messages import snapshots
from reference_provider.messages.message import ReferenceMessage
from reference_provider.saboteurs.registry import Patch, saboteur
from tck.api import Destination, JMSException, Message


@saboteur("3.12-1", "send refuses messages of other implementations")
def _(patch: Patch) -> None:
    original = ReferenceProducer.prepare

    def prepare(self: ReferenceProducer, message: Message, destination: Destination, options: Options) -> Any:
        if not isinstance(message, ReferenceMessage):
            raise JMSException(f"{type(message).__name__} is not a class of this provider")
        return original(self, message, destination, options)

    patch.replace(ReferenceProducer, "prepare", prepare)


@saboteur("3.12-2", "the body of a stream message of another implementation is lost")
def _(patch: Patch) -> None:
    patch.replace(snapshots, "foreign_items", lambda message: ())


@saboteur("3.12-3", "the properties of messages of other implementations are lost")
def _(patch: Patch) -> None:
    patch.replace(snapshots, "foreign_properties", lambda message, model: {})
