"""The message objects of the reference provider: headers, properties, five kinds of body, and their stored form.

The seam to the rest of the provider, all of it importable from here:

| name | what it does |
|---|---|
| `MessageModel(types, version, limits)` | what a connection's messages need to know; one per connection factory |
| `TypeRegistry().register(*types)` | types that object messages may carry beside the built-in values |
| `create(kind, model)` | a new, writable message object: `Session.create_text_message` and the like |
| `snapshot(message, model)` | freeze a message at its send: own ones directly, foreign ones through their public getters |
| `from_snapshot(snapshot, delivery, model)` | a received message: fresh, body and properties read-only |
| `encode(snapshot, envelope)` / `decode(headers, body, destination_of)` | the stored form: headers as JSON text, body as bytes |
| `selection(snapshot, ...)` | what a selector sees: `Selector.matches(selection(...))` |
| `receipt_properties(count, ...)` | the JMSX properties set on receipt, for `Delivery.properties` |
| `send_properties(...)`, `assign_send_properties(message, properties)` | the JMSX properties set on send, on the sender's own object |
| `JMSX_PROPERTIES` | the names for `ConnectionMetaData.get_jmsx_property_names` |

The headers a send sets are written by the producer through the public setters (`message.jms_message_id = ...`), for its own
messages as for foreign ones (3.4.11-9). Nothing here takes a lock, waits, or knows a session, the broker or the store.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from reference_provider.messages.model import (
    KINDS,
    Body,
    BodyValue,
    Delivery,
    Kind,
    Limits,
    MessageModel,
    PropertyValue,
    Snapshot,
    Version,
)
from reference_provider.messages.registry import TypeRegistry
from tck.api import Destination, Message

__all__ = [
    "JMSX_PROPERTIES",
    "KINDS",
    "Body",
    "BodyValue",
    "Delivery",
    "Kind",
    "Limits",
    "MessageModel",
    "PropertyValue",
    "Snapshot",
    "TypeRegistry",
    "Version",
    "assign_send_properties",
    "create",
    "decode",
    "encode",
    "from_snapshot",
    "receipt_properties",
    "selection",
    "send_properties",
    "snapshot",
]

# SEAM FIRST: signatures as they will stay, bodies to come.

JMSX_PROPERTIES: tuple[str, ...] = ()


def create(kind: Kind, model: MessageModel) -> Message:
    """Make a new message of this kind: no headers, no properties, empty and writable body (Bytes and Stream write-only)."""
    raise NotImplementedError


def snapshot(message: Message, model: MessageModel) -> Snapshot:
    """Freeze what the client put into a message; the message itself stays as it is and may be used again (3.9-3, 3.9-4).

    Raises:
        MessageFormatException: `message` is None or no message, or a foreign one holds what no message may hold.
        ResourceAllocationException: it is larger than the limits of the model.
    """
    raise NotImplementedError


def from_snapshot(snapshot: Snapshot, delivery: Delivery, model: MessageModel) -> Message:
    """Make the message object of one delivery: its own headers, body and properties, the latter two read-only."""
    raise NotImplementedError


def encode(snapshot: Snapshot, envelope: Mapping[str, Any]) -> tuple[str, bytes | None]:
    """Give the stored form: headers as one JSON object, body as bytes (None where there is none).

    `envelope` holds what the broker wants kept beside it (id, timestamp, mode ...): plain JSON values under keys of its choice,
    except `kind`, `correlation`, `reply_to`, `type` and `properties`.
    """
    raise NotImplementedError


def decode(
    headers: str, body: bytes | None, destination_of: Callable[[str, str], Destination]
) -> tuple[Snapshot, dict[str, Any]]:
    """Give back the snapshot and the envelope; `destination_of(kind, name)` makes destinations.

    Kinds of destination: `queue`, `topic`, `temporary-queue`, `temporary-topic`.
    """
    raise NotImplementedError


def selection(
    snapshot: Snapshot, *, message_id: str | None, timestamp: int, delivery_mode: int, priority: int, version: Version = "3.1"
) -> dict[str, Any]:
    """Give the values a selector may refer to: six headers and all properties set on send; build it once per message."""
    raise NotImplementedError


def receipt_properties(
    count: int | None, *, timestamp: int | None = None, transaction: str | None = None
) -> dict[str, PropertyValue]:
    """Give JMSXDeliveryCount, JMSXRcvTimestamp and JMSXConsumerTXID, each if it is not None."""
    raise NotImplementedError


def send_properties(
    *, user: str | None = None, application: str | None = None, transaction: str | None = None
) -> dict[str, PropertyValue]:
    """Give JMSXUserID, JMSXAppID and JMSXProducerTXID, each if it is not None."""
    raise NotImplementedError


def assign_send_properties(message: Message, properties: Mapping[str, PropertyValue]) -> None:
    """Put the properties of the send on the sender's own object, in place of those of an earlier send; foreign ones are left alone.

    Call it before `snapshot`, so that sender and receivers see the same values (3.5.9-15). Works on read-only messages too.
    """
    raise NotImplementedError
