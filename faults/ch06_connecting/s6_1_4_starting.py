"""Faults in 6.1.4: what start() begins, and what must not wait for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from faults.kit.common import around, connection_of, session_of
from faults.kit.connections import Connections, of_contexts, received_before_start, started
from faults.kit.declaring import nearly_right, saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.broker.physical_destinations import PhysicalDestination
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.client.connection_factories import ReferenceConnectionFactory
from reference_provider.client.connections import ReferenceConnection
from reference_provider.client.consumers import ReferenceConsumer
from reference_provider.client.sessions import ReferenceSession
from tck.api import MessageListener, Session


@saboteur(
    "6.1.4-2",
    "a context delivers from the start, whatever its auto-start is",
    collateral={
        **dict.fromkeys(
            ("6.1.4-3", "6.1.4-4", "6.1.4-11", "6.1.4-13", "6.1.4-14"),
            "its context has auto-start off, in this mode too",
        ),
        "6.1.4-12": "its context has auto-start off",
    },
)
def _(patch: Patch) -> None:
    _running(patch, lambda _mode: True)


def _running(patch: Patch, applies: Callable[[Any], bool]) -> None:
    """Start the connections of contexts in some modes when the context is created."""

    def create(original: Callable[..., Any], factory: ReferenceConnectionFactory, **options: Any) -> Any:
        context = original(factory, **options)
        if applies(options.get("session_mode")):
            context.connection.running = True
        return context

    around(patch, ReferenceConnectionFactory, "create_context", create)


@nearly_right(
    "dups-ok-context-delivers-from-the-start",
    "a context in DUPS_OK_ACKNOWLEDGE delivers from the start, whatever its auto-start is",
    "6.1.4-2",
)
def _(patch: Patch) -> None:
    _running(patch, lambda mode: mode == Session.DUPS_OK_ACKNOWLEDGE)


@saboteur(
    "6.1.4-3",
    "a receive that does not wait finds messages on a connection that was never started, unless a context owns it",
    collateral={"6.1.4-17": "it looks for its own message before start()"},
)
def _(patch: Patch) -> None:
    received_before_start(patch)


@saboteur("6.1.4-4", "a listener that replaces another starts the connection")
def _(patch: Patch) -> None:
    honest: Any = ReferenceConsumer.message_listener

    def set_listener(self: ReferenceConsumer, listener: MessageListener | None) -> None:
        replaces = honest.fget(self) is not None
        honest.fset(self, listener)
        if replaces:
            connection_of(session_of(self)).start()

    patch.replace(ReferenceConsumer, "message_listener", property(honest.fget, set_listener))


def _deaf(patch: Patch, sessions: Connections) -> None:
    """Let the receives of these sessions find nothing."""

    def next_delivery(original: Callable[..., Any], consumer: ReferenceConsumer, timeout: int | None) -> Any:
        return None if consumer.session in sessions else original(consumer, timeout)

    patch.at(fault_points.MESSAGE_AWAITED, next_delivery)


@saboteur("6.1.4-6", "start() reaches the receivers of the last session alone, where three or more are there")
def _(patch: Patch) -> None:
    deaf, contexts = Connections(), of_contexts(patch)

    def before_start(connection: ReferenceConnection) -> None:
        several = len(connection.sessions) > 2 and connection not in contexts
        for session in connection.sessions[:-1] if several else ():
            deaf.add(session)

    started(patch, before_start)
    _deaf(patch, deaf)


@saboteur(
    "6.1.4-7", "the sessions of a connection that was started without any receive nothing until it is started again"
)
def _(patch: Patch) -> None:
    bare, deaf = Connections(), Connections()

    def before_start(connection: ReferenceConnection) -> None:
        if not connection.sessions:
            bare.add(connection)

    def opened(original: Callable[..., Any], connection: ReferenceConnection, session: ReferenceSession) -> Any:
        if connection in bare:
            deaf.add(session)
        return original(connection, session)

    started(patch, before_start)
    patch.at(fault_points.SESSION_OPENED, opened)
    _deaf(patch, deaf)


@saboteur("6.1.4-17", "a connection that was never started keeps what is sent until it is")
def _(patch: Patch) -> None:
    kept: dict[int, list[Callable[[], None]]] = {}

    def before_start(connection: ReferenceConnection) -> None:
        for send in kept.pop(id(connection), []):
            send()

    ever, contexts = started(patch, before_start), of_contexts(patch)

    def submit(
        original: Callable[..., None], session: ReferenceSession, physical: PhysicalDestination, entry: StoredMessage
    ) -> None:
        connection = connection_of(session)
        if connection in ever or connection in contexts:
            original(session, physical, entry)
        else:
            kept.setdefault(id(connection), []).append(lambda: original(session, physical, entry))

    patch.at(fault_points.SEND_SUBMITTED, submit)
