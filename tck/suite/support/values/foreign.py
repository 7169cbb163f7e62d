"""Messages of another implementation, of each kind: the suite's own, for sends of messages that the provider did not create.

They keep their values in fields, without conversions; only a body of bytes or items is read-only, once it was reset. The
headers that a send sets are null or 0 before, as the fields of a new object in Java.
"""

from __future__ import annotations

import abc
import struct
from collections.abc import Callable, Iterator, Mapping
from typing import Any, cast

from tck import api
from tck.suite.support.values.kinds import Kind
from tck.suite.support.values.properties import boxed

_LAYOUT = {
    "boolean": ">?",
    "byte": ">b",
    "unsigned_byte": ">B",
    "short": ">h",
    "unsigned_short": ">H",
    "int": ">i",
    "long": ">q",
    "float": ">f",
    "double": ">d",
}
_TYPES = ("boolean", "byte", "short", "int", "long", "float", "double", "string", "object")


def _as_object(kind: str, value: Any) -> object:
    """Return a value in the form of the API's Object positions."""
    if kind == "char":
        return api.Char(value)
    return boxed(kind, value) if kind in {"byte", "short", "int", "float"} else value


def _as_primitive(value: Any) -> Any:
    """Return the plain number or text of a box."""
    return getattr(value, "value", value)


def _accessors(into: type, types: tuple[str, ...], pattern: str, make: Callable[[str], object]) -> None:
    """Add a method for each type to a class; the API declares some eighty of the same few forms."""
    for kind in types:
        setattr(into, pattern.format(kind), make(kind))


class _Common:
    """Header and properties, as fields."""

    jms_message_id: str | None = None
    jms_destination: api.Destination | None = None
    jms_timestamp = jms_delivery_mode = jms_expiration = jms_delivery_time = jms_priority = 0
    jms_reply_to: api.Destination | None = None
    jms_type: str | None = None
    jms_redelivered = False
    jms_correlation_id: str | None = None
    jms_correlation_id_as_bytes: bytes | None = None

    def __init__(self) -> None:
        self.properties: dict[str, object] = {}
        self.clear_body()

    def clear_body(self) -> None:
        """Do nothing: a plain message has no body."""

    def clear_properties(self) -> None:
        """Remove the properties."""
        self.properties.clear()

    def property_exists(self, name: str) -> bool:
        """Return whether a property was set."""
        return name in self.properties

    def get_property_names(self) -> Iterator[str]:
        """Return the names of the properties."""
        return iter(list(self.properties))

    def acknowledge(self) -> None:
        """Do nothing: it was not received."""

    def get_body(self, body_type: object) -> object:
        """Refuse: no test reads the body of a foreign message as a type."""
        raise api.MessageFormatException(f"no body is given as {body_type}")

    def is_body_assignable_to(self, body_type: object) -> bool:
        """Return false, as `get_body` refuses."""
        del body_type
        return False


def _get_property(kind: str) -> object:
    if kind == "object":
        return lambda self, name: self.properties.get(name)
    return lambda self, name: _as_primitive(self.properties.get(name))


def _set_property(kind: str) -> object:
    return lambda self, name, value: self.properties.__setitem__(name, _as_object(kind, value))


_accessors(_Common, _TYPES, "get_{}_property", _get_property)
_accessors(_Common, _TYPES, "set_{}_property", _set_property)


class ForeignMessage(_Common, api.Message):
    """One without a body."""


class ForeignTextMessage(_Common, api.TextMessage):
    """One with a text."""

    text: str | None = None

    def clear_body(self) -> None:
        self.text = None


class ForeignObjectMessage(_Common, api.ObjectMessage):
    """One with an object."""

    object: Any = None

    def clear_body(self) -> None:
        self.object = None


class ForeignMapMessage(_Common, api.MapMessage):
    """One with entries by name."""

    def clear_body(self) -> None:
        self.entries: dict[str, object] = {}

    def get_map_names(self) -> Iterator[str]:
        return iter(list(self.entries))

    def item_exists(self, name: str) -> bool:
        return name in self.entries


def _get_entry(kind: str) -> object:
    if kind == "object":
        return lambda self, name: self.entries.get(name)
    return lambda self, name: _as_primitive(self.entries.get(name))


def _set_entry(kind: str) -> object:
    return lambda self, name, value: self.entries.__setitem__(name, _as_object(kind, value))


_accessors(ForeignMapMessage, (*_TYPES, "char", "bytes"), "get_{}", _get_entry)
_accessors(ForeignMapMessage, (*_TYPES, "char", "bytes"), "set_{}", _set_entry)


class _Sequential(_Common):
    """A body that is written in order, and read in order after `reset`."""

    position: int | None = None

    def _clear(self) -> None:
        self.position = None

    def reset(self) -> None:
        """Read from the beginning."""
        self.position = 0

    def _from(self) -> int:
        if self.position is None:
            raise api.MessageNotReadableException("the body is being written")
        return self.position

    def _check_writable(self) -> None:
        if self.position is not None:
            raise api.MessageNotWriteableException("the body is being read")


class ForeignStreamMessage(_Sequential, api.StreamMessage):
    """One with a sequence of items."""

    def clear_body(self) -> None:
        self._clear()
        self.items: list[object] = []

    def take(self) -> object:
        """Return the next item."""
        at = self._from()
        if at >= len(self.items):
            raise api.MessageEOFException("there are no more items")
        self.position = at + 1
        return self.items[at]

    def add(self, item: object) -> None:
        """Add an item."""
        self._check_writable()
        self.items.append(item)

    def read_bytes(self, buffer: bytearray) -> int:
        array = cast("bytes | None", self.take())
        if array is None:
            return -1
        buffer[: len(array)] = array
        return len(array)

    def write_bytes(self, value: bytes | None, offset: Any = api.OMITTED, length: Any = api.OMITTED) -> None:
        if value is None:
            self.add(None)
        else:
            self.add(bytes(value) if offset is api.OMITTED else bytes(value[offset : offset + length]))


def _read_item(kind: str) -> object:
    return lambda self: self.take() if kind == "object" else _as_primitive(self.take())


def _write_item(kind: str) -> object:
    return lambda self, value: self.add(_as_object(kind, value))


_accessors(ForeignStreamMessage, (*_TYPES, "char"), "read_{}", _read_item)
_accessors(ForeignStreamMessage, (*_TYPES, "char"), "write_{}", _write_item)


class ForeignBytesMessage(_Sequential, api.BytesMessage):
    """One with bytes."""

    def clear_body(self) -> None:
        self._clear()
        self.content = b""

    @property
    def body_length(self) -> int:
        self._from()
        return len(self.content)

    def take(self, count: int) -> bytes:
        """Return the next bytes."""
        at = self._from()
        if at + count > len(self.content):
            raise api.MessageEOFException("there are no more bytes")
        self.position = at + count
        return self.content[at : at + count]

    def add(self, part: bytes) -> None:
        """Add bytes."""
        self._check_writable()
        self.content += part

    def read_bytes(self, buffer: bytearray, length: Any = api.OMITTED) -> int:
        wanted = len(buffer) if length is api.OMITTED else length
        part = self.take(min(wanted, len(self.content) - self._from()))
        buffer[: len(part)] = part
        return len(part) or (0 if wanted == 0 else -1)

    def write_bytes(self, value: bytes, offset: Any = api.OMITTED, length: Any = api.OMITTED) -> None:
        self.add(bytes(value) if offset is api.OMITTED else bytes(value[offset : offset + length]))

    def read_char(self) -> str:
        return self.take(2).decode("utf-16-be")

    def write_char(self, value: str) -> None:
        self.add(value.encode("utf-16-be"))

    def read_utf(self) -> str:
        (size,) = struct.unpack(">H", self.take(2))
        return self.take(size).decode()

    def write_utf(self, value: str) -> None:
        text = value.encode()
        self.add(struct.pack(">H", len(text)) + text)

    def write_object(self, value: object) -> None:
        raise api.UnsupportedOperationException(f"the suite writes no objects as bytes: {value!r}")


def _read_number(kind: str) -> object:
    layout = struct.Struct(_LAYOUT[kind])
    return lambda self: layout.unpack(self.take(layout.size))[0]


def _write_number(kind: str) -> object:
    layout = struct.Struct(_LAYOUT[kind])
    return lambda self, value: self.add(layout.pack(value))


_accessors(ForeignBytesMessage, tuple(_LAYOUT), "read_{}", _read_number)
_accessors(ForeignBytesMessage, tuple(_LAYOUT), "write_{}", _write_number)

_CLASSES: Mapping[Kind, type[_Common]] = {
    "message": ForeignMessage,
    "text": ForeignTextMessage,
    "bytes": ForeignBytesMessage,
    "map": ForeignMapMessage,
    "stream": ForeignStreamMessage,
    "object": ForeignObjectMessage,
}

_FILL: Mapping[Kind, Callable[[Any, str], object]] = {
    "message": lambda _message, _content: None,
    "text": lambda message, content: setattr(message, "text", content),
    "bytes": lambda message, content: message.write_utf(content),
    "map": lambda message, content: message.set_string("body", content),
    "stream": lambda message, content: message.write_string(content),
    "object": lambda message, content: setattr(message, "object", content),
}

for _class in _CLASSES.values():
    abc.update_abstractmethods(_class)  # the accessors were added after the classes


def foreign(kind: Kind = "text", content: str = "x") -> Any:
    """Create a foreign message of a kind; `content` becomes the text, or one item of the other kinds."""
    message = _CLASSES[kind]()
    _FILL[kind](message, content)
    return message
