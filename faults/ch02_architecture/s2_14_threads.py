"""Faults in 2.14: several threads, and calls that must come one at a time."""

import threading
from collections import defaultdict

from faults.kit import *

STEP_MS = 100
"""Milliseconds, on the provider's clock, after which a dispatcher checks again whether another one is busy."""


def _in_main_thread():
    return threading.current_thread() is threading.main_thread()


@saboteur("2.14-1", "messages of the fourth session that sends to a destination from its own thread are lost")
def _(patch):
    senders = defaultdict(list)

    def submit(original, session, physical, entry):
        known = senders[physical]
        if session not in known and not _in_main_thread():
            known.append(session)
        if session not in known[3:]:
            original(session, physical, entry)

    patch.at(fault_points.SEND_SUBMITTED, submit)


@saboteur("2.14-2", "all threads but the main one get the same connection")
def _(patch):
    shared = []
    lock = threading.Lock()  # guards the list

    def connect(original, factory, *arguments):
        if _in_main_thread():
            return original(factory, *arguments)
        with lock:
            if not shared or shared[-1].is_down():
                shared.append(original(factory, *arguments))
            return shared[-1]

    patch.at(fault_points.CONNECTION_OPENED, connect)


@saboteur("2.14-3", "all threads but the main one get the same session of a connection")
def _(patch):
    shared = {}

    def add_session(original, connection, session):
        added = original(connection, session)
        return added if _in_main_thread() else shared.setdefault(connection, added)

    patch.at(fault_points.SESSION_OPENED, add_session)


def _detach(patch, *, least, most):
    """Call each listener of a session with that many listeners on its own thread, without waiting for it to return."""

    def call_listener(original, dispatcher, listener, delivery):
        if not least <= len(dispatcher.consumers) <= most:
            return original(dispatcher, listener, delivery)
        message = dispatcher.session.message_of(delivery)
        dispatcher.session.broker.clock.spawn(lambda: listener.on_message(message), "reference-provider-pool")
        return False

    patch.at(fault_points.LISTENER_CALLED, call_listener)


saboteur(
    "2.14-8", "a session with one listener calls it on threads of a pool", lambda patch: _detach(patch, least=1, most=1)
)
saboteur(
    "2.14-9",
    "a session with several listeners calls each on its own thread",
    lambda patch: _detach(patch, least=2, most=9),
)


@saboteur("2.14-10", "a connection calls only one listener at a time")
def _(patch):
    busy = {}

    def call_listener(original, dispatcher, listener, delivery):
        connection = dispatcher.session.connection
        while busy.setdefault(connection, dispatcher) is not dispatcher:
            dispatcher.session.broker.clock.event().wait(STEP_MS)
        try:
            return original(dispatcher, listener, delivery)
        finally:
            del busy[connection]

    patch.at(fault_points.LISTENER_CALLED, call_listener)
