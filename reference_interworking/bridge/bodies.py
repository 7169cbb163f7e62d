"""Bodies of messages as the rest of an event, and back."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from reference_interworking.bridge.objects import serialized
from reference_interworking.values import inside, is_basic, to_any, to_java
from tck import api as jms
from tck.interworking import ANY_SEQ, NULL, OCTET_SEQ, PROPERTY_SEQ, Any_, BridgeError, Kind, encode
from tck.interworking.anys import BASIC, STRINGS

_MOST: Final = 2**31 - 1


def of_message(message: jms.Message) -> tuple[str, Any_]:
    """Return the type of a message as event types name it, such as `%TextMessage`, and its body.

    A plain message is `%Message` without a body; so is a null text or object.

    Raises:
        BridgeError: An object cannot be serialised.
    """
    for kind, name, read in _READERS:
        if isinstance(message, kind):
            return f"%{name}", read(message)
    return "%Message", NULL


def _text(message: jms.TextMessage) -> Any_:
    return to_any(message.text)


def _map(message: jms.MapMessage) -> Any_:
    return Any_.properties({name: to_any(message.get_object(name)) for name in message.get_map_names()})


def _stream(message: jms.StreamMessage) -> Any_:
    message.reset()
    items: list[Any_] = []
    while True:
        try:
            items.append(to_any(message.read_object()))
        except jms.MessageEOFException:
            return Any_.sequence(*items)


def _bytes(message: jms.BytesMessage) -> Any_:
    message.reset()
    buffer = bytearray(message.body_length)
    if buffer:
        message.read_bytes(buffer)
    return Any_.octets(bytes(buffer))


def _object(message: jms.ObjectMessage) -> Any_:
    value = message.object
    return NULL if value is None else Any_.octets(serialized(value))


_READERS: Final[Sequence[tuple[type, str, Callable[..., Any_]]]] = (
    (jms.TextMessage, "TextMessage", _text),
    (jms.MapMessage, "MapMessage", _map),
    (jms.StreamMessage, "StreamMessage", _stream),
    (jms.BytesMessage, "BytesMessage", _bytes),
    (jms.ObjectMessage, "ObjectMessage", _object),
)


def to_message(body: Any_, session: jms.Session) -> jms.Message:
    """Return a message with the rest of an event as its body.

    No value is a plain message. A string is a text; basic values are a stream, whether one, a sequence or an array of them; a
    sequence of properties with basic values or octets is a map; octets are bytes. Anything else is bytes: the encapsulation of
    the value with its type.
    """
    value = inside(body)
    type_ = value.type.plain
    if type_.kind == Kind.NULL:
        return session.create_message()
    if type_.kind in STRINGS:
        return session.create_text_message(str(value.value))
    if type_ == OCTET_SEQ:
        return _bytes_message(session, value.value)
    if type_ == PROPERTY_SEQ and (entries := _entries(value)) is not None:
        return _map_message(session, entries)
    if (items := _items(value)) is not None:
        return _stream_message(session, items)
    return _bytes_message(session, encode(value))


def _entries(value: Any_) -> Mapping[str, Any_] | None:
    """Return the entries of a sequence of properties that a map can hold; None if it cannot."""
    assert isinstance(value.value, tuple)  # noqa: S101 - a sequence of properties
    entries: dict[str, Any_] = dict(value.value)
    fits = all(name and (is_basic(each) or _octets(each)) for name, each in entries.items())
    return MappingProxyType(entries) if fits and len(entries) == len(value.value) else None


def _items(value: Any_) -> list[Any_] | None:
    """Return the items of a value that a stream can hold; None if it cannot."""
    type_ = value.type.plain
    if type_ == ANY_SEQ:
        assert isinstance(value.value, tuple)  # noqa: S101 - a sequence
        found = list(value.value)
    elif type_.kind in (Kind.SEQUENCE, Kind.ARRAY) and isinstance(value.value, tuple):
        if not (value.value or type_.inner.plain.kind in BASIC | STRINGS | {Kind.ENUM, Kind.ANY}):
            return None  # a sequence of structs and the like that is empty
        found = [Any_(type_.inner, each) for each in value.value]
    else:
        found = [value]
    return found if all(is_basic(each) or _octets(each) or inside(each) == NULL for each in found) else None


def _octets(value: Any_) -> bool:
    return inside(value).type.plain == OCTET_SEQ


def _held(value: Any_) -> object:
    plain = inside(value)
    return plain.value if _octets(plain) or plain == NULL else to_java(plain, characters=True)


def _map_message(session: jms.Session, entries: Mapping[str, Any_]) -> jms.Message:
    message = session.create_map_message()
    for name, value in entries.items():
        message.set_object(name, _held(value))
    return message


def _stream_message(session: jms.Session, items: Sequence[Any_]) -> jms.Message:
    message = session.create_stream_message()
    for each in items:
        message.write_object(_held(each))
    return message


def _bytes_message(session: jms.Session, octets: object) -> jms.Message:
    if not isinstance(octets, bytes) or len(octets) > _MOST:
        raise BridgeError("a bytes message holds at most 2^31 - 1 bytes")
    message = session.create_bytes_message()
    message.write_bytes(octets)
    return message
