"""The values that pass between a client's message object and the broker: snapshots, deliveries, limits.

A message object belongs to the client; the broker never keeps one. A send copies the object into a `Snapshot`, and each
delivery creates a new object from it (3.9-1, 3.9-2, 3.10-4). Must not know message classes, sessions or the store.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, Protocol, TypeAlias

from reference_provider.messages.registry import TypeRegistry
from tck.api import Byte, Char, Destination, Float, Int, Short

if TYPE_CHECKING:
    from collections.abc import Callable

Kind: TypeAlias = Literal["message", "text", "bytes", "map", "stream", "object"]
KINDS: Final[tuple[Kind, ...]] = ("message", "text", "bytes", "map", "stream", "object")

PropertyValue: TypeAlias = bool | Byte | Short | Int | int | Float | float | str | None
"""A property as it was set: plain `int` is Java's long, plain `float` its double, the rest by their boxes."""

BodyValue: TypeAlias = PropertyValue | Char | bytes
"""An entry of a map or an item of a stream, kept in the type it was written with."""

Body: TypeAlias = str | bytes | Mapping[str, BodyValue] | tuple[BodyValue, ...] | None
"""Of a snapshot, by kind: text str or None; bytes bytes; map mapping; stream tuple; object its safe encoding or None."""

Version: TypeAlias = Literal["1.0", "1.0.2b", "1.1", "2.0", "3.1"]

NO_PROPERTIES: Final[Mapping[str, PropertyValue]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Limits:
    """The largest sizes that a send accepts; beyond one of them it raises ResourceAllocationException.

    Attributes:
        body_bytes: size of the encoded body, in bytes.
        header_bytes: size of header and properties together, in bytes of their stored form.
        object_depth: largest nesting depth of values in the body of an object message.
    """

    body_bytes: int = 256 * 1024 * 1024
    header_bytes: int = 4 * 1024 * 1024
    object_depth: int = 100


@dataclass(frozen=True, slots=True)
class MessageModel:
    """The settings of one connection's messages: registered types, version of the specification, limits."""

    types: TypeRegistry = field(default_factory=TypeRegistry)
    version: Version = "3.1"
    limits: Limits = field(default_factory=Limits)


class Snapshot(NamedTuple):
    """A message as it was at the moment of its send; immutable, so any number of deliveries may share it.

    It holds the client's part (3.4.11-6): correlation id, reply destination, type, properties, body. The headers that
    the send sets (destination, mode, expiration, delivery time, priority, id, timestamp) belong to the broker and come
    back through `Delivery`.

    A named tuple, not a dataclass: each send creates one, and it costs a third of a frozen dataclass.
    """

    kind: Kind
    body: Body = None
    properties: Mapping[str, PropertyValue] = NO_PROPERTIES
    correlation: str | bytes | None = None
    reply_to: Destination | None = None
    type: str | None = None


class Delivery(Protocol):
    """One delivery of a message: the headers set by the send, the properties set on receipt, acknowledgement.

    `from_snapshot` reads each attribute once and keeps only `acknowledge`, so the object may be small and short-lived.
    """

    @property
    def message_id(self) -> str | None:
        """JMSMessageID, or None if it was disabled (3.4.3-8)."""

    @property
    def timestamp(self) -> int:
        """JMSTimestamp in epoch milliseconds, 0 if it was disabled."""

    @property
    def destination(self) -> Destination | None:
        """JMSDestination."""

    @property
    def delivery_mode(self) -> int:
        """JMSDeliveryMode: 1 or 2."""

    @property
    def expiration(self) -> int:
        """JMSExpiration in epoch milliseconds, 0 for never."""

    @property
    def delivery_time(self) -> int:
        """JMSDeliveryTime in epoch milliseconds."""

    @property
    def priority(self) -> int:
        """JMSPriority: 0 to 9."""

    @property
    def redelivered(self) -> bool:
        """JMSRedelivered."""

    @property
    def properties(self) -> Mapping[str, PropertyValue]:
        """Properties that the provider sets on receipt, from `receipt_properties`."""

    @property
    def acknowledge(self) -> Callable[[], None]:
        """Called by `Message.acknowledge()`; the session checks its state there."""
