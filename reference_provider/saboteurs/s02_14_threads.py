"""Faults in 2.14: what several threads may use, and what is called by one at a time."""

from __future__ import annotations

import threading
from collections import defaultdict
from typing import Any

from reference_provider.broker.delivery import Delivery
from reference_provider.broker.physical_destinations import PhysicalDestination
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.client.connection_factories import Factory
from reference_provider.client.connections import ReferenceConnection
from reference_provider.client.dispatch import Dispatcher
from reference_provider.client.sessions import ReferenceSession
from reference_provider.saboteurs.faults import connection_of, session_of
from reference_provider.saboteurs.registry import Patch, saboteur
from tck.api import MessageListener

STEP_MS = 100
"""How long a dispatcher waits before it looks again whether another one is busy, on the provider's clock."""


def _in_main_thread() -> bool:
    return threading.current_thread() is threading.main_thread()


@saboteur("2.14-1", "what a fourth session sends to a destination from a thread of its own goes nowhere")
def _(patch: Patch) -> None:
    original = ReferenceSession.submit
    senders: defaultdict[PhysicalDestination, list[ReferenceSession]] = defaultdict(list)

    def submit(self: ReferenceSession, physical: PhysicalDestination, entry: StoredMessage) -> None:
        known = senders[physical]
        if self not in known and not _in_main_thread():
            known.append(self)
        if self not in known[3:]:
            original(self, physical, entry)

    patch.replace(ReferenceSession, "submit", submit)


@saboteur("2.14-2", "connections that other threads than the main one ask for are one connection")
def _(patch: Patch) -> None:
    original = Factory.connect
    shared: list[ReferenceConnection] = []
    lock = threading.Lock()  # guards the list

    def connect(self: Factory, *arguments: Any) -> Any:
        if _in_main_thread():
            return original(self, *arguments)
        with lock:
            if not shared or shared[-1].is_down():
                shared.append(original(self, *arguments))
            return shared[-1]

    patch.replace(Factory, "connect", connect)


@saboteur("2.14-3", "sessions that other threads than the main one ask a connection for are one session")
def _(patch: Patch) -> None:
    original = ReferenceConnection.add_session
    shared: dict[ReferenceConnection, ReferenceSession] = {}

    def add_session(self: ReferenceConnection, session: ReferenceSession) -> ReferenceSession:
        added = original(self, session)
        return added if _in_main_thread() else shared.setdefault(self, added)

    patch.replace(ReferenceConnection, "add_session", add_session)


def _detach(patch: Patch, *, least: int, most: int) -> None:
    """Have a session with that many listeners call each of them on a thread of its own, without waiting for the end."""
    original = Dispatcher.call_listener

    def call_listener(self: Dispatcher, listener: MessageListener, delivery: Delivery) -> bool:
        if not least <= len(self.consumers) <= most:
            return original(self, listener, delivery)
        message = self.session.message_of(delivery)
        self.session.broker.clock.spawn(lambda: listener.on_message(message), "reference-provider-pool")
        return False

    patch.replace(Dispatcher, "call_listener", call_listener)


@saboteur("2.14-8", "a session with one listener calls it from a pool of threads")
def _(patch: Patch) -> None:
    _detach(patch, least=1, most=1)


@saboteur("2.14-9", "a session with several listeners calls each on a thread of its own")
def _(patch: Patch) -> None:
    _detach(patch, least=2, most=9)


@saboteur("2.14-10", "a connection calls one listener at a time")
def _(patch: Patch) -> None:
    original = Dispatcher.call_listener
    busy: dict[ReferenceConnection, Dispatcher] = {}

    def call_listener(self: Dispatcher, listener: MessageListener, delivery: Delivery) -> bool:
        connection = connection_of(session_of(self))
        while busy.setdefault(connection, self) is not self:
            self.session.broker.clock.event().wait(STEP_MS)
        try:
            return original(self, listener, delivery)
        finally:
            del busy[connection]

    patch.replace(Dispatcher, "call_listener", call_listener)
