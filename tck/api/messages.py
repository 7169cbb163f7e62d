"""Messages: headers, properties and what all kinds of body share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Final

from tck.api.destinations import Destination
from tck.api.values import BodyType

__all__ = ["DeliveryMode", "Message"]


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
