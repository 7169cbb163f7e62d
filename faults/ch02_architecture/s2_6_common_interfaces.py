"""Faults in 2.6: interfaces common to all APIs."""

from __future__ import annotations

from typing import Any

from faults.kit.common import around, unsupported
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider.client.context import ReferenceContext
from reference_provider.client.session_factories import SessionFactories
from reference_provider.client.sessions import ReferenceSession
from tck.api import Destination, InvalidDestinationException


@saboteur("2.6-1", "JMSContext.createStreamMessage is not supported")
def _(patch: Patch) -> None:
    unsupported(patch, ReferenceContext, "create_stream_message", "a context makes no stream messages")


@saboteur("2.6-2", "createProducer refuses destinations that a session created")
def _(patch: Patch) -> None:
    made: list[Destination] = []
    for name in ("create_queue", "create_topic", "create_temporary_queue", "create_temporary_topic"):
        _note_made(patch, name, made)

    def create_producer(original: Any, self: ReferenceSession, destination: Destination | None) -> Any:
        if any(destination is one for one in made):
            raise InvalidDestinationException(f"{destination} is not administered")
        return original(self, destination)

    around(patch, ReferenceSession, "create_producer", create_producer)


def _note_made(patch: Patch, name: str, made: list[Destination]) -> None:
    original = getattr(SessionFactories, name)

    def make(self: SessionFactories, *arguments: object) -> Destination:
        destination: Destination = original(self, *arguments)
        made.append(destination)
        return destination

    patch.replace(SessionFactories, name, make)
