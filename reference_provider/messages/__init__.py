"""The message objects of the reference provider: headers, properties, five kinds of body, and their stored form.

The interface for the rest of the provider, all of it importable from here:

| name | meaning |
|---|---|
| `MessageModel(types, version, limits)` | the settings of a connection's messages; one per connection factory |
| `TypeRegistry().register(*types)` | types that object messages may carry beside the built-in values |
| `create(kind, model)` | a new, writable message object: `Session.create_text_message` and the like |
| `snapshot(message, model, sent)` | copy a message at its send: own ones directly, foreign ones through their public getters, `sent` = `send_properties(...)` |
| `from_snapshot(snapshot, delivery, model)` | a received message: new, body and properties read-only |
| `encode(snapshot, envelope)` / `decode(headers, body, destination_of)` | the stored form: headers as JSON text, body as bytes; `json_text(value)` writes members of `envelope` |
| `OWN` | the types of this provider's message objects: testing `type(message)` costs a tenth of `isinstance`, since the types are abstract |
| `selection(snapshot, ...)` | the values a selector sees: `Selector.matches(selection(...))` |
| `receipt_properties(count, ...)` | the JMSX properties set on receipt, for `Delivery.properties` |
| `send_properties(...)`, `assign_send_properties(message, properties)` | the JMSX properties set on send, on the sender's own object |
| `JMSX_PROPERTIES` | the names for `ConnectionMetaData.get_jmsx_property_names` |

The producer sets the headers of a send through the public setters (`message.jms_message_id = ...`), on its own messages
as on foreign ones (3.4.11-9). Imports `selector.values` and `java`. Nothing here takes a lock, waits, or knows a
session, the broker or the store.
"""

from __future__ import annotations

from reference_provider.messages.codec import decode, encode, json_text
from reference_provider.messages.jmsx import assign_send_properties, receipt_properties, send_properties
from reference_provider.messages.message import ReferenceMessage
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
from reference_provider.messages.names import JMSX_PROPERTIES
from reference_provider.messages.registry import TypeRegistry
from reference_provider.messages.selection import selection
from reference_provider.messages.snapshots import OWN, create, from_snapshot, snapshot

__all__ = [
    "JMSX_PROPERTIES",
    "KINDS",
    "OWN",
    "Body",
    "BodyValue",
    "Delivery",
    "Kind",
    "Limits",
    "MessageModel",
    "PropertyValue",
    "ReferenceMessage",
    "Snapshot",
    "TypeRegistry",
    "Version",
    "assign_send_properties",
    "create",
    "decode",
    "encode",
    "from_snapshot",
    "json_text",
    "receipt_properties",
    "selection",
    "send_properties",
    "snapshot",
]
