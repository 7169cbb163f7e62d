"""A JMS client under one set of names for the three interfaces.

A test written against `Client` serves all three; members that only one interface has are not here. Every call goes to the
recorded API objects, so evidence shows the real members.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from tck import api
from tck.suite.support.clients.sender import Sender
from tck.suite.support.harness.running import RunningCase
from tck.suite.support.values.kinds import Kind
from tck.suite.support.values.seen import body

Consumer: TypeAlias = "api.MessageConsumer | api.JMSConsumer"
"""A consumer of any interface."""

MODES: Mapping[str, int] = {
    "auto": api.Session.AUTO_ACKNOWLEDGE,
    "client": api.Session.CLIENT_ACKNOWLEDGE,
    "dups_ok": api.Session.DUPS_OK_ACKNOWLEDGE,
    "transacted": api.Session.SESSION_TRANSACTED,
}
"""Acknowledge modes by the names the suite uses."""


@dataclass(frozen=True, slots=True)
class Login:
    """The user name and password of a client."""

    user: str
    password: str


class Client(ABC):
    """One connection with one session (or one context) of a case."""

    def __init__(self, case: RunningCase, ack: str) -> None:
        self.case = case
        self.ack = ack

    @property
    @abstractmethod
    def connection(self) -> Any:
        """The Connection, or the JMSContext in its place."""

    @property
    @abstractmethod
    def session(self) -> Any:
        """The Session, or the JMSContext in its place."""

    @property
    def transacted(self) -> bool:
        """Whether the session is transacted."""
        return self.ack == "transacted"

    @abstractmethod
    def peer(self, ack: str | None = None) -> Client:
        """Open another session on the same connection."""

    @abstractmethod
    def consumer(
        self, destination: api.Destination, selector: str | None = None, *, no_local: bool = False
    ) -> Consumer:
        """Create a consumer of a queue, or an unshared non-durable one of a topic."""

    @abstractmethod
    def durable(self, topic: api.Topic, name: str, selector: str | None = None) -> Consumer:
        """Create a consumer on an unshared durable subscription; the client needs a client identifier."""

    @abstractmethod
    def sender(self, destination: api.Destination | None = None) -> Sender:
        """Create a producer for a destination; without one, each send names its own."""

    def browse_messages(self, queue: api.Destination, selector: str | None = None) -> list[api.Message]:
        """Browse a queue once, to its end, with a selector if one is given."""
        browser = (
            self.session.create_browser(queue) if selector is None else self.session.create_browser(queue, selector)
        )
        with browser:
            return list(browser.get_enumeration())

    def browse(self, queue: api.Destination) -> list[object]:
        """Browse a queue once; show the bodies."""
        return [body(message) for message in self.browse_messages(queue)]

    def browse_until(self, queue: api.Destination, count: int) -> list[object]:
        """Browse until `count` messages are shown, or until the profile's deadline; show the bodies."""
        until = self.case.now() + self.case.timing.deadline
        while True:
            shown = self.browse(queue)
            if len(shown) >= count or self.case.now() >= until:
                return shown
            self.case.provider.clock.event().wait(self.case.timing.deadline / 100)

    def temporary(self) -> api.TemporaryQueue | api.TemporaryTopic:
        """Create a temporary destination of the case's domain."""
        made: api.TemporaryQueue | api.TemporaryTopic
        made = (
            self.session.create_temporary_queue()
            if self.case.domain == "queue"
            else self.session.create_temporary_topic()
        )
        return made

    def message(self, kind: Kind = "text", content: str = "") -> api.Message:
        """Create a message of a kind; `content` becomes the text, or one item of the other kinds."""
        make = {
            "message": self.session.create_message,
            "text": lambda: self.session.create_text_message(content),
            "bytes": lambda: self._filled(self.session.create_bytes_message(), "write_utf", content),
            "map": lambda: self._filled(self.session.create_map_message(), "set_string", "body", content),
            "stream": lambda: self._filled(self.session.create_stream_message(), "write_string", content),
            "object": lambda: self.session.create_object_message(content),
        }
        message: api.Message = make[kind]()
        return message

    @staticmethod
    def _filled(message: api.Message, writer: str, *arguments: str) -> api.Message:
        getattr(message, writer)(*arguments)
        return message

    def text(self, body: str) -> api.TextMessage:
        """Create a text message."""
        message: api.TextMessage = self.session.create_text_message(body)
        return message

    def settle(self, message: api.Message | None = None) -> None:
        """Commit a transacted session; in CLIENT_ACKNOWLEDGE acknowledge `message`; in other modes do nothing."""
        if self.transacted:
            self.commit()
        elif self.ack == "client" and message is not None:
            message.acknowledge()

    def commit(self) -> None:
        """Commit the session's transaction."""
        self.session.commit()

    def rollback(self) -> None:
        """Roll back the session's transaction."""
        self.session.rollback()

    def recover(self) -> None:
        """Recover the session: it delivers its unacknowledged messages again."""
        self.session.recover()

    def return_all(self) -> None:
        """Return all messages received and not settled for redelivery: roll back if transacted, else recover."""
        if self.transacted:
            self.rollback()
        else:
            self.recover()

    def start(self) -> None:
        """Start the delivery of the connection."""
        self.connection.start()

    def stop(self) -> None:
        """Stop the delivery of the connection."""
        self.connection.stop()

    @abstractmethod
    def close(self) -> None:
        """Close the connection with everything on it."""

    @abstractmethod
    def close_session(self) -> None:
        """Close the session alone, where the interface has that."""
