"""The converter under test: whoever has no more than the mapping gives these three functions, and the mapping rows are judged.

Imports `tck.api` and this package's values only.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass

from tck import api as jms
from tck.interworking.anys import Any_
from tck.interworking.events import StructuredEvent


class BridgeError(Exception):
    """A bridge cannot carry something; the message says what and why."""


@dataclass(frozen=True, slots=True)
class Converted:
    """A message made from an event, and how it is to be sent.

    Attributes:
        message: The message, not sent yet.
        delivery_mode: Argument of the send.
        priority: Argument of the send, 0 to 9.
        time_to_live: Argument of the send in ms; 0 for a message that never expires.
    """

    message: jms.Message
    delivery_mode: int
    priority: int
    time_to_live: int


class Converter(ABC):
    """Makes events of messages, and messages of events."""

    @abstractmethod
    def to_event(self, message: jms.Message, now: int) -> StructuredEvent | None:
        """Return the event that stands for a received message; None for a message that has expired.

        Args:
            message: As a consumer of JMS received it.
            now: The provider's time, in ms since the epoch.

        Raises:
            BridgeError: The message cannot be carried.
        """

    @abstractmethod
    def read_object(self, octets: bytes) -> object:
        """Return the object of the octets that `to_event` made of an object message.

        Raises:
            BridgeError: They hold none.
        """

    @abstractmethod
    def to_message(self, event: StructuredEvent, session: jms.Session, now: int) -> Converted | None:
        """Return the message that stands for an event; None for an event that has expired.

        Args:
            event: As a consumer of the channel received it.
            session: Makes the message.
            now: The provider's time, in ms since the epoch.

        Raises:
            BridgeError: The event cannot be carried.
        """

    @abstractmethod
    def names(self, event: StructuredEvent) -> Mapping[tuple[str, ...], str]:
        """Return under which property each field of an event is found, after `to_message` has seen it.

        Keys are paths: `header` or `data`, the name of the field, and for a struct the members on the way to a value.
        """

    @abstractmethod
    def decode(self, name: str, message: jms.Message) -> Any_:
        """Return the value of a field that has no JMS type, as it was on the channel: the document leaves its form open.

        Args:
            name: The name of the property; empty for the body.
            message: The received message.

        Raises:
            BridgeError: The message has no such field.
        """
