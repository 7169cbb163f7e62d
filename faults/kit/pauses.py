"""Helpers of faults in connections that are stopped, closed or broken."""

import threading

from faults.kit.seams import *

A_MINUTE = 60_000
"""Milliseconds on the provider's clock after which a fault that hangs goes on: longer than any case waits."""


def after_stop(patch, fault):
    """Run `fault` after each stop() that succeeded."""

    def stop(original, connection):
        original(connection)
        fault(connection)

    patch.at(fault_points.CONNECTION_STOPPED, stop)


def stopped_connections(patch):
    """Return the connections that a stop() has stopped, kept up to date: in it from the call of stop() on."""
    stopped = set[ReferenceConnection]()

    def stop(original, connection):
        stopped.add(connection)
        original(connection)

    def start(original, connection):
        stopped.discard(connection)
        original(connection)

    patch.at(fault_points.CONNECTION_STOPPED, stop)
    patch.at(fault_points.CONNECTION_STARTED, start)
    return stopped


class Undeterred:
    """Sessions that deliver although their connection is stopped."""

    def __init__(self, patch):
        self._sessions = set[ReferenceSession]()

        def may_deliver(original, session):
            return original(session) or (session in self._sessions and not session.closing)

        patch.around(ReferenceSession, "may_deliver", may_deliver)

    def add(self, session):
        """Let a session deliver from now on, also in a call that waits already."""
        self._sessions.add(session)
        with session.broker.lock:
            for slot in session.wait_slots():
                slot.wake()

    def remove(self, session):
        """Let a session be stopped like the others, after the call it is in."""
        self._sessions.discard(session)


def listening(connection):
    """Return the sessions of a connection that have message listeners."""
    return [one for one in connection.sessions if one.dispatcher is not None and one.dispatcher.consumers]


def in_listener(connection):
    """Return whether the calling thread runs a message listener of the connection."""
    return any(session.in_listener() for session in connection.sessions)


def pause(connection, milliseconds=A_MINUTE):
    """Let time pass on the provider's clock."""
    connection.broker.clock.event().wait(milliseconds)


def called_on_contexts(patch, name):
    """Return an object with the attribute `context`: that whose method `name` the calling thread is in, or None."""
    here = threading.local()
    here.context = None

    def call(original, context):
        here.context = context
        try:
            return original(context)
        finally:
            here.context = None

    patch.around(ReferenceContext, name, call)
    return here
