"""The simplified API: contexts and their consumers."""

from __future__ import annotations

from abc import abstractmethod
from typing import Final

from tck.api.bodies import MapMessage, ObjectMessage, TextMessage
from tck.api.closing import AutoCloseable
from tck.api.consumers import QueueBrowser
from tck.api.destinations import Destination, Queue, TemporaryQueue, TemporaryTopic, Topic
from tck.api.jms_producer import JMSProducer
from tck.api.listeners import ExceptionListener, MessageListener
from tck.api.messages import Message
from tck.api.metadata import ConnectionMetaData
from tck.api.streams import BytesMessage, StreamMessage
from tck.api.values import OMITTED, BodyType, Omitted

__all__ = ["JMSConsumer", "JMSContext"]


class JMSConsumer(AutoCloseable):
    """Receive messages, or their bodies, from one destination, by `receive` or by a listener (8.1-3).

    Methods raise runtime exceptions only (10.2-3), IllegalStateRuntimeException once it is closed.
    """

    __slots__ = ()

    @property
    @abstractmethod
    def message_selector(self) -> str | None:
        """Give the message selector (8.1-6), None if there is none, also where an empty one was given (8.1-7, 8.1-8)."""

    @property
    @abstractmethod
    def message_listener(self) -> MessageListener | None:
        """Give or set the listener that takes the messages, None for none (8.7-15, 8.7-16)."""

    @message_listener.setter
    @abstractmethod
    def message_listener(self, listener: MessageListener | None) -> None: ...

    @abstractmethod
    def receive(self, timeout: int | Omitted = OMITTED) -> Message | None:
        """Receive the next message (8.5-1), waiting up to `timeout` milliseconds (8.5-2).

        Without a timeout or with 0 for ever (8.5-4, 8.5-6). Returns None when the time is over (8.5-5) or the consumer
        is closed meanwhile (8.8-6).
        """

    @abstractmethod
    def receive_no_wait(self) -> Message | None:
        """Receive the next message if one is there at once (8.5-3), else None (8.5-7)."""

    @abstractmethod
    def close(self) -> None:
        """Close the consumer: a waiting receive returns None, a running listener is waited for (8.8-5 to 8.8-7).

        Closing again has no effect.
        """

    @abstractmethod
    def receive_body(self, body_type: BodyType, timeout: int | Omitted = OMITTED) -> object:
        """Receive the next message and give its body as `body_type` (8.6-1, 8.6-2), waiting as `receive` does.

        Returns None when the time is over (8.6-5) or the consumer is closed meanwhile (8.6-8).

        Raises:
            MessageFormatRuntimeException: The message has no body of that type (8.6-15 to 8.6-18); section 8.6 says
                what becomes of it.
        """

    @abstractmethod
    def receive_body_no_wait(self, body_type: BodyType) -> object:
        """Receive the next message if one is there at once and give its body as `body_type` (8.6-3), else None (8.6-7).

        Raises:
            MessageFormatRuntimeException: The message has no body of that type (8.6-15 to 8.6-18); section 8.6 says
                what becomes of it.
        """


class JMSContext(AutoCloseable):
    """Be a connection and a session in one; several contexts may share a connection (6.1-9).

    It belongs to one thread at a time (6.1-13). Methods raise runtime exceptions only (10.2-3),
    IllegalStateRuntimeException once it is closed (6.1.8-42).
    """

    __slots__ = ()

    AUTO_ACKNOWLEDGE: Final = 1
    CLIENT_ACKNOWLEDGE: Final = 2
    DUPS_OK_ACKNOWLEDGE: Final = 3
    SESSION_TRANSACTED: Final = 0

    @abstractmethod
    def create_context(self, session_mode: int) -> JMSContext:
        """Make another context on the same connection, with a session mode of its own (6.1-9, 6.1-10).

        Raises:
            JMSRuntimeException: The mode is none (6.2-5).
        """

    @abstractmethod
    def create_producer(self) -> JMSProducer:
        """Make a producer; it is light and each call gives a new one (7.1-16, 7.10-5)."""

    @property
    @abstractmethod
    def client_id(self) -> str | None:
        """Give or set the client identifier; None if there is none.

        Setting it must be the first thing done with a connection (6.1.2-5).

        Raises:
            IllegalStateRuntimeException: It is already set, by an administrator or a call (6.1.2-4, 6.1.2-9), or too
                late (6.1.2-10).
            InvalidClientIDRuntimeException: The value is refused (6.1.2-16) or in use (6.1.2-13).
        """

    @client_id.setter
    @abstractmethod
    def client_id(self, client_id: str | None) -> None: ...

    @property
    @abstractmethod
    def meta_data(self) -> ConnectionMetaData:
        """Give the description of the provider (6.1.6-1)."""

    @property
    @abstractmethod
    def exception_listener(self) -> ExceptionListener | None:
        """Give or set the listener for problems of the connection, None for none (6.1.7-3, 6.1.7-4).

        Contexts of one connection share it (6.1.7-6).
        """

    @exception_listener.setter
    @abstractmethod
    def exception_listener(self, listener: ExceptionListener | None) -> None: ...

    @abstractmethod
    def start(self) -> None:
        """Start, or start again, the delivery of messages (6.1.4-5, 6.1.5-6); ignored when started (6.1.5-10)."""

    @abstractmethod
    def stop(self) -> None:
        """Stop the delivery of messages, to listeners and receives alike.

        Sending goes on (6.1.5-1, 6.1.5-2, 6.1.5-7). Ignored when stopped (6.1.5-9). Returns when running listeners have
        returned (6.1.5-14). Called by a listener of its own it either raises IllegalStateRuntimeException or stops, and
        never hangs (6.1.5-19).
        """

    @property
    @abstractmethod
    def auto_start(self) -> bool:
        """Give or set whether making a consumer starts the connection, True at first (8.4-11).

        Setting it neither starts nor stops (8.4-12).
        """

    @auto_start.setter
    @abstractmethod
    def auto_start(self, auto_start: bool) -> None: ...

    @abstractmethod
    def close(self) -> None:
        """Close the context, and the connection with the last of its contexts (6.1.8-19, 6.1.8-20).

        Waits and rolls back as a connection does (6.1.8-10, 6.1.8-26). Closing again has no effect (6.1.8-48). Called
        by a listener of its own it either raises IllegalStateRuntimeException or closes, and never hangs (6.1.8-22).
        """

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
            MessageFormatRuntimeException: The value cannot be serialised (3.11-28).
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
        """Tell whether the context is transacted (6.2-7)."""

    @property
    @abstractmethod
    def session_mode(self) -> int:
        """Give the session mode, a constant of this class (6.2-9)."""

    @abstractmethod
    def commit(self) -> None:
        """Commit the transaction: what was sent goes out, what was received is acknowledged (6.2.7-1, 6.2.7-3).

        The next one begins (6.2.7-18). Waits for asynchronous sends (7.3.4-5).

        Raises:
            IllegalStateRuntimeException: The context is not transacted (10.3-10).
            TransactionRolledBackRuntimeException: The provider rolled back instead (10.3-49).
            TransactionInProgressRuntimeException: It takes part in a distributed transaction (10.3-47).
        """

    @abstractmethod
    def rollback(self) -> None:
        """Roll the transaction back.

        What was sent is destroyed, what was received is redelivered, marked so (6.2.7-5, 6.2.7-6, 6.2.10-33); the next one
        begins (6.2.7-18). Waits for asynchronous sends (7.3.4-6).

        Raises:
            IllegalStateRuntimeException: The context is not transacted (10.3-11).
        """

    @abstractmethod
    def recover(self) -> None:
        """Deliver all unacknowledged messages again, marked so (6.2.10-20, 6.2.10-31).

        Raises:
            IllegalStateRuntimeException: The context is transacted (10.3-12).
        """

    @abstractmethod
    def create_consumer(
        self,
        destination: Destination | None,
        message_selector: str | Omitted | None = OMITTED,
        no_local: bool | Omitted = OMITTED,
    ) -> JMSConsumer:
        """Make a consumer of a queue (8.2-2), or of a topic with a subscription of its own that ends with it (8.3.1-2,
        8.3.1-9).

        A selector that is null or empty is none (8.1-4, 8.1-5). `no_local` leaves out what the own connection sent;
        default False (8.3.1-16). Starts the connection unless `auto_start` is off (8.4-3).

        Raises:
            InvalidDestinationRuntimeException: The destination is null or not understood (8.1-9).
            InvalidSelectorRuntimeException: The selector has wrong syntax (8.1-10).
            TypeError: No Java overload takes these arguments together.
        """

    @abstractmethod
    def create_shared_consumer(
        self,
        topic: Topic | None,
        shared_subscription_name: str | None,
        message_selector: str | Omitted | None = OMITTED,
    ) -> JMSConsumer:
        """Make a consumer on a shared non-durable subscription, which the first one creates and the last one ends
        (8.3.2-2, 8.3.2-10).

        Name and client identifier, if there is one, identify it (8.3.2-8). Starts the connection unless `auto_start` is
        off (8.4-5).

        Raises:
            JMSRuntimeException: Consumers with another topic or selector are active on it (8.3.2-15, 8.3.2-16).
            InvalidDestinationRuntimeException: The topic is null or not understood (8.3.2-23).
            InvalidSelectorRuntimeException: The selector has wrong syntax (8.3.2-24).
        """

    @abstractmethod
    def create_durable_consumer(
        self,
        topic: Topic | None,
        name: str | None,
        message_selector: str | Omitted | None = OMITTED,
        no_local: bool | Omitted = OMITTED,
    ) -> JMSConsumer:
        """Make a consumer on an unshared durable subscription, creating it if there is none (8.3.3-2, 8.3.3-4).

        Name and client identifier identify it (8.3.3-15); with another topic, selector or `no_local` it is replaced
        (8.3.3-27 to 8.3.3-29). Starts the connection unless `auto_start` is off (8.4-4).

        Raises:
            IllegalStateRuntimeException: The connection has no client identifier (8.3.3-14).
            JMSRuntimeException: A consumer is active on it (8.3.3-10), or it is a shared one (8.3.3-32).
            InvalidDestinationRuntimeException: The topic is null or not understood (8.3.3-40).
            InvalidSelectorRuntimeException: The selector has wrong syntax (8.3.3-41).
            TypeError: No Java overload takes these arguments together.
        """

    @abstractmethod
    def create_shared_durable_consumer(
        self, topic: Topic | None, name: str | None, message_selector: str | Omitted | None = OMITTED
    ) -> JMSConsumer:
        """Make a consumer on a shared durable subscription, creating it if there is none (8.3.4-2, 8.3.4-4).

        Name and client identifier, if there is one, identify it (8.3.4-9); with another topic or selector it is
        replaced while nobody uses it (8.3.4-20, 8.3.4-21). Starts the connection unless `auto_start` is off (8.4-6).

        Raises:
            JMSRuntimeException: It is in use with another topic or selector (8.3.4-22, 8.3.4-23), or an unshared one
                (8.3.4-24).
            InvalidDestinationRuntimeException: The topic is null or not understood (8.3.4-29).
            InvalidSelectorRuntimeException: The selector has wrong syntax (8.3.4-30).
        """

    @abstractmethod
    def create_browser(self, queue: Queue | None, message_selector: str | Omitted | None = OMITTED) -> QueueBrowser:
        """Make a browser of a queue (4.1.6-3).

        Raises:
            InvalidDestinationRuntimeException: The queue is null or not understood.
            InvalidSelectorRuntimeException: The selector has wrong syntax (3.8.1.1-101).
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
            InvalidDestinationRuntimeException: There is no such subscription (8.3.3-23).
        """

    @abstractmethod
    def acknowledge(self) -> None:
        """Acknowledge all messages that the context has consumed (6.2.10-14).

        Does nothing unless the mode is CLIENT_ACKNOWLEDGE (6.2.10-15, 6.2.10-16).
        """
