"""Faults in 6.1.5: stop() while message listeners run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from faults.kit.common import around, around_each, connection_of, session_of
from faults.kit.declaring import nearly_right, saboteur
from faults.kit.patch import Patch
from faults.kit.pauses import (
    Undeterred,
    after_stop,
    called_on_contexts,
    in_listener,
    listening,
    pause,
    stopped_connections,
)
from reference_provider import fault_points
from reference_provider.client.connections import ReferenceConnection
from reference_provider.client.context import ReferenceContext
from reference_provider.client.dispatch import Dispatcher
from reference_provider.client.sessions import ReferenceSession
from tck.api import IllegalStateException, JMSException, JMSRuntimeException, Session

_SOME_TIME = 500


@saboteur(
    "6.1.5-11",
    "stop() lets listeners work off what waits for them",
    collateral={"6.1.5-14": "a message waits behind the listener that stop() waited for"},
)
def _(patch: Patch) -> None:
    undeterred = Undeterred(patch)
    waiting: dict[ReferenceSession, int] = {}

    def go_on(connection: ReferenceConnection) -> None:
        for session in listening(connection):
            with session.broker.lock:
                queues = {one.receiver.delivery_queue for one in session.consumers if one.listener is not None}
                waiting[session] = sum(len(list(queue.free_entries())) for queue in queues)
            if waiting[session]:
                undeterred.add(session)

    def call_listener(original: Callable[..., bool], dispatcher: Dispatcher, *arguments: Any) -> bool:
        session = session_of(dispatcher)
        if session in waiting:
            waiting[session] -= 1
            if waiting[session] <= 0:
                undeterred.remove(session)
        return original(dispatcher, *arguments)

    after_stop(patch, go_on)
    patch.at(fault_points.LISTENER_CALLED, call_listener)


def _waits(patch: Patch, wait: Callable[[ReferenceConnection, Dispatcher, Callable[[], None]], None]) -> None:
    """Change how stop() waits for the listener of one session."""
    stopped = stopped_connections(patch)

    def wait_until_idle(original: Callable[..., None], dispatcher: Dispatcher, *consumer: object) -> None:
        connection = connection_of(session_of(dispatcher))
        if connection in stopped and not consumer and not connection.closing:
            wait(connection, dispatcher, lambda: original(dispatcher))
        else:
            original(dispatcher, *consumer)

    around(patch, Dispatcher, "wait_until_idle", wait_until_idle)


@saboteur("6.1.5-14", "stop() waits half a second at most for the listener of a single session")
def _(patch: Patch) -> None:
    def wait(connection: ReferenceConnection, dispatcher: Dispatcher, honest: Callable[[], None]) -> None:
        if len(listening(connection)) != 1:
            honest()
            return
        for _ in range(_SOME_TIME // 10):
            if dispatcher.current is not None:
                pause(connection, 10)

    _waits(patch, wait)


@saboteur("6.1.5-15", "stop() waits only for the listener of the session created first")
def _(patch: Patch) -> None:
    def wait(connection: ReferenceConnection, dispatcher: Dispatcher, honest: Callable[[], None]) -> None:
        if listening(connection)[:1] == [dispatcher.session]:
            honest()

    _waits(patch, wait)


@saboteur("6.1.5-16", "a listener cannot send once stop() has been called")
def _(patch: Patch) -> None:
    stopped = stopped_connections(patch)

    def submit(original: Callable[..., None], session: ReferenceSession, *arguments: Any) -> None:
        if connection_of(session) in stopped and session.in_listener():
            raise JMSException("the connection is stopped")
        original(session, *arguments)

    patch.at(fault_points.SEND_SUBMITTED, submit)


@saboteur("6.1.5-17", "a listener cannot settle anything once stop() has been called")
def _(patch: Patch) -> None:
    stopped = stopped_connections(patch)

    def settle(original: Callable[..., None], session: ReferenceSession, *arguments: Any) -> None:
        if connection_of(session) in stopped and session.in_listener():
            raise JMSException("the connection is stopped")
        original(session, *arguments)

    around_each(patch, ReferenceSession, ("rollback", "recover"), settle)
    patch.at(fault_points.COMMIT, settle)
    patch.at(fault_points.MESSAGE_ACKNOWLEDGED, settle)


@nearly_right(
    "listener-cannot-commit-receipts-during-stop",
    "a listener cannot commit received messages once stop() has been called",
    "6.1.5-17",
)
def _(patch: Patch) -> None:
    stopped = stopped_connections(patch)

    def commit(original: Callable[[ReferenceSession], None], session: ReferenceSession) -> None:
        if connection_of(session) in stopped and session.in_listener() and not session.state.work.sends:
            raise JMSException("the connection is stopped")
        original(session)

    patch.at(fault_points.COMMIT, commit)


@saboteur("6.1.5-18", "stop() of a connection with one session in its listener hangs")
def _(patch: Patch) -> None:
    here = called_on_contexts(patch, "stop")

    def stop(original: Callable[[ReferenceConnection], None], connection: ReferenceConnection) -> None:
        own = in_listener(connection) and getattr(here, "context", None) is None
        if own and len(connection.sessions) == 1:
            pause(connection)
        original(connection)

    patch.at(fault_points.CONNECTION_STOPPED, stop)


def _stop_in_listener(patch: Patch, fault: Callable[[ReferenceContext, Session], None]) -> None:
    """Run `fault` before stop() of a context in a listener, with the session of the listener."""

    def stop(original: Callable[[ReferenceContext], None], context: ReferenceContext) -> None:
        for session in context.connection.sessions:
            if session.in_listener():
                fault(context, session)
        original(context)

    around(patch, ReferenceContext, "stop", stop)


@saboteur("6.1.5-19", "stop() of a context in its own listener raises a plain JMSRuntimeException")
def _(patch: Patch) -> None:
    def fault(context: ReferenceContext, session: Session) -> None:
        if context.session is session and len(context.connection.sessions) == 1:
            raise JMSRuntimeException("a listener cannot stop its connection")

    _stop_in_listener(patch, fault)


@saboteur("6.1.5-20", "stop() of a sibling context in a listener hangs")
def _(patch: Patch) -> None:
    def fault(context: ReferenceContext, session: Session) -> None:
        if context.session is not session:
            pause(context.connection)

    _stop_in_listener(patch, fault)


@saboteur("6.1.5-21", "stop() in a listener succeeds at once, whatever runs in another session")
def _(patch: Patch) -> None:
    def stop(original: Callable[[ReferenceConnection], None], connection: ReferenceConnection) -> None:
        try:
            original(connection)
        except IllegalStateException:
            if len(listening(connection)) != 2:
                raise
            connection.running = False

    patch.at(fault_points.CONNECTION_STOPPED, stop)
