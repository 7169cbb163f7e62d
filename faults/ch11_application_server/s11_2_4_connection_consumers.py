"""Faults in 11.2.4: the destination, the pool and the limit of a connection consumer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from faults.kit.servers import created
from reference_provider.broker.delivery import Delivery
from reference_provider.client.application_server import fault_points as server_points
from reference_provider.client.application_server.connection_consumers import ReferenceConnectionConsumer
from reference_provider.client.application_server.server_session import ServerSessionRunner
from reference_provider.client.connections import ReferenceConnection
from tck.api import QueueConnection, ServerSessionPool, TemporaryQueue, TemporaryTopic, TopicConnection


def _inert(patch: Patch, *, domain_specific: bool) -> None:
    """Return a connection consumer that feeds nothing, of a temporary destination."""

    def create(original: Callable[..., Any], connection: ReferenceConnection, destination: object, *others: Any) -> Any:
        consumer = original(connection, destination, *others)
        specific = isinstance(connection, QueueConnection | TopicConnection)
        if isinstance(destination, TemporaryQueue | TemporaryTopic) and specific is domain_specific:
            consumer.close()
        return consumer

    created(patch, "create_connection_consumer", create)


@saboteur("11.2.4-1", "a connection consumer of a temporary destination feeds nothing")
def _(patch: Patch) -> None:
    _inert(patch, domain_specific=False)


@saboteur(
    "11.2.4-2", "a connection consumer of a QueueConnection or TopicConnection of a temporary destination feeds nothing"
)
def _(patch: Patch) -> None:
    _inert(patch, domain_specific=True)


@saboteur("11.2.4-4", "the third connection consumer of a connection uses the pool of the first one")
def _(patch: Patch) -> None:
    pools: dict[ReferenceConnection, list[ServerSessionPool]] = {}

    def create(
        original: Callable[..., Any],
        connection: ReferenceConnection,
        destination: object,
        selector: object,
        pool: ServerSessionPool,
        max_messages: int,
    ) -> Any:
        used = pools.setdefault(connection, [])
        used.append(pool)
        return original(connection, destination, selector, used[0] if len(used) == 3 else pool, max_messages)

    created(patch, "create_connection_consumer", create)


@saboteur("11.2.4-5", "where five messages may be loaded, a session is loaded with all that wait")
def _(patch: Patch) -> None:
    def load(
        original: Callable[..., bool],
        consumer: ReferenceConnectionConsumer,
        runner: ServerSessionRunner,
        first: Delivery,
    ) -> bool:
        if consumer.max_messages == 5:
            consumer.max_messages = 100
        return original(consumer, runner, first)

    patch.at(server_points.SESSION_LOADED, load)


@saboteur("11.2.4-15", "getServerSessionPool() returns null")
def _(patch: Patch) -> None:
    patch.replace(ReferenceConnectionConsumer, "server_session_pool", property(lambda self: None))
