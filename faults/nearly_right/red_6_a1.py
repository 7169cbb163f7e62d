"""Red round 6, first part: faults in administered objects, connections and contexts, written without sight of the suite."""

from dataclasses import replace

from faults.kit import *

_LARGE = 100 * 1024  # bytes of a body that is read from the provider piece by piece


@of_round(6)(
    "bindings-collide-on-last-name-component",
    "objects bound in two places of the namespace under names with the same last component share one binding",
    "5.1-3",
    around=(Naming, "bind", "lookup"),
)
def _(original, naming, name, *bound):
    return original(naming, name.rsplit("/", 1)[-1], *bound)


@of_round(6)(
    "configured-client-id-lost-with-credentials",
    "a connection made with a user name and password lacks the client identifier configured in its factory",
    "5.3-1",
    "6.1.2-1",
    "6.1.2-4",
    at=fault_points.CONNECTION_OPENED,
)
def _(original, factory, kind, user, password):
    configured = factory.parameters
    if user is not OMITTED:
        factory.parameters = replace(configured, client_id=None)
    try:
        return original(factory, kind, user, password)
    finally:
        factory.parameters = configured


@of_round(6)(
    "client-id-stays-taken-after-loss-before-start",
    "the client identifier of a connection that was lost before it was started stays in use, even after close",
    "6.1.2-17",
)
def _stays_taken(patch):
    started = set()

    def start(original, connection):
        original(connection)
        started.add(connection)

    def forget(original, server, connection):
        if connection.lost != "the link was cut" or connection in started:
            original(server, connection)
            return
        with server.broker.lock:
            if connection in server.connections:
                server.connections.remove(connection)

    patch.at(fault_points.CONNECTION_STARTED, start)
    around(patch, Server, "forget", forget)


@of_round(6)(
    "client-id-refused-on-reused-handle",
    "after a used connection without client identifier was closed, the factory's next connection refuses setClientID",
    "6.1.2-2",
    "6.1.2-5",
    "6.1.2-3",
)
def _reused(patch):
    makers = {}
    worn = set()

    def connect(original, factory, *arguments):
        connection = original(factory, *arguments)
        makers[connection] = factory
        if factory in worn:
            worn.discard(factory)
            connection.used = True
        return connection

    def close(original, connection):
        original(connection)
        maker = makers.pop(connection, None)
        if maker is not None and connection.used and connection.client_id_or_none is None:
            worn.add(maker)

    patch.at(fault_points.CONNECTION_OPENED, connect)
    patch.at(fault_points.CONNECTION_CLOSED, close)


@of_round(6)(
    "sibling-context-inherits-auto-start-off",
    "a context made from one with auto-start off has it off too, so that its first consumer does not start anything",
    "6.1.4-15",
    "6.1.4-10",
    "8.4-11",
    "8.4-13",
    around=(ReferenceContext, "create_context"),
)
def _(original, context, session_mode):
    made = original(context, session_mode)
    made._auto_start = context._auto_start
    return made


@of_round(6)(
    "session-made-while-stopped-delivers",
    "a session made while its connection is stopped, after it had been started, delivers at once",
    "6.1.5-4",
    "6.1.5-3",
    "6.1.5-1",
    "8.4-2",
)
def _made_while_stopped(patch):
    started = set()
    eager = set()

    def start(original, connection):
        original(connection)
        started.add(connection)

    def stop(original, connection):
        original(connection)
        eager.difference_update(connection.sessions)

    def add_session(original, connection, session):
        if connection in started and not connection.running:
            eager.add(session)
        return original(connection, session)

    def may_deliver(original, session):
        if session in eager and not session.closing and not session.connection.is_down():
            return True
        return original(session)

    patch.at(fault_points.CONNECTION_STARTED, start)
    patch.at(fault_points.CONNECTION_STOPPED, stop)
    patch.at(fault_points.SESSION_OPENED, add_session)
    around(patch, ReferenceSession, "may_deliver", may_deliver)


@of_round(6)(
    "replaced-exception-listener-is-told",
    "when an exception listener is replaced on a started connection, the loss of the link is told to the old one",
    "6.1.7-5",
)
def _old_listener(patch):
    told = {}

    def start(original, connection):
        original(connection)
        if connection._exception_listener is not None:
            told.setdefault(connection, connection._exception_listener)

    def report_loss(original, connection, why):
        connection._exception_listener = told.get(connection, connection._exception_listener)
        original(connection, why)

    patch.at(fault_points.CONNECTION_STARTED, start)
    patch.at(fault_points.EXCEPTION_REPORTED, report_loss)


@of_round(6)(
    "closing-a-stopped-connection-loses-received-messages",
    "close of a stopped connection acknowledges what its transacted sessions received in their open transactions",
    "6.1.8-27",
    "6.1.8-28",
    "6.1.8-29",
)
def _close_stopped(patch):
    stopped = set()

    def close(original, connection):
        if not connection.running and not connection.is_down():
            stopped.add(connection)
        original(connection)

    def drop_unfinished(original, session):
        if session.connection in stopped:
            work = session.state.next_transaction()
            work.sends.clear()
            work.perform()
        original(session)

    patch.at(fault_points.CONNECTION_CLOSED, close)
    patch.at(fault_points.SESSION_ENDED, drop_unfinished)


@of_round(6)(
    "context-made-from-a-sibling-does-not-count",
    "a context made from a context that was itself made from another does not keep their connection open",
    "6.1.8-20",
    "7.1-16",
)
def _not_counted(patch):
    derived = set()

    def create_context(original, context, session_mode):
        made = original(context, session_mode)
        if context in derived:
            made.shared.leave()
        derived.add(made)
        return made

    around(patch, ReferenceContext, "create_context", create_context)


@of_round(6)(
    "large-bytes-message-ends-with-its-session",
    "a received bytes message of more than 100 KiB cannot be read after its session was closed",
    "6.2.15-22",
    "6.1.8-45",
)
def _large(patch):
    large = {}

    def message_of(original, session, delivery):
        message = original(session, delivery)
        if isinstance(message, ReferenceBytesMessage) and len(message._data) > _LARGE:
            large[id(message)] = message, session
        return message

    def check_readable(original, message):
        original(message)
        _, session = large.get(id(message), (None, None))
        if session is not None and len(message._data) > _LARGE and (session.closed or session.connection.closed):
            raise JMSException("the large message has lost its session", "LARGE_MESSAGE")

    patch.at(fault_points.MESSAGE_MADE, message_of)
    around(patch, ReferenceBytesMessage, "_check_readable", check_readable)
