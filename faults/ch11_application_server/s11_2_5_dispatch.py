"""Faults in 11.2.5: the steps in which a connection consumer uses a server session."""

from faults.kit import *


@saboteur("11.2.5-1", "a server session is asked for its session only when it is first taken")
def _(patch):
    known = {}

    def ask(original, server_session):
        if server_session not in known:
            known[server_session] = original(server_session)
        return known[server_session]

    patch.at(server_points.SERVER_SESSION_ASKED, ask)


@saboteur(
    "11.2.5-2",
    "where three messages may be loaded, a further server session is server_session_started without one after each batch",
    by=server_session_started,
)
def _(consumer, server_session, start):
    start()
    if consumer.max_messages == 3:
        further = consumer.take_server_session()
        assert further.session is not None
        further.start()


@saboteur(
    "11.2.5-3",
    "where two messages may be loaded, a QueueSession or TopicSession that is younger than the connection consumer is refused",
)
def _(patch):
    older = {}

    def create(original, connection, *arguments):
        consumer = original(connection, *arguments)
        older[consumer] = set(consumer.connection.sessions)
        return consumer

    def take(original, consumer):
        server_session = original(consumer)
        session = server_session.session
        specific = isinstance(session, QueueSession | TopicSession)
        if specific and consumer.max_messages == 2 and session not in older.get(consumer, {session}):
            raise TypeError("the session is no plain Session")
        return server_session

    created(patch, "create_connection_consumer", create)
    patch.at(server_points.SERVER_SESSION_TAKEN, take)
