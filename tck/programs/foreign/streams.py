"""Foreign messages whose body is written and read in order: a stream of items, bytes.

Such a body is write-only until `reset` and read-only after it, as the API asks of every implementation.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from typing import Any, Final

from tck import api
from tck.programs.foreign.common import Common, held, part_of, read_as

_LAYOUTS: Final[Mapping[str, struct.Struct]] = {
    "boolean": struct.Struct(">?"),
    "byte": struct.Struct(">b"),
    "unsigned_byte": struct.Struct(">B"),
    "short": struct.Struct(">h"),
    "unsigned_short": struct.Struct(">H"),
    "int": struct.Struct(">i"),
    "long": struct.Struct(">q"),
    "float": struct.Struct(">f"),
    "double": struct.Struct(">d"),
}
_WRITERS: Final[Mapping[type, str]] = {
    bool: "write_boolean",
    int: "write_long",
    float: "write_double",
    str: "write_utf",
    bytes: "write_bytes",
    bytearray: "write_bytes",
    api.Byte: "write_byte",
    api.Short: "write_short",
    api.Int: "write_int",
    api.Long: "write_long",
    api.Float: "write_float",
    api.Double: "write_double",
    api.Char: "write_char",
}
"""The method of a bytes message for each type of an object."""


def _item_reader(kind: str) -> Any:
    return lambda self: read_as(kind, self.next_item())


def _item_writer(kind: str) -> Any:
    return lambda self, value: self.add_item(held(kind, value))


def _number_reader(kind: str) -> Any:
    layout = _LAYOUTS[kind]
    return lambda self: layout.unpack(self.next_bytes(layout.size))[0]


def _number_writer(kind: str) -> Any:
    layout = _LAYOUTS[kind]
    return lambda self, value: self.add_bytes(_packed(layout, value))


def _packed(layout: struct.Struct, value: Any) -> bytes:
    try:
        return layout.pack(value)
    except struct.error as error:
        raise ValueError(f"{value!r} is no number of {layout.size} bytes: {error}") from error


def _encoded(text: str) -> bytes:
    """Return a text in Java's modified UTF-8: each UTF-16 unit by itself, NUL in two bytes (3.11-15)."""
    data = text.encode("utf-16-be", "surrogatepass")
    units = "".join(chr(high << 8 | low) for high, low in zip(data[::2], data[1::2], strict=True))
    return units.encode("utf-8", "surrogatepass").replace(b"\0", b"\xc0\x80")


def _decoded(data: bytes) -> str:
    """Return the text of what `_encoded` returned."""
    units = data.replace(b"\xc0\x80", b"\0").decode("utf-8", "surrogatepass")
    return units.encode("utf-16-be", "surrogatepass").decode("utf-16-be", "surrogatepass")


class _Sequential(Common):
    """A body that is written in order, and read in order after `reset`."""

    position: int | None = None
    """The place of the next read, None while the body is written."""

    def clear_body(self) -> None:
        """Remove the body and make it writable."""
        self.position = None

    def reset(self) -> None:
        """Make the body read-only and go to its start."""
        self.position = 0

    def readable_at(self) -> int:
        """Return the place of the next read; raise MessageNotReadableException while the body is written."""
        if self.position is None:
            raise api.MessageNotReadableException("the body is write-only until reset() is called")
        return self.position

    def check_writable(self) -> None:
        """Raise MessageNotWriteableException once the body was reset."""
        if self.position is not None:
            raise api.MessageNotWriteableException("the body is read-only until clear_body() is called")


class ForeignStreamMessage(_Sequential, api.StreamMessage):
    """A foreign message that holds a sequence of items."""

    read_boolean = _item_reader("boolean")
    read_byte = _item_reader("byte")
    read_short = _item_reader("short")
    read_char = _item_reader("char")
    read_int = _item_reader("int")
    read_long = _item_reader("long")
    read_float = _item_reader("float")
    read_double = _item_reader("double")
    read_string = _item_reader("string")
    read_object = _item_reader("object")

    write_boolean = _item_writer("boolean")
    write_byte = _item_writer("byte")
    write_short = _item_writer("short")
    write_char = _item_writer("char")
    write_int = _item_writer("int")
    write_long = _item_writer("long")
    write_float = _item_writer("float")
    write_double = _item_writer("double")
    write_string = _item_writer("string")
    write_object = _item_writer("object")

    def clear_body(self) -> None:
        """Remove all items and make the body writable."""
        super().clear_body()
        self.items: list[Any] = []
        self.unread: bytes | None = None

    def reset(self) -> None:
        """Make the body read-only and go to its start."""
        super().reset()
        self.unread = None

    def add_item(self, item: Any) -> None:
        """Write an item; raise MessageNotWriteableException after `reset`."""
        self.check_writable()
        self.items.append(item)

    def next_item(self) -> Any:
        """Read an item.

        Raises:
            MessageEOFException: There is no further item.
            MessageFormatException: An array was read in part (3.11-24).
            MessageNotReadableException: The body was not reset.
        """
        at = self.readable_at()
        if self.unread is not None:
            raise api.MessageFormatException("read_bytes has not read the array to its end")
        if at >= len(self.items):
            raise api.MessageEOFException("there is no further item")
        self.position = at + 1
        return self.items[at]

    def read_bytes(self, buffer: bytearray) -> int:
        """Fill `buffer` with the next part of an array, as the API has it (3.11-22, 3.11-23).

        Return the number of bytes; -1 for None, and after an array whose last part filled the buffer. Raise
        MessageFormatException if the next item is no array; the position stays. Raise as `next_item` does otherwise.
        """
        if self.unread is None:
            at, item = self.position, self.next_item()
            if item is None:
                return -1
            if not isinstance(item, bytes):
                self.position = at
                raise api.MessageFormatException(f"the next item is no array: {item!r}")
        else:
            item = self.unread
            if not item:
                self.unread = None
                return -1
        part = item[: len(buffer)]
        buffer[: len(part)] = part
        self.unread = item[len(part) :] if len(part) == len(buffer) and item else None
        return len(part)

    def write_bytes(self, value: bytes | None, offset: Any = api.OMITTED, length: Any = api.OMITTED) -> None:
        """Write a copy of an array, a copy of `length` bytes of it from `offset`, or None, as one item."""
        self.add_item(None if value is None else part_of(value, offset, length))

    def is_body_assignable_to(self, body_type: api.BodyType) -> bool:
        """Return False: a stream is not read as a whole (3.11-41)."""
        del body_type
        return False


class ForeignBytesMessage(_Sequential, api.BytesMessage):
    """A foreign message that holds bytes; numbers are in big endian form."""

    body_types = frozenset({api.OBJECT})

    read_boolean = _number_reader("boolean")
    read_byte = _number_reader("byte")
    read_unsigned_byte = _number_reader("unsigned_byte")
    read_short = _number_reader("short")
    read_unsigned_short = _number_reader("unsigned_short")
    read_int = _number_reader("int")
    read_long = _number_reader("long")
    read_float = _number_reader("float")
    read_double = _number_reader("double")

    write_boolean = _number_writer("boolean")
    write_byte = _number_writer("byte")
    write_short = _number_writer("short")
    write_int = _number_writer("int")
    write_long = _number_writer("long")
    write_float = _number_writer("float")
    write_double = _number_writer("double")

    @property
    def body_length(self) -> int:
        """The length of the body in bytes; raise MessageNotReadableException while the body is written."""
        self.readable_at()
        return len(self.content)

    def clear_body(self) -> None:
        """Remove all bytes and make the body writable."""
        super().clear_body()
        self.content = bytearray()

    def add_bytes(self, data: bytes) -> None:
        """Write bytes; raise MessageNotWriteableException after `reset`."""
        self.check_writable()
        self.content += data

    def next_bytes(self, count: int) -> bytes:
        """Read `count` bytes.

        Raises:
            MessageEOFException: There are fewer; the position stays.
            MessageNotReadableException: The body was not reset.
        """
        at = self.readable_at()
        if at + count > len(self.content):
            raise api.MessageEOFException(f"{count} bytes are wanted at byte {at} of {len(self.content)}")
        self.position = at + count
        return bytes(self.content[at : at + count])

    def read_bytes(self, buffer: bytearray, length: Any = api.OMITTED) -> int:
        """Fill `buffer` with at most `length` bytes, by default as many as it holds.

        Return the number of bytes; -1 if no byte is left and some are wanted.

        Raises:
            IndexOutOfBoundsException: `length` is negative or more than the buffer holds; nothing is read.
            MessageNotReadableException: The body was not reset.
        """
        wanted = len(buffer) if length is api.OMITTED else length
        if not 0 <= wanted <= len(buffer):
            raise api.IndexOutOfBoundsException(f"{wanted} bytes do not fit into a buffer of {len(buffer)}")
        part = self.next_bytes(min(wanted, len(self.content) - self.readable_at()))
        buffer[: len(part)] = part
        return len(part) if part or not wanted else -1

    def write_bytes(self, value: bytes, offset: Any = api.OMITTED, length: Any = api.OMITTED) -> None:
        """Write an array, or `length` bytes of it from `offset`."""
        self.add_bytes(part_of(value, offset, length))

    def read_char(self) -> str:
        """Read 2 bytes as a char; raise as `next_bytes` does."""
        return chr(int.from_bytes(self.next_bytes(2)))

    def write_char(self, value: str) -> None:
        """Write a char, half a surrogate pair too, as 2 bytes."""
        self.add_bytes(ord(value).to_bytes(2))

    def read_utf(self) -> str:
        """Read a text that `write_utf` wrote; raise as `next_bytes` does."""
        at = self.readable_at()
        try:
            return _decoded(self.next_bytes(int.from_bytes(self.next_bytes(2))))
        except api.MessageEOFException:
            self.position = at
            raise

    def write_utf(self, value: str) -> None:
        """Write a text as 2 bytes of length and modified UTF-8; raise ValueError if it takes more than 65,535 bytes."""
        data = _encoded(value)
        self.add_bytes(_packed(_LAYOUTS["unsigned_short"], len(data)) + data)

    def write_object(self, value: Any) -> None:
        """Write a value by its type, as the typed method for it does.

        Raises:
            MessageFormatException: No typed method takes the type.
            NullPointerException: The value is None.
        """
        if value is None:
            raise api.NullPointerException("a bytes message holds no null")
        method = _WRITERS.get(type(value))
        if method is None:
            raise api.MessageFormatException(f"a bytes message holds no {type(value).__name__}")
        getattr(self, method)(getattr(value, "value", value))

    def whole_body(self) -> bytes | None:
        """Return all bytes, None if there are none."""
        return bytes(self.content) or None

    def get_body(self, body_type: api.BodyType) -> Any:
        """Return all bytes and reset the message (3.11-33); raise MessageFormatException for another type."""
        self.reset()
        return super().get_body(body_type)
