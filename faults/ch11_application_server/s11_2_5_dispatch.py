"""Faults in 11.2.5: the steps in which a connection consumer uses a server session."""

from __future__ import annotations

from collections.abc import Callable

from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from faults.kit.servers import connection_of, created, started
from reference_provider.client.application_server import fault_points as server_points
from reference_provider.client.application_server.connection_consumers import ReferenceConnectionConsumer
from reference_provider.client.application_server.server_session import ServerSessionRunner
from tck.api import QueueSession, ServerSession, TopicSession


@saboteur("11.2.5-1", "a server session is asked for its session only when it is first taken")
def _(patch: Patch) -> None:
    known: dict[ServerSession, ServerSessionRunner] = {}

    def ask(original: Callable[..., ServerSessionRunner], server_session: ServerSession) -> ServerSessionRunner:
        if server_session not in known:
            known[server_session] = original(server_session)
        return known[server_session]

    patch.at(server_points.SERVER_SESSION_ASKED, ask)


@saboteur(
    "11.2.5-2", "where three messages may be loaded, a further server session is started without one after each batch"
)
def _(patch: Patch) -> None:
    def fault(consumer: ReferenceConnectionConsumer, server_session: ServerSession, start: Callable[[], None]) -> None:
        start()
        if consumer.max_messages == 3:
            further = consumer.take_server_session()
            assert further.session is not None
            further.start()

    started(patch, fault)


@saboteur(
    "11.2.5-3",
    "where two messages may be loaded, a QueueSession or TopicSession that is younger than the connection consumer is refused",
)
def _(patch: Patch) -> None:
    older: dict[object, set[object]] = {}

    def create(original: Callable[..., ReferenceConnectionConsumer], connection: object, *arguments: object) -> object:
        consumer = original(connection, *arguments)
        older[consumer] = set(connection_of(consumer).sessions)
        return consumer

    def take(original: Callable[..., ServerSession], consumer: ReferenceConnectionConsumer) -> ServerSession:
        server_session = original(consumer)
        session = server_session.session
        specific = isinstance(session, QueueSession | TopicSession)
        if specific and consumer.max_messages == 2 and session not in older.get(consumer, {session}):
            raise TypeError("the session is no plain Session")
        return server_session

    created(patch, "create_connection_consumer", create)
    patch.at(server_points.SERVER_SESSION_TAKEN, take)
