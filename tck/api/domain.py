"""The domain-specific API: the connections, sessions, factories and requestors of version 1.0, for queues and for topics.

In Java requestors are classes of the API itself, written over a session. Here they are types: a provider offers them through
`Provider.queue_requestor` and `Provider.topic_requestor`, which stand for the two constructors.
"""

from __future__ import annotations

from abc import abstractmethod

from tck.api.closing import AutoCloseable
from tck.api.connections import Connection, ConnectionFactory
from tck.api.consumers import QueueBrowser, QueueReceiver, TopicSubscriber
from tck.api.destinations import Destination, Queue, TemporaryQueue, TemporaryTopic, Topic
from tck.api.messages import Message
from tck.api.producers import QueueSender, TopicPublisher
from tck.api.server import ConnectionConsumer, ServerSessionPool
from tck.api.sessions import Session
from tck.api.values import OMITTED, Omitted

__all__ = [
    "QueueConnection",
    "QueueConnectionFactory",
    "QueueRequestor",
    "QueueSession",
    "TopicConnection",
    "TopicConnectionFactory",
    "TopicRequestor",
    "TopicSession",
]


class QueueSession(Session):
    """Be a session for queues only (6.2-4).

    What concerns topics raises IllegalStateException: `create_durable_subscriber`, `create_durable_consumer`,
    `create_shared_consumer`, `create_shared_durable_consumer`, `create_temporary_topic`, `create_topic`, `unsubscribe`
    (9.2-4 to 9.2-10).
    """

    __slots__ = ()

    @abstractmethod
    def create_queue(self, queue_name: str | None) -> Queue:
        """Make a queue's identity from the provider's own name (6.2.3-1).

        Does not create the queue itself (6.2.3-2).
        """

    @abstractmethod
    def create_receiver(self, queue: Queue | None, message_selector: str | Omitted | None = OMITTED) -> QueueReceiver:
        """Make a receiver of a queue (8.2-3, 8.2-4).

        Raises:
            InvalidDestinationException: The queue is null or not understood (8.2-7).
            InvalidSelectorException: The selector has wrong syntax (8.2-8).
        """

    @abstractmethod
    def create_sender(self, queue: Queue | None) -> QueueSender:
        """Make a sender for `queue`, or with None one that needs a queue at each send (7.1-7, 9.2-19)."""

    @abstractmethod
    def create_browser(self, queue: Queue | None, message_selector: str | Omitted | None = OMITTED) -> QueueBrowser:
        """Make a browser of a queue (4.1.6-2).

        Raises:
            InvalidDestinationException: The queue is null or not understood (9.2-28).
            InvalidSelectorException: The selector has wrong syntax (3.8.1.1-101).
        """

    @abstractmethod
    def create_temporary_queue(self) -> TemporaryQueue:
        """Create a temporary queue, unique to the connection and gone with it (6.2.2-6, 6.2.2-8)."""


class TopicSession(Session):
    """Be a session for topics only (6.2-4).

    `create_browser`, `create_queue` and `create_temporary_queue` raise IllegalStateException (9.2-11 to 9.2-13).
    """

    __slots__ = ()

    @abstractmethod
    def create_topic(self, topic_name: str | None) -> Topic:
        """Make a topic's identity from the provider's own name (6.2.3-1).

        Does not create the topic itself (6.2.3-2).
        """

    @abstractmethod
    def create_subscriber(
        self,
        topic: Topic | None,
        message_selector: str | Omitted | None = OMITTED,
        no_local: bool | Omitted = OMITTED,
    ) -> TopicSubscriber:
        """Make a subscriber with a subscription of its own that ends with it (8.3.1-3, 8.3.1-9).

        `no_local` leaves out what the own connection sent; default False (8.3.1-14, 8.3.1-16).

        Raises:
            InvalidDestinationException: The topic is null or not understood (8.3.1-19).
            InvalidSelectorException: The selector has wrong syntax (8.3.1-20).
            TypeError: No Java overload takes these arguments together.
        """

    @abstractmethod
    def create_durable_subscriber(
        self,
        topic: Topic | None,
        name: str | None,
        message_selector: str | Omitted | None = OMITTED,
        no_local: bool | Omitted = OMITTED,
    ) -> TopicSubscriber:
        """Make a consumer on an unshared durable subscription, as `create_durable_consumer` does (8.3.3-3, 8.3.3-39).

        Raises:
            IllegalStateException: The connection has no client identifier (8.3.3-14).
            JMSException: A consumer is active on the subscription (8.3.3-10), or it is a shared one (8.3.3-32).
            InvalidDestinationException: The topic is null or not understood (8.3.3-40).
            InvalidSelectorException: The selector has wrong syntax (8.3.3-41).
            TypeError: No Java overload takes these arguments together.
        """

    @abstractmethod
    def create_publisher(self, topic: Topic | None) -> TopicPublisher:
        """Make a publisher for `topic`, or with None one that needs a topic at each publish (7.1-8, 9.2-19)."""

    @abstractmethod
    def create_temporary_topic(self) -> TemporaryTopic:
        """Create a temporary topic, unique to the connection and gone with it (6.2.2-6, 6.2.2-8)."""

    @abstractmethod
    def unsubscribe(self, name: str | None) -> None:
        """Delete the durable subscription `name` of this client identifier (8.3.3-18, 8.3.4-17).

        Raises:
            InvalidDestinationException: There is no such subscription (8.3.3-23).
        """


class QueueConnection(Connection):
    """Be a connection for queues only (6.1-6).

    The methods for connection consumers on topics raise IllegalStateException (9.2-1 to 9.2-3).
    """

    __slots__ = ()

    @abstractmethod
    def create_queue_session(self, transacted: bool, acknowledge_mode: int) -> QueueSession:
        """Make a session for queues (6.2-4).

        `acknowledge_mode` counts only if `transacted` is False (9.2-16, 9.2-17).
        """

    @abstractmethod
    def create_connection_consumer(
        self,
        destination: Destination | None,
        message_selector: str | None,
        session_pool: ServerSessionPool | None,
        max_messages: int,
    ) -> ConnectionConsumer:
        """Feed the messages of a queue to the sessions of a pool (11.2.4-2).

        It works while the connection is started (11.2.4-7). At most `max_messages` are loaded into a session at once
        (11.2.4-5). A selector that is null or empty is none (11.2.4-14).

        Raises:
            InvalidDestinationException: The queue is null or not understood (11.2.4-11).
            InvalidSelectorException: The selector has wrong syntax (11.2.4-12).
            JMSException: The pool is null or unusable (11.2.4-13).
        """


class TopicConnection(Connection):
    """Be a connection for topics only (6.1-7)."""

    __slots__ = ()

    @abstractmethod
    def create_topic_session(self, transacted: bool, acknowledge_mode: int) -> TopicSession:
        """Make a session for topics (6.2-4).

        `acknowledge_mode` counts only if `transacted` is False (9.2-16, 9.2-17).
        """

    @abstractmethod
    def create_connection_consumer(
        self,
        destination: Destination | None,
        message_selector: str | None,
        session_pool: ServerSessionPool | None,
        max_messages: int,
    ) -> ConnectionConsumer:
        """Feed the messages of a topic to the sessions of a pool (11.2.4-2).

        It works while the connection is started (11.2.4-7). At most `max_messages` are loaded into a session at once
        (11.2.4-5). A selector that is null or empty is none (11.2.4-14).

        Raises:
            InvalidDestinationException: The topic is null or not understood (11.2.4-11).
            InvalidSelectorException: The selector has wrong syntax (11.2.4-12).
            JMSException: The pool is null or unusable (11.2.4-13).
        """

    @abstractmethod
    def create_durable_connection_consumer(
        self,
        topic: Topic | None,
        subscription_name: str | None,
        message_selector: str | None,
        session_pool: ServerSessionPool | None,
        max_messages: int,
    ) -> ConnectionConsumer:
        """Feed the messages of an unshared durable subscription to the sessions of a pool (11.2.4-8).

        It works while the connection is started (11.2.4-7). At most `max_messages` are loaded into a session at once
        (11.2.4-5). A selector that is null or empty is none (11.2.4-14).

        Raises:
            InvalidDestinationException: The topic is null or not understood (11.2.4-11).
            InvalidSelectorException: The selector has wrong syntax (11.2.4-12).
            JMSException: The pool is null or unusable (11.2.4-13).
        """


class QueueConnectionFactory(ConnectionFactory):
    """Make connections for queues; an administered object that any number of threads may share (5.3-7)."""

    __slots__ = ()

    @abstractmethod
    def create_queue_connection(
        self, user_name: str | Omitted | None = OMITTED, password: str | Omitted | None = OMITTED
    ) -> QueueConnection:
        """Make a connection for queues, stopped (6.1-6, 9.2-14).

        Raises:
            JMSSecurityException: The credentials are refused (9.2-15).
            TypeError: No Java overload takes these arguments together.
        """


class TopicConnectionFactory(ConnectionFactory):
    """Make connections for topics; an administered object that any number of threads may share (5.3-7)."""

    __slots__ = ()

    @abstractmethod
    def create_topic_connection(
        self, user_name: str | Omitted | None = OMITTED, password: str | Omitted | None = OMITTED
    ) -> TopicConnection:
        """Make a connection for topics, stopped (6.1-7, 9.2-14).

        Raises:
            JMSSecurityException: The credentials are refused (9.2-15).
            TypeError: No Java overload takes these arguments together.
        """


class QueueRequestor(AutoCloseable):
    """Send requests to a queue and wait for their replies on a temporary queue (4.1.7-1, 4.1.7-2).

    Made for a session that is not transacted, in AUTO_ACKNOWLEDGE or DUPS_OK_ACKNOWLEDGE mode (4.1.7-3).
    """

    __slots__ = ()

    @abstractmethod
    def request(self, message: Message) -> Message:
        """Send a request, with the temporary queue to reply to (9.2-30), and wait without limit for the one reply
        (9.2-31).
        """

    @abstractmethod
    def close(self) -> None:
        """Close the requestor: its session closes, its temporary queue is deleted (4.1.7-5)."""


class TopicRequestor(AutoCloseable):
    """Publish requests to a topic and wait for their replies on a temporary topic (9.2-32).

    Made for a session that is not transacted, in AUTO_ACKNOWLEDGE or DUPS_OK_ACKNOWLEDGE mode (9.2-35).
    """

    __slots__ = ()

    @abstractmethod
    def request(self, message: Message) -> Message:
        """Publish a request, with the temporary topic to reply to (9.2-30), and wait without limit for the first reply;
        later ones are dropped (9.2-32, 9.2-33).
        """

    @abstractmethod
    def close(self) -> None:
        """Close the requestor and its session (9.2-34)."""
