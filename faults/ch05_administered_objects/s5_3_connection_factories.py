"""Faults in 5.3: connection factories."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from faults.kit.common import around
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.client.connection_factories import (
    Factory,
    Parameters,
    ReferenceConnectionFactory,
    ReferenceQueueConnectionFactory,
    ReferenceTopicConnectionFactory,
)
from tck.api import OMITTED, JMSException


@saboteur("5.3-1", "a factory ignores the password that it is configured with")
def _(patch: Patch) -> None:
    def connect(original: Callable[..., Any], factory: Factory, kind: Any, user: Any, password: Any) -> Any:
        configured = factory.parameters
        if configured.user_name is not None and user is OMITTED:
            factory.parameters = Parameters(client_id=configured.client_id)
        try:
            return original(factory, kind, user, password)
        finally:
            factory.parameters = configured

    patch.at(fault_points.CONNECTION_OPENED, connect)


def _used_up(patch: Patch, owner: type, name: str) -> None:
    """Refuse to make a connection once one that the same factory made is closed."""
    made: dict[int, list[tuple[Factory, Any]]] = {}

    def create(original: Callable[..., Any], factory: Factory, *credentials: Any) -> Any:
        connections = made.setdefault(id(factory), [])
        if any(connection.closed for _, connection in connections):
            raise JMSException("the factory is used up")
        connections.append((factory, original(factory, *credentials)))
        return connections[-1][1]

    around(patch, owner, name, create)


@saboteur(
    "5.3-2",
    "a ConnectionFactory makes no more connections once one of its connections is closed",
    collateral={"5.3-1": "it makes a second connection by one factory"},
)
def _(patch: Patch) -> None:
    _used_up(patch, ReferenceConnectionFactory, "create_connection")


@saboteur(
    "5.3-4",
    "a QueueConnectionFactory makes no more connections once one of its connections is closed",
    collateral={"5.3-1": "it makes a second connection by one factory"},
)
def _(patch: Patch) -> None:
    _used_up(patch, ReferenceQueueConnectionFactory, "create_queue_connection")


@saboteur(
    "5.3-5",
    "a TopicConnectionFactory makes no more connections once one of its connections is closed",
    collateral={"5.3-1": "it makes a second connection by one factory"},
)
def _(patch: Patch) -> None:
    _used_up(patch, ReferenceTopicConnectionFactory, "create_topic_connection")


@saboteur("5.3-7", "the fourth and the fifth thread that connect by one factory get the same connection")
def _(patch: Patch) -> None:
    made: dict[int, list[Any]] = {}
    lock = threading.Lock()  # guards the lists

    def create(original: Callable[..., Any], factory: Factory, *credentials: Any) -> Any:
        connection = original(factory, *credentials)
        if threading.current_thread() is threading.main_thread():
            return connection
        with lock:
            connections = made.setdefault(id(factory), [])
            connections.append(connection)
            return connections[3] if len(connections) == 5 else connection

    around(patch, ReferenceQueueConnectionFactory, "create_queue_connection", create)
    around(patch, ReferenceTopicConnectionFactory, "create_topic_connection", create)
