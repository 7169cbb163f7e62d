"""Faults in 11.2.4: connection consumers of named subscriptions."""

import itertools

from faults.kit import *


@saboteur(
    "11.2.4-8",
    "a connection consumer of a new durable subscription has one that is not durable",
    by=lambda patch, made: created(patch, "create_durable_connection_consumer", made),
)
def _(original, connection, topic, name, *others):
    with connection.broker.lock:
        known = connection.broker.subscriptions.durable((connection.client_id_or_none, name or ""))
    if known is None:
        return ReferenceConnection.create_connection_consumer(connection, topic, *others)
    return original(connection, topic, name, *others)


def _own_copies(patch, name):
    """Give each connection consumer a subscription of its own."""
    numbers = itertools.count()

    def create(original, connection, topic, shared, *others):
        return original(connection, topic, f"{shared}-{next(numbers)}", *others)

    created(patch, name, create)


saboteur(
    "11.2.4-9",
    "each connection consumer of a shared subscription has a copy of the messages",
    lambda patch: _own_copies(patch, "create_shared_connection_consumer"),
)
saboteur(
    "11.2.4-10",
    "each connection consumer of a shared durable subscription has a copy of the messages",
    lambda patch: _own_copies(patch, "create_shared_durable_connection_consumer"),
)
