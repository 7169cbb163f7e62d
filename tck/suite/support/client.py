"""A JMS client in each of the three interfaces, under one set of names.

`classic` is Connection and Session, `simplified` is JMSContext, `domain-specific` is QueueConnection/QueueSession or
TopicConnection/TopicSession. A test written against `Client` serves all three; what an interface does not have is not
here. Every call goes to the recorded API objects, so evidence shows the real members.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from tck import api
from tck.suite.support.seen import body
from tck.suite.support.sender import ClassicSender, DomainSender, Sender, SimplifiedSender

if TYPE_CHECKING:
    from tck.suite.support.case import Case

Consumer: TypeAlias = "api.MessageConsumer | api.JMSConsumer"
Kind: TypeAlias = Literal["message", "text", "bytes", "map", "stream", "object"]

MODES: Mapping[str, int] = {
    "auto": api.Session.AUTO_ACKNOWLEDGE,
    "client": api.Session.CLIENT_ACKNOWLEDGE,
    "dups_ok": api.Session.DUPS_OK_ACKNOWLEDGE,
    "transacted": api.Session.SESSION_TRANSACTED,
}
"""Acknowledge modes by the names the suite uses."""

KINDS: tuple[Kind, ...] = ("message", "text", "bytes", "map", "stream", "object")


@dataclass(frozen=True, slots=True)
class Login:
    """User name and password of a client; none for the default identity."""

    user: str
    password: str


class Client(ABC):
    """One connection with one session (or one context) of a case."""

    def __init__(self, case: Case, ack: str) -> None:
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

    def browse_messages(self, queue: api.Destination) -> list[api.Message]:
        """Browse a queue once, to its end."""
        browser = self.session.create_browser(queue)
        with browser:
            return list(browser.get_enumeration())

    def browse(self, queue: api.Destination) -> list[object]:
        """Browse a queue once; show the bodies."""
        return [body(message) for message in self.browse_messages(queue)]

    def browse_until(self, queue: api.Destination, count: int) -> list[object]:
        """Browse until this many messages are shown, or the profile's deadline is over; show the bodies."""
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
        """Commit a transacted session; acknowledge `message` in CLIENT_ACKNOWLEDGE; else nothing is to be done."""
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
        """Have the session deliver its unacknowledged messages again."""
        self.session.recover()

    def return_all(self) -> None:
        """Have everything received and not settled come again: rollback if transacted, else recover."""
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
        """Close the connection and all it has."""

    @abstractmethod
    def close_session(self) -> None:
        """Close the session alone, where the interface can."""

    @property
    @abstractmethod
    def illegal_state(self) -> type[Exception]:
        """IllegalStateException in the form this interface throws."""

    @property
    @abstractmethod
    def rolled_back(self) -> type[Exception]:
        """TransactionRolledBackException in the form this interface throws."""


class _SessionClient(Client):
    """What the classic and the domain-specific clients share: a Connection with a Session."""

    def __init__(self, case: Case, ack: str, connection: Any, session: Any) -> None:
        super().__init__(case, ack)
        self._connection = connection
        self._session = session

    @property
    def connection(self) -> Any:
        return self._connection

    @property
    def session(self) -> Any:
        return self._session

    def close(self) -> None:
        self._connection.close()

    def close_session(self) -> None:
        self._session.close()

    @property
    def illegal_state(self) -> type[Exception]:
        return api.IllegalStateException

    @property
    def rolled_back(self) -> type[Exception]:
        return api.TransactionRolledBackException


class ClassicClient(_SessionClient):
    """Connection, Session, MessageProducer, MessageConsumer."""

    @classmethod
    def open(cls, case: Case, ack: str, login: Login | None = None, client_id: str | None = None) -> ClassicClient:
        """Connect, open a session, start delivery."""
        factory = case.provider.connection_factory()
        connection = factory.create_connection(*_credentials(login))
        case.opened(connection)
        _identify(connection, client_id)
        client = cls(case, ack, connection, _session(connection.create_session, ack, keywords=True))
        connection.start()
        return client

    def peer(self, ack: str | None = None) -> ClassicClient:
        ack = ack or self.ack
        return ClassicClient(
            self.case, ack, self._connection, _session(self._connection.create_session, ack, keywords=True)
        )

    def consumer(
        self, destination: api.Destination, selector: str | None = None, *, no_local: bool = False
    ) -> Consumer:
        consumer: api.MessageConsumer = self._session.create_consumer(
            destination, *_filter(selector, no_local=no_local)
        )
        return consumer

    def durable(self, topic: api.Topic, name: str, selector: str | None = None) -> Consumer:
        consumer: api.MessageConsumer = self._session.create_durable_subscriber(topic, name, *_durable_filter(selector))
        return consumer

    def sender(self, destination: api.Destination | None = None) -> Sender:
        return ClassicSender(self._session.create_producer(destination))


class DomainClient(_SessionClient):
    """QueueConnection and QueueSession, or TopicConnection and TopicSession, and what they create."""

    def __init__(self, case: Case, ack: str, domain: str, connection: Any, session: Any) -> None:
        super().__init__(case, ack, connection, session)
        self.domain = domain

    @classmethod
    def open(
        cls, case: Case, ack: str, domain: str, login: Login | None = None, client_id: str | None = None
    ) -> DomainClient:
        """Connect in one domain, open a session, start delivery."""
        connection: Any
        if domain == "queue":
            connection = case.provider.queue_connection_factory().create_queue_connection(*_credentials(login))
        else:
            connection = case.provider.topic_connection_factory().create_topic_connection(*_credentials(login))
        case.opened(connection)
        _identify(connection, client_id)
        client = cls(case, ack, domain, connection, cls._open_session(connection, domain, ack))
        connection.start()
        return client

    @staticmethod
    def _open_session(connection: Any, domain: str, ack: str) -> Any:
        opener = connection.create_queue_session if domain == "queue" else connection.create_topic_session
        return _session(opener, ack, keywords=False)

    def peer(self, ack: str | None = None) -> DomainClient:
        ack = ack or self.ack
        session = self._open_session(self._connection, self.domain, ack)
        return DomainClient(self.case, ack, self.domain, self._connection, session)

    def consumer(
        self, destination: api.Destination, selector: str | None = None, *, no_local: bool = False
    ) -> Consumer:
        consumer: api.MessageConsumer
        if self.domain == "queue":
            consumer = self._session.create_receiver(destination, *_filter(selector, no_local=False))
        elif selector is None and not no_local:
            consumer = self._session.create_subscriber(destination)
        else:
            consumer = self._session.create_subscriber(destination, selector, no_local)
        return consumer

    def durable(self, topic: api.Topic, name: str, selector: str | None = None) -> Consumer:
        consumer: api.MessageConsumer = self._session.create_durable_subscriber(topic, name, *_durable_filter(selector))
        return consumer

    def sender(self, destination: api.Destination | None = None) -> Sender:
        make = self._session.create_sender if self.domain == "queue" else self._session.create_publisher
        return DomainSender(make(destination), self.domain)


class SimplifiedClient(Client):
    """JMSContext, JMSProducer, JMSConsumer."""

    def __init__(self, case: Case, ack: str, context: api.JMSContext) -> None:
        super().__init__(case, ack)
        self._context = context

    @classmethod
    def open(cls, case: Case, ack: str, login: Login | None = None, client_id: str | None = None) -> SimplifiedClient:
        """Create a context; it starts delivery by itself when a consumer is created."""
        factory = case.provider.connection_factory()
        if login is None:
            context = factory.create_context(session_mode=MODES[ack])
        else:
            context = factory.create_context(user_name=login.user, password=login.password, session_mode=MODES[ack])
        case.opened(context)
        _identify(context, client_id)
        return cls(case, ack, context)

    @property
    def connection(self) -> Any:
        return self._context

    @property
    def session(self) -> Any:
        return self._context

    def peer(self, ack: str | None = None) -> SimplifiedClient:
        ack = ack or self.ack
        context = self._context.create_context(MODES[ack])
        self.case.opened(context)
        return SimplifiedClient(self.case, ack, context)

    def consumer(
        self, destination: api.Destination, selector: str | None = None, *, no_local: bool = False
    ) -> Consumer:
        return self._context.create_consumer(destination, *_filter(selector, no_local=no_local))

    def durable(self, topic: api.Topic, name: str, selector: str | None = None) -> Consumer:
        return self._context.create_durable_consumer(topic, name, *_durable_filter(selector))

    def sender(self, destination: api.Destination | None = None) -> Sender:
        return SimplifiedSender(self._context.create_producer(), destination)

    def close(self) -> None:
        self._context.close()

    def close_session(self) -> None:
        self._context.close()

    @property
    def illegal_state(self) -> type[Exception]:
        return api.IllegalStateRuntimeException

    @property
    def rolled_back(self) -> type[Exception]:
        return api.TransactionRolledBackRuntimeException


def _credentials(login: Login | None) -> tuple[str, ...]:
    return () if login is None else (login.user, login.password)


def _identify(connection: Any, client_id: str | None) -> None:
    """Set a client identifier, which must be the first thing done with a connection."""
    if client_id is not None:
        connection.client_id = client_id


def _filter(selector: str | None, *, no_local: bool) -> tuple[Any, ...]:
    if no_local:
        return (selector, True)
    return () if selector is None else (selector,)


def _durable_filter(selector: str | None) -> tuple[Any, ...]:
    return () if selector is None else (selector, False)


def _session(opener: Any, ack: str, *, keywords: bool) -> Any:
    transacted = ack == "transacted"
    if keywords:
        return opener(transacted=transacted, session_mode=MODES[ack])
    return opener(transacted, MODES[ack])
