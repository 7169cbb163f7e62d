"""Faults in 7.3.4: calls that a completion callback must not make."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from faults.kit.common import around, connection_of
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from faults.kit.pauses import pause
from reference_provider import fault_points
from reference_provider.client.connections import ReferenceConnection
from reference_provider.client.context import ReferenceContext
from reference_provider.client.producers import ReferenceProducer
from reference_provider.client.sessions import ReferenceSession
from tck.api import Session


@saboteur("7.3.4-8", "close() of a producer in its callback hangs in a transacted session")
def _(patch: Patch) -> None:
    def close(original: Callable[..., None], producer: ReferenceProducer) -> None:
        session: Any = producer.session
        if session.completions.is_current_thread() and session.mode == Session.SESSION_TRANSACTED:
            pause(session.connection)
        original(producer)

    around(patch, ReferenceProducer, "close", close)


@saboteur("7.3.4-9", "close() of a session in its callback is accepted in CLIENT_ACKNOWLEDGE")
def _(patch: Patch) -> None:
    def close(original: Callable[..., None], session: ReferenceSession) -> None:
        if not (session.completions.is_current_thread() and session.mode == Session.CLIENT_ACKNOWLEDGE):
            original(session)

    around(patch, ReferenceSession, "close", close)


@saboteur("7.3.4-10", "close() of a connection is accepted in the callback of its second session")
def _(patch: Patch) -> None:
    def close(original: Callable[..., None], connection: ReferenceConnection) -> None:
        if not any(session.completions.is_current_thread() for session in connection.sessions[1:]):
            original(connection)

    patch.at(fault_points.CONNECTION_CLOSED, close)


@saboteur("7.3.4-11", "close() of a context in its callback hangs where its connection has two")
def _(patch: Patch) -> None:
    def close(original: Callable[..., None], context: ReferenceContext) -> None:
        connection = connection_of(context.session)
        if context.session.completions.is_current_thread() and len(connection.sessions) > 1:
            pause(connection)
        original(context)

    around(patch, ReferenceContext, "close", close)


@saboteur("7.3.4-12", "commit() in a callback commits")
def _(patch: Patch) -> None:
    def commit(original: Callable[..., None], session: ReferenceSession) -> None:
        if session.completions.is_current_thread():
            session.state.next_transaction().perform()
        else:
            original(session)

    patch.at(fault_points.COMMIT, commit)


@saboteur("7.3.4-13", "rollback() in a callback waits for that callback")
def _(patch: Patch) -> None:
    def rollback(original: Callable[..., None], session: ReferenceSession) -> None:
        if session.completions.is_current_thread():
            pause(connection_of(session))
        original(session)

    around(patch, ReferenceSession, "rollback", rollback)
