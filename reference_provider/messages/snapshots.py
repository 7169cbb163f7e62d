"""Copies messages into snapshots at their send, and creates the message objects of deliveries.

A message of this provider is copied from its own state, any other through the public getters of the messaging API
(3.12-1 to 3.12-3): the only assumption is that it implements the type of its kind.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from reference_provider.messages import names, objects, sizes, values
from reference_provider.messages.bytes_message import ReferenceBytesMessage
from reference_provider.messages.map_message import ReferenceMapMessage
from reference_provider.messages.message import ReferenceMessage, checked_reply_to
from reference_provider.messages.model import (
    NO_PROPERTIES,
    Body,
    BodyValue,
    Delivery,
    Kind,
    MessageModel,
    PropertyValue,
    Snapshot,
)
from reference_provider.messages.object_message import ReferenceObjectMessage
from reference_provider.messages.stream_message import ReferenceStreamMessage
from reference_provider.messages.text_message import ReferenceTextMessage
from tck.api import (
    BytesMessage,
    IllegalArgumentException,
    MapMessage,
    Message,
    MessageEOFException,
    MessageFormatException,
    ObjectMessage,
    StreamMessage,
    TextMessage,
    UnsupportedOperationException,
)

CLASSES: Final[Mapping[Kind, type[ReferenceMessage]]] = {
    "message": ReferenceMessage,
    "text": ReferenceTextMessage,
    "bytes": ReferenceBytesMessage,
    "map": ReferenceMapMessage,
    "stream": ReferenceStreamMessage,
    "object": ReferenceObjectMessage,
}
OWN: Final[frozenset[type]] = frozenset(CLASSES.values())
"""The types of this provider's messages; asking `isinstance` of an abstract type costs as much as freezing a message."""

_PART: Final = 65536
"""Bytes that are read of a foreign message at once."""


def create(kind: Kind, model: MessageModel) -> ReferenceMessage:
    """Create a message of this kind: no headers, no properties, an empty writable body."""
    return CLASSES[kind](model)


def from_snapshot(snapshot: Snapshot, delivery: Delivery, model: MessageModel) -> ReferenceMessage:
    """Create the message object of one delivery, with its own headers; body and properties are read-only."""
    kind = CLASSES[snapshot.kind]
    message = kind.__new__(kind)  # without creating an empty message first
    message.restore(snapshot, delivery, model)
    return message


def snapshot(message: object, model: MessageModel, sent: Mapping[str, PropertyValue] = NO_PROPERTIES) -> Snapshot:
    """Copy the client's part of a message; the message is not changed and may be used again (3.9-3, 3.9-4).

    `sent` are the properties the provider sets on send, for a foreign message, on which `assign_send_properties` cannot
    set them; a message of this provider has them already.

    Raises:
        MessageFormatException: null or no message (7.1-11), or its contents cannot be sent.
        ResourceAllocationException: it is larger than the limits of the model.
    """
    if type(message) in OWN:
        frozen: Snapshot = message.frozen()  # type: ignore[attr-defined] # all types of OWN have it
    elif isinstance(message, ReferenceMessage):
        frozen = message.frozen()
    elif isinstance(message, Message):
        frozen = foreign_snapshot(message, model, sent)
    else:
        raise MessageFormatException(
            f"a message is wanted, not {'null' if message is None else values.type_name(message)}"
        )
    sizes.check(frozen, model.limits)
    return frozen


def foreign_snapshot(
    message: Message, model: MessageModel, sent: Mapping[str, PropertyValue] = NO_PROPERTIES
) -> Snapshot:
    """Copy a message of another implementation through its public getters."""
    kind = foreign_kind(message)
    return Snapshot(
        kind,
        foreign_body(message, model),
        {**foreign_properties(message, model), **sent},
        foreign_correlation(message),
        checked_reply_to(message.jms_reply_to),
        values.of_string(message.jms_type),
    )


def foreign_kind(message: Message) -> Kind:
    """Return the kind of a foreign message by the type it implements."""
    match message:
        case TextMessage():
            return "text"
        case BytesMessage():
            return "bytes"
        case MapMessage():
            return "map"
        case StreamMessage():
            return "stream"
        case ObjectMessage():
            return "object"
        case _:
            return "message"


def foreign_body(message: Message, model: MessageModel) -> Body:
    """Read the body of a foreign message."""
    match message:
        case TextMessage():
            return values.of_string(message.text)
        case BytesMessage():
            return foreign_bytes(message)
        case MapMessage():
            return {name: values.body_object(message.get_object(name)) for name in message.get_map_names()}
        case StreamMessage():
            return foreign_items(message)
        case ObjectMessage():
            value = message.object
            return None if value is None else objects.encode(value, model.types, model.limits.object_depth)
        case _:
            return None


def foreign_bytes(message: BytesMessage) -> bytes:
    """Read all bytes of a foreign message; it must be reset for that, since the API has no other way.

    Until the end, not by `body_length`: a message of a provider before 1.1 has none.
    """
    message.reset()
    parts = bytearray()
    buffer = bytearray(_PART)
    while (count := message.read_bytes(buffer)) > 0:
        parts += buffer[:count]
    message.reset()
    return bytes(parts)


def foreign_items(message: StreamMessage) -> tuple[BodyValue, ...]:
    """Read all values of a foreign stream; it must be reset for that."""
    message.reset()
    items: list[BodyValue] = []
    while True:
        try:
            items.append(values.body_object(message.read_object()))
        except MessageEOFException:
            break
    message.reset()
    return tuple(items)


def foreign_properties(message: Message, model: MessageModel) -> dict[str, PropertyValue]:
    """Read the properties of a foreign message, without those that only a provider sets."""
    properties: dict[str, PropertyValue] = {}
    for name in message.get_property_names():
        if is_providers(name):
            continue
        value = values.property_object(message.get_object_property(name))
        try:
            names.check_property_name(name, model.version)
        except IllegalArgumentException as error:
            raise MessageFormatException(str(error), None, error) from error
        names.check_jmsx_type(name, value)
        properties[name] = value
    return properties


def is_providers(name: str) -> bool:
    """Return whether a property name belongs to the provider that a foreign message came from."""
    return name in names.SET_BY_PROVIDER


def foreign_correlation(message: Message) -> str | bytes | None:
    """Read the correlation id of a foreign message: as text, or as bytes if it has no text form."""
    text = values.of_string(message.jms_correlation_id)
    if text is not None:
        return text
    try:
        return values.of_array(message.jms_correlation_id_as_bytes)
    except UnsupportedOperationException:
        return None
