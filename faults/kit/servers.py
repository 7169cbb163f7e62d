"""Helpers of faults in connection consumers and in sessions with listeners of their own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from faults.kit.common import around
from faults.kit.patch import Patch
from reference_provider.broker.delivery import Delivery
from reference_provider.client.application_server import fault_points as server_points
from reference_provider.client.application_server.connection_consumers import ReferenceConnectionConsumer
from reference_provider.client.application_server.server_session import ServerSessionRunner
from reference_provider.client.connections import ReferenceConnection
from reference_provider.client.sessions import ReferenceSession
from tck.api import ServerSession


def session_of(runner: ServerSessionRunner) -> ReferenceSession:
    """Return the session of a runner, with all that faults reach for."""
    return cast("ReferenceSession", runner.session)


def connection_of(consumer: ReferenceConnectionConsumer) -> ReferenceConnection:
    """Return the connection of a connection consumer, with all that faults reach for."""
    return cast("ReferenceConnection", consumer.connection)


def started(
    patch: Patch, fault: Callable[[ReferenceConnectionConsumer, ServerSession, Callable[[], None]], None]
) -> None:
    """Run `fault` in place of each start of a server session; it gets the connection consumer, the session and the start."""

    def start(
        original: Callable[..., None], consumer: ReferenceConnectionConsumer, server_session: ServerSession
    ) -> None:
        fault(consumer, server_session, lambda: original(consumer, server_session))

    patch.at(server_points.SERVER_SESSION_STARTED, start)


def after_load(patch: Patch, fault: Callable[[ReferenceConnectionConsumer, ServerSessionRunner], None]) -> None:
    """Run `fault` after messages have been loaded into a session."""

    def load(
        original: Callable[..., bool],
        consumer: ReferenceConnectionConsumer,
        runner: ServerSessionRunner,
        first: Delivery,
    ) -> bool:
        loaded = original(consumer, runner, first)
        if loaded:
            fault(consumer, runner)
        return loaded

    patch.at(server_points.SESSION_LOADED, load)


def created(patch: Patch, name: str, fault: Callable[..., Any]) -> None:
    """Replace a method that creates connection consumers by `fault`, whose first argument is the original method."""
    around(patch, ReferenceConnection, name, fault)
