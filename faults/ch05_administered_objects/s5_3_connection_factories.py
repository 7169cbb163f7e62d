"""Faults in 5.3: connection factories."""

import threading

from faults.kit import *


@saboteur("5.3-1", "a factory ignores the password that it is configured with", at=fault_points.CONNECTION_OPENED)
def _(original, factory, kind, user, password):
    configured = factory.parameters
    if configured.user_name is not None and user is OMITTED:
        factory.parameters = Parameters(client_id=configured.client_id)
    try:
        return original(factory, kind, user, password)
    finally:
        factory.parameters = configured


def _used_up(patch, owner, name):
    """Refuse to make a connection once one that the same factory made is closed."""
    made = {}

    def create(original, factory, *credentials):
        connections = made.setdefault(id(factory), [])
        if any(connection.closed for _, connection in connections):
            raise JMSException("the factory is used up")
        connections.append((factory, original(factory, *credentials)))
        return connections[-1][1]

    patch.around(owner, name, create)


saboteur(
    "5.3-2",
    "a ConnectionFactory makes no more connections once one of its connections is closed",
    lambda patch: _used_up(patch, ReferenceConnectionFactory, "create_connection"),
    collateral={"5.3-1": "it makes a second connection by one factory"},
)
saboteur(
    "5.3-4",
    "a QueueConnectionFactory makes no more connections once one of its connections is closed",
    lambda patch: _used_up(patch, ReferenceQueueConnectionFactory, "create_queue_connection"),
    collateral={"5.3-1": "it makes a second connection by one factory"},
)
saboteur(
    "5.3-5",
    "a TopicConnectionFactory makes no more connections once one of its connections is closed",
    lambda patch: _used_up(patch, ReferenceTopicConnectionFactory, "create_topic_connection"),
    collateral={"5.3-1": "it makes a second connection by one factory"},
)


@saboteur("5.3-7", "the fourth and the fifth thread that connect by one factory get the same connection")
def _(patch):
    made = {}
    lock = threading.Lock()  # guards the lists

    def create(original, factory, *credentials):
        connection = original(factory, *credentials)
        if threading.current_thread() is threading.main_thread():
            return connection
        with lock:
            connections = made.setdefault(id(factory), [])
            connections.append(connection)
            return connections[3] if len(connections) == 5 else connection

    patch.around(ReferenceQueueConnectionFactory, "create_queue_connection", create)
    patch.around(ReferenceTopicConnectionFactory, "create_topic_connection", create)
