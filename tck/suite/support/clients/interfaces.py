"""The clients of the three interfaces: classic, domain-specific and simplified; `connect` opens one."""

from __future__ import annotations

from typing import Any

from tck import api
from tck.api import Provider
from tck.suite.support.clients.client import MODES, Client, Consumer, Login
from tck.suite.support.clients.sender import ClassicSender, DomainSender, Sender, SimplifiedSender
from tck.suite.support.harness.running import RunningCase


def connect(
    case: RunningCase,
    ack: str | None = None,
    *,
    domain: str | None = None,
    api: str | None = None,
    login: Login | None = None,
    client_id: str | None = None,
    through: Provider | None = None,
) -> Client:
    """Connect in the case's interface, mode and domain, unless others are named. Delivery is started.

    `through` another provider than the case's, if one is given.
    """
    ack = ack or case.ack
    interface = api or case.api
    provider = case.provider if through is None else through
    if interface == "classic":
        return ClassicClient.open(case, provider, ack, login, client_id)
    if interface == "simplified":
        return SimplifiedClient.open(case, provider, ack, login, client_id)
    return DomainClient.open(case, provider, ack, domain or case.domain, login, client_id)


class _SessionClient(Client):
    """The common part of the classic and the domain-specific client: a Connection with a Session."""

    def __init__(self, case: RunningCase, ack: str, connection: Any, session: Any) -> None:
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


class ClassicClient(_SessionClient):
    """Connection, Session, MessageProducer, MessageConsumer."""

    @classmethod
    def open(
        cls, case: RunningCase, provider: Provider, ack: str, login: Login | None = None, client_id: str | None = None
    ) -> ClassicClient:
        """Connect, open a session, start delivery."""
        factory = provider.connection_factory()
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
    """QueueConnection and QueueSession, or TopicConnection and TopicSession, and the objects they create."""

    def __init__(self, case: RunningCase, ack: str, domain: str, connection: Any, session: Any) -> None:
        super().__init__(case, ack, connection, session)
        self.domain = domain

    @classmethod
    def open(
        cls,
        case: RunningCase,
        provider: Provider,
        ack: str,
        domain: str,
        login: Login | None = None,
        client_id: str | None = None,
    ) -> DomainClient:
        """Connect in one domain, open a session, start delivery."""
        connection: Any
        case.presume("ptp" if domain == "queue" else "pubsub")
        if domain == "queue":
            connection = provider.queue_connection_factory().create_queue_connection(*_credentials(login))
        else:
            connection = provider.topic_connection_factory().create_topic_connection(*_credentials(login))
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

    def __init__(self, case: RunningCase, ack: str, context: api.JMSContext) -> None:
        super().__init__(case, ack)
        self._context = context

    @classmethod
    def open(
        cls, case: RunningCase, provider: Provider, ack: str, login: Login | None = None, client_id: str | None = None
    ) -> SimplifiedClient:
        """Create a context; it starts delivery by itself when a consumer is created."""
        factory = provider.connection_factory()
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


def _credentials(login: Login | None) -> tuple[str, ...]:
    return () if login is None else (login.user, login.password)


def _identify(connection: Any, client_id: str | None) -> None:
    """Set a client identifier; nothing may be done with the connection before."""
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
