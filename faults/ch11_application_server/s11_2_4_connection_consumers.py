"""Faults in 11.2.4: the destination, the pool and the limit of a connection consumer."""

from faults.kit import *


def _inert(patch, *, domain_specific):
    """Return a connection consumer that feeds nothing, of a temporary destination."""

    def create(original, connection, destination, *others):
        consumer = original(connection, destination, *others)
        specific = isinstance(connection, QueueConnection | TopicConnection)
        if isinstance(destination, TemporaryQueue | TemporaryTopic) and specific is domain_specific:
            consumer.close()
        return consumer

    created(patch, "create_connection_consumer", create)


saboteur(
    "11.2.4-1",
    "a connection consumer of a temporary destination feeds nothing",
    lambda patch: _inert(patch, domain_specific=False),
)
saboteur(
    "11.2.4-2",
    "a connection consumer of a QueueConnection or TopicConnection of a temporary destination feeds nothing",
    lambda patch: _inert(patch, domain_specific=True),
)


@saboteur("11.2.4-4", "the third connection consumer of a connection uses the pool of the first one")
def _(patch):
    pools = {}

    def create(original, connection, destination, selector, pool, max_messages):
        used = pools.setdefault(connection, [])
        used.append(pool)
        return original(connection, destination, selector, used[0] if len(used) == 3 else pool, max_messages)

    created(patch, "create_connection_consumer", create)


@saboteur(
    "11.2.4-5",
    "where five messages may be loaded, a session is loaded with all that wait",
    at=server_points.SESSION_LOADED,
)
def _(original, consumer, runner, first):
    if consumer.max_messages == 5:
        consumer.max_messages = 100
    return original(consumer, runner, first)


saboteur(
    "11.2.4-15",
    "getServerSessionPool() returns null",
    lambda patch: patch.replace(ReferenceConnectionConsumer, "server_session_pool", property(lambda self: None)),
)
