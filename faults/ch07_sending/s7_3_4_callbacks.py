"""Faults in 7.3.4: calls that a completion callback must not make."""

from faults.kit import *


@saboteur(
    "7.3.4-8",
    "close() of a producer in its callback hangs in a transacted session",
    around=(ReferenceProducer, "close"),
)
def _(original, producer):
    session = producer.session
    if session.completions.is_current_thread() and session.mode == Session.SESSION_TRANSACTED:
        pause(session.connection)
    original(producer)


@saboteur(
    "7.3.4-9",
    "close() of a session in its callback is accepted in CLIENT_ACKNOWLEDGE",
    around=(ReferenceSession, "close"),
)
def _(original, session):
    if not (session.completions.is_current_thread() and session.mode == Session.CLIENT_ACKNOWLEDGE):
        original(session)


@saboteur(
    "7.3.4-10",
    "close() of a connection is accepted in the callback of its second session",
    at=fault_points.CONNECTION_CLOSED,
)
def _(original, connection):
    if not any(session.completions.is_current_thread() for session in connection.sessions[1:]):
        original(connection)


@saboteur(
    "7.3.4-11",
    "close() of a context in its callback hangs where its connection has two",
    around=(ReferenceContext, "close"),
)
def _(original, context):
    connection = context.session.connection
    if context.session.completions.is_current_thread() and len(connection.sessions) > 1:
        pause(connection)
    original(context)


@saboteur("7.3.4-12", "commit() in a callback commits", at=fault_points.COMMIT)
def _(original, session):
    if session.completions.is_current_thread():
        session.state.next_transaction().perform()
    else:
        original(session)


@saboteur("7.3.4-13", "rollback() in a callback waits for that callback", around=(ReferenceSession, "rollback"))
def _(original, session):
    if session.completions.is_current_thread():
        pause(session.connection)
    original(session)
