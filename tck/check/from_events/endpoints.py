"""Endpoints and consumers of a trace: their lives, the other consumers, and when they were shown to be empty.

May import `calls` and `columns`; must not judge.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from tck.check.columns import ALWAYS, CONSUMERS, ENDPOINTS, NEVER, NONE, UNSURE, Kind, Table
from tck.check.from_events.calls import Call, Facts


@dataclass(slots=True)
class Endpoint:
    """A queue or a subscription."""

    number: int
    kind: int
    destination: str
    label: str
    shared: bool = False
    selector: int = NONE
    nolocal: int = NONE
    owner: int = NONE
    drained: int = ALWAYS
    waited: int = ALWAYS
    blind: int = ALWAYS
    open0: int = ALWAYS
    open1: int = ALWAYS
    gone0: int = NEVER
    gone1: int = NEVER

    def end(self, t0: int, t1: int) -> None:
        """Record its removal, at the earliest time reported."""
        self.gone0, self.gone1 = min(self.gone0, t0), min(self.gone1, t1)

    @property
    def taken_in_turns(self) -> bool:
        """Whether several consumers may share its messages."""
        return self.kind == Kind.QUEUE or self.shared


@dataclass(slots=True)
class Consumer:
    """A consumer, from the call that made it to the call that ended it."""

    number: int
    label: str
    endpoint: Endpoint
    session: int
    selector: int
    open0: int
    open1: int
    gone0: int = NEVER
    gone1: int = NEVER

    def end(self, t0: int, t1: int) -> bool:
        """Record its end; return False if that was known before."""
        if self.gone1 < NEVER:
            return False
        self.gone0, self.gone1 = min(self.gone0, t0), t1
        return True


@dataclass(slots=True)
class EndpointRegistry:
    """All endpoints and consumers, numbered in order of appearance."""

    endpoints: list[Endpoint] = field(default_factory=list)
    consumers: list[Consumer] = field(default_factory=list)
    by_label: dict[str, Consumer] = field(default_factory=dict)
    owners: dict[str, int] = field(default_factory=dict)
    """Owning connection of each temporary destination."""
    _queues: dict[str, Endpoint] = field(default_factory=dict)
    _named: dict[tuple[object, ...], Endpoint] = field(default_factory=dict)
    _settings: dict[int, tuple[object, ...]] = field(default_factory=dict)
    _selectors: dict[str, int] = field(default_factory=dict)

    # -- selectors -----------------------------------------------------------------------------------------------

    def selector(self, text: object) -> int:
        """Number a selector; None and a blank one are no selector. One too long to be recorded still counts as one."""
        if text is None or (isinstance(text, str) and not text.strip()):
            return NONE
        key = text if isinstance(text, str) else f"{UNREAD} {text!r}"
        return self._selectors.setdefault(key, len(self._selectors))

    @property
    def selectors(self) -> dict[int, str]:
        """The text of each selector."""
        return {number: text for text, number in self._selectors.items()}

    # -- endpoints -----------------------------------------------------------------------------------------------

    def queue(self, label: str) -> Endpoint:
        """Return the endpoint of a queue."""
        name = destination_of(label)
        found = self._queues.get(name)
        if found is None:
            found = self._queues[name] = self._add(Kind.QUEUE, label, name)
        elif found.gone1 < NEVER:
            # It was removed and created again with its old name.
            found = self._queues[name] = self._add(Kind.QUEUE, label, name, found.gone0, found.gone1)
        return found

    def _add(self, kind: int, destination: str, label: str, open0: int = ALWAYS, open1: int = ALWAYS) -> Endpoint:
        endpoint = Endpoint(len(self.endpoints), kind, destination_of(destination), label, open0=open0, open1=open1)
        endpoint.owner = self.owners.get(destination_of(destination), NONE)
        self.endpoints.append(endpoint)
        return endpoint

    def _subscription(self, call: Call, created: Facts, client: object, connection: int) -> Endpoint:
        destination, name = str(created.get("destination")), created.get("subscription")
        durable, shared = bool(created.get("durable")), bool(created.get("shared"))
        selector, no_local = self.selector(created.get("selector")), created.get("no_local") is True
        settings = (destination_of(destination), selector, no_local, shared)
        key = ("durable", client, name) if durable else ("shared", client, destination_of(destination), name)
        known = self._named.get(key) if durable or shared else None
        if known is not None and known.gone1 >= call.t0:
            if self._settings[known.number] == settings:
                if known.nolocal not in (NONE, connection):
                    known.nolocal = UNSURE  # which connection is the local one then depends on the time
                if known.gone0 < NEVER:
                    known.gone1 = NEVER  # it may have ended, or been opened again before it ended
                return known
            known.end(call.t0, call.t1)  # another topic, selector or no-local makes a new one
        label = f"subscription {name!r}" if name is not None else f"the subscription of {created['label']}"
        made = self._add(Kind.DURABLE if durable else Kind.NONDURABLE, destination, label, call.t0, call.t1)
        made.shared, made.selector = shared, selector
        made.nolocal = connection if no_local else NONE
        self._settings[made.number] = settings
        if durable or shared:
            self._named[key] = made
        return made

    def unsubscribe(self, client: object, name: object, t0: int, t1: int) -> None:
        """Record the removal of a durable subscription."""
        found = self._named.get(("durable", client, name))
        if found is not None:
            found.end(t0, t1)

    def in_use(self, label: str) -> bool:
        """Whether a destination has a consumer that has not ended."""
        ended = (each.gone0 < NEVER for each in self.consumers if each.endpoint.destination == destination_of(label))
        return not all(ended)

    def drop(self, label: str, t0: int, t1: int) -> None:
        """Record the removal of a destination, with everything on it."""
        for endpoint in self.endpoints:
            if endpoint.destination == destination_of(label):
                endpoint.end(t0, t1)

    # -- consumers -----------------------------------------------------------------------------------------------

    def consume(self, call: Call, session: int, connection: int, client: object) -> None:
        """Record a new consumer, from the call that created it."""
        created = call.created or {}
        destination = created.get("destination")
        if not isinstance(destination, str):
            return
        is_topic = destination_of(destination).startswith("topic:")
        endpoint = (
            self._subscription(call, created, client, connection)
            if is_topic or created.get("durable") or created.get("shared")
            else self.queue(destination)
        )
        label = str(created["label"])
        consumer = self._new_consumer(
            label, endpoint, session, self.selector(created.get("selector")), (call.t0, call.t1)
        )
        self.by_label[label] = consumer

    def _new_consumer(
        self, label: str, endpoint: Endpoint, session: int, selector: int, life: tuple[int, int]
    ) -> Consumer:
        consumer = Consumer(len(self.consumers), label, endpoint, session, selector, *life)
        self.consumers.append(consumer)
        return consumer

    def end_consumer(self, consumer: Consumer, t0: int, t1: int) -> bool:
        """Record the end of a consumer, and with the last one of a non-durable subscription; return False if it was known."""
        if not consumer.end(t0, t1):
            return False
        endpoint = consumer.endpoint
        alive = [each for each in self.consumers if each.endpoint is endpoint and each.gone0 == NEVER]
        if endpoint.kind == Kind.NONDURABLE and all(each.open1 > t0 for each in alive):
            endpoint.end(t0, NEVER if alive else t1)  # a consumer created at the same time may have come too late
        return True

    def end_sessions(self, sessions: Iterable[int], t0: int, t1: int) -> None:
        """Record the end of the consumers of these sessions."""
        ended = set(sessions)
        for consumer in self.consumers:
            if consumer.session in ended:
                self.end_consumer(consumer, t0, t1)

    def end_temporaries(self, connection: int, t0: int, t1: int) -> None:
        """Record the end of the temporary destinations of a connection."""
        for endpoint in self.endpoints:
            if endpoint.owner == connection:
                endpoint.end(t0, t1)

    def add_unseen_holder(self, endpoint: Endpoint, t0: int, t1: int) -> None:
        """Add a pseudo-consumer for a receive that failed: it may have held a message and returned it."""
        ghost = self._new_consumer("", endpoint, NONE, NONE, (t0, t1))
        ghost.end(t0, t1)
        endpoint.blind = max(endpoint.blind, t1)

    def others(self, consumer: Consumer) -> Iterator[Consumer]:
        """Yield the other consumers that share the messages of the same endpoint."""
        if consumer.endpoint.taken_in_turns:
            yield from (each for each in self.consumers if each is not consumer and each.endpoint is consumer.endpoint)

    # -- tables --------------------------------------------------------------------------------------------------

    def endpoint_table(self, destinations: dict[str, int]) -> Table:
        """Make the side table of endpoints."""
        columns = {name: [getattr(each, name) for each in self.endpoints] for name in _PLAIN}
        dests = [destinations.setdefault(each.destination, len(destinations)) for each in self.endpoints]
        return Table.of(ENDPOINTS, {**columns, "dest": dests}, len(self.endpoints))

    def consumer_table(self) -> Table:
        """Make the side table of consumers."""
        columns = {name: [getattr(each, name) for each in self.consumers] for name in CONSUMERS if name != "end"}
        ends = [each.endpoint.number for each in self.consumers]
        return Table.of(CONSUMERS, {**columns, "end": ends}, len(self.consumers))


UNREAD: Final = "(unread)"
"""Prefix of the text of a selector that is not on record."""

_PLAIN: Final = tuple(name for name in ENDPOINTS if name != "dest")


def destination_of(label: str) -> str:
    """Return the destination of a label, temporary or not: a provider may show a temporary one either way."""
    return label.removeprefix("temporary-")
