"""Faults in 9.2: connections of one domain."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.client.connection_factories import Factory
from reference_provider.client.connections import ReferenceConnection
from reference_provider.client.domain_specific import ReferenceQueueConnection, ReferenceTopicConnection
from reference_provider.messages import send_properties
from tck.api import OMITTED

_OF_ONE_DOMAIN = (ReferenceQueueConnection, ReferenceTopicConnection)
_Connect = Callable[..., ReferenceConnection]


def _let_through(patch: Patch, name: str, when: Callable[[ReferenceConnection], bool]) -> None:
    """Let calls of a method through to the common implementation under a condition."""
    refuse, common = getattr(ReferenceQueueConnection, name), getattr(ReferenceConnection, name)

    def method(self: ReferenceConnection, *arguments: Any, **named: Any) -> Any:
        return (common if when(self) else refuse)(self, *arguments, **named)

    patch.replace(ReferenceQueueConnection, name, method)


@saboteur("9.2-1", "a started QueueConnection creates a connection consumer on a shared subscription")
def _(patch: Patch) -> None:
    _let_through(patch, "create_shared_connection_consumer", lambda connection: connection.running)


@saboteur("9.2-2", "a QueueConnection that is not started creates a connection consumer on a durable subscription")
def _(patch: Patch) -> None:
    _let_through(patch, "create_durable_connection_consumer", lambda connection: not connection.running)


@saboteur("9.2-3", "a QueueConnection with a session creates a connection consumer on a shared durable subscription")
def _(patch: Patch) -> None:
    _let_through(patch, "create_shared_durable_connection_consumer", lambda connection: bool(connection.sessions))


@saboteur("9.2-14", "a QueueConnection or TopicConnection with credentials is created started")
def _(patch: Patch) -> None:
    def connect(original: _Connect, factory: Factory, kind: Any, user: Any, password: Any) -> ReferenceConnection:
        made = original(factory, kind, user, password)
        made.running = user is not OMITTED and kind in _OF_ONE_DOMAIN
        return made

    patch.at(fault_points.CONNECTION_OPENED, connect)


@saboteur("9.2-15", "the connections of one domain of a factory act for the user of the first")
def _(patch: Patch) -> None:
    first: dict[int, tuple[Factory, str | None]] = {}

    def connect(original: _Connect, factory: Factory, kind: Any, user: Any, password: Any) -> ReferenceConnection:
        made = original(factory, kind, user, password)
        if user is not OMITTED and kind in _OF_ONE_DOMAIN:
            made.user = first.setdefault(id(factory), (factory, made.user))[1]
            made.send_properties = send_properties(user=made.user, application=made.identity)
        return made

    patch.at(fault_points.CONNECTION_OPENED, connect)
