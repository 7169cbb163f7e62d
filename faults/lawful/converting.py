"""Lawful as clients of AMQP or OpenWire are: contents of messages pass through another system of types on their way.

A send encodes them, and each delivery decodes them: a value is a tag and bytes. The way there and back is exact. Each function gets
what it works for first, the StoredMessage of a send or the Delivery; they are seams of generic faults on this ground.
"""

from __future__ import annotations

import struct
import sys
from collections.abc import Mapping

from faults.composing.seams import open_ground
from faults.kit import *
from reference_provider.messages import from_snapshot

_THIS = sys.modules[__name__]  # functions are called through it: faults replace them there
_KINDS = (
    (type(None), "null", ()), (bool, "boolean", ()), (Byte, "whole", (1,)), (Short, "whole", (2,)), (Int, "whole", (4,)), (int, "whole", (8,)),
    (Float, "broken", (4,)), (float, "broken", (8,)), (Char, "char", ()), (str, "string", ()), (bytes, "binary", ()),
)  # fmt: skip
"""The types, each with the functions it has, and its size in bytes; the place is the tag."""
_TAGS = {kind: tag for tag, (kind, _, _) in enumerate(_KINDS)}
_BOXES = {Byte, Short, Int, Float, Char}


def tag_of(about: object, value: object) -> int:
    """Return the tag of a value's type."""
    return _TAGS[type(value)]


def encode_boolean(about: object, value: bool) -> bytes:
    return bytes([value])


def decode_boolean(about: object, data: bytes) -> bool:
    return data != b"\0"


def encode_whole(about: object, value: int, size: int) -> bytes:
    """Encode a byte, short, int or long of a size."""
    return value.to_bytes(size, "big", signed=True)


def decode_whole(about: object, data: bytes) -> int:
    return int.from_bytes(data, "big", signed=True)


def encode_broken(about: object, value: float, size: int) -> bytes:
    """Encode a float or double."""
    return struct.pack(">f" if size == 4 else ">d", value)


def decode_broken(about: object, data: bytes) -> float:
    return struct.unpack(">f" if len(data) == 4 else ">d", data)[0]


def encode_char(about: object, value: str) -> bytes:
    return ord(value).to_bytes(2, "big")


def decode_char(about: object, data: bytes) -> str:
    return chr(int.from_bytes(data, "big"))


def encode_string(about: object, value: str) -> bytes:
    """Encode a string, or the name of a property or entry; a lone surrogate as the three bytes of its number."""
    return value.encode("utf-8", "surrogatepass")


def decode_string(about: object, data: bytes) -> str:
    return data.decode("utf-8", "surrogatepass")


def encode_binary(about: object, value: bytes) -> bytes:
    return bytes(value)


def decode_binary(about: object, data: bytes) -> bytes:
    return bytes(data)


def encode_null(about, value):
    return b""


def decode_null(about, data):
    return None


def encode(about, value):
    """Encode a value of any type: a tag, and bytes."""
    _, form, size = _KINDS[_TAGS[type(value)]]
    plain = value.value if type(value) in _BOXES else value
    return _THIS.tag_of(about, value), getattr(_THIS, f"encode_{form}")(about, plain, *size)


def decode(about, tag, data):
    """Decode a value."""
    try:
        kind, form, _ = _KINDS[tag]
        plain = getattr(_THIS, f"decode_{form}")(about, data)
        return kind(plain) if kind in _BOXES else plain
    except (IndexError, TypeError, ValueError, struct.error) as error:
        raise JMSException(f"{data!r} is no value of tag {tag}") from error


def encode_items(about: object, items: tuple[object, ...]) -> list[tuple[int, bytes]]:
    """Encode the items of a stream."""
    return [encode(about, value) for value in items]


def decode_items(about: object, wire: list[tuple[int, bytes]]) -> list[object]:
    return [decode(about, *each) for each in wire]


def encode_table(about: object, table: Mapping[str, object]) -> list[tuple[bytes, int, bytes]]:
    """Encode properties, or the entries of a map."""
    return [(_THIS.encode_string(about, name), *encode(about, value)) for name, value in table.items()]


def decode_table(about: object, wire: list[tuple[bytes, int, bytes]]) -> list[tuple[str, object]]:
    return [(_THIS.decode_string(about, name), decode(about, *each)) for name, *each in wire]


class OnTheWire(Snapshot):
    """The contents of a message, with their encoded form as `wire`."""


def encoded(about, snapshot):
    """Return the encoded form: body, properties, and the headers that are the client's, but the destination."""
    body, properties = snapshot.body, snapshot.properties
    if isinstance(body, Mapping):
        wire = _THIS.encode_table(about, body)
    elif isinstance(body, tuple):
        wire = _THIS.encode_items(about, body)
    else:
        wire = encode(about, body)
    headers = encode(about, snapshot.correlation), encode(about, snapshot.type)
    return wire, _THIS.encode_table(about, properties), *headers


def decoded(about, snapshot, wire):
    """Return a snapshot with the contents of an encoded form."""
    body, properties, correlation, type_ = wire
    if isinstance(snapshot.body, Mapping):
        made = dict(_THIS.decode_table(about, body))
    elif isinstance(snapshot.body, tuple):
        made = tuple(_THIS.decode_items(about, body))
    else:
        made = decode(about, *body)
    headers = decode(about, *correlation), snapshot.reply_to, decode(about, *type_)
    return Snapshot(snapshot.kind, made, dict(_THIS.decode_table(about, properties)), *headers)


def _sent(original, producer, message, destination, options):
    physical, entry = original(producer, message, destination, options)
    wired = OnTheWire(*entry.snapshot)
    wired.wire = encoded(entry, entry.snapshot)
    entry.snapshot = wired
    return physical, entry


def _made(original, session, delivery):
    kept = delivery.entry.snapshot
    wire = getattr(kept, "wire", None) or encoded(delivery, kept)  # what was read from the file has none
    return from_snapshot(decoded(delivery, kept, wire), delivery, session.model)


@lawful("converting", "contents are encoded by a send and decoded by each delivery, exactly")
def _(patch):
    patch.at(fault_points.SEND_PREPARED, _sent)
    patch.at(fault_points.MESSAGE_MADE, _made)


open_ground(
    "lawful/converting", _THIS, tag_of, encode_boolean, decode_boolean, encode_whole, decode_whole, encode_broken, decode_broken,
    encode_char, decode_char, encode_string, decode_string, encode_binary, decode_binary, encode_items, decode_items, encode_table,
    decode_table,
)  # fmt: skip
