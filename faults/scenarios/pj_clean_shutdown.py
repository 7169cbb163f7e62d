"""Faults with starting, stopping and closing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from faults.kit.common import acknowledge_ignored, connection_of, session_of
from faults.kit.connections import received_before_start
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from faults.kit.pauses import A_MINUTE, Undeterred, after_stop, listening, pause
from reference_provider import fault_points
from reference_provider.client.connections import ReferenceConnection
from reference_provider.client.consumers import ReferenceConsumer
from reference_provider.client.metadata import ReferenceMetaData
from reference_provider.client.sessions import ReferenceSession
from tck.api import Session

_HONEST: Any = ReferenceConnection.client_id


@saboteur("pj-clean-shutdown-1", "a connection that was never started delivers to a receive that does not wait")
def _(patch: Patch) -> None:
    received_before_start(patch)


@saboteur("pj-clean-shutdown-2", "stop does not reach the listeners of a connection with two sessions")
def _(patch: Patch) -> None:
    undeterred = Undeterred(patch)

    def go_on(connection: ReferenceConnection) -> None:
        for session in listening(connection) if len(connection.sessions) > 1 else ():
            undeterred.add(session)

    after_stop(patch, go_on)


@saboteur("pj-clean-shutdown-3", "a receive without a limit goes on for a minute after its consumer is closed")
def _(patch: Patch) -> None:
    def next_delivery(original: Callable[..., Any], consumer: ReferenceConsumer, timeout: int | None) -> Any:
        delivery = original(consumer, timeout)
        if delivery is None and timeout is None:
            pause(connection_of(session_of(consumer)), A_MINUTE)
        return delivery

    patch.at(fault_points.MESSAGE_AWAITED, next_delivery)


@saboteur("pj-clean-shutdown-4", "acknowledge does nothing after the connection is closed")
def _(patch: Patch) -> None:
    acknowledge_ignored(patch, connection_closed=True)


@saboteur("pj-clean-shutdown-5", "the end of a session acknowledges two or more messages in CLIENT_ACKNOWLEDGE mode")
def _(patch: Patch) -> None:
    def drop_unfinished(original: Callable[[ReferenceSession], None], session: ReferenceSession) -> None:
        owed = list(session.state.unacknowledged)
        if session.mode == Session.CLIENT_ACKNOWLEDGE and len(owed) > 1:
            session.state.unacknowledged.clear()
            session.state.acknowledge(owed, durable=True)
        original(session)

    patch.at(fault_points.SESSION_ENDED, drop_unfinished)


@saboteur("pj-clean-shutdown-6", "an attempt to replace a configured identifier is ignored")
def _(patch: Patch) -> None:
    def set_client_id(connection: ReferenceConnection, client_id: str | None) -> None:
        if not connection._client_id_configured:
            _HONEST.fset(connection, client_id)

    patch.replace(ReferenceConnection, "client_id", property(_HONEST.fget, set_client_id))


@saboteur("pj-clean-shutdown-8", "getJMSMinorVersion stays 9")
def _(patch: Patch) -> None:
    patch.replace(ReferenceMetaData, "jms_minor_version", property(lambda self: 9))
