"""Faults in 6.1.7: exception listeners."""

from collections import defaultdict

from faults.kit import *


def _listener(connection):
    return connection._exception_listener


class _Wrapper(ExceptionListener):
    def __init__(self, wrapped):
        self._wrapped = wrapped

    def on_exception(self, exception):
        self._wrapped.on_exception(exception)


def _property(patch, owner, get, put):
    """Change the getter and the setter of the exception listener; each gets the original first."""
    original = owner.exception_listener  # a connection or a context
    patch.replace(
        owner,
        "exception_listener",
        property(lambda self: get(original.fget, self), lambda self, listener: put(original.fset, self, listener)),
    )


def _put(original, owner, listener):
    original(owner, listener)


@saboteur(
    "6.1.7-1",
    "the exception listener of a connection with a message listener is not called",
    at=fault_points.EXCEPTION_REPORTED,
)
def _(original, connection, why):
    if sum(session.dispatcher is not None for session in connection.sessions) != 1:
        original(connection, why)


@saboteur("6.1.7-2", "onException() is called with null", at=fault_points.EXCEPTION_REPORTED)
def _(original, connection, why):
    listener = _listener(connection)
    if listener is not None:
        connection.broker.clock.spawn(lambda: listener.on_exception(None), "reference-provider-exceptions")


@saboteur(
    "6.1.7-3",
    "getExceptionListener() returns a wrapper of a listener that was set before the start",
    by=lambda patch, made: _property(
        patch, ReferenceConnection, lambda original, connection: original(connection), made
    ),
)
def _(original, connection, listener):
    fresh = listener is not None and not connection.running
    original(connection, _Wrapper(listener) if fresh else listener)


@saboteur("6.1.7-4", "a connection that is not started has a default exception listener")
def _(patch):
    default = _Wrapper(None)  # it is never called

    def get(original, connection):
        return original(connection) or (None if connection.used and connection.running else default)

    _property(patch, ReferenceConnection, get, _put)


@saboteur("6.1.7-5", "each exception listener that was ever set is called")
def _(patch):
    every = defaultdict[ReferenceConnection, list[ExceptionListener]](list)

    def put(original, connection, listener):
        if listener is not None:
            every[connection].append(listener)
        original(connection, listener)

    def report(original, connection, why):
        current = _listener(connection)
        for listener in every[connection] or [current]:
            connection._exception_listener = listener
            original(connection, why)
        connection._exception_listener = current

    _property(patch, ReferenceConnection, lambda original, connection: original(connection), put)
    patch.at(fault_points.EXCEPTION_REPORTED, report)


@saboteur("6.1.7-6", "each context keeps an exception listener of its own")
def _(patch):
    own = {}

    def put(original, context, listener):
        own[context] = listener
        original(context, listener)

    def get(original, context):
        original(context)
        return own.get(context)

    _property(patch, ReferenceContext, get, put)


@saboteur("6.1.7-7", "each session of a broken connection calls the exception listener on its own thread")
def _(patch):
    counted = {}

    def break_link(original, connection, why):
        counted[connection] = len(connection.sessions)
        return original(connection, why)

    def report(original, connection, why):
        for _ in range(counted.get(connection, 1)):
            original(connection, why)

    patch.around(ReferenceConnection, "break_link", break_link)
    patch.at(fault_points.EXCEPTION_REPORTED, report)


@saboteur(
    "6.1.7-9",
    "the loss of a link is reported at once, and repaired when the exception listener has returned",
    at=fault_points.LINK_LOST,
)
def _(original, connection, why):
    listener = _listener(connection)
    if listener is None or not connection.running:
        original(connection, why)
        return
    connection.break_link(why)

    def report():
        try:
            listener.on_exception(JMSException(f"the connection is lost: {why}", "CONNECTION_LOST"))
        finally:
            connection.lost = None
            connection.usable = not connection.closed
            connection.start()

    connection.broker.clock.spawn(report, "reference-provider-exceptions")


@saboteur(
    "6.1.7-10",
    "the exception of a refused consumer reaches the exception listener too",
    at=fault_points.PLAIN_CONSUMER_OPENED,
)
def _(original, session, *arguments):
    try:
        return original(session, *arguments)
    except JMSException as error:
        listener = _listener(session.connection)
        if listener is not None:
            listener.on_exception(error)
        raise


@saboteur("6.1.7-11", "close() in onException() waits for onException() to return", at=fault_points.CONNECTION_CLOSED)
def _(original, connection):
    if connection.lost is not None and _listener(connection) is not None:
        pause(connection)
    original(connection)
