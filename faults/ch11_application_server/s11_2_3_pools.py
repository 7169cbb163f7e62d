"""Faults in 11.2.3: the use of the pool."""

from __future__ import annotations

from collections.abc import Callable

from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from faults.kit.servers import connection_of, created, started
from reference_provider.broker.delivery import Delivery
from reference_provider.client.application_server import fault_points as server_points
from reference_provider.client.application_server.connection_consumers import ReferenceConnectionConsumer
from reference_provider.client.application_server.server_session import ServerSessionRunner
from tck.api import JMSException, ServerSession

_LONG_MS = 1000


@saboteur("11.2.3-1", "where eight messages may be loaded, a server session is started twice for each time it is taken")
def _(patch: Patch) -> None:
    def fault(consumer: ReferenceConnectionConsumer, server_session: ServerSession, start: Callable[[], None]) -> None:
        start()
        if consumer.max_messages == 8:
            start()

    started(patch, fault)


@saboteur("11.2.3-2", "where nine messages may be loaded, the first one is dropped if the pool has blocked for long")
def _(patch: Patch) -> None:
    blocked = set[ReferenceConnectionConsumer]()

    def take(original: Callable[..., ServerSession], consumer: ReferenceConnectionConsumer) -> ServerSession:
        clock = connection_of(consumer).broker.clock
        before = clock.now()
        server_session = original(consumer)
        if clock.now() - before > _LONG_MS and consumer.max_messages == 9:
            blocked.add(consumer)
        return server_session

    def load(
        original: Callable[..., bool],
        consumer: ReferenceConnectionConsumer,
        runner: ServerSessionRunner,
        first: Delivery,
    ) -> bool:
        loaded = original(consumer, runner, first)
        if consumer in blocked:
            blocked.remove(consumer)
            runner.loaded.popleft()
        return loaded

    patch.at(server_points.SERVER_SESSION_TAKEN, take)
    patch.at(server_points.SESSION_LOADED, load)


@saboteur("11.2.3-3", "a connection consumer with a selector uses its last server session again instead of the pool")
def _(patch: Patch) -> None:
    selecting = set[object]()
    last: dict[ReferenceConnectionConsumer, ServerSession] = {}

    def create(original: Callable[..., object], connection: object, *arguments: object) -> object:
        consumer = original(connection, *arguments)
        if arguments[1]:
            selecting.add(consumer)
        return consumer

    def take(original: Callable[..., ServerSession], consumer: ReferenceConnectionConsumer) -> ServerSession:
        if consumer not in last:
            last[consumer] = original(consumer)
            return last[consumer]
        return last[consumer] if consumer in selecting and consumer.max_messages == 1 else original(consumer)

    created(patch, "create_connection_consumer", create)
    patch.at(server_points.SERVER_SESSION_TAKEN, take)


@saboteur("11.2.3-4", "a server session whose session was created within the call of the pool is refused")
def _(patch: Patch) -> None:
    def take(original: Callable[..., ServerSession], consumer: ReferenceConnectionConsumer) -> ServerSession:
        before = len(connection_of(consumer).sessions)
        server_session = original(consumer)
        if len(connection_of(consumer).sessions) > before:
            raise JMSException("the server session is new")
        return server_session

    patch.at(server_points.SERVER_SESSION_TAKEN, take)
