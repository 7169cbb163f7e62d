"""Messages of another make: every kind, implemented here, for sends of messages that no provider has made (3.12-1).

They hold what they are given and convert nothing. The headers that a send sets are null or 0 until a provider sets them.
"""

from __future__ import annotations

import abc
import struct
from collections.abc import Iterator
from typing import Any, Final

from tck import api

_BOXES: Final = {"byte": api.Byte, "short": api.Short, "int": api.Int, "float": api.Float, "char": api.Char}
_PROPERTIES: Final = ("boolean", "byte", "short", "int", "long", "float", "double", "string", "object")
_VALUES: Final = (*_PROPERTIES, "char", "bytes")
_LAYOUT: Final = {
    "boolean": ">?", "byte": ">b", "unsigned_byte": ">B", "short": ">h", "unsigned_short": ">H", "int": ">i", "long": ">q",
    "float": ">f", "double": ">d",
}  # fmt: skip


class _Fields:
    """Header and properties of any kind."""

    jms_message_id: str | None = None
    jms_correlation_id: str | None = None
    jms_correlation_id_as_bytes: bytes | None = None
    jms_destination: api.Destination | None = None
    jms_reply_to: api.Destination | None = None
    jms_type: str | None = None
    jms_redelivered = False
    jms_timestamp = jms_delivery_mode = jms_expiration = jms_delivery_time = jms_priority = 0

    def __init__(self) -> None:
        self.properties: dict[str, Any] = {}
        self.clear_body()

    def clear_body(self) -> None:
        """Have no body."""

    def clear_properties(self) -> None:
        """Remove the properties."""
        self.properties.clear()

    def property_exists(self, name: str) -> bool:
        """Return whether a property is set."""
        return name in self.properties

    def get_property_names(self) -> Iterator[str]:
        """Return the names of the properties."""
        return iter(list(self.properties))

    def acknowledge(self) -> None:
        """Do nothing: it was not received."""

    def get_body(self, body_type: object) -> object:
        """Refuse."""
        raise api.MessageFormatException(f"no body as {body_type}")

    def is_body_assignable_to(self, body_type: object) -> bool:
        """Return whether the type is null."""
        return body_type is None


class _Text(_Fields, api.TextMessage):
    text: str | None = None

    def clear_body(self) -> None:
        self.text = None


class _Object(_Fields, api.ObjectMessage):
    object: Any = None

    def clear_body(self) -> None:
        self.object = None


class _Map(_Fields, api.MapMessage):
    def clear_body(self) -> None:
        self.entries: dict[str, Any] = {}

    def get_map_names(self) -> Iterator[str]:
        """Return the names of the entries."""
        return iter(list(self.entries))

    def item_exists(self, name: str) -> bool:
        """Return whether there is an entry."""
        return name in self.entries


class _Items(_Fields):
    """The items of a stream."""

    def clear_body(self) -> None:
        self.items: list[Any] = []
        self.position = 0

    def reset(self) -> None:
        """Go to the start."""
        self.position = 0

    def read(self) -> Any:
        """Read the next item."""
        if self.position >= len(self.items):
            raise api.MessageEOFException("there is no further item")
        self.position += 1
        return self.items[self.position - 1]


class _Stream(_Items, api.StreamMessage):
    def read_bytes(self, buffer: bytearray) -> int:
        """Read a whole array into a buffer that holds it."""
        value = self.read()
        if value is None:
            return -1
        buffer[: len(value)] = value
        return len(value)


class _Bytes(_Fields, api.BytesMessage):
    def clear_body(self) -> None:
        self.data = bytearray()
        self.position = 0

    @property
    def body_length(self) -> int:
        """Return the number of bytes."""
        return len(self.data)

    def reset(self) -> None:
        """Go to the start."""
        self.position = 0

    def take(self, count: int) -> bytes:
        """Read so many bytes."""
        if self.position + count > len(self.data):
            raise api.MessageEOFException("there are no further bytes")
        self.position += count
        return bytes(self.data[self.position - count : self.position])

    def read_bytes(self, buffer: bytearray, length: Any = api.OMITTED) -> int:
        """Fill a buffer as far as the bytes last."""
        room = len(buffer) if length is api.OMITTED else length
        found = self.take(min(room, len(self.data) - self.position))
        buffer[: len(found)] = found
        return len(found) if found else -1

    def read_char(self) -> str:
        """Read a char."""
        return chr(struct.unpack(">H", self.take(2))[0])

    def read_utf(self) -> str:
        """Read a short text."""
        return self.take(struct.unpack(">H", self.take(2))[0]).decode("utf-8", "surrogatepass")

    def write_char(self, value: str) -> None:
        """Write a char."""
        self.data += struct.pack(">H", ord(value))

    def write_utf(self, value: str) -> None:
        """Write a short text."""
        data = value.encode("utf-8", "surrogatepass")
        self.data += struct.pack(">H", len(data)) + data

    write_string = write_utf

    def write_bytes(self, value: bytes, offset: Any = api.OMITTED, length: Any = api.OMITTED) -> None:
        """Write an array or a part of it."""
        self.data += value if offset is api.OMITTED else value[offset : offset + length]

    def write_object(self, value: Any) -> None:
        """Write a value by its type."""
        kind = next((name for name, box in _BOXES.items() if isinstance(value, box)), type(value).__name__)
        python = {"bool": "boolean", "int": "long", "str": "utf", "float": "double"}
        kind = kind if isinstance(value, api.Box) else python.get(kind, kind)
        getattr(self, f"write_{kind}")(getattr(value, "value", value))


class _Plain(_Fields, api.Message):
    pass


def _boxed(kind: str, value: Any) -> Any:
    return _BOXES[kind](value) if kind in _BOXES and value is not None else value


def _unboxed(value: Any) -> Any:
    return getattr(value, "value", value)


def _accessors() -> None:
    for kind in _PROPERTIES:
        bare = (lambda value: value) if kind == "object" else _unboxed
        setattr(_Fields, f"get_{kind}_property", lambda self, name, bare=bare: bare(self.properties.get(name)))
        setattr(
            _Fields,
            f"set_{kind}_property",
            lambda self, name, value, kind=kind: self.properties.__setitem__(name, _boxed(kind, value)),
        )
    for kind in _VALUES:
        bare = (lambda value: value) if kind == "object" else _unboxed
        setattr(_Map, f"get_{kind}", lambda self, name, bare=bare: bare(self.entries.get(name)))
        setattr(
            _Map,
            f"set_{kind}",
            lambda self, name, value, *part, kind=kind: self.entries.__setitem__(
                name, _boxed(kind, _part(value, part))
            ),
        )
        setattr(
            _Items,
            f"write_{kind}",
            lambda self, value, *part, kind=kind: self.items.append(_boxed(kind, _part(value, part))),
        )
        if kind != "bytes":
            setattr(_Items, f"read_{kind}", lambda self, bare=bare: bare(self.read()))
    for kind, layout in _LAYOUT.items():
        setattr(
            _Bytes,
            f"read_{kind}",
            lambda self, layout=layout: struct.unpack(layout, self.take(struct.calcsize(layout)))[0],
        )
        if not kind.startswith("unsigned"):
            setattr(
                _Bytes, f"write_{kind}", lambda self, value, layout=layout: self.data.extend(struct.pack(layout, value))
            )


def _part(value: Any, part: tuple[int, ...]) -> Any:
    if not isinstance(value, (bytes, bytearray)):
        return value
    return bytes(value[part[0] : part[0] + part[1]] if part else value)


_accessors()
_CLASSES: Final[dict[str, type]] = {
    "message": _Plain, "text": _Text, "object": _Object, "map": _Map, "stream": _Stream, "bytes": _Bytes,
}  # fmt: skip
for _class in _CLASSES.values():
    abc.update_abstractmethods(_class)  # the accessors came after the classes


def message(kind: str) -> Any:
    """Make a message of a kind."""
    return _CLASSES[kind]()
