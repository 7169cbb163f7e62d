"""The kinds of bystanders: what each is made of, and what must be true of it after the case.

`look` returns what is wrong, in words, or None; it may raise what the provider raises, which is wrong too.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from tck import api
from tck.suite.support.company.desks import SETTINGS, Desk


@dataclass(frozen=True, slots=True)
class Ground:
    """What bystanders stand on: destinations of their own, unknown to the case, and the time that an arrival may take.

    Attributes:
        queue: A queue.
        other: Another queue.
        topic: A topic.
        name: A name that nobody else uses.
        deadline: Milliseconds.
        apart: Opens a session of another connection.
    """

    queue: api.Queue
    other: api.Queue
    topic: api.Topic
    name: str
    deadline: int
    apart: Callable[[], Desk]


class Bystander(ABC):
    """One bystander."""

    row: str
    """The row of the claim that it makes."""
    row_simplified: str = ""
    """The row in the simplified interface, where that has one of its own."""
    row_domain: str = ""
    """The row in the domain-specific interfaces, where those have one of their own."""
    domain: str = "queue"
    """The domain that it works in."""
    words: str
    """What it is."""
    lasting: bool = False
    """Whether it outlives its connection, and the provider."""

    def __init__(self, desk: Desk, ground: Ground) -> None:
        self.desk = desk
        self.ground = ground

    @abstractmethod
    def make(self) -> None:
        """Make it. Messages that it begins with are sent by a session apart: they must not join the case's transaction."""

    @abstractmethod
    def look(self, apart: Desk) -> str | None:
        """Return what it suffered; `apart` is a fresh session of a fresh connection."""

    def leave(self) -> None:  # noqa: B027 - most leave nothing behind
        """Take away what would outlive the connection."""

    def took(self, consumer: Any, wanted: str) -> str | None:
        """Return what is wrong with the next message of a consumer."""
        got = consumer.receive(self.ground.deadline)
        if got is None:
            return f"{wanted!r} does not arrive within {self.ground.deadline} ms"
        text = got.text if isinstance(got, api.TextMessage) else repr(got)
        return None if text == wanted else f"{text!r} came where {wanted!r} was expected"


class Waiting(Bystander):
    """A message that waits on another queue."""

    row = "9.1-1"
    words = "a persistent message that waits on another queue"
    lasting = True

    def make(self) -> None:
        """Send it."""
        self.desk.send(self.ground.queue, "waiting")

    def look(self, apart: Desk) -> str | None:
        """Receive it, and nothing twice."""
        apart.send(self.ground.queue, "after")
        consumer = apart.consumer(self.ground.queue)
        return self.took(consumer, "waiting") or self.took(consumer, "after")


class Consuming(Bystander):
    """A consumer of another queue."""

    row = "8.2-1"
    row_simplified = "8.2-2"
    row_domain = "8.2-3"
    words = "a consumer of another queue"

    def make(self) -> None:
        """Open it, with a message that it has received."""
        self.consumer = self.desk.consumer(self.ground.queue)

    def look(self, apart: Desk) -> str | None:
        """Send it a message."""
        apart.send(self.ground.queue, "one")
        return self.took(self.consumer, "one")


class Subscribed(Bystander):
    """A consumer of another topic."""

    row = "8.3.1-1"
    row_simplified = "8.3.1-2"
    row_domain = "8.3.1-3"
    domain = "topic"
    words = "a consumer of another topic"

    def make(self) -> None:
        """Open it."""
        self.consumer = self.desk.consumer(self.ground.topic)

    def look(self, apart: Desk) -> str | None:
        """Publish a message."""
        apart.send(self.ground.topic, "one")
        return self.took(self.consumer, "one")


class Durable(Bystander):
    """A durable subscription without a consumer that holds a message."""

    row = "8.3.3-17"
    words = "an inactive durable subscription that holds a persistent message"
    lasting = True
    domain = "topic"

    def make(self) -> None:
        """Make it; the desk's client identifier is its own."""
        self.consumer = self.desk.durable(self.ground.topic, self.ground.name)
        self.consumer.close()
        self.desk.send(self.ground.topic, "held")

    def look(self, apart: Desk) -> str | None:
        """Resume it."""
        apart.send(self.ground.topic, "after")
        self.consumer = self.desk.durable(self.ground.topic, self.ground.name)
        return self.took(self.consumer, "held") or self.took(self.consumer, "after")

    def leave(self) -> None:
        """Delete the subscription."""
        self.consumer.close()
        self.desk.unsubscribe(self.ground.name)


class Producing(Bystander):
    """A producer with settings of its own."""

    row = "7.4-11"
    words = f"a producer with {', '.join(f'{name} {value}' for name, value in SETTINGS.items())}"

    def make(self) -> None:
        """Set it."""
        self.producer = self.desk.producer(self.ground.queue)

    def look(self, apart: Desk) -> str | None:
        """Read the settings, and send."""
        now = self.desk.settings(self.producer)
        if now != SETTINGS:
            return f"its settings are {now}"
        if self.desk.transacted:  # the transaction is the case's, and may be in any state
            return None
        self.desk.send_by(self.producer, self.ground.queue, "one")
        return self.took(apart.consumer(self.ground.queue), "one")


class Browsing(Bystander):
    """An enumeration of a browser, in the middle."""

    row = "4.1.6-4"
    words = "an enumeration of another queue that has shown the first of three messages"

    def make(self) -> None:
        """Begin it."""
        sender = self.ground.apart()
        for text in ("one", "two", "three"):
            sender.send(self.ground.queue, text)
        sender.close()
        self.scan = self.desk.browse(self.ground.queue)
        self.first = next(self.scan, None)

    def look(self, apart: Desk) -> str | None:
        """Go on with it."""
        del apart
        if self.first is None:  # the scan need not show what was sent a moment ago
            return None
        rest = [getattr(message, "text", None) for message in self.scan]
        if None in rest:  # nor what waits on a connection that was stopped meanwhile
            return None
        return None if rest == ["two", "three"] else f"it went on with {rest}"


class Transaction(Bystander):
    """A transaction that has received one message and sent another."""

    row = "6.2.7-16"
    words = "an open transaction that has received a message and sent another"

    def make(self) -> None:
        """Begin it."""
        self.desk.send(self.ground.queue, "received")
        self.desk.commit()
        self.consumer = self.desk.consumer(self.ground.queue)
        self.got = self.consumer.receive(self.ground.deadline)
        self.desk.send(self.ground.other, "sent")

    def look(self, apart: Desk) -> str | None:
        """Commit it."""
        if self.got is None:
            return None
        self.desk.commit()
        self.consumer.close()
        wrong = self.took(apart.consumer(self.ground.other), "sent")
        if wrong:
            return wrong
        apart.send(self.ground.queue, "next")
        return self.took(apart.consumer(self.ground.queue), "next")


class Unacknowledged(Bystander):
    """A message in hand, in CLIENT_ACKNOWLEDGE."""

    row = "6.2.10-7"
    words = "a message in hand that a CLIENT_ACKNOWLEDGE session has not acknowledged"

    def make(self) -> None:
        """Receive it."""
        self.desk.send(self.ground.queue, "in hand")
        self.consumer = self.desk.consumer(self.ground.queue)
        self.got = self.consumer.receive(self.ground.deadline)

    def look(self, apart: Desk) -> str | None:
        """Acknowledge it; it is not redelivered."""
        if self.got is None:
            return None
        self.got.acknowledge()
        apart.send(self.ground.queue, "next")
        return self.took(self.consumer, "next")


APART: Final = "of another connection"
BESIDE: Final = "of another session of the connection"
WITHIN: Final = "of the same session"

KINDS: Final[tuple[tuple[type[Bystander], str], ...]] = (
    (Waiting, APART),
    (Consuming, APART),
    (Consuming, BESIDE),
    (Consuming, WITHIN),
    (Subscribed, APART),
    (Subscribed, BESIDE),
    (Subscribed, WITHIN),
    (Durable, APART),
    (Producing, APART),
    (Producing, BESIDE),
    (Producing, WITHIN),
    (Browsing, APART),
    (Browsing, BESIDE),
    (Browsing, WITHIN),
    (Transaction, APART),
    (Transaction, BESIDE),
    (Unacknowledged, APART),
    (Unacknowledged, BESIDE),
)
"""Each kind with each place that it may have."""
