"""Faults in 6.2.5: other threads than the session's, and listeners that share a session."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from faults.kit.common import around, connection_of
from faults.kit.declaring import nearly_right, saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.broker.physical_destinations import PhysicalDestination
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.client.connections import ReferenceConnection
from reference_provider.client.consumers import ReferenceConsumer
from reference_provider.client.dispatch import Dispatcher, ListeningConsumer
from reference_provider.client.sessions import ReferenceSession
from tck.api import IllegalStateException, JMSException, Session

LONG_MS = 600_000
"""Milliseconds, on the provider's clock, that a call hangs."""


def receiving(session: ReferenceSession) -> bool:
    """Return whether a thread is in a receive of a session."""
    return any(one.listener is None and one.receiver.slot.blocked for one in session.consumers)


def listening(session: ReferenceSession) -> bool:
    """Return whether a listener of a session runs."""
    return session.dispatcher is not None and session.dispatcher.current is not None


@saboteur("6.2.5-2", "a connection cannot be closed by a foreign thread while a listener runs")
def _(patch: Patch) -> None:
    def close(original: Callable[..., None], connection: ReferenceConnection) -> None:
        if any(listening(session) for session in connection.sessions):
            raise IllegalStateException("a listener runs on another thread")
        original(connection)

    patch.at(fault_points.CONNECTION_CLOSED, close)


@saboteur("6.2.5-3", "a consumer cannot be closed by a foreign thread while another one receives")
def _(patch: Patch) -> None:
    def close(original: Callable[..., None], consumer: ReferenceConsumer) -> None:
        if consumer.listener is None and consumer.receiver.slot.blocked:
            raise IllegalStateException("another thread uses the consumer")
        original(consumer)

    around(patch, ReferenceConsumer, "close", close)


@saboteur("6.2.5-5", "every twentieth message that listeners send in a session with more than three of them is lost")
def _(patch: Patch) -> None:
    sent: Counter[ReferenceSession] = Counter()

    def submit(
        original: Callable[..., None], session: ReferenceSession, physical: PhysicalDestination, entry: StoredMessage
    ) -> None:
        if session.in_listener() and len(session.consumers) > 3:
            sent[session] += 1
            if sent[session] % 20 == 0:
                return
        original(session, physical, entry)

    patch.at(fault_points.SEND_SUBMITTED, submit)


@saboteur("6.2.5-6", "a started connection with a listener makes no further session")
def _(patch: Patch) -> None:
    def create_session(original: Callable[..., Session], connection: ReferenceConnection, **arguments: Any) -> Session:
        if any(one.dispatcher is not None and one.dispatcher.consumers for one in connection.sessions):
            raise JMSException("the connection delivers messages")
        return original(connection, **arguments)

    around(patch, ReferenceConnection, "create_session", create_session)


@saboteur("6.2.5-7", "a receive in a session blocks the sends of the connection's other sessions")
def _(patch: Patch) -> None:
    _blocked_sends(patch, lambda _session: True)


def _blocked_sends(patch: Patch, blocked: Callable[[ReferenceSession], bool]) -> None:
    """Let the sends of some sessions wait while another session of the connection receives."""

    def submit(
        original: Callable[..., None], session: ReferenceSession, physical: PhysicalDestination, entry: StoredMessage
    ) -> None:
        others = [one for one in connection_of(session).sessions if one is not session]
        if blocked(session) and any(receiving(one) for one in others):
            session.broker.clock.event().wait(LONG_MS)
        original(session, physical, entry)

    patch.at(fault_points.SEND_SUBMITTED, submit)


@nearly_right(
    "receive-blocks-sends-of-one-domain",
    "a receive in a session of one domain blocks the sends of the connection's other sessions",
    "6.2.5-7",
)
def _(patch: Patch) -> None:
    _blocked_sends(patch, lambda session: type(session) is not ReferenceSession)


@saboteur("6.2.5-10", "a session serves two of the listeners that are set while its connection is stopped")
def _(patch: Patch) -> None:
    def add(original: Callable[..., None], dispatcher: Dispatcher, consumer: ListeningConsumer) -> None:
        original(dispatcher, consumer)
        if not dispatcher.session.connection.running and len(dispatcher.consumers) > 2:
            dispatcher.remove(dispatcher.consumers[0])

    patch.at(fault_points.LISTENER_ADDED, add)
