"""What a program has made so far, as far as it decides which calls are legal: connections, sessions, endpoints, messages.

Imports nothing of ours. Knows no rule; `legality` has those.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

FOREVER: Final = 1_000_000
"""A time to live or delay of so many units never ends within a program."""


VAST: Final = 20_000_000
"""So many units are more milliseconds than 32 bits hold, where a unit has 215 or more."""


LOSING: Final = ("restart", "kill", "sever")
"""The hooks that lose a provider or a link."""


class OpenOutcome(Exception):  # noqa: N818 - says what is not laid down
    """The specification leaves open what a step does, so no program has it; the message says why."""


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What programs may use, from the profile and the provider.

    Attributes:
        apis: Interfaces: ``classic``, ``simplified``, ``queue``, ``topic``.
        features: Optional features that the profile claims.
        hooks: ``restart``, ``kill``, ``sever``, ``fault``, ``administer``, where offered.
        virtual: Whether time stands still between steps, so that what expires or is delayed can be looked at meanwhile.
        modern: Whether the version has shared subscriptions, delivery delays and asynchronous sends.
    """

    apis: tuple[str, ...]
    features: tuple[str, ...]
    hooks: tuple[str, ...]
    virtual: bool
    modern: bool = True

    @property
    def failures(self) -> tuple[str, ...]:
        """The hooks that lose a provider or a link, each of which is an operation of its name."""
        return tuple(each for each in self.hooks if each in LOSING)

    @classmethod
    def from_json(cls, found: Mapping[str, Any]) -> Capabilities:
        """Return capabilities from the JSON form of their fields."""
        sets = {"apis": tuple(found["apis"]), "features": tuple(found["features"]), "hooks": tuple(found["hooks"])}
        return cls(**{**found, **sets})


@dataclass(slots=True)
class Connection:
    """A connection, or what the contexts over one connection share. `state`: open, closed, dead (lost in a failure).

    `severed`: its link was broken. `reports`: it has an exception listener; `replaced`: it had another one before. `thrown`: a
    message listener that throws was set.
    """

    name: str
    api: str
    client_id: str | None
    state: str = "open"
    started: bool = False
    stopped: bool = False
    auto_start: bool = True
    xa: bool = False
    severed: bool = False
    reports: bool = False
    replaced: bool = False
    thrown: bool = False

    @property
    def simplified(self) -> bool:
        """Whether it was made through the simplified API."""
        return self.api == "simplified"


@dataclass(slots=True)
class Session:
    """A session or context. `held`: endpoints from which it has messages that are not settled. `unsent`: destinations of
    messages in its open transaction. `waiting`: consumers in which a receive waits. `pooled`: whether it is that of a server
    session, so that a thread of the server uses it from then on. `branch`: the branch in which an XA session works now.
    """

    name: str
    connection: Connection
    mode: str
    closed: bool = False
    listening: set[str] = field(default_factory=set)
    held: dict[str, Endpoint] = field(default_factory=dict)
    epoch: int = 0
    unsent: set[str] = field(default_factory=set)
    waiting: set[str] = field(default_factory=set)
    pooled: bool = False
    blocked: bool = False
    branch: Branch | None = None

    @property
    def xa(self) -> bool:
        """Whether a transaction manager controls its transactions."""
        return self.connection.xa

    @property
    def state(self) -> str:
        """``open``, ``closed`` or ``dead``."""
        if self.connection.state != "open":
            return self.connection.state
        return "closed" if self.closed else "open"

    @property
    def running(self) -> bool:
        """Whether a listener of it may be called at any time, or a receive waits, so that no other thread may use it."""
        return bool(self.listening and self.connection.started) or bool(self.waiting) or self.pooled

    def consumers_of(self, consumers: Mapping[str, Consumer]) -> list[Consumer]:
        """Return its open consumers."""
        return [each for each in consumers.values() if each.session is self and each.state == "open"]


@dataclass(slots=True)
class Branch:
    """A branch of a distributed transaction. `state`: active, suspended, ended, failed, prepared or finished.

    `session`: the one that works on it. `held` and `unsent`: as of a session, without what its session did since the last start.
    """

    name: str
    session: Session
    state: str = "active"
    held: dict[str, Endpoint] = field(default_factory=dict)
    unsent: set[str] = field(default_factory=set)


@dataclass(slots=True)
class Destination:
    """A queue or topic. `due`: units of time until all that was sent to it has expired and fallen due. `prescribed`: what an
    administrator prescribes for messages sent to it: ``mode``, ``priority``, ``ttl``, ``delay``. `restarted`: whether the
    provider has restarted since, so that it may have forgotten what was prescribed. `used`: whether something was sent.
    """

    name: str
    kind: str
    owner: Connection | None = None
    deleted: bool = False
    due: int = 0
    temporary: bool = False
    prescribed: dict[str, int] = field(default_factory=dict)
    restarted: bool = False
    used: bool = False

    def due_after(self, ttl: int, delay: int) -> int:
        """Return how many units pass until a message sent to it now has expired and fallen due."""
        units = (self.prescribed.get("ttl", ttl), self.prescribed.get("delay", delay))
        return max([self.due, *(each for each in units if 0 < each < FOREVER)])


@dataclass(slots=True)
class Endpoint:
    """Where messages wait for consumers: a queue, or a subscription.

    `kind`: queue, plain (unshared non-durable), shared, durable, shared_durable. `contended`: two consumers at a time had
    it, so who gets what is open.
    """

    key: str
    kind: str
    destination: Destination
    selector: str | None = None
    no_local: bool = False
    consumers: set[str] = field(default_factory=set)
    contended: bool = False

    @property
    def durable(self) -> bool:
        """Whether it outlives its consumers."""
        return self.kind in {"queue", "durable", "shared_durable"}


@dataclass(slots=True)
class Consumer:
    """A consumer of an endpoint. `pooled`: whether it is a connection consumer. `blocked`: when its receive began to wait, nothing
    could come.
    """

    name: str
    session: Session
    end: Endpoint
    closed: bool = False
    listening: bool = False
    pooled: bool = False
    blocked: bool = False

    @property
    def state(self) -> str:
        """``open``, ``closed`` or ``dead``."""
        return "closed" if self.closed and self.session.state != "dead" else self.session.state


@dataclass(slots=True)
class Producer:
    """A producer; `destination` None where each send names one. `correlates`: the word that has set its correlation identifier."""

    name: str
    session: Session
    destination: Destination | None
    closed: bool = False
    ttl: int = 0
    delay: int = 0
    properties: set[str] = field(default_factory=set)
    publisher: bool = False
    correlates: str = ""

    @property
    def state(self) -> str:
        """``open``, ``closed`` or ``dead``."""
        return "closed" if self.closed and self.session.state != "dead" else self.session.state


@dataclass(slots=True)
class Browser:
    """A browser of a queue, or an enumeration of one; `stale` once its queue may have changed."""

    name: str
    session: Session
    queue: Destination
    closed: bool = False
    enumeration: bool = False
    stale: bool = False

    @property
    def state(self) -> str:
        """``open``, ``closed`` or ``dead``."""
        return "closed" if self.closed and self.session.state != "dead" else self.session.state


@dataclass(slots=True)
class Message:
    """A message. `receiver`: the session that received it; `epoch`: the session's, so that one taken back is known. `unsure`:
    whether its last send failed, so that nobody knows what the provider has set on it.
    """

    name: str
    kind: str
    foreign: bool = False
    receiver: Session | None = None
    epoch: int = 0
    sent: bool = False
    numbered: bool = False
    unsure: bool = False
