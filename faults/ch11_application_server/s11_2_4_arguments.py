"""Faults in 11.2.4: invalid arguments of the methods that create connection consumers."""

from faults.kit import *

saboteur(
    "11.2.4-11",
    "createConnectionConsumer() of a null destination raises NullPointerException",
    lambda patch: null_refused(patch, ReferenceConnection, "create_connection_consumer"),
)


@saboteur(
    "11.2.4-12",
    "createConnectionConsumer() takes an invalid selector for none",
    by=lambda patch, made: created(patch, "create_connection_consumer", made),
)
def _(original, connection, destination, selector, *others):
    try:
        return original(connection, destination, selector, *others)
    except InvalidSelectorException:
        return original(connection, destination, None, *others)


@saboteur(
    "11.2.4-13",
    "createConnectionConsumer() of a null pool raises NullPointerException",
    by=lambda patch, made: created(patch, "create_connection_consumer", made),
)
def _(original, connection, destination, selector, pool, most):
    if pool is None:
        raise NullPointerException("null")
    return original(connection, destination, selector, pool, most)
