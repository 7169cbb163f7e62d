"""Values frozen at the moment of a call because they could change later, and the facts of a message.

Facts are read from the provider's own object, not through the recorder, and become JSON later (evidence.py).
Headers, properties, text and map bodies are read at once. A bytes, stream or object body is read at the end of the
case: reading it sooner would move the reader's position, or hide a wrong position left by the provider.
"""

from __future__ import annotations

from enum import Enum
from itertools import islice
from typing import Any, NamedTuple

from tck import api
from tck.adapters.recording.log import Objects
from tck.record.events import body_facts, render

COUNT = "JMSXDeliveryCount"
MANY = 1000
"""Properties or entries above this number are not read: an endless iterator must not hang the recorder."""

_IMMUTABLE = frozenset(
    {
        type(None), bool, int, float, str, bytes, type(api.OMITTED), type(api.OBJECT),
        api.Byte, api.Short, api.Int, api.Long, api.Float, api.Double, api.Char, api.Xid,
    }
)  # fmt: skip
_BODY_KINDS: dict[type, str] = {str: "text", bytes: "bytes", dict: "map"}
_HEADERS = (
    "jms_message_id",
    "jms_timestamp",
    "jms_correlation_id",
    "jms_reply_to",
    "jms_destination",
    "jms_delivery_mode",
    "jms_redelivered",
    "jms_type",
    "jms_expiration",
    "jms_delivery_time",
    "jms_priority",
)


class Frozen(NamedTuple):
    """A value rendered at the moment of the call, since it could change later."""

    rendered: object


class Failed(NamedTuple):
    """In place of a value whose getter raised."""

    error: str


class Late(NamedTuple):
    """In place of a body that is read at the end of the case, if `changes` is still the count of its wrapper."""

    changes: int | None


class MessageFacts(NamedTuple):
    """A message at one moment."""

    raw: Any
    kind: str
    head: tuple[object, ...]
    properties: Any
    deliveries: object
    body: object


class HeadersAgain(NamedTuple):
    """A message after its send: headers read again, properties and body as the client had set them."""

    before: MessageFacts
    head: tuple[object, ...]


class BodyFacts(NamedTuple):
    """A body that the simplified API sent or received without showing its message."""

    kind: str
    body: object


def freeze(objects: Objects, value: object) -> object:
    """Return a value that will always render as `value` does now."""
    if type(value) in _IMMUTABLE or isinstance(value, (type, Enum)) or objects.is_api_object(value):
        return value
    return Frozen(render(value, objects.label_of))


def body_of(objects: Objects, value: object) -> MessageFacts | BodyFacts | None:
    """Return the facts of the argument of `JMSProducer.send` or the result of `JMSConsumer.receive_body`."""
    if value is None:
        return None
    if objects.is_api_object(value):
        return message_facts(objects, value)
    kind = _BODY_KINDS.get(type(value), "object")
    return BodyFacts(kind, value if type(value) in _IMMUTABLE else Frozen(body_facts(kind, value)))


def message_facts(objects: Objects, raw: Any) -> MessageFacts | None:  # noqa: ANN401 - whatever the provider gave
    """Read a message of the provider; None if it is no message."""
    kind = objects.message_kind(raw)
    if kind is None:
        return None
    properties: Any = None
    count = None
    try:
        names = [*islice(raw.get_property_names(), MANY)]
        get = raw.get_object_property
        if names:
            properties = {name: get(name) for name in names}
            count = properties.get(COUNT)
        if count is None:
            count = get(COUNT)
    except Exception as error:  # noqa: BLE001 - a provider may raise anything; the fact is that it did
        properties = Failed(type(error).__name__)
    body = _body(objects, raw, kind)
    return tuple.__new__(MessageFacts, (raw, kind, _head(raw), properties, count, body))


def headers_again(before: MessageFacts | None) -> HeadersAgain | None:
    """Read the headers that the provider set on a message while sending it.

    Properties and body are not read again: those of the client are compared with the ones that arrive.
    """
    return None if before is None else tuple.__new__(HeadersAgain, (before, _head(before.raw)))


def _head(raw: Any) -> tuple[object, ...]:  # noqa: ANN401 - whatever the provider gave
    try:
        return (
            raw.jms_message_id,
            raw.jms_timestamp,
            raw.jms_correlation_id,
            raw.jms_reply_to,
            raw.jms_destination,
            raw.jms_delivery_mode,
            raw.jms_redelivered,
            raw.jms_type,
            raw.jms_expiration,
            raw.jms_delivery_time,
            raw.jms_priority,
        )
    except Exception:  # noqa: BLE001 - a provider may raise anything; then each header for itself
        return tuple(_read(raw, name) for name in _HEADERS)


def _read(raw: object, name: str) -> object:
    try:
        return getattr(raw, name)
    except Exception as error:  # noqa: BLE001 - a provider may raise anything; the fact is that it did
        return Failed(type(error).__name__)


def _body(objects: Objects, raw: Any, kind: str) -> object:  # noqa: ANN401 - as above
    try:
        if kind == "text":
            return raw.text
        if kind == "map":
            return {name: raw.get_object(name) for name in islice(raw.get_map_names(), MANY)}
    except Exception as error:  # noqa: BLE001 - as above
        return Failed(type(error).__name__)
    return None if kind == "message" else Late(objects.changes_of(raw))


def late_body(raw: Any, kind: str) -> object:  # noqa: ANN401 - as above
    """Read a bytes, stream or object body after the case, when moving its position is harmless."""
    try:
        if kind == "object":
            return raw.object
        raw.reset()
        return _bytes(raw) if kind == "bytes" else _stream(raw)
    except Exception as error:  # noqa: BLE001 - as above
        return Failed(type(error).__name__)


def _bytes(raw: api.BytesMessage) -> bytes:
    length = raw.body_length
    buffer = bytearray(length)
    raw.read_bytes(buffer, length)
    return bytes(buffer)


def _stream(raw: api.StreamMessage) -> list[object]:
    values: list[object] = []
    while len(values) < MANY:
        try:
            values.append(raw.read_object())
        except api.MessageEOFException:
            break
    return values
