"""What second lifetimes stand on: destinations, names and connections of their own, all gone when the look is over."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from functools import cached_property
from typing import Any, Final, TypeVar

from tck import api
from tck.catalogue.versions import DELIVERY_DELAYS, SHARED_SUBSCRIPTIONS, offers
from tck.suite.support.company.desks import ClassicDesk, Desk, SimplifiedDesk
from tck.suite.support.company.domains import connected, of_domain, open_connection
from tck.suite.support.harness.running import RunningCase

_Made = TypeVar("_Made", bound=api.Destination)

DEFAULTS: Final = {
    "delivery_mode": api.DeliveryMode.PERSISTENT,
    "priority": 4,
    "time_to_live": 0,
    "disable_message_id": False,
    "disable_message_timestamp": False,
}
"""What a new producer is set to (7.4-10)."""


class NoGroundError(Exception):
    """The provider or its adapter has not made what a look stands on, which is nobody's claim."""


class Ground:
    """Destinations that the case does not know, and sessions of fresh connections.

    Args:
        case: The case.
        provider: The provider's own object.
        judged: Says whether a row, by its id, is judged of this provider.
    """

    def __init__(self, case: RunningCase, provider: api.Provider, judged: Callable[[str], bool]) -> None:
        self.deadline = case.timing.deadline
        self.judged = judged
        self._case = case
        self._provider = provider
        self._closing: list[Callable[[], object]] = []
        self._drops: list[api.Destination] = []

    @property
    def defaults(self) -> dict[str, object]:
        """The settings of a new producer, in the version that the provider is judged by."""
        delay = {"delivery_delay": 0} if offers(self._case.version, DELIVERY_DELAYS) else {}
        return {**DEFAULTS, **delay}

    @property
    def shares(self) -> bool:
        """Whether the version has shared subscriptions, and the profile claims them."""
        disclaimed = self._case.profile.claims.disclaimed("Session.create_shared_durable_consumer")
        return offers(self._case.version, SHARED_SUBSCRIPTIONS) and disclaimed is None

    @property
    def by_domain(self) -> bool:
        """Whether the version has no other interfaces than those of the domains."""
        return not offers(self._case.version, "classic")

    @property
    def has_topics(self) -> bool:
        """Whether the profile claims topics."""
        return "pubsub" in self._case.profile.claims.domains

    @property
    def classic(self) -> bool:
        """Whether fresh connections are of the classic interface: the case's own, where the provider has it."""
        claimed = self._case.profile.claims.api
        return "classic" in claimed and not (self._case.point.api == "simplified" and "simplified" in claimed)

    def name(self) -> str:
        """Make a name that nobody else uses."""
        return self._case.name("lifetimes")

    def queue(self) -> api.Queue:
        """Create a queue."""
        return self._made(self._provider.create_queue)

    def topic(self) -> api.Topic:
        """Create a topic."""
        return self._made(self._provider.create_topic)

    def places(self, session: object) -> list[api.Destination]:
        """Create a queue and a topic, or just the one that a session of one domain can use."""
        made: list[api.Destination] = []
        if not isinstance(session, api.TopicSession):
            made.append(self.queue())
        if self.has_topics and not isinstance(session, api.QueueSession):
            made.append(self.topic())
        return made

    def place(self, session: object) -> api.Destination:
        """Create a queue, or a topic for a session that can only use one."""
        return self.topic() if isinstance(session, api.TopicSession) else self.queue()

    def _made(self, make: Callable[[str], _Made]) -> _Made:
        try:
            made = make(self.name())
        except Exception as error:
            raise NoGroundError from error
        self._drops.append(made)
        return made

    @property
    def connects(self) -> str:
        """The row that says that a factory makes such connections."""
        return {"queue": "6.1-6", "topic": "6.1-7"}[self._case.point.domain] if self.by_domain else "6.1-1"

    def connection(self) -> api.Connection:
        """Open a connection, which is not started: where there are no others, of the case's domain."""
        made: api.Connection
        if self.by_domain:
            made = open_connection(self._provider, self._case.point.domain)
        else:
            made = self._provider.connection_factory().create_connection()
        self._closing.append(made.close)
        return made

    def context(self, mode: int = api.Session.AUTO_ACKNOWLEDGE) -> api.JMSContext:
        """Open a context with its connection."""
        made = self._provider.connection_factory().create_context(session_mode=mode)
        self._closing.append(made.close)
        return made

    def desk(self, client_id: str | None = None) -> Desk:
        """Open a connection with a session that acknowledges automatically, and start it."""
        if self.by_domain:
            desk = connected(self._provider, api.Session.AUTO_ACKNOWLEDGE, client_id=client_id)
            self._closing.append(desk.close)
            return desk
        if not self.classic:
            context = self.context()
            if client_id is not None:
                context.client_id = client_id
            return SimplifiedDesk(context, context.close)
        connection = self.connection()
        if client_id is not None:
            connection.client_id = client_id
        connection.start()
        return ClassicDesk(
            connection.create_session(transacted=False, session_mode=api.Session.AUTO_ACKNOWLEDGE), connection.close
        )

    @cached_property
    def apart(self) -> Desk:
        """A session of another connection, the same for all looks of a case."""
        try:
            return self.desk()
        except Exception as error:
            raise NoGroundError from error

    def keep(self, closeable: Any) -> Any:
        """Close an object when the look is over."""
        self._closing.append(closeable.close)
        return closeable

    def close(self) -> None:
        """Close the connections, and drop the destinations."""
        for closing in reversed(self._closing):
            with contextlib.suppress(Exception):
                closing()
        for each in self._drops:
            with contextlib.suppress(Exception):
                self._provider.drop(each)


def desk_of(raw: api.Session | api.JMSContext) -> Desk:
    """Return the desk of a session of the case, which does not close it."""
    if isinstance(raw, api.QueueSession | api.TopicSession):
        return of_domain(raw, _nothing)
    return SimplifiedDesk(raw, _nothing) if isinstance(raw, api.JMSContext) else ClassicDesk(raw, _nothing)


def _nothing() -> None:
    """Close nothing: the session is the case's."""
