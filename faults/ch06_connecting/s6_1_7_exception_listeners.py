"""Faults in 6.1.7: exception listeners."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import Any

from faults.kit.common import around, connection_of
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from faults.kit.pauses import pause
from reference_provider import fault_points
from reference_provider.client.connections import ReferenceConnection
from reference_provider.client.context import ReferenceContext
from reference_provider.client.sessions import ReferenceSession
from tck.api import ExceptionListener, JMSException


def _listener(connection: ReferenceConnection) -> Any:
    return connection._exception_listener


class _Wrapper(ExceptionListener):
    def __init__(self, wrapped: ExceptionListener) -> None:
        self._wrapped = wrapped

    def on_exception(self, exception: JMSException) -> None:
        self._wrapped.on_exception(exception)


def _property(patch: Patch, owner: type, get: Callable[..., Any], put: Callable[..., None]) -> None:
    """Change the getter and the setter of the exception listener; each gets the original first."""
    original: Any = owner.exception_listener  # type: ignore[attr-defined]  # a connection or a context
    patch.replace(
        owner,
        "exception_listener",
        property(
            lambda self: get(original.fget, self),
            lambda self, listener: put(original.fset, self, listener),
        ),
    )


def _put(original: Callable[..., None], owner: object, listener: object) -> None:
    original(owner, listener)


@saboteur("6.1.7-1", "the exception listener of a connection with a message listener is not called")
def _(patch: Patch) -> None:
    def report(original: Callable[..., None], connection: ReferenceConnection, why: str) -> None:
        if sum(session.dispatcher is not None for session in connection.sessions) != 1:
            original(connection, why)

    patch.at(fault_points.EXCEPTION_REPORTED, report)


@saboteur("6.1.7-2", "onException() is called with null")
def _(patch: Patch) -> None:
    def report(original: Callable[..., None], connection: ReferenceConnection, why: str) -> None:
        del original, why
        listener = _listener(connection)
        if listener is not None:
            connection.broker.clock.spawn(lambda: listener.on_exception(None), "reference-provider-exceptions")

    patch.at(fault_points.EXCEPTION_REPORTED, report)


@saboteur("6.1.7-3", "getExceptionListener() returns a wrapper of a listener that was set before the start")
def _(patch: Patch) -> None:
    def put(original: Callable[..., None], connection: ReferenceConnection, listener: Any) -> None:
        fresh = listener is not None and not connection.running
        original(connection, _Wrapper(listener) if fresh else listener)

    _property(patch, ReferenceConnection, lambda original, connection: original(connection), put)


@saboteur("6.1.7-4", "a connection that is not started has a default exception listener")
def _(patch: Patch) -> None:
    default = _Wrapper(None)  # type: ignore[arg-type]  # it is never called

    def get(original: Callable[..., Any], connection: ReferenceConnection) -> Any:
        return original(connection) or (None if connection.used and connection.running else default)

    _property(patch, ReferenceConnection, get, _put)


@saboteur("6.1.7-5", "each exception listener that was ever set is called")
def _(patch: Patch) -> None:
    every = defaultdict[ReferenceConnection, list[ExceptionListener]](list)

    def put(original: Callable[..., None], connection: ReferenceConnection, listener: Any) -> None:
        if listener is not None:
            every[connection].append(listener)
        original(connection, listener)

    def report(original: Callable[..., None], connection: ReferenceConnection, why: str) -> None:
        current = _listener(connection)
        for listener in every[connection] or [current]:
            connection._exception_listener = listener
            original(connection, why)
        connection._exception_listener = current

    _property(patch, ReferenceConnection, lambda original, connection: original(connection), put)
    patch.at(fault_points.EXCEPTION_REPORTED, report)


@saboteur("6.1.7-6", "each context keeps an exception listener of its own")
def _(patch: Patch) -> None:
    own: dict[ReferenceContext, Any] = {}

    def put(original: Callable[..., None], context: ReferenceContext, listener: Any) -> None:
        own[context] = listener
        original(context, listener)

    def get(original: Callable[..., Any], context: ReferenceContext) -> Any:
        original(context)
        return own.get(context)

    _property(patch, ReferenceContext, get, put)


@saboteur("6.1.7-7", "each session of a broken connection calls the exception listener on its own thread")
def _(patch: Patch) -> None:
    counted: dict[ReferenceConnection, int] = {}

    def break_link(original: Callable[..., bool], connection: ReferenceConnection, why: str) -> bool:
        counted[connection] = len(connection.sessions)
        return original(connection, why)

    def report(original: Callable[..., None], connection: ReferenceConnection, why: str) -> None:
        for _ in range(counted.get(connection, 1)):
            original(connection, why)

    around(patch, ReferenceConnection, "break_link", break_link)
    patch.at(fault_points.EXCEPTION_REPORTED, report)


@saboteur("6.1.7-9", "the loss of a link is reported at once, and repaired when the exception listener has returned")
def _(patch: Patch) -> None:
    def sever(original: Callable[..., None], connection: ReferenceConnection, why: str) -> None:
        listener = _listener(connection)
        if listener is None or not connection.running:
            original(connection, why)
            return
        connection.break_link(why)

        def report() -> None:
            try:
                listener.on_exception(JMSException(f"the connection is lost: {why}", "CONNECTION_LOST"))
            finally:
                connection.lost = None
                connection.usable = not connection.closed
                connection.start()

        connection.broker.clock.spawn(report, "reference-provider-exceptions")

    patch.at(fault_points.LINK_LOST, sever)


@saboteur("6.1.7-10", "the exception of a refused consumer reaches the exception listener too")
def _(patch: Patch) -> None:
    def open_plain(original: Callable[..., Any], session: ReferenceSession, *arguments: Any) -> Any:
        try:
            return original(session, *arguments)
        except JMSException as error:
            listener = _listener(connection_of(session))
            if listener is not None:
                listener.on_exception(error)
            raise

    patch.at(fault_points.PLAIN_CONSUMER_OPENED, open_plain)


@saboteur("6.1.7-11", "close() in onException() waits for onException() to return")
def _(patch: Patch) -> None:
    def close(original: Callable[..., None], connection: ReferenceConnection) -> None:
        if connection.lost is not None and _listener(connection) is not None:
            pause(connection)
        original(connection)

    patch.at(fault_points.CONNECTION_CLOSED, close)
