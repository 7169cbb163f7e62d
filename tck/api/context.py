"""The simplified API: contexts, and the producers and consumers they make."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Set as AbstractSet
from typing import Final

from tck.api.bodies import BytesMessage, MapMessage, ObjectMessage, StreamMessage, TextMessage
from tck.api.closing import AutoCloseable
from tck.api.consumers import QueueBrowser
from tck.api.destinations import Destination, Queue, TemporaryQueue, TemporaryTopic, Topic
from tck.api.listeners import CompletionListener, ExceptionListener, MessageListener
from tck.api.messages import Message
from tck.api.metadata import ConnectionMetaData
from tck.api.values import OMITTED, BodyType, Omitted

__all__ = ["JMSConsumer", "JMSContext", "JMSProducer"]


class JMSProducer(ABC):
    """Send messages and bodies; each setter returns the producer, so that calls chain."""

    __slots__ = ()

    @abstractmethod
    def send(
        self, destination: Destination | None, body: object, *, body_type: BodyType | Omitted = OMITTED
    ) -> JMSProducer:
        """Send a message, or a body in a message of the kind that fits it."""

    @abstractmethod
    def set_disable_message_id(self, disable: bool) -> JMSProducer:
        """Set the hint that message identifiers are not needed; return the producer."""

    @abstractmethod
    def get_disable_message_id(self) -> bool:
        """Get the hint that message identifiers are not needed."""

    @abstractmethod
    def set_disable_message_timestamp(self, disable: bool) -> JMSProducer:
        """Set the hint that timestamps are not needed; return the producer."""

    @abstractmethod
    def get_disable_message_timestamp(self) -> bool:
        """Get the hint that timestamps are not needed."""

    @abstractmethod
    def set_delivery_mode(self, delivery_mode: int) -> JMSProducer:
        """Set the delivery mode, a constant of `DeliveryMode`; return the producer."""

    @abstractmethod
    def get_delivery_mode(self) -> int:
        """Get the delivery mode, a constant of `DeliveryMode`."""

    @abstractmethod
    def set_priority(self, priority: int) -> JMSProducer:
        """Set the priority, 0 to 9; return the producer."""

    @abstractmethod
    def get_priority(self) -> int:
        """Get the priority, 0 to 9."""

    @abstractmethod
    def set_time_to_live(self, time_to_live: int) -> JMSProducer:
        """Set the time to live, milliseconds; 0 means for ever; return the producer."""

    @abstractmethod
    def get_time_to_live(self) -> int:
        """Get the time to live, milliseconds; 0 means for ever."""

    @abstractmethod
    def set_delivery_delay(self, delivery_delay: int) -> JMSProducer:
        """Set the delay before delivery, milliseconds; return the producer."""

    @abstractmethod
    def get_delivery_delay(self) -> int:
        """Get the delay before delivery, milliseconds."""

    @abstractmethod
    def set_async(self, completion_listener: CompletionListener | None) -> JMSProducer:
        """Set the listener that makes sends asynchronous, None for synchronous; return the producer."""

    @abstractmethod
    def get_async(self) -> CompletionListener | None:
        """Get the listener that makes sends asynchronous, None for synchronous."""

    @abstractmethod
    def set_property(self, name: str, value: object) -> JMSProducer:
        """Set a property that sends put on each message, typed by its value; return the producer."""

    @abstractmethod
    def set_object_property(self, name: str, value: object) -> JMSProducer:
        """Set a property through Java's Object overload; return the producer."""

    @abstractmethod
    def clear_properties(self) -> JMSProducer:
        """Remove the properties set on the producer; return the producer."""

    @abstractmethod
    def property_exists(self, name: str) -> bool:
        """Tell whether the property `name` is set on the producer."""

    @abstractmethod
    def get_boolean_property(self, name: str) -> bool:
        """Get the property `name` that sends put on each message, as a Java boolean."""

    @abstractmethod
    def get_byte_property(self, name: str) -> int:
        """Get the property `name` that sends put on each message, as a Java byte."""

    @abstractmethod
    def get_short_property(self, name: str) -> int:
        """Get the property `name` that sends put on each message, as a Java short."""

    @abstractmethod
    def get_int_property(self, name: str) -> int:
        """Get the property `name` that sends put on each message, as a Java int."""

    @abstractmethod
    def get_long_property(self, name: str) -> int:
        """Get the property `name` that sends put on each message, as a Java long."""

    @abstractmethod
    def get_float_property(self, name: str) -> float:
        """Get the property `name` that sends put on each message, as a Java float."""

    @abstractmethod
    def get_double_property(self, name: str) -> float:
        """Get the property `name` that sends put on each message, as a Java double."""

    @abstractmethod
    def get_string_property(self, name: str) -> str | None:
        """Get the property `name` that sends put on each message, as a String, None if it is not set."""

    @abstractmethod
    def get_object_property(self, name: str) -> object:
        """Get the property `name` that sends put on each message, as an object of the type it was set with, None if it is not set."""

    @abstractmethod
    def get_property_names(self) -> AbstractSet[str]:
        """Get the names of the properties set on the producer, as a set that does not change."""

    @abstractmethod
    def set_jms_correlation_id_as_bytes(self, correlation_id: bytes | None) -> JMSProducer:
        """Set the correlation identifier in native form that sends put on each message; return the producer."""

    @abstractmethod
    def get_jms_correlation_id_as_bytes(self) -> bytes | None:
        """Get the correlation identifier in native form that sends put on each message."""

    @abstractmethod
    def set_jms_correlation_id(self, correlation_id: str | None) -> JMSProducer:
        """Set the correlation identifier that sends put on each message; return the producer."""

    @abstractmethod
    def get_jms_correlation_id(self) -> str | None:
        """Get the correlation identifier that sends put on each message."""

    @abstractmethod
    def set_jms_type(self, message_type: str | None) -> JMSProducer:
        """Set the type name that sends put on each message; return the producer."""

    @abstractmethod
    def get_jms_type(self) -> str | None:
        """Get the type name that sends put on each message."""

    @abstractmethod
    def set_jms_reply_to(self, destination: Destination | None) -> JMSProducer:
        """Set the reply destination that sends put on each message; return the producer."""

    @abstractmethod
    def get_jms_reply_to(self) -> Destination | None:
        """Get the reply destination that sends put on each message."""


class JMSConsumer(AutoCloseable):
    """Receive messages, or their bodies, from one destination."""

    __slots__ = ()

    @property
    @abstractmethod
    def message_selector(self) -> str | None:
        """Give the message selector, None if there is none."""

    @property
    @abstractmethod
    def message_listener(self) -> MessageListener | None:
        """Give or set the listener that takes the messages, None for none."""

    @message_listener.setter
    @abstractmethod
    def message_listener(self, listener: MessageListener | None) -> None: ...

    @abstractmethod
    def receive(self, timeout: int | Omitted = OMITTED) -> Message | None:
        """Receive the next message, waiting up to `timeout` milliseconds for it; without one, or with 0, for ever."""

    @abstractmethod
    def receive_no_wait(self) -> Message | None:
        """Receive the next message if one is there at once, else None."""

    @abstractmethod
    def close(self) -> None:
        """Close the consumer."""

    @abstractmethod
    def receive_body(self, body_type: BodyType, timeout: int | Omitted = OMITTED) -> object:
        """Receive the next message and return its body; wait as `receive` does."""

    @abstractmethod
    def receive_body_no_wait(self, body_type: BodyType) -> object:
        """Receive the next message if one is there at once and return its body, else None."""


class JMSContext(AutoCloseable):
    """Be a connection and a session in one."""

    __slots__ = ()

    AUTO_ACKNOWLEDGE: Final = 1
    CLIENT_ACKNOWLEDGE: Final = 2
    DUPS_OK_ACKNOWLEDGE: Final = 3
    SESSION_TRANSACTED: Final = 0

    @abstractmethod
    def create_context(self, session_mode: int) -> JMSContext:
        """Make another context on the same connection."""

    @abstractmethod
    def create_producer(self) -> JMSProducer:
        """Make a producer."""

    @property
    @abstractmethod
    def client_id(self) -> str | None:
        """Give or set the client identifier."""

    @client_id.setter
    @abstractmethod
    def client_id(self, client_id: str | None) -> None: ...

    @property
    @abstractmethod
    def meta_data(self) -> ConnectionMetaData:
        """Give the description of the provider."""

    @property
    @abstractmethod
    def exception_listener(self) -> ExceptionListener | None:
        """Give or set the listener for problems of the connection, None for none."""

    @exception_listener.setter
    @abstractmethod
    def exception_listener(self, listener: ExceptionListener | None) -> None: ...

    @abstractmethod
    def start(self) -> None:
        """Start, or start again, the delivery of messages."""

    @abstractmethod
    def stop(self) -> None:
        """Stop the delivery of messages; sending goes on."""

    @property
    @abstractmethod
    def auto_start(self) -> bool:
        """Give or set whether making a consumer starts the connection."""

    @auto_start.setter
    @abstractmethod
    def auto_start(self, auto_start: bool) -> None: ...

    @abstractmethod
    def close(self) -> None:
        """Close the context."""

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
        """Tell whether the context is transacted."""

    @property
    @abstractmethod
    def session_mode(self) -> int:
        """Give the session mode, a constant of this class."""

    @abstractmethod
    def commit(self) -> None:
        """Commit the transaction: send what was sent, acknowledge what was received; the next one begins."""

    @abstractmethod
    def rollback(self) -> None:
        """Roll the transaction back: destroy what was sent, give back what was received; the next one begins."""

    @abstractmethod
    def recover(self) -> None:
        """Stop delivery and start it again with the oldest unacknowledged message."""

    @abstractmethod
    def create_consumer(
        self,
        destination: Destination | None,
        message_selector: str | Omitted | None = OMITTED,
        no_local: bool | Omitted = OMITTED,
    ) -> JMSConsumer:
        """Make a consumer of a queue, or of a topic with a subscription of its own that ends with it."""

    @abstractmethod
    def create_shared_consumer(
        self,
        topic: Topic | None,
        shared_subscription_name: str | None,
        message_selector: str | Omitted | None = OMITTED,
    ) -> JMSConsumer:
        """Make a consumer on a shared non-durable subscription."""

    @abstractmethod
    def create_durable_consumer(
        self,
        topic: Topic | None,
        name: str | None,
        message_selector: str | Omitted | None = OMITTED,
        no_local: bool | Omitted = OMITTED,
    ) -> JMSConsumer:
        """Make a consumer on an unshared durable subscription."""

    @abstractmethod
    def create_shared_durable_consumer(
        self, topic: Topic | None, name: str | None, message_selector: str | Omitted | None = OMITTED
    ) -> JMSConsumer:
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
    def acknowledge(self) -> None:
        """Acknowledge all messages that the context has consumed."""
