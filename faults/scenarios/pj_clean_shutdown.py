"""Faults with starting, stopping and closing."""

from faults.kit import *

_HONEST = ReferenceConnection.client_id
saboteur(
    "pj-clean-shutdown-1",
    "a connection that was never started delivers to a receive that does not wait",
    received_before_start,
)


@saboteur("pj-clean-shutdown-2", "stop does not reach the listeners of a connection with two sessions")
def _(patch):
    undeterred = Undeterred(patch)

    def go_on(connection):
        for session in listening(connection) if len(connection.sessions) > 1 else ():
            undeterred.add(session)

    after_stop(patch, go_on)


@saboteur(
    "pj-clean-shutdown-3",
    "a receive without a limit goes on for a minute after its consumer is closed",
    at=fault_points.MESSAGE_AWAITED,
)
def _(original, consumer, timeout):
    delivery = original(consumer, timeout)
    if delivery is None and timeout is None:
        pause(consumer.session.connection, A_MINUTE)
    return delivery


saboteur(
    "pj-clean-shutdown-4",
    "acknowledge does nothing after the connection is closed",
    lambda patch: acknowledge_ignored(patch, connection_closed=True),
)


@saboteur(
    "pj-clean-shutdown-5",
    "the end of a session acknowledges two or more messages in CLIENT_ACKNOWLEDGE mode",
    at=fault_points.SESSION_ENDED,
)
def _(original, session):
    owed = list(session.state.unacknowledged)
    if session.mode == Session.CLIENT_ACKNOWLEDGE and len(owed) > 1:
        session.state.unacknowledged.clear()
        session.state.acknowledge(owed, durable=True)
    original(session)


@saboteur("pj-clean-shutdown-6", "an attempt to replace a configured identifier is ignored")
def _(patch):
    def set_client_id(connection, client_id):
        if not connection._client_id_configured:
            _HONEST.fset(connection, client_id)

    patch.replace(ReferenceConnection, "client_id", property(_HONEST.fget, set_client_id))


saboteur(
    "pj-clean-shutdown-8",
    "getJMSMinorVersion stays 9",
    lambda patch: patch.replace(ReferenceMetaData, "jms_minor_version", property(lambda self: 9)),
)
