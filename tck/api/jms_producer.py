"""The producer of the simplified API."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Set as AbstractSet

from tck.api.destinations import Destination
from tck.api.listeners import CompletionListener
from tck.api.values import OMITTED, BodyType, Omitted

__all__ = ["JMSProducer"]


class JMSProducer(ABC):
    """Send messages and bodies; each setter returns the producer, so that calls chain (7.10-1 to 7.10-4).

    Options, properties and headers set here go on every message sent (7.4-1, 7.5-2, section 7.6). Methods raise runtime
    exceptions only (10.2-3).
    """

    __slots__ = ()

    @abstractmethod
    def send(
        self, destination: Destination | None, body: object, *, body_type: BodyType | Omitted = OMITTED
    ) -> JMSProducer:
        """Send a message, or a body in a message of the kind that fits it (7.2-6 to 7.2-10); return the producer.

        The body decides: a `Message` is sent itself, a str goes as text, a mapping as map, bytes as bytes, anything
        else as object message. `body_type` (Message, str, dict, bytes or SERIALIZABLE) says it instead, as Java's cast
        does, and is needed for None, which makes a message without a body (7.2-11).

        Raises:
            TypeError: The body is None and `body_type` not given, or the body is not of that type.
            InvalidDestinationRuntimeException: The destination is null or not understood (7.1-10).
            MessageFormatRuntimeException: The message or body is unusable (7.1-11, 7.2-12).
            MessageNotWriteableRuntimeException: A property is to be set on a message whose properties are read-only
                (7.5-15).
            JMSRuntimeException: The send failed (7.2-5).
        """

    @abstractmethod
    def set_disable_message_id(self, disable: bool) -> JMSProducer:
        """Set the hint that message identifiers are not needed, False at first (7.4-14); return the producer."""

    @abstractmethod
    def get_disable_message_id(self) -> bool:
        """Get the hint that message identifiers are not needed, False at first (7.4-11)."""

    @abstractmethod
    def set_disable_message_timestamp(self, disable: bool) -> JMSProducer:
        """Set the hint that timestamps are not needed, False at first (7.4-15); return the producer."""

    @abstractmethod
    def get_disable_message_timestamp(self) -> bool:
        """Get the hint that timestamps are not needed, False at first (7.4-11)."""

    @abstractmethod
    def set_delivery_mode(self, delivery_mode: int) -> JMSProducer:
        """Set the delivery mode, a constant of `DeliveryMode`, PERSISTENT at first (7.4-1); return the producer.

        Raises:
            JMSRuntimeException: The value is out of range (7.4-13).
        """

    @abstractmethod
    def get_delivery_mode(self) -> int:
        """Get the delivery mode, a constant of `DeliveryMode`, PERSISTENT at first (7.4-11)."""

    @abstractmethod
    def set_priority(self, priority: int) -> JMSProducer:
        """Set the priority, 0 to 9, 4 at first (7.4-2); return the producer.

        Raises:
            JMSRuntimeException: The value is out of range (7.4-13).
        """

    @abstractmethod
    def get_priority(self) -> int:
        """Get the priority, 0 to 9, 4 at first (7.4-11)."""

    @abstractmethod
    def set_time_to_live(self, time_to_live: int) -> JMSProducer:
        """Set the time to live, milliseconds; 0, as at first, means for ever (7.4-3); return the producer."""

    @abstractmethod
    def get_time_to_live(self) -> int:
        """Get the time to live, milliseconds; 0, as at first, means for ever (7.4-11)."""

    @abstractmethod
    def set_delivery_delay(self, delivery_delay: int) -> JMSProducer:
        """Set the delay before delivery, milliseconds, 0 at first (7.4-4); return the producer."""

    @abstractmethod
    def get_delivery_delay(self) -> int:
        """Get the delay before delivery, milliseconds, 0 at first (7.4-11)."""

    @abstractmethod
    def set_async(self, completion_listener: CompletionListener | None) -> JMSProducer:
        """Set the listener that makes sends asynchronous, None for synchronous, as at first (7.3-3).

        Return the producer.
        """

    @abstractmethod
    def get_async(self) -> CompletionListener | None:
        """Get the listener that makes sends asynchronous, None for synchronous, as at first (7.3-4)."""

    @abstractmethod
    def set_property(self, name: str, value: object) -> JMSProducer:
        """Set a property that sends put on each message, typed by its value (7.5-2); return the producer.

        bool, Byte, Short, Int, int (a long), Float, float (a double), str or None (a string); any other value means
        Java's Object overload.

        Raises:
            IllegalArgumentException: The name is null or empty (7.5-13).
            MessageFormatRuntimeException: The value is of another type (7.5-14).
        """

    @abstractmethod
    def set_object_property(self, name: str, value: object) -> JMSProducer:
        """Set a property through Java's Object overload of ``setProperty``; return the producer.

        Raises:
            IllegalArgumentException: The name is null or empty (7.5-13).
            MessageFormatRuntimeException: The value is of none of the eight types (7.5-14).
        """

    @abstractmethod
    def clear_properties(self) -> JMSProducer:
        """Remove the properties set on the producer (7.5-7); return the producer."""

    @abstractmethod
    def property_exists(self, name: str) -> bool:
        """Tell whether the property `name` is set on the producer (7.5-7)."""

    @abstractmethod
    def get_boolean_property(self, name: str) -> bool:
        """Get the property `name` of the producer as a Java boolean, converted as `Message.get_boolean_property` does
        (7.5-8).

        Raises:
            MessageFormatRuntimeException: Its type does not convert (10.3-36).
        """

    @abstractmethod
    def get_byte_property(self, name: str) -> int:
        """Get the property `name` of the producer as a Java byte (-128 to 127), converted as
        `Message.get_byte_property` does (7.5-8).

        Raises:
            MessageFormatRuntimeException: Its type does not convert (10.3-36).
        """

    @abstractmethod
    def get_short_property(self, name: str) -> int:
        """Get the property `name` of the producer as a Java short (16 bits), converted as `Message.get_short_property`
        does (7.5-8).

        Raises:
            MessageFormatRuntimeException: Its type does not convert (10.3-36).
        """

    @abstractmethod
    def get_int_property(self, name: str) -> int:
        """Get the property `name` of the producer as a Java int (32 bits), converted as `Message.get_int_property` does
        (7.5-8).

        Raises:
            MessageFormatRuntimeException: Its type does not convert (10.3-36).
        """

    @abstractmethod
    def get_long_property(self, name: str) -> int:
        """Get the property `name` of the producer as a Java long (64 bits), converted as `Message.get_long_property`
        does (7.5-8).

        Raises:
            MessageFormatRuntimeException: Its type does not convert (10.3-36).
        """

    @abstractmethod
    def get_float_property(self, name: str) -> float:
        """Get the property `name` of the producer as a Java float (32 bits), converted as `Message.get_float_property`
        does (7.5-8).

        Raises:
            MessageFormatRuntimeException: Its type does not convert (10.3-36).
        """

    @abstractmethod
    def get_double_property(self, name: str) -> float:
        """Get the property `name` of the producer as a Java double, converted as `Message.get_double_property` does
        (7.5-8).

        Raises:
            MessageFormatRuntimeException: Its type does not convert (10.3-36).
        """

    @abstractmethod
    def get_string_property(self, name: str) -> str | None:
        """Get the property `name` of the producer as a string, None if it is not set (7.5-8)."""

    @abstractmethod
    def get_object_property(self, name: str) -> object:
        """Get the property `name` of the producer as it was set: plain value or box, None if it is not set (7.5-9)."""

    @abstractmethod
    def get_property_names(self) -> AbstractSet[str]:
        """Get the names of the properties set on the producer, those and no others (7.5-10), as a set that refuses
        changes (7.5-12) and follows later ones of the producer (7.5-11).
        """

    @abstractmethod
    def set_jms_correlation_id_as_bytes(self, correlation_id: bytes | None) -> JMSProducer:
        """Set the correlation identifier, as native bytes, that sends put on each message (7.6-5).

        Return the producer.

        Raises:
            UnsupportedOperationException: The provider has no native correlation identifiers, which it may (7.6-6).
        """

    @abstractmethod
    def get_jms_correlation_id_as_bytes(self) -> bytes | None:
        """Get the correlation identifier, as native bytes, that sends put on each message (7.6-10)."""

    @abstractmethod
    def set_jms_correlation_id(self, correlation_id: str | None) -> JMSProducer:
        """Set the correlation identifier that sends put on each message, None to leave the message's own (7.6-2).

        Return the producer.
        """

    @abstractmethod
    def get_jms_correlation_id(self) -> str | None:
        """Get the correlation identifier that sends put on each message, None to leave the message's own (7.6-10)."""

    @abstractmethod
    def set_jms_type(self, message_type: str | None) -> JMSProducer:
        """Set the type name that sends put on each message, None to leave the message's own (7.6-3).

        Return the producer.
        """

    @abstractmethod
    def get_jms_type(self) -> str | None:
        """Get the type name that sends put on each message, None to leave the message's own (7.6-10)."""

    @abstractmethod
    def set_jms_reply_to(self, destination: Destination | None) -> JMSProducer:
        """Set the reply destination that sends put on each message, None to leave the message's own (7.6-4).

        Return the producer.
        """

    @abstractmethod
    def get_jms_reply_to(self) -> Destination | None:
        """Get the reply destination that sends put on each message, None to leave the message's own (7.6-10)."""
