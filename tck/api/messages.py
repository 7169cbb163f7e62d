"""Messages: headers, properties and what all kinds of body share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Final

from tck.api.destinations import Destination
from tck.api.values import BodyType

__all__ = ["DeliveryMode", "Message"]


class DeliveryMode:
    """Hold the two delivery modes.

    A PERSISTENT message survives the provider's failure, a NON_PERSISTENT one may be lost, never repeated (section
    7.7).
    """

    __slots__ = ()

    NON_PERSISTENT: Final = 1
    PERSISTENT: Final = 2


class Message(ABC):
    """Carry headers and properties; a message of this very type has no body (3.7-1).

    Headers are set by the send, by the client, or by the provider on receipt, as section 3.4 lists. Those the send sets
    ignore what was there before (3.4.1-1, 3.4.2-1, 3.4.3-1, 3.4.4-1, 3.4.10-1); their setters exist for messages that
    come from another provider (3.4.11-9). Every getter and setter may raise JMSException. A message received has a body
    and properties that are read-only until cleared (3.5.3-2, 3.11.2-1).
    """

    __slots__ = ()

    DEFAULT_DELIVERY_MODE: Final = 2
    DEFAULT_PRIORITY: Final = 4
    DEFAULT_TIME_TO_LIVE: Final = 0
    DEFAULT_DELIVERY_DELAY: Final = 0

    @property
    @abstractmethod
    def jms_message_id(self) -> str | None:
        """Give or set the identifier the provider gives to each message sent: ``ID:`` and a unique string (3.4.3-3,
        3.4.3-4); None if it was told not to (3.4.3-8).
        """

    @jms_message_id.setter
    @abstractmethod
    def jms_message_id(self, message_id: str | None) -> None: ...

    @property
    @abstractmethod
    def jms_timestamp(self) -> int:
        """Give or set the time the message was handed over for sending, epoch milliseconds (3.4.4-2).

        0 if the provider was told not to (3.4.4-5).
        """

    @jms_timestamp.setter
    @abstractmethod
    def jms_timestamp(self, timestamp: int) -> None: ...

    @property
    @abstractmethod
    def jms_correlation_id(self) -> str | None:
        """Give or set what links this message to another.

        A message identifier or a string of the application (3.4.5-1, 3.4.5-2); None if not set (3.4.5-3).
        """

    @jms_correlation_id.setter
    @abstractmethod
    def jms_correlation_id(self, correlation_id: str | None) -> None: ...

    @property
    @abstractmethod
    def jms_correlation_id_as_bytes(self) -> bytes | None:
        """Give or set the correlation identifier as the provider's native bytes; the array is copied (3.4.5-6).

        Raises:
            UnsupportedOperationException: The provider has no native correlation identifiers, which it may (3.4.5-4).
        """

    @jms_correlation_id_as_bytes.setter
    @abstractmethod
    def jms_correlation_id_as_bytes(self, correlation_id: bytes | None) -> None: ...

    @property
    @abstractmethod
    def jms_reply_to(self) -> Destination | None:
        """Give or set the destination for an answer, None for no answer wanted (3.4.6-1, 3.4.6-3)."""

    @jms_reply_to.setter
    @abstractmethod
    def jms_reply_to(self, destination: Destination | None) -> None: ...

    @property
    @abstractmethod
    def jms_destination(self) -> Destination | None:
        """Give or set where the message was sent; the send sets it (3.4.1-2), the receiver sees the same (3.4.1-3)."""

    @jms_destination.setter
    @abstractmethod
    def jms_destination(self, destination: Destination | None) -> None: ...

    @property
    @abstractmethod
    def jms_delivery_mode(self) -> int:
        """Give or set the delivery mode, 1 or 2 of `DeliveryMode`; the send sets it (3.4.2-2)."""

    @jms_delivery_mode.setter
    @abstractmethod
    def jms_delivery_mode(self, delivery_mode: int) -> None: ...

    @property
    @abstractmethod
    def jms_redelivered(self) -> bool:
        """Give or set whether the message was delivered before.

        The provider sets it on receipt (3.4.7-1), the send leaves it (3.4.7-4).
        """

    @jms_redelivered.setter
    @abstractmethod
    def jms_redelivered(self, redelivered: bool) -> None: ...

    @property
    @abstractmethod
    def jms_type(self) -> str | None:
        """Give or set the type name that the client gave the message (3.4.8-1), None if it gave none (3.4.8-2)."""

    @jms_type.setter
    @abstractmethod
    def jms_type(self, message_type: str | None) -> None: ...

    @property
    @abstractmethod
    def jms_expiration(self) -> int:
        """Give or set the time the message expires, epoch milliseconds.

        Time of sending plus time to live (3.4.9-1), 0 for never (3.4.9-5).
        """

    @jms_expiration.setter
    @abstractmethod
    def jms_expiration(self, expiration: int) -> None: ...

    @property
    @abstractmethod
    def jms_delivery_time(self) -> int:
        """Give or set the earliest time of delivery, epoch milliseconds.

        Time of sending plus delivery delay (3.4.13-1).
        """

    @jms_delivery_time.setter
    @abstractmethod
    def jms_delivery_time(self, delivery_time: int) -> None: ...

    @property
    @abstractmethod
    def jms_priority(self) -> int:
        """Give or set the priority, 0 (lowest) to 9; the send sets it (3.4.10-2)."""

    @jms_priority.setter
    @abstractmethod
    def jms_priority(self, priority: int) -> None: ...

    @abstractmethod
    def clear_properties(self) -> None:
        """Remove all properties and make them writable (3.5.7-1, 3.5.7-2); headers and body stay (3.5.7-3, 3.5.7-4)."""

    @abstractmethod
    def property_exists(self, name: str) -> bool:
        """Tell whether the property `name` is set (3.5.8-3)."""

    @abstractmethod
    def get_boolean_property(self, name: str) -> bool:
        """Get the property `name` as a Java boolean, converted where section 3.5.4 allows it.

        Unset reads as False (3.5.4-8).

        Raises:
            MessageFormatException: Its type does not convert (3.5.4-2).
        """

    @abstractmethod
    def get_byte_property(self, name: str) -> int:
        """Get the property `name` as a Java byte (-128 to 127), converted where section 3.5.4 allows it.

        Raises:
            MessageFormatException: Its type does not convert (3.5.4-2).
            NumberFormatException: It is a string that is no such number (3.5.4-3), or not set or null (3.5.4-6).
        """

    @abstractmethod
    def get_short_property(self, name: str) -> int:
        """Get the property `name` as a Java short (16 bits), converted where section 3.5.4 allows it.

        Raises:
            MessageFormatException: Its type does not convert (3.5.4-2).
            NumberFormatException: It is a string that is no such number (3.5.4-3), or not set or null (3.5.4-6).
        """

    @abstractmethod
    def get_int_property(self, name: str) -> int:
        """Get the property `name` as a Java int (32 bits), converted where section 3.5.4 allows it.

        Raises:
            MessageFormatException: Its type does not convert (3.5.4-2).
            NumberFormatException: It is a string that is no such number (3.5.4-3), or not set or null (3.5.4-6).
        """

    @abstractmethod
    def get_long_property(self, name: str) -> int:
        """Get the property `name` as a Java long (64 bits), converted where section 3.5.4 allows it.

        Raises:
            MessageFormatException: Its type does not convert (3.5.4-2).
            NumberFormatException: It is a string that is no such number (3.5.4-3), or not set or null (3.5.4-6).
        """

    @abstractmethod
    def get_float_property(self, name: str) -> float:
        """Get the property `name` as a Java float (32 bits), converted where section 3.5.4 allows it.

        Raises:
            MessageFormatException: Its type does not convert (3.5.4-2).
            NullPointerException: It is not set or null (3.5.4-7).
            NumberFormatException: It is a string that is no such number (3.5.4-3).
        """

    @abstractmethod
    def get_double_property(self, name: str) -> float:
        """Get the property `name` as a Java double, converted where section 3.5.4 allows it.

        Raises:
            MessageFormatException: Its type does not convert (3.5.4-2).
            NullPointerException: It is not set or null (3.5.4-7).
            NumberFormatException: It is a string that is no such number (3.5.4-3).
        """

    @abstractmethod
    def get_string_property(self, name: str) -> str | None:
        """Get the property `name` as a string, None if it is not set (3.5.8-1); every type converts to it (3.5.4-1)."""

    @abstractmethod
    def get_object_property(self, name: str) -> object:
        """Get the property `name` as it was set.

        Plain value or box (3.5.5-3, see `tck.api.values`), None if it is not set (3.5.5-5).
        """

    @abstractmethod
    def set_boolean_property(self, name: str, value: bool) -> None:
        """Set the property `name` to a Java boolean (3.5.2-1).

        Raises:
            IllegalArgumentException: The name is null or empty (3.5.1-4).
            MessageNotWriteableException: The properties are read-only (3.5.3-2).
        """

    @abstractmethod
    def set_byte_property(self, name: str, value: int) -> None:
        """Set the property `name` to a Java byte (-128 to 127) (3.5.2-2).

        Raises:
            IllegalArgumentException: The name is null or empty (3.5.1-4).
            MessageNotWriteableException: The properties are read-only (3.5.3-2).
            ValueError: The value is out of range; a Java caller could not write it.
        """

    @abstractmethod
    def set_short_property(self, name: str, value: int) -> None:
        """Set the property `name` to a Java short (16 bits) (3.5.2-3).

        Raises:
            IllegalArgumentException: The name is null or empty (3.5.1-4).
            MessageNotWriteableException: The properties are read-only (3.5.3-2).
            ValueError: The value is out of range; a Java caller could not write it.
        """

    @abstractmethod
    def set_int_property(self, name: str, value: int) -> None:
        """Set the property `name` to a Java int (32 bits) (3.5.2-4).

        Raises:
            IllegalArgumentException: The name is null or empty (3.5.1-4).
            MessageNotWriteableException: The properties are read-only (3.5.3-2).
            ValueError: The value is out of range; a Java caller could not write it.
        """

    @abstractmethod
    def set_long_property(self, name: str, value: int) -> None:
        """Set the property `name` to a Java long (64 bits) (3.5.2-5).

        Raises:
            IllegalArgumentException: The name is null or empty (3.5.1-4).
            MessageNotWriteableException: The properties are read-only (3.5.3-2).
            ValueError: The value is out of range; a Java caller could not write it.
        """

    @abstractmethod
    def set_float_property(self, name: str, value: float) -> None:
        """Set the property `name` to a Java float (32 bits) (3.5.2-6).

        Raises:
            IllegalArgumentException: The name is null or empty (3.5.1-4).
            MessageNotWriteableException: The properties are read-only (3.5.3-2).
        """

    @abstractmethod
    def set_double_property(self, name: str, value: float) -> None:
        """Set the property `name` to a Java double (3.5.2-7).

        Raises:
            IllegalArgumentException: The name is null or empty (3.5.1-4).
            MessageNotWriteableException: The properties are read-only (3.5.3-2).
        """

    @abstractmethod
    def set_string_property(self, name: str, value: str | None) -> None:
        """Set the property `name` to a string or None (3.5.2-8, 3.12-12).

        Raises:
            IllegalArgumentException: The name is null or empty (3.5.1-4).
            MessageNotWriteableException: The properties are read-only (3.5.3-2).
        """

    @abstractmethod
    def set_object_property(self, name: str, value: object) -> None:
        """Set the property `name` by the type of `value`: one of eight types, or None (3.5.5-1).

        Raises:
            MessageFormatException: The value is of another type (3.5.5-2).
            IllegalArgumentException: The name is null or empty (3.5.1-4).
            MessageNotWriteableException: The properties are read-only (3.5.3-2).
        """

    @abstractmethod
    def get_property_names(self) -> Iterator[str]:
        """Give a fresh iterator over the property names, in no set order (3.5.6-1, 3.5.6-2).

        Standard headers are not among them (3.5.6-3).
        """

    @abstractmethod
    def acknowledge(self) -> None:
        """Acknowledge all messages that the session of this message has consumed (6.2.10-9, 6.2.10-10).

        Does nothing unless the mode is CLIENT_ACKNOWLEDGE (3.6-2, 3.6-3).

        Raises:
            IllegalStateException: The session is closed (6.1.8-35).
        """

    @abstractmethod
    def clear_body(self) -> None:
        """Empty the body and make it writable (3.11.1-1, 3.10-2); headers and properties stay (3.11.1-2, 3.11.1-3)."""

    @abstractmethod
    def get_body(self, body_type: BodyType) -> object:
        """Give the body as a value of `body_type`: str, bytes, a dict, or the object (3.11-29 to 3.11-32).

        None if there is no body (3.11-36).

        Raises:
            MessageFormatException: The body is not of that type (3.11-35), is a stream (3.11-34) or cannot be
                deserialised (3.11-38).
        """

    @abstractmethod
    def is_body_assignable_to(self, body_type: BodyType) -> bool:
        """Tell whether `get_body` with this type would succeed (3.11-40).

        True for any type without a body (3.11-42), false for a stream (3.11-41).
        """
