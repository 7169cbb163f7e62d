"""What a program has made so far, and what that permits: the state that decides which calls are legal. Knows no operation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from tck.programs.program import Json
from tck.programs.state.objects import (
    Branch,
    Browser,
    Capabilities,
    Connection,
    Consumer,
    Destination,
    Endpoint,
    Message,
    OpenOutcome,
    Producer,
    Session,
)

DURABLE: Final = frozenset({"durable", "shared_durable"})
"""The kinds of durable subscriptions."""


class State:
    """The objects of a program under way."""

    def __init__(self, capabilities: Capabilities) -> None:
        self.capabilities = capabilities
        self.connections: dict[str, Connection] = {}
        self.sessions: dict[str, Session] = {}
        self.destinations: dict[str, Destination] = {}
        self.names: set[str] = set()
        self.endpoints: dict[str, Endpoint] = {}
        self.consumers: dict[str, Consumer] = {}
        self.producers: dict[str, Producer] = {}
        self.browsers: dict[str, Browser] = {}
        self.messages: dict[str, Message] = {}
        self.ends: dict[str, Endpoint] = {}
        self.branches: dict[str, Branch] = {}
        self.disabling = False
        """Whether a producer was asked to leave out identifiers or timestamps; whether it does is the provider's choice."""
        self.fresh = False
        """Whether the last call began to deliver to listeners, so that what they were given so far is left to chance."""
        self.refusals = False
        """Whether a call has raised."""
        self.overdue: set[str] = set()
        """Consumers whose receive was collected and had got nothing; where time is real it may still wait."""
        self.native = False
        """Whether a message has a correlation identifier in bytes."""
        self.correlating = False
        """Whether a selector asks for correlation identifiers."""
        self.exact = False
        """Whether a selector asks for an identifier or timestamp."""

    def listening(self) -> bool:
        """Return whether a listener may be called."""
        return any(
            each.listening and each.connection.started and each.state == "open" for each in self.sessions.values()
        )

    def heard(self, *, stops: bool = False) -> None:
        """Refuse to end what delivers to listeners in the call after that which began it, or while a receive waits.

        Args:
            stops: Whether it may begin again, so that a receive to which nothing could come so far goes on waiting (6.1.5-12).

        Raises:
            OpenOutcome: It did, or one does.
        """
        if self.fresh and self.listening():
            raise OpenOutcome("how much a listener was given by now is left to chance")
        waiting = {name for each in self.sessions.values() if each.state == "open" for name in each.waiting}
        if any(not (stops and self.idle(name)) for name in waiting - self.overdue):
            raise OpenOutcome("what a receive that waits was given by now is open; collect it first")

    def idle(self, consumer: str) -> bool:
        """Return whether nothing can have come to a receive that waits."""
        found = self.consumers[consumer]
        return found.blocked and not found.end.destination.used

    def connection_of(self, name: str) -> Connection:
        """Return a connection by its name or by that of a context over it."""
        return self.connections[name] if name in self.connections else self.sessions[name].connection

    def alive(self, name: str) -> Connection:
        """Return a connection by its name or by that of a context over it.

        Raises:
            OpenOutcome: It was lost in a failure.
        """
        found = self.connection_of(name)
        if found.state == "dead":
            raise OpenOutcome(f"{name} was lost in a failure")
        return found

    def usable(self, name: str) -> Session:
        """Return a session that the program's thread may use, or one that is closed.

        Raises:
            OpenOutcome: It is lost, or its listeners run.
        """
        found = self.sessions[name]
        if found.state == "dead":
            raise OpenOutcome(f"{name} was lost in a failure")
        if found.state == "open" and found.running:
            raise OpenOutcome(f"{name} belongs to the thread that calls its listeners or waits in a receive")  # 6.2.5-1
        return found

    def closable(self, name: str) -> Consumer | Producer | Browser:
        """Return a consumer, producer or browser by its name."""
        return self.consumers.get(name) or self.producers.get(name) or self.browsers[name]

    def close_session(self, session: Session) -> None:
        """Record that a session or context is closed, and with its last context the connection."""
        session.closed = True
        session.held.clear()
        for consumer in self.consumers.values():
            if consumer.session is session:
                self.leave(consumer)
        connection = session.connection
        others = [each for each in self.sessions.values() if each.connection is connection and not each.closed]
        if connection.simplified and not others:
            connection.state = "closed"
            self.end_connection(connection)

    def end_connection(self, connection: Connection) -> None:
        """Record that nothing of a connection is of use any more: its consumers leave, its temporary destinations are deleted."""
        for consumer in self.consumers.values():
            if consumer.session.connection is connection:
                self.leave(consumer)
        for session in self.sessions.values():
            if session.connection is connection:
                session.held.clear()
        for destination in self.destinations.values():
            if destination.owner is connection:
                destination.deleted = True

    def leave(self, consumer: Consumer) -> None:
        """Record that a consumer is gone, and with the last one its endpoint, unless it is durable."""
        end = consumer.end
        end.consumers.discard(consumer.name)
        consumer.session.listening.discard(consumer.name)
        consumer.session.waiting.discard(consumer.name)
        self.overdue.discard(consumer.name)
        if not end.consumers and not end.durable:
            self.endpoints.pop(end.key, None)

    def settled(self, destination: Destination) -> None:
        """Refuse to look at a destination whose messages expire or fall due by real time meanwhile.

        Raises:
            OpenOutcome: They do.
        """
        if destination.due and not self.capabilities.virtual:
            raise OpenOutcome(f"what waits at {destination.name} changes by itself; let time pass first")

    def reachable(self, name: str | None, connection: Connection) -> Destination | None:
        """Return a destination that a call may name.

        Raises:
            OpenOutcome: It went with its connection, or another connection deleted it.
        """
        if name is None:
            return None
        found = self.destinations[name]
        if found.deleted and (found.owner is None or found.owner is not connection or connection.state != "open"):
            raise OpenOutcome(f"{name} is gone")
        return found

    def key_of(self, args: Mapping[str, Json], session: Session, destination: Destination) -> str:
        """Return the identity of the endpoint that a consumer would have."""
        kind, client = args.get("kind", "plain"), session.connection.client_id or ""
        if destination.kind == "queue":
            return destination.name
        if kind in DURABLE:
            return f"durable {client}/{args.get('name')}"
        return f"shared {client}/{args.get('name')}" if kind == "shared" else ""

    def hold(self, consumer: Consumer) -> None:
        """Record that a session has messages of an endpoint that are not settled."""
        if consumer.session.mode in {"client", "transacted"}:
            consumer.session.held[consumer.end.key] = consumer.end

    def working(self) -> Iterator[Session | Branch]:
        """Yield what has messages in hand, or sends that are not committed: open sessions, and branches that are not finished."""
        yield from (each for each in self.sessions.values() if each.state == "open")
        yield from (each for each in self.branches.values() if each.state != "finished")

    def quiet(self, queue: str) -> bool:
        """Return whether nobody consumes from a queue, and nobody has messages of it in hand."""
        end = self.endpoints.get(queue)
        held = any(queue in each.held for each in self.working())
        return not held and (end is None or not end.consumers)


def same_terms(end: Endpoint, args: Mapping[str, Json]) -> bool:
    """Return whether a consumer asks for the selector and noLocal that a subscription has."""
    return end.selector == (args.get("selector") or None) and end.no_local == bool(args.get("no_local"))
