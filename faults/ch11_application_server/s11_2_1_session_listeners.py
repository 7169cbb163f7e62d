"""Faults in 11.2.1: a session's own listener, the messages it gets, and producers of its session."""

from faults.kit import *


@saboteur("11.2.1-1", "getMessageListener of a session returns null after a listener was set")
def _(patch):
    original = vars(ReferenceSession)["message_listener"]
    patch.replace(ReferenceSession, "message_listener", property(lambda self: None, original.fset))


@saboteur(
    "11.2.1-2",
    "a NON_PERSISTENT message of the lowest priority is acknowledged without a call of the session's own listener",
    at=server_points.OWN_LISTENER_CALLED,
)
def _(original, runner, listener, delivery):
    entry = delivery.entry
    if entry.delivery_mode == DeliveryMode.NON_PERSISTENT and entry.priority == 0:
        return False
    return original(runner, listener, delivery)


@saboteur(
    "11.2.1-7",
    "a session with its own listener refuses a producer without a destination",
    around=(ReferenceSession, "create_producer"),
)
def _(original, session, destination):
    if destination is None and session.runner.listener is not None:
        raise IllegalStateException("the session has a listener of its own")
    return original(session, destination)
