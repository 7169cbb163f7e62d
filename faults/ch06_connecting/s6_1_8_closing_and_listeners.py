"""Faults in 6.1.8: close() while message listeners run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from faults.kit.common import around, connection_of, session_of
from faults.kit.declaring import nearly_right, saboteur
from faults.kit.patch import Patch
from faults.kit.pauses import in_listener, pause
from faults.kit.sessions import called_once_more
from reference_provider import fault_points
from reference_provider.broker.delivery import Delivery
from reference_provider.client.connections import ReferenceConnection
from reference_provider.client.context import ReferenceContext
from reference_provider.client.dispatch import Dispatcher
from reference_provider.client.session_state import SessionState
from reference_provider.client.sessions import ReferenceSession
from tck.api import IllegalStateException, JMSRuntimeException, Session

_Settle = Callable[[SessionState, Delivery], None]


def _closing_in_listener(session: ReferenceSession) -> bool:
    return (session.closing or connection_of(session).closing) and session.in_listener()


@saboteur("6.1.8-7", "a listener cannot send once close() has been called")
def _(patch: Patch) -> None:
    def submit(original: Callable[..., None], session: ReferenceSession, *arguments: Any) -> None:
        if _closing_in_listener(session):
            raise IllegalStateException("the connection is being closed")
        original(session, *arguments)

    patch.at(fault_points.SEND_SUBMITTED, submit)


@saboteur("6.1.8-8", "a listener cannot commit received messages once close() has been called")
def _(patch: Patch) -> None:
    def commit(original: Callable[[ReferenceSession], None], session: ReferenceSession) -> None:
        if _closing_in_listener(session) and not session.state.work.sends:
            raise IllegalStateException("the connection is being closed")
        original(session)

    patch.at(fault_points.COMMIT, commit)


@saboteur("6.1.8-9", "the message of a listener that runs when close() is called is not acknowledged")
def _(patch: Patch) -> None:
    def settle(original: _Settle, state: SessionState, delivery: Delivery) -> None:
        if state.settles(delivery) and _closing_in_listener(_session(delivery)):
            state.broker.redelivery.redeliver([delivery])
        else:
            original(state, delivery)

    patch.at(fault_points.SETTLED, settle)


def _session(delivery: Delivery) -> ReferenceSession:
    consumer: Any = delivery.consumer
    return session_of(consumer)


@saboteur("6.1.8-10", "close() waits only for the listener of the session created first")
def _(patch: Patch) -> None:
    def wait_until_idle(original: Callable[..., None], dispatcher: Dispatcher, *consumer: object) -> None:
        connection = connection_of(session_of(dispatcher))
        if not connection.closing or connection.sessions[:1] == [dispatcher.session]:
            original(dispatcher, *consumer)

    around(patch, Dispatcher, "wait_until_idle", wait_until_idle)


@saboteur("6.1.8-12", "a listener that had a message is called once more after close()")
def _(patch: Patch) -> None:
    called_once_more(patch, 1, wait=20)


@saboteur(
    "6.1.8-21",
    "close() of a connection in its listener hangs",
    collateral={"6.1.8-23": "its listener closes the connection"},
)
def _(patch: Patch) -> None:
    def close(original: Callable[[ReferenceConnection], None], connection: ReferenceConnection) -> None:
        if in_listener(connection):
            pause(connection)
        original(connection)

    patch.at(fault_points.CONNECTION_CLOSED, close)


@nearly_right(
    "client-acknowledge-listener-hangs-in-close-of-its-connection",
    "close() of a connection with one session in its listener hangs if the client acknowledges",
    "6.1.8-21",
)
def _(patch: Patch) -> None:
    def close(original: Callable[[ReferenceConnection], None], connection: ReferenceConnection) -> None:
        if in_listener(connection) and [one.mode for one in connection.sessions] == [Session.CLIENT_ACKNOWLEDGE]:
            pause(connection)
        original(connection)

    patch.at(fault_points.CONNECTION_CLOSED, close)


@saboteur("6.1.8-22", "close() of a context in its own listener raises a plain JMSRuntimeException")
def _(patch: Patch) -> None:
    def close(original: Callable[[ReferenceContext], None], context: ReferenceContext) -> None:
        if context.session.in_listener():
            raise JMSRuntimeException("a listener cannot close its context")
        original(context)

    around(patch, ReferenceContext, "close", close)


@nearly_right(
    "transacted-listener-cannot-close-its-context",
    "close() of a transacted context in its own listener raises a plain JMSRuntimeException",
    "6.1.8-22",
)
def _(patch: Patch) -> None:
    def close(original: Callable[[ReferenceContext], None], context: ReferenceContext) -> None:
        if context.session.mode == Session.SESSION_TRANSACTED and context.session.in_listener():
            raise JMSRuntimeException("a listener cannot close its context")
        original(context)

    around(patch, ReferenceContext, "close", close)


@saboteur("6.1.8-23", "a message whose listener called close() is not acknowledged")
def _(patch: Patch) -> None:
    callers, dropped = set[ReferenceSession](), dict[ReferenceSession, Delivery]()

    def close(original: Callable[[Any], None], closeable: Any) -> None:
        connection = closeable.connection if isinstance(closeable, ReferenceContext) else closeable
        callers.update(session for session in connection.sessions if session.in_listener())
        original(closeable)

    def settle(original: _Settle, state: SessionState, delivery: Delivery) -> None:
        session = _session(delivery)
        if session in callers and session.mode == Session.AUTO_ACKNOWLEDGE:
            dropped[session] = delivery
        else:
            original(state, delivery)

    def drop_unfinished(original: Callable[[ReferenceSession], None], session: ReferenceSession) -> None:
        original(session)
        if session in dropped:
            session.broker.redelivery.redeliver([dropped[session]])

    patch.at(fault_points.CONNECTION_CLOSED, close)
    around(patch, ReferenceContext, "close", close)
    patch.at(fault_points.SETTLED, settle)
    patch.at(fault_points.SESSION_ENDED, drop_unfinished)


@saboteur("6.1.8-24", "close() of a connection with three sessions in a listener succeeds at once")
def _(patch: Patch) -> None:
    def close(original: Callable[[ReferenceConnection], None], connection: ReferenceConnection) -> None:
        if not (in_listener(connection) and len(connection.sessions) == 3):
            original(connection)

    patch.at(fault_points.CONNECTION_CLOSED, close)
