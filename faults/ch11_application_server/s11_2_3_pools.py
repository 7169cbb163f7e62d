"""Faults in 11.2.3: the use of the pool."""

from faults.kit import *

_LONG_MS = 1000


@saboteur(
    "11.2.3-1",
    "where eight messages may be loaded, a server session is server_session_started twice for each time it is taken",
    by=server_session_started,
)
def _(consumer, server_session, start):
    start()
    if consumer.max_messages == 8:
        start()


@saboteur("11.2.3-2", "where nine messages may be loaded, the first one is dropped if the pool has blocked for long")
def _(patch):
    blocked = set[ReferenceConnectionConsumer]()

    def take(original, consumer):
        clock = consumer.connection.broker.clock
        before = clock.now()
        server_session = original(consumer)
        if clock.now() - before > _LONG_MS and consumer.max_messages == 9:
            blocked.add(consumer)
        return server_session

    def load(original, consumer, runner, first):
        loaded = original(consumer, runner, first)
        if consumer in blocked:
            blocked.remove(consumer)
            runner.loaded.popleft()
        return loaded

    patch.at(server_points.SERVER_SESSION_TAKEN, take)
    patch.at(server_points.SESSION_LOADED, load)


@saboteur("11.2.3-3", "a connection consumer with a selector uses its last server session again instead of the pool")
def _(patch):
    selecting = set[object]()
    last = {}

    def create(original, connection, *arguments):
        consumer = original(connection, *arguments)
        if arguments[1]:
            selecting.add(consumer)
        return consumer

    def take(original, consumer):
        if consumer not in last:
            last[consumer] = original(consumer)
            return last[consumer]
        return last[consumer] if consumer in selecting and consumer.max_messages == 1 else original(consumer)

    created(patch, "create_connection_consumer", create)
    patch.at(server_points.SERVER_SESSION_TAKEN, take)


@saboteur(
    "11.2.3-4",
    "a server session whose session was created within the call of the pool is refused",
    at=server_points.SERVER_SESSION_TAKEN,
)
def _(original, consumer):
    before = len(consumer.connection.sessions)
    server_session = original(consumer)
    if len(consumer.connection.sessions) > before:
        raise JMSException("the server session is new")
    return server_session
