"""A link: one client, one destination, a producer and a consumer. Most tests need nothing else."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from typing import NoReturn

from tck import api
from tck.suite.support.clients.client import Client, Consumer
from tck.suite.support.harness.outcome import Undecided
from tck.suite.support.harness.running import Elsewhere
from tck.suite.support.values.kinds import Kind
from tck.suite.support.values.seen import body, tried


class Link:
    """A client with a destination, a sender and a consumer on it.

    `send` and `receive` settle: they commit a transacted session, and `receive` acknowledges in CLIENT_ACKNOWLEDGE.
    Use `put` and `take` where the test is about the settling itself. A failure in any of them is no verdict on the row: it
    leaves the case undecided.
    """

    def __init__(
        self,
        client: Client,
        destination: api.Destination,
        *,
        consumes: bool = True,
        selector: str | None = None,
        durable: str | None = None,
    ) -> None:
        self.client = client
        self.case = client.case
        self.destination = destination
        self.sender = client.sender(destination)
        if self.case.sends_non_persistent:
            self.sender.set(mode=api.DeliveryMode.NON_PERSISTENT)
        self._markers = 0
        lasting = durable is not None and isinstance(destination, api.Topic)
        self._consumer: Consumer | None = self._opened(selector, durable) if consumes or lasting else None

    def _opened(self, selector: str | None, durable: str | None) -> Consumer:
        """Open a consumer; that of a topic may be on a shared subscription (`[vary]` of the profile)."""
        place = self.destination
        if not isinstance(place, api.Topic) or isinstance(place, api.Queue):
            return self.client.consumer(place, selector)
        if not self.case.shares_subscriptions or isinstance(place, api.TemporaryTopic):
            return (
                self.client.consumer(place, selector)
                if durable is None
                else self.client.durable(place, durable, selector)
            )
        session = self.client.session
        create = session.create_shared_consumer if durable is None else session.create_shared_durable_consumer
        options = () if selector is None else (selector,)
        consumer: Consumer = create(place, durable or self.case.name("shared"), *options)
        return consumer

    @property
    def consumer(self) -> Consumer:
        """The link's consumer.

        Raises:
            Undecided: the link was opened without one.
        """
        if self._consumer is None:
            raise Undecided("the link has no consumer")
        return self._consumer

    def use(self, consumer: Consumer) -> None:
        """Receive through this consumer from now on."""
        self._consumer = consumer

    def text(self, text: str) -> api.TextMessage:
        """Create a text message."""
        return self.client.text(text)

    def message(self, kind: Kind = "text", content: str = "x") -> api.Message:
        """Create a message of a kind."""
        return self.client.message(kind, content)

    def put(
        self,
        message: api.Message | str,
        *,
        mode: int | None = None,
        priority: int | None = None,
        ttl: int | None = None,
    ) -> api.Message:
        """Send without settling; a string is sent as a text message. `ttl` in ms. Return the sender's message."""
        sent = self.text(message) if isinstance(message, str) else message
        self.sender.send(sent, mode=mode, priority=priority, ttl=ttl)
        return sent

    def send(
        self,
        message: api.Message | str,
        *,
        mode: int | None = None,
        priority: int | None = None,
        ttl: int | None = None,
    ) -> api.Message:
        """Send, and commit if transacted. Return the sender's message."""
        sent = self.put(message, mode=mode, priority=priority, ttl=ttl)
        if self.client.transacted:
            self.client.commit()
        return sent

    def send_all(self, messages: Iterable[api.Message | str]) -> None:
        """Send messages or texts one after the other, each as `send` does."""
        for message in messages:
            self.send(message)

    def poll(self, milliseconds: float | None = None) -> api.Message | None:
        """Receive one message without settling, or None after `milliseconds` (default: the profile's deadline)."""
        return self.consumer.receive(int(self.case.timing.deadline if milliseconds is None else milliseconds))

    def look(self) -> api.Message | None:
        """Receive one message without settling, by a receive with a short time limit, or None where that brings nothing."""
        return self.poll(self.case.timing.quiet)

    def dispatched(self) -> None:
        """Go on when all that was sent here before is where it can get: at a consumer that holds it back, if it is stopped.

        Two markers behind it have come to a consumer beside, of a fresh destination, one after the other. In a minute of a
        virtual clock all gets where it can, and whoever holds it back has had time.

        Raises:
            Undecided: a marker did not come within the profile's deadline.
        """
        if self.case.minute():
            return
        beside = Link(
            self.client, self.case.destination("queue" if isinstance(self.destination, api.Queue) else "topic")
        )
        for text in ("marker beside", "second marker beside"):
            beside.send(text)
            message = beside.poll()
            if message is None:
                beside.missing()
            self.client.settle(message)

    def take(self) -> api.Message:
        """Receive one message without settling.

        Raises:
            Undecided: none came within the profile's deadline.
        """
        message = self.poll()
        if message is None:
            self.missing()
        self.case.witness(f"received {tried(lambda: body(message))!r}")
        return message

    def missing(self) -> NoReturn:
        """Leave the case undecided, since no message came in time.

        8.5-2 is broken if a fresh consumer of the queue is given a message that nobody has had: it was there for this one too.

        Raises:
            Undecided: always.
        """
        text = f"no message came within {self.case.timing.deadline} ms from {self.destination}"
        with contextlib.suppress(Exception):  # by any error nothing is known of the queue
            if isinstance(self.destination, api.Queue) and not self.consumer.message_selector:
                self.consumer.close()
                second = self.case.link("auto", destination=self.destination).poll()
                if second is not None and not second.jms_redelivered:
                    self.case.marks.elsewhere.append(
                        Elsewhere("8.5-2", "receive", f"{text}; a second consumer is given one")
                    )
        raise Undecided(text)

    def take_all(self, count: int) -> list[api.Message]:
        """Receive `count` messages without settling.

        Raises:
            Undecided: one did not come within the profile's deadline.
        """
        return [self.take() for _ in range(count)]

    def returned(self, count: int) -> list[api.Message]:
        """Roll back or recover, and receive `count` messages without settling.

        Raises:
            Undecided: one did not come within the profile's deadline.
        """
        self.client.return_all()
        return self.take_all(count)

    def receive(self) -> api.Message:
        """Receive one message and settle it.

        Raises:
            Undecided: none came within the profile's deadline.
        """
        message = self.take()
        self.client.settle(message)
        return message

    def carry(self, message: api.Message) -> api.Message:
        """Send a message and receive it; return the received message, settled."""
        self.send(message)
        return self.receive()

    def both_ends(self, message: api.Message) -> tuple[tuple[str, api.Message], tuple[str, api.Message]]:
        """Send a message and receive it; return both objects, each with words for its place."""
        received = self.carry(message)
        return (("on the sender's message", message), ("on the received message", received))

    def mark(self, *, mode: int | None = None, priority: int | None = None) -> str:
        """Send a marker in the same way as all messages of this link, or with other options, settled; return its body."""
        self._markers += 1
        text = f"marker-{self._markers}"
        self.send(text, mode=mode, priority=priority)
        return text
