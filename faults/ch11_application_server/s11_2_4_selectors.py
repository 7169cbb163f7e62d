"""Faults in 11.2.4: the selector of a connection consumer."""

from faults.kit import *


@saboteur(
    "11.2.4-3",
    "where three messages may be loaded, the selector is ignored",
    by=lambda patch, made: created(patch, "create_connection_consumer", made),
)
def _(original, connection, destination, selector, pool, most):
    return original(connection, destination, None if most == 3 else selector, pool, most)


@saboteur(
    "11.2.4-14",
    "an empty selector is refused as invalid",
    by=lambda patch, made: created(patch, "create_connection_consumer", made),
)
def _(original, connection, destination, selector, *others):
    if not selector and selector is not None:
        raise InvalidSelectorException("the selector is empty")
    return original(connection, destination, selector, *others)
