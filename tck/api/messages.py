"""Messages: headers, properties and the five kinds of body."""

from __future__ import annotations

import builtins
from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Final

from tck.api.destinations import Destination
from tck.api.values import OMITTED, BodyType, Omitted

__all__ = ["BytesMessage", "DeliveryMode", "MapMessage", "Message", "ObjectMessage", "StreamMessage", "TextMessage"]


class DeliveryMode:
    """Hold the two delivery modes, as the ints that headers and producers use."""

    __slots__ = ()

    NON_PERSISTENT: Final = 1
    PERSISTENT: Final = 2


class Message(ABC):
    """Carry headers and properties; a message of this very type has no body."""

    __slots__ = ()

    DEFAULT_DELIVERY_MODE: Final = 2
    DEFAULT_PRIORITY: Final = 4
    DEFAULT_TIME_TO_LIVE: Final = 0
    DEFAULT_DELIVERY_DELAY: Final = 0

    @property
    @abstractmethod
    def jms_message_id(self) -> str | None:
        """Give or set the identifier that the provider gave the message when it was sent."""

    @jms_message_id.setter
    @abstractmethod
    def jms_message_id(self, message_id: str | None) -> None: ...

    @property
    @abstractmethod
    def jms_timestamp(self) -> int:
        """Give or set the time of the send, epoch milliseconds."""

    @jms_timestamp.setter
    @abstractmethod
    def jms_timestamp(self, timestamp: int) -> None: ...

    @property
    @abstractmethod
    def jms_correlation_id(self) -> str | None:
        """Give or set the identifier of the message this one belongs to."""

    @jms_correlation_id.setter
    @abstractmethod
    def jms_correlation_id(self, correlation_id: str | None) -> None: ...

    @property
    @abstractmethod
    def jms_correlation_id_as_bytes(self) -> bytes | None:
        """Give or set the correlation identifier in native form."""

    @jms_correlation_id_as_bytes.setter
    @abstractmethod
    def jms_correlation_id_as_bytes(self, correlation_id: bytes | None) -> None: ...

    @property
    @abstractmethod
    def jms_reply_to(self) -> Destination | None:
        """Give or set where an answer should go."""

    @jms_reply_to.setter
    @abstractmethod
    def jms_reply_to(self, destination: Destination | None) -> None: ...

    @property
    @abstractmethod
    def jms_destination(self) -> Destination | None:
        """Give or set where the message was sent."""

    @jms_destination.setter
    @abstractmethod
    def jms_destination(self, destination: Destination | None) -> None: ...

    @property
    @abstractmethod
    def jms_delivery_mode(self) -> int:
        """Give or set the delivery mode, a constant of `DeliveryMode`."""

    @jms_delivery_mode.setter
    @abstractmethod
    def jms_delivery_mode(self, delivery_mode: int) -> None: ...

    @property
    @abstractmethod
    def jms_redelivered(self) -> bool:
        """Give or set whether the message was delivered before."""

    @jms_redelivered.setter
    @abstractmethod
    def jms_redelivered(self, redelivered: bool) -> None: ...

    @property
    @abstractmethod
    def jms_type(self) -> str | None:
        """Give or set the type name that the client gave the message."""

    @jms_type.setter
    @abstractmethod
    def jms_type(self, message_type: str | None) -> None: ...

    @property
    @abstractmethod
    def jms_expiration(self) -> int:
        """Give or set the time the message expires, epoch milliseconds; 0 means never."""

    @jms_expiration.setter
    @abstractmethod
    def jms_expiration(self, expiration: int) -> None: ...

    @property
    @abstractmethod
    def jms_delivery_time(self) -> int:
        """Give or set the earliest time of delivery, epoch milliseconds."""

    @jms_delivery_time.setter
    @abstractmethod
    def jms_delivery_time(self, delivery_time: int) -> None: ...

    @property
    @abstractmethod
    def jms_priority(self) -> int:
        """Give or set the priority, 0 to 9."""

    @jms_priority.setter
    @abstractmethod
    def jms_priority(self, priority: int) -> None: ...

    @abstractmethod
    def clear_properties(self) -> None:
        """Remove all properties and make them writable again."""

    @abstractmethod
    def property_exists(self, name: str) -> bool:
        """Tell whether the property `name` is set."""

    @abstractmethod
    def get_boolean_property(self, name: str) -> bool:
        """Get the property `name` as a Java boolean."""

    @abstractmethod
    def get_byte_property(self, name: str) -> int:
        """Get the property `name` as a Java byte."""

    @abstractmethod
    def get_short_property(self, name: str) -> int:
        """Get the property `name` as a Java short."""

    @abstractmethod
    def get_int_property(self, name: str) -> int:
        """Get the property `name` as a Java int."""

    @abstractmethod
    def get_long_property(self, name: str) -> int:
        """Get the property `name` as a Java long."""

    @abstractmethod
    def get_float_property(self, name: str) -> float:
        """Get the property `name` as a Java float."""

    @abstractmethod
    def get_double_property(self, name: str) -> float:
        """Get the property `name` as a Java double."""

    @abstractmethod
    def get_string_property(self, name: str) -> str | None:
        """Get the property `name` as a String, None if it is not set."""

    @abstractmethod
    def get_object_property(self, name: str) -> object:
        """Get the property `name` as an object of the type it was set with, None if it is not set."""

    @abstractmethod
    def set_boolean_property(self, name: str, value: bool) -> None:
        """Set the property `name` to a Java boolean."""

    @abstractmethod
    def set_byte_property(self, name: str, value: int) -> None:
        """Set the property `name` to a Java byte."""

    @abstractmethod
    def set_short_property(self, name: str, value: int) -> None:
        """Set the property `name` to a Java short."""

    @abstractmethod
    def set_int_property(self, name: str, value: int) -> None:
        """Set the property `name` to a Java int."""

    @abstractmethod
    def set_long_property(self, name: str, value: int) -> None:
        """Set the property `name` to a Java long."""

    @abstractmethod
    def set_float_property(self, name: str, value: float) -> None:
        """Set the property `name` to a Java float."""

    @abstractmethod
    def set_double_property(self, name: str, value: float) -> None:
        """Set the property `name` to a Java double."""

    @abstractmethod
    def set_string_property(self, name: str, value: str | None) -> None:
        """Set the property `name` to a String."""

    @abstractmethod
    def set_object_property(self, name: str, value: object) -> None:
        """Set the property `name` to an object of the type it was set with."""

    @abstractmethod
    def get_property_names(self) -> Iterator[str]:
        """Give a fresh iterator over the names of the properties, standard headers not among them."""

    @abstractmethod
    def acknowledge(self) -> None:
        """Acknowledge all messages that the session of this message has consumed."""

    @abstractmethod
    def clear_body(self) -> None:
        """Empty the body and make it writable; headers and properties stay."""

    @abstractmethod
    def get_body(self, body_type: BodyType) -> object:
        """Get the body as a value of `body_type`."""

    @abstractmethod
    def is_body_assignable_to(self, body_type: BodyType) -> bool:
        """Tell whether `get_body` with this type would succeed."""


class TextMessage(Message):
    """Carry one string."""

    __slots__ = ()

    @property
    @abstractmethod
    def text(self) -> str | None:
        """Give or set the body."""

    @text.setter
    @abstractmethod
    def text(self, text: str | None) -> None: ...


class ObjectMessage(Message):
    """Carry one serializable object."""

    __slots__ = ()

    @property
    @abstractmethod
    def object(self) -> builtins.object:
        """Give or set the body; each read gives a copy made from what was set."""

    @object.setter  # noqa: A003 - the name is fixed by the rule
    @abstractmethod
    def object(self, value: builtins.object) -> None: ...


class BytesMessage(Message):
    """Carry uninterpreted bytes, written and read in order, big endian."""

    __slots__ = ()

    @property
    @abstractmethod
    def body_length(self) -> int:
        """Give the length of the body in bytes."""

    @abstractmethod
    def read_boolean(self) -> bool:
        """Read the next bytes as a Java boolean."""

    @abstractmethod
    def read_byte(self) -> int:
        """Read the next bytes as a Java byte."""

    @abstractmethod
    def read_unsigned_byte(self) -> int:
        """Read the next bytes as an unsigned byte."""

    @abstractmethod
    def read_short(self) -> int:
        """Read the next bytes as a Java short."""

    @abstractmethod
    def read_unsigned_short(self) -> int:
        """Read the next bytes as an unsigned short."""

    @abstractmethod
    def read_char(self) -> str:
        """Read the next bytes as a Java char."""

    @abstractmethod
    def read_int(self) -> int:
        """Read the next bytes as a Java int."""

    @abstractmethod
    def read_long(self) -> int:
        """Read the next bytes as a Java long."""

    @abstractmethod
    def read_float(self) -> float:
        """Read the next bytes as a Java float."""

    @abstractmethod
    def read_double(self) -> float:
        """Read the next bytes as a Java double."""

    @abstractmethod
    def write_boolean(self, value: bool) -> None:
        """Write a Java boolean."""

    @abstractmethod
    def write_byte(self, value: int) -> None:
        """Write a Java byte."""

    @abstractmethod
    def write_short(self, value: int) -> None:
        """Write a Java short."""

    @abstractmethod
    def write_char(self, value: str) -> None:
        """Write a Java char."""

    @abstractmethod
    def write_int(self, value: int) -> None:
        """Write a Java int."""

    @abstractmethod
    def write_long(self, value: int) -> None:
        """Write a Java long."""

    @abstractmethod
    def write_float(self, value: float) -> None:
        """Write a Java float."""

    @abstractmethod
    def write_double(self, value: float) -> None:
        """Write a Java double."""

    @abstractmethod
    def read_utf(self) -> str:
        """Read a string in Java's modified UTF-8 with two bytes of length before it."""

    @abstractmethod
    def read_bytes(self, buffer: bytearray, length: int | Omitted = OMITTED) -> int:
        """Fill `buffer` in place with up to `length` bytes; return their count, -1 at the end."""

    @abstractmethod
    def write_utf(self, value: str) -> None:
        """Write a string in Java's modified UTF-8 with two bytes of length before it."""

    @abstractmethod
    def write_bytes(self, value: bytes, offset: int | Omitted = OMITTED, length: int | Omitted = OMITTED) -> None:
        """Write `value`, or `length` bytes of it from `offset`."""

    @abstractmethod
    def write_object(self, value: object) -> None:
        """Write a value by its type."""

    @abstractmethod
    def reset(self) -> None:
        """Make the body read-only and go to its start."""


class StreamMessage(Message):
    """Carry a sequence of typed values, written and read in order."""

    __slots__ = ()

    @abstractmethod
    def read_boolean(self) -> bool:
        """Read the next value as a Java boolean."""

    @abstractmethod
    def read_byte(self) -> int:
        """Read the next value as a Java byte."""

    @abstractmethod
    def read_short(self) -> int:
        """Read the next value as a Java short."""

    @abstractmethod
    def read_char(self) -> str:
        """Read the next value as a Java char."""

    @abstractmethod
    def read_int(self) -> int:
        """Read the next value as a Java int."""

    @abstractmethod
    def read_long(self) -> int:
        """Read the next value as a Java long."""

    @abstractmethod
    def read_float(self) -> float:
        """Read the next value as a Java float."""

    @abstractmethod
    def read_double(self) -> float:
        """Read the next value as a Java double."""

    @abstractmethod
    def read_string(self) -> str | None:
        """Read the next value as a String."""

    @abstractmethod
    def write_boolean(self, value: bool) -> None:
        """Write a Java boolean."""

    @abstractmethod
    def write_byte(self, value: int) -> None:
        """Write a Java byte."""

    @abstractmethod
    def write_short(self, value: int) -> None:
        """Write a Java short."""

    @abstractmethod
    def write_char(self, value: str) -> None:
        """Write a Java char."""

    @abstractmethod
    def write_int(self, value: int) -> None:
        """Write a Java int."""

    @abstractmethod
    def write_long(self, value: int) -> None:
        """Write a Java long."""

    @abstractmethod
    def write_float(self, value: float) -> None:
        """Write a Java float."""

    @abstractmethod
    def write_double(self, value: float) -> None:
        """Write a Java double."""

    @abstractmethod
    def write_string(self, value: str | None) -> None:
        """Write a String."""

    @abstractmethod
    def read_bytes(self, buffer: bytearray) -> int:
        """Fill `buffer` in place from the next byte array; return the count, -1 at its end."""

    @abstractmethod
    def read_object(self) -> object:
        """Read the next value as an object of the type it was written with."""

    @abstractmethod
    def write_bytes(self, value: bytes, offset: int | Omitted = OMITTED, length: int | Omitted = OMITTED) -> None:
        """Write `value`, or `length` bytes of it from `offset`, as one byte array."""

    @abstractmethod
    def write_object(self, value: object) -> None:
        """Write a value by its type."""

    @abstractmethod
    def reset(self) -> None:
        """Make the body read-only and go to its start."""


class MapMessage(Message):
    """Carry typed values under names."""

    __slots__ = ()

    @abstractmethod
    def get_boolean(self, name: str) -> bool:
        """Get the value `name` as a Java boolean."""

    @abstractmethod
    def get_byte(self, name: str) -> int:
        """Get the value `name` as a Java byte."""

    @abstractmethod
    def get_short(self, name: str) -> int:
        """Get the value `name` as a Java short."""

    @abstractmethod
    def get_char(self, name: str) -> str:
        """Get the value `name` as a Java char."""

    @abstractmethod
    def get_int(self, name: str) -> int:
        """Get the value `name` as a Java int."""

    @abstractmethod
    def get_long(self, name: str) -> int:
        """Get the value `name` as a Java long."""

    @abstractmethod
    def get_float(self, name: str) -> float:
        """Get the value `name` as a Java float."""

    @abstractmethod
    def get_double(self, name: str) -> float:
        """Get the value `name` as a Java double."""

    @abstractmethod
    def get_string(self, name: str) -> str | None:
        """Get the value `name` as a String."""

    @abstractmethod
    def get_bytes(self, name: str) -> bytes | None:
        """Get the value `name` as a byte array."""

    @abstractmethod
    def get_object(self, name: str) -> object:
        """Get the value `name` as an object of the type it was set with."""

    @abstractmethod
    def set_boolean(self, name: str, value: bool) -> None:
        """Set the value `name` to a Java boolean."""

    @abstractmethod
    def set_byte(self, name: str, value: int) -> None:
        """Set the value `name` to a Java byte."""

    @abstractmethod
    def set_short(self, name: str, value: int) -> None:
        """Set the value `name` to a Java short."""

    @abstractmethod
    def set_char(self, name: str, value: str) -> None:
        """Set the value `name` to a Java char."""

    @abstractmethod
    def set_int(self, name: str, value: int) -> None:
        """Set the value `name` to a Java int."""

    @abstractmethod
    def set_long(self, name: str, value: int) -> None:
        """Set the value `name` to a Java long."""

    @abstractmethod
    def set_float(self, name: str, value: float) -> None:
        """Set the value `name` to a Java float."""

    @abstractmethod
    def set_double(self, name: str, value: float) -> None:
        """Set the value `name` to a Java double."""

    @abstractmethod
    def set_string(self, name: str, value: str | None) -> None:
        """Set the value `name` to a String."""

    @abstractmethod
    def set_bytes(
        self, name: str, value: bytes | None, offset: int | Omitted = OMITTED, length: int | Omitted = OMITTED
    ) -> None:
        """Set the value `name` to a byte array, or to `length` bytes of it from `offset`."""

    @abstractmethod
    def set_object(self, name: str, value: object) -> None:
        """Set the value `name` by the type of `value`."""

    @abstractmethod
    def get_map_names(self) -> Iterator[str]:
        """Give a fresh iterator over the names in the map."""

    @abstractmethod
    def item_exists(self, name: str) -> bool:
        """Tell whether the map has a value `name`."""
