"""Sessions of the classic API: one thread's context for producing and consuming."""

from __future__ import annotations

from abc import abstractmethod
from typing import Final

from tck.api.bodies import BytesMessage, MapMessage, ObjectMessage, StreamMessage, TextMessage
from tck.api.closing import AutoCloseable
from tck.api.consumers import MessageConsumer, QueueBrowser, TopicSubscriber
from tck.api.destinations import Destination, Queue, TemporaryQueue, TemporaryTopic, Topic
from tck.api.listeners import MessageListener
from tck.api.messages import Message
from tck.api.producers import MessageProducer
from tck.api.values import OMITTED, Omitted

__all__ = ["Session"]


class Session(AutoCloseable):
    """Make messages, producers and consumers, and order and acknowledge what they do."""

    __slots__ = ()

    AUTO_ACKNOWLEDGE: Final = 1
    CLIENT_ACKNOWLEDGE: Final = 2
    DUPS_OK_ACKNOWLEDGE: Final = 3
    SESSION_TRANSACTED: Final = 0

    @abstractmethod
    def create_bytes_message(self) -> BytesMessage:
        """Make an empty bytes message."""

    @abstractmethod
    def create_map_message(self) -> MapMessage:
        """Make an empty map message."""

    @abstractmethod
    def create_message(self) -> Message:
        """Make a message without a body."""

    @abstractmethod
    def create_object_message(self, value: object = OMITTED) -> ObjectMessage:
        """Make an object message, empty or with `value` as its body."""

    @abstractmethod
    def create_stream_message(self) -> StreamMessage:
        """Make an empty stream message."""

    @abstractmethod
    def create_text_message(self, text: str | Omitted | None = OMITTED) -> TextMessage:
        """Make a text message, empty or with `text` as its body."""

    @property
    @abstractmethod
    def transacted(self) -> bool:
        """Tell whether the session is transacted."""

    @property
    @abstractmethod
    def acknowledge_mode(self) -> int:
        """Give the acknowledge mode, a constant of this class."""

    @abstractmethod
    def commit(self) -> None:
        """Commit the transaction: send what was sent, acknowledge what was received; the next one begins."""

    @abstractmethod
    def rollback(self) -> None:
        """Roll the transaction back: destroy what was sent, give back what was received; the next one begins."""

    @abstractmethod
    def close(self) -> None:
        """Close the session."""

    @abstractmethod
    def recover(self) -> None:
        """Stop delivery and start it again with the oldest unacknowledged message."""

    @property
    @abstractmethod
    def message_listener(self) -> MessageListener | None:
        """Give or set the session's own listener, used by application servers."""

    @message_listener.setter
    @abstractmethod
    def message_listener(self, listener: MessageListener | None) -> None: ...

    @abstractmethod
    def run(self) -> None:
        """Deliver the messages a connection consumer loaded, on the caller's thread."""

    @abstractmethod
    def create_producer(self, destination: Destination | None) -> MessageProducer:
        """Make a producer for `destination`, or with None one that needs a destination at each send."""

    @abstractmethod
    def create_consumer(
        self,
        destination: Destination | None,
        message_selector: str | Omitted | None = OMITTED,
        no_local: bool | Omitted = OMITTED,
    ) -> MessageConsumer:
        """Make a consumer of a queue, or of a topic with a subscription of its own that ends with it."""

    @abstractmethod
    def create_shared_consumer(
        self,
        topic: Topic | None,
        shared_subscription_name: str | None,
        message_selector: str | Omitted | None = OMITTED,
    ) -> MessageConsumer:
        """Make a consumer on a shared non-durable subscription."""

    @abstractmethod
    def create_durable_consumer(
        self,
        topic: Topic | None,
        name: str | None,
        message_selector: str | Omitted | None = OMITTED,
        no_local: bool | Omitted = OMITTED,
    ) -> MessageConsumer:
        """Make a consumer on an unshared durable subscription."""

    @abstractmethod
    def create_shared_durable_consumer(
        self, topic: Topic | None, name: str | None, message_selector: str | Omitted | None = OMITTED
    ) -> MessageConsumer:
        """Make a consumer on a shared durable subscription."""

    @abstractmethod
    def create_browser(self, queue: Queue | None, message_selector: str | Omitted | None = OMITTED) -> QueueBrowser:
        """Make a browser of a queue."""

    @abstractmethod
    def create_queue(self, queue_name: str | None) -> Queue:
        """Make the identity of a queue from the provider's own name; does not create the physical queue."""

    @abstractmethod
    def create_topic(self, topic_name: str | None) -> Topic:
        """Make the identity of a topic from the provider's own name; does not create the physical topic."""

    @abstractmethod
    def create_temporary_queue(self) -> TemporaryQueue:
        """Create a temporary queue that lives as long as the connection."""

    @abstractmethod
    def create_temporary_topic(self) -> TemporaryTopic:
        """Create a temporary topic that lives as long as the connection."""

    @abstractmethod
    def unsubscribe(self, name: str | None) -> None:
        """Delete the durable subscription `name`."""

    @abstractmethod
    def create_durable_subscriber(
        self,
        topic: Topic | None,
        name: str | None,
        message_selector: str | Omitted | None = OMITTED,
        no_local: bool | Omitted = OMITTED,
    ) -> TopicSubscriber:
        """Make a consumer on an unshared durable subscription, by the older type."""
