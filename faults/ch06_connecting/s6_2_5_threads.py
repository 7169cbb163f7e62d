"""Faults in 6.2.5: other threads than the session's, and listeners that share a session."""

from collections import Counter

from faults.kit import *

LONG_MS = 600_000
"""Milliseconds, on the provider's clock, that a call hangs."""


def receiving(session):
    """Return whether a thread is in a receive of a session."""
    return any(one.listener is None and one.receiver.slot.blocked for one in session.consumers)


def listening(session):
    """Return whether a listener of a session runs."""
    return session.dispatcher is not None and session.dispatcher.current is not None


@saboteur(
    "6.2.5-2",
    "a connection cannot be closed by a foreign thread while a listener runs",
    at=fault_points.CONNECTION_CLOSED,
)
def _(original, connection):
    if any(listening(session) for session in connection.sessions):
        raise IllegalStateException("a listener runs on another thread")
    original(connection)


@saboteur(
    "6.2.5-3",
    "a consumer cannot be closed by a foreign thread while another one receives",
    around=(ReferenceConsumer, "close"),
)
def _(original, consumer):
    if consumer.listener is None and consumer.receiver.slot.blocked:
        raise IllegalStateException("another thread uses the consumer")
    original(consumer)


@saboteur("6.2.5-5", "every twentieth message that listeners send in a session with more than three of them is lost")
def _(patch):
    sent = Counter()

    def submit(original, session, physical, entry):
        if session.in_listener() and len(session.consumers) > 3:
            sent[session] += 1
            if sent[session] % 20 == 0:
                return
        original(session, physical, entry)

    patch.at(fault_points.SEND_SUBMITTED, submit)


@saboteur(
    "6.2.5-6",
    "a started connection with a listener makes no further session",
    around=(ReferenceConnection, "create_session"),
)
def _(original, connection, **arguments):
    if any(one.dispatcher is not None and one.dispatcher.consumers for one in connection.sessions):
        raise JMSException("the connection delivers messages")
    return original(connection, **arguments)


def _blocked_sends(patch, blocked):
    """Let the sends of some sessions wait while another session of the connection receives."""

    def submit(original, session, physical, entry):
        others = [one for one in session.connection.sessions if one is not session]
        if blocked(session) and any(receiving(one) for one in others):
            session.broker.clock.event().wait(LONG_MS)
        original(session, physical, entry)

    patch.at(fault_points.SEND_SUBMITTED, submit)


saboteur(
    "6.2.5-7",
    "a receive in a session blocks the sends of the connection's other sessions",
    lambda patch: _blocked_sends(patch, lambda _session: True),
)


@saboteur(
    "6.2.5-10",
    "a session serves two of the listeners that are set while its connection is stopped",
    at=fault_points.LISTENER_ADDED,
)
def _(original, dispatcher, consumer):
    original(dispatcher, consumer)
    if not dispatcher.session.connection.running and len(dispatcher.consumers) > 2:
        dispatcher.remove(dispatcher.consumers[0])
