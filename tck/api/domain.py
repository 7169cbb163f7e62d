"""The domain-specific API: the connections, sessions and factories of version 1.0, for queues and for topics."""

from __future__ import annotations

from abc import abstractmethod

from tck.api.connections import Connection, ConnectionFactory
from tck.api.consumers import QueueBrowser, QueueReceiver, TopicSubscriber
from tck.api.destinations import Destination, Queue, TemporaryQueue, TemporaryTopic, Topic
from tck.api.producers import QueueSender, TopicPublisher
from tck.api.server import ConnectionConsumer, ServerSessionPool
from tck.api.sessions import Session
from tck.api.values import OMITTED, Omitted

__all__ = [
    "QueueConnection",
    "QueueConnectionFactory",
    "QueueSession",
    "TopicConnection",
    "TopicConnectionFactory",
    "TopicSession",
]


class QueueSession(Session):
    """Be a session for queues only."""

    __slots__ = ()

    @abstractmethod
    def create_queue(self, queue_name: str | None) -> Queue:
        """Make the identity of a queue from the provider's own name; does not create the physical queue."""

    @abstractmethod
    def create_receiver(self, queue: Queue | None, message_selector: str | Omitted | None = OMITTED) -> QueueReceiver:
        """Make a receiver of a queue."""

    @abstractmethod
    def create_sender(self, queue: Queue | None) -> QueueSender:
        """Make a sender for `queue`, or with None one that needs a queue at each send."""

    @abstractmethod
    def create_browser(self, queue: Queue | None, message_selector: str | Omitted | None = OMITTED) -> QueueBrowser:
        """Make a browser of a queue."""

    @abstractmethod
    def create_temporary_queue(self) -> TemporaryQueue:
        """Create a temporary queue that lives as long as the connection."""


class TopicSession(Session):
    """Be a session for topics only."""

    __slots__ = ()

    @abstractmethod
    def create_topic(self, topic_name: str | None) -> Topic:
        """Make the identity of a topic from the provider's own name; does not create the physical topic."""

    @abstractmethod
    def create_subscriber(
        self,
        topic: Topic | None,
        message_selector: str | Omitted | None = OMITTED,
        no_local: bool | Omitted = OMITTED,
    ) -> TopicSubscriber:
        """Make a subscriber with a subscription of its own that ends with it."""

    @abstractmethod
    def create_durable_subscriber(
        self,
        topic: Topic | None,
        name: str | None,
        message_selector: str | Omitted | None = OMITTED,
        no_local: bool | Omitted = OMITTED,
    ) -> TopicSubscriber:
        """Make a subscriber on a durable subscription."""

    @abstractmethod
    def create_publisher(self, topic: Topic | None) -> TopicPublisher:
        """Make a publisher for `topic`, or with None one that needs a topic at each publish."""

    @abstractmethod
    def create_temporary_topic(self) -> TemporaryTopic:
        """Create a temporary topic that lives as long as the connection."""

    @abstractmethod
    def unsubscribe(self, name: str | None) -> None:
        """Delete the durable subscription `name`."""


class QueueConnection(Connection):
    """Be a connection for queues only."""

    __slots__ = ()

    @abstractmethod
    def create_queue_session(self, transacted: bool, acknowledge_mode: int) -> QueueSession:
        """Make a session for queues."""

    @abstractmethod
    def create_connection_consumer(
        self,
        destination: Destination | None,
        message_selector: str | None,
        session_pool: ServerSessionPool | None,
        max_messages: int,
    ) -> ConnectionConsumer:
        """Feed the messages of `destination` to the sessions of a pool."""


class TopicConnection(Connection):
    """Be a connection for topics only."""

    __slots__ = ()

    @abstractmethod
    def create_topic_session(self, transacted: bool, acknowledge_mode: int) -> TopicSession:
        """Make a session for topics."""

    @abstractmethod
    def create_connection_consumer(
        self,
        destination: Destination | None,
        message_selector: str | None,
        session_pool: ServerSessionPool | None,
        max_messages: int,
    ) -> ConnectionConsumer:
        """Feed the messages of `destination` to the sessions of a pool."""

    @abstractmethod
    def create_durable_connection_consumer(
        self,
        topic: Topic | None,
        subscription_name: str | None,
        message_selector: str | None,
        session_pool: ServerSessionPool | None,
        max_messages: int,
    ) -> ConnectionConsumer:
        """Feed the messages of an unshared durable subscription to the sessions of a pool."""


class QueueConnectionFactory(ConnectionFactory):
    """Make connections for queues; an administered object."""

    __slots__ = ()

    @abstractmethod
    def create_queue_connection(
        self, user_name: str | Omitted | None = OMITTED, password: str | Omitted | None = OMITTED
    ) -> QueueConnection:
        """Make a connection for queues, stopped."""


class TopicConnectionFactory(ConnectionFactory):
    """Make connections for topics; an administered object."""

    __slots__ = ()

    @abstractmethod
    def create_topic_connection(
        self, user_name: str | Omitted | None = OMITTED, password: str | Omitted | None = OMITTED
    ) -> TopicConnection:
        """Make a connection for topics, stopped."""
