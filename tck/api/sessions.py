"""Sessions of the classic API: one thread's context for producing and consuming."""

from __future__ import annotations

from abc import abstractmethod
from typing import Final

from tck.api.bodies import MapMessage, ObjectMessage, TextMessage
from tck.api.closing import AutoCloseable
from tck.api.consumers import MessageConsumer, QueueBrowser, TopicSubscriber
from tck.api.destinations import Destination, Queue, TemporaryQueue, TemporaryTopic, Topic
from tck.api.listeners import MessageListener
from tck.api.messages import Message
from tck.api.producers import MessageProducer
from tck.api.streams import BytesMessage, StreamMessage
from tck.api.values import OMITTED, Omitted

__all__ = ["Session"]


class Session(AutoCloseable):
    """Make messages, producers and consumers, and order and acknowledge what they do.

    A session and all made on it belong to one thread at a time (6.2.5-1); only `close` may come from another (6.2.5-2).
    Every method but `close` raises IllegalStateException once it is closed (6.2.15-19).
    """

    __slots__ = ()

    AUTO_ACKNOWLEDGE: Final = 1
    CLIENT_ACKNOWLEDGE: Final = 2
    DUPS_OK_ACKNOWLEDGE: Final = 3
    SESSION_TRANSACTED: Final = 0

    @abstractmethod
    def create_bytes_message(self) -> BytesMessage:
        """Make an empty bytes message, write-only (3.11-9)."""

    @abstractmethod
    def create_map_message(self) -> MapMessage:
        """Make an empty map message."""

    @abstractmethod
    def create_message(self) -> Message:
        """Make a message without a body (3.7-1)."""

    @abstractmethod
    def create_object_message(self, value: object = OMITTED) -> ObjectMessage:
        """Make an object message, empty or with `value` as its body (6.2.4-2).

        Raises:
            MessageFormatException: The value cannot be serialised (3.11-28).
        """

    @abstractmethod
    def create_stream_message(self) -> StreamMessage:
        """Make an empty stream message, write-only (3.11-9)."""

    @abstractmethod
    def create_text_message(self, text: str | Omitted | None = OMITTED) -> TextMessage:
        """Make a text message, empty or with `text` as its body (6.2.4-2)."""

    @property
    @abstractmethod
    def transacted(self) -> bool:
        """Tell whether the session is transacted (6.2-7)."""

    @property
    @abstractmethod
    def acknowledge_mode(self) -> int:
        """Give the acknowledge mode, a constant of this class; SESSION_TRANSACTED if transacted (6.2-8)."""

    @abstractmethod
    def commit(self) -> None:
        """Commit the transaction: what was sent goes out, what was received is acknowledged (6.2.7-1, 6.2.7-3).

        The next one begins (6.2.7-18). Waits for asynchronous sends (7.3.4-5).

        Raises:
            IllegalStateException: The session is not transacted (10.3-7).
            TransactionRolledBackException: The provider rolled back instead (10.3-48).
            TransactionInProgressException: It takes part in a distributed transaction (10.3-46).
        """

    @abstractmethod
    def rollback(self) -> None:
        """Roll the transaction back.

        What was sent is destroyed, what was received is redelivered, marked so (6.2.7-5, 6.2.7-6, 6.2.10-33); the next one
        begins (6.2.7-18). Waits for asynchronous sends (7.3.4-6).

        Raises:
            IllegalStateException: The session is not transacted (10.3-8).
        """

    @abstractmethod
    def close(self) -> None:
        """Close the session.

        Waits for its listeners and receives, rolls back an open transaction (6.2.15-5, 6.2.15-6, 6.2.15-14). Closing
        again has no effect (6.2.15-24).
        """

    @abstractmethod
    def recover(self) -> None:
        """Deliver all unacknowledged messages again, marked so (6.2.10-20, 6.2.10-31).

        Raises:
            IllegalStateException: The session is transacted (10.3-9).
        """

    @property
    @abstractmethod
    def message_listener(self) -> MessageListener | None:
        """Give or set the session's own listener, which takes what a connection consumer loads (11.2.1-1).

        No other receipt is possible then (11.2.1-6).
        """

    @message_listener.setter
    @abstractmethod
    def message_listener(self, listener: MessageListener | None) -> None: ...

    @abstractmethod
    def run(self) -> None:
        """Pass the messages that a connection consumer loaded to the session's listener, one after the other, and
        return (11.2.1-3 to 11.2.1-5).
        """

    @abstractmethod
    def create_producer(self, destination: Destination | None) -> MessageProducer:
        """Make a producer for `destination`, or with None one that needs a destination at each send (7.1-1, 7.1-2).

        Raises:
            InvalidDestinationException: The destination is not understood (7.1-9).
        """

    @abstractmethod
    def create_consumer(
        self,
        destination: Destination | None,
        message_selector: str | Omitted | None = OMITTED,
        no_local: bool | Omitted = OMITTED,
    ) -> MessageConsumer:
        """Make a consumer of a queue (8.2-1), or of a topic with a subscription of its own that ends with it (8.3.1-1,
        8.3.1-9).

        A selector that is null or empty is none (8.1-4, 8.1-5). `no_local` leaves out what the own connection sent;
        default False (8.3.1-16).

        Raises:
            InvalidDestinationException: The destination is null or not understood (8.1-9).
            InvalidSelectorException: The selector has wrong syntax (8.1-10).
            TypeError: No Java overload takes these arguments together.
        """

    @abstractmethod
    def create_shared_consumer(
        self,
        topic: Topic | None,
        shared_subscription_name: str | None,
        message_selector: str | Omitted | None = OMITTED,
    ) -> MessageConsumer:
        """Make a consumer on a shared non-durable subscription, which the first one creates and the last one ends
        (8.3.2-1, 8.3.2-10).

        Name and client identifier, if there is one, identify it (8.3.2-8).

        Raises:
            JMSException: Consumers with another topic or selector are active on it (8.3.2-15, 8.3.2-16).
            InvalidDestinationException: The topic is null or not understood (8.3.2-23).
            InvalidSelectorException: The selector has wrong syntax (8.3.2-24).
        """

    @abstractmethod
    def create_durable_consumer(
        self,
        topic: Topic | None,
        name: str | None,
        message_selector: str | Omitted | None = OMITTED,
        no_local: bool | Omitted = OMITTED,
    ) -> MessageConsumer:
        """Make a consumer on an unshared durable subscription, creating it if there is none (8.3.3-1, 8.3.3-4).

        Name and client identifier identify it (8.3.3-15); with another topic, selector or `no_local` it is replaced
        (8.3.3-27 to 8.3.3-29).

        Raises:
            IllegalStateException: The connection has no client identifier (8.3.3-14).
            JMSException: A consumer is active on it (8.3.3-10), or it is a shared one (8.3.3-32).
            InvalidDestinationException: The topic is null or not understood (8.3.3-40).
            InvalidSelectorException: The selector has wrong syntax (8.3.3-41).
            TypeError: No Java overload takes these arguments together.
        """

    @abstractmethod
    def create_shared_durable_consumer(
        self, topic: Topic | None, name: str | None, message_selector: str | Omitted | None = OMITTED
    ) -> MessageConsumer:
        """Make a consumer on a shared durable subscription, creating it if there is none (8.3.4-1, 8.3.4-4).

        Name and client identifier, if there is one, identify it (8.3.4-9); with another topic or selector it is
        replaced while nobody uses it (8.3.4-20, 8.3.4-21).

        Raises:
            JMSException: It is in use with another topic or selector (8.3.4-22, 8.3.4-23), or an unshared one
                (8.3.4-24).
            InvalidDestinationException: The topic is null or not understood (8.3.4-29).
            InvalidSelectorException: The selector has wrong syntax (8.3.4-30).
        """

    @abstractmethod
    def create_browser(self, queue: Queue | None, message_selector: str | Omitted | None = OMITTED) -> QueueBrowser:
        """Make a browser of a queue (4.1.6-2).

        Raises:
            InvalidDestinationException: The queue is null or not understood.
            InvalidSelectorException: The selector has wrong syntax (3.8.1.1-101).
        """

    @abstractmethod
    def create_queue(self, queue_name: str | None) -> Queue:
        """Make a queue's identity from the provider's own name (6.2.3-1).

        Does not create the queue itself (6.2.3-2).
        """

    @abstractmethod
    def create_topic(self, topic_name: str | None) -> Topic:
        """Make a topic's identity from the provider's own name (6.2.3-1).

        Does not create the topic itself (6.2.3-2).
        """

    @abstractmethod
    def create_temporary_queue(self) -> TemporaryQueue:
        """Create a temporary queue, unique to the connection and gone with it (6.2.2-6, 6.2.2-8)."""

    @abstractmethod
    def create_temporary_topic(self) -> TemporaryTopic:
        """Create a temporary topic, unique to the connection and gone with it (6.2.2-6, 6.2.2-8)."""

    @abstractmethod
    def unsubscribe(self, name: str | None) -> None:
        """Delete the durable subscription `name` of this client identifier (8.3.3-18, 8.3.4-17).

        Raises:
            InvalidDestinationException: There is no such subscription (8.3.3-23).
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
