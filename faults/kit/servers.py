"""Helpers of faults in connection consumers and in sessions with listeners of their own."""

from faults.kit.seams import *


def server_session_started(patch, fault):
    """Run `fault` in place of each start of a server session; it gets the connection consumer, the session and the start."""

    def start(original, consumer, server_session):
        fault(consumer, server_session, lambda: original(consumer, server_session))

    patch.at(server_points.SERVER_SESSION_STARTED, start)


def after_load(patch, fault):
    """Run `fault` after messages have been loaded into a session."""

    def load(original, consumer, runner, first):
        loaded = original(consumer, runner, first)
        if loaded:
            fault(consumer, runner)
        return loaded

    patch.at(server_points.SESSION_LOADED, load)


def created(patch, name, fault):
    """Replace a method that creates connection consumers by `fault`, whose first argument is the original method."""
    patch.around(ReferenceConnection, name, fault)
