"""Faults in 6.1.8: close() while message listeners run."""

from faults.kit import *


def _closing_in_listener(session):
    return (session.closing or session.connection.closing) and session.in_listener()


@saboteur("6.1.8-7", "a listener cannot send once close() has been called", at=fault_points.SEND_SUBMITTED)
def _(original, session, *arguments):
    if _closing_in_listener(session):
        raise IllegalStateException("the connection is being closed")
    original(session, *arguments)


@saboteur("6.1.8-8", "a listener cannot commit received messages once close() has been called", at=fault_points.COMMIT)
def _(original, session):
    if _closing_in_listener(session) and not session.state.work.sends:
        raise IllegalStateException("the connection is being closed")
    original(session)


@saboteur(
    "6.1.8-9", "the message of a listener that runs when close() is called is not acknowledged", at=fault_points.SETTLED
)
def _(original, state, delivery):
    if state.settles(delivery) and _closing_in_listener(_session(delivery)):
        state.broker.redelivery.redeliver([delivery])
    else:
        original(state, delivery)


def _session(delivery):
    consumer = delivery.consumer
    return consumer.session


@saboteur(
    "6.1.8-10",
    "close() waits only for the listener of the session created first",
    around=(Dispatcher, "wait_until_idle"),
)
def _(original, dispatcher, *consumer):
    connection = dispatcher.session.connection
    if not connection.closing or connection.sessions[:1] == [dispatcher.session]:
        original(dispatcher, *consumer)


saboteur(
    "6.1.8-12",
    "a listener that had a message is called once more after close()",
    lambda patch: called_once_more(patch, 1, wait=20),
)


@saboteur(
    "6.1.8-21",
    "close() of a connection in its listener hangs",
    collateral={"6.1.8-23": "its listener closes the connection"},
    at=fault_points.CONNECTION_CLOSED,
)
def _(original, connection):
    if in_listener(connection):
        pause(connection)
    original(connection)


@nearly_right(
    "client-acknowledge-listener-hangs-in-close-of-its-connection",
    "close() of a connection with one session in its listener hangs if the client acknowledges",
    "6.1.8-21",
    at=fault_points.CONNECTION_CLOSED,
)
def _(original, connection):
    if in_listener(connection) and [one.mode for one in connection.sessions] == [Session.CLIENT_ACKNOWLEDGE]:
        pause(connection)
    original(connection)


@saboteur(
    "6.1.8-22",
    "close() of a context in its own listener raises a plain JMSRuntimeException",
    around=(ReferenceContext, "close"),
)
def _(original, context):
    if context.session.in_listener():
        raise JMSRuntimeException("a listener cannot close its context")
    original(context)


@nearly_right(
    "transacted-listener-cannot-close-its-context",
    "close() of a transacted context in its own listener raises a plain JMSRuntimeException",
    "6.1.8-22",
    around=(ReferenceContext, "close"),
)
def _(original, context):
    if context.session.mode == Session.SESSION_TRANSACTED and context.session.in_listener():
        raise JMSRuntimeException("a listener cannot close its context")
    original(context)


@saboteur("6.1.8-23", "a message whose listener called close() is not acknowledged")
def _(patch):
    callers, dropped = set[ReferenceSession](), dict[ReferenceSession, Delivery]()

    def close(original, closeable):
        connection = closeable.connection if isinstance(closeable, ReferenceContext) else closeable
        callers.update(session for session in connection.sessions if session.in_listener())
        original(closeable)

    def settle(original, state, delivery):
        session = _session(delivery)
        if session in callers and session.mode == Session.AUTO_ACKNOWLEDGE:
            dropped[session] = delivery
        else:
            original(state, delivery)

    def drop_unfinished(original, session):
        original(session)
        if session in dropped:
            session.broker.redelivery.redeliver([dropped[session]])

    patch.at(fault_points.CONNECTION_CLOSED, close)
    patch.around(ReferenceContext, "close", close)
    patch.at(fault_points.SETTLED, settle)
    patch.at(fault_points.SESSION_ENDED, drop_unfinished)


@saboteur(
    "6.1.8-24",
    "close() of a connection with three sessions in a listener succeeds at once",
    at=fault_points.CONNECTION_CLOSED,
)
def _(original, connection):
    if not (in_listener(connection) and len(connection.sessions) == 3):
        original(connection)
