"""Helpers for faults of temporary queues and topics."""

from typing import cast

from faults.kit.seams import *


def makers_of_temporaries(patch):
    """Note the session that made each temporary destination, by name."""
    makers = {}
    for name in ("create_temporary_queue", "create_temporary_topic"):
        patch.replace(SessionFactories, name, _noting(getattr(SessionFactories, name), makers))
    return makers


def _noting(original, makers):
    def make(self):
        made = original(self)
        makers[made.name] = cast("ReferenceSession", self)
        return made  # as the original made it

    return make


def anyone_consumes(patch, kind):
    """Let any connection consume from temporary destinations of a kind."""

    def check_consumable(original, temporaries, physical):
        if not isinstance(physical, kind):
            original(temporaries, physical)

    patch.at(fault_points.TEMPORARY_CHECKED, check_consumable)


def maker_consumes(patch, kind):
    """Let only the session that made a temporary destination consume from it, as long as that session is open."""
    makers = makers_of_temporaries(patch)

    def open_plain(original, session, destination, *others):
        if isinstance(destination, ReferenceDestination) and isinstance(destination, kind):
            maker = makers.get(destination.name)
            if maker not in {None, session} and not maker.closed and maker.connection is session.connection:
                raise InvalidDestinationException(f"{destination} was made by another session")
        return original(session, destination, *others)

    patch.at(fault_points.PLAIN_CONSUMER_OPENED, open_plain)


def no_delete(patch, kind):
    """Ignore delete() of a temporary destination that has no consumers."""

    def delete(original, temporaries, destination):
        physical = temporaries._physical.get(destination)
        if not isinstance(physical, kind) or physical.consumers:
            original(temporaries, destination)

    patch.at(fault_points.TEMPORARY_DELETED, delete)


def silent_delete(patch, kind):
    """Delete temporary destinations of a kind although they have consumers."""

    def delete(original, temporaries, destination):
        physical = temporaries._physical.get(destination)
        try:
            original(temporaries, destination)
        except JMSException:
            if not isinstance(physical, kind):
                raise
            with temporaries.broker.lock:
                temporaries._remove(destination, physical)

    patch.at(fault_points.TEMPORARY_DELETED, delete)
