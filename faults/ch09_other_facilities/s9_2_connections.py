"""Faults in 9.2: connections of one domain."""

from faults.kit import *

_OF_ONE_DOMAIN = (ReferenceQueueConnection, ReferenceTopicConnection)


def _let_through(patch, name, when):
    """Let calls of a method through to the common implementation under a condition."""
    refuse, common = getattr(ReferenceQueueConnection, name), getattr(ReferenceConnection, name)

    def method(self, *arguments, **named):
        return (common if when(self) else refuse)(self, *arguments, **named)

    patch.replace(ReferenceQueueConnection, name, method)


saboteur(
    "9.2-1",
    "a started QueueConnection creates a connection consumer on a shared subscription",
    lambda patch: _let_through(patch, "create_shared_connection_consumer", lambda connection: connection.running),
)


@saboteur(
    "9.2-2",
    "a QueueConnection that is not started creates a connection consumer on a durable subscription",
    by=lambda patch, made: _let_through(patch, "create_durable_connection_consumer", made),
)
def _(connection):
    return not connection.running


@saboteur(
    "9.2-3",
    "a QueueConnection with a session creates a connection consumer on a shared durable subscription",
    by=lambda patch, made: _let_through(patch, "create_shared_durable_connection_consumer", made),
)
def _(connection):
    return bool(connection.sessions)


@saboteur(
    "9.2-14",
    "a QueueConnection or TopicConnection with credentials is created started",
    at=fault_points.CONNECTION_OPENED,
)
def _(original, factory, kind, user, password):
    made = original(factory, kind, user, password)
    made.running = user is not OMITTED and kind in _OF_ONE_DOMAIN
    return made


@saboteur("9.2-15", "the connections of one domain of a factory act for the user of the first")
def _(patch):
    first = {}

    def connect(original, factory, kind, user, password):
        made = original(factory, kind, user, password)
        if user is not OMITTED and kind in _OF_ONE_DOMAIN:
            made.user = first.setdefault(id(factory), (factory, made.user))[1]
            made.send_properties = send_properties(user=made.user, application=made.identity)
        return made

    patch.at(fault_points.CONNECTION_OPENED, connect)
