"""The stream message: typed values, written and read in sequence.

A failed read does not move the position (3.11.3-15, 3.11.3-16): every read converts first and then moves on.
"""

from __future__ import annotations

from typing import ClassVar, cast

from reference_provider.messages import conversions, values
from reference_provider.messages.message import ReferenceMessage
from reference_provider.messages.model import Body, BodyValue, Kind
from tck.api import (
    OMITTED,
    BodyType,
    MessageEOFException,
    MessageFormatException,
    MessageNotReadableException,
    MessageNotWriteableException,
    NullPointerException,
    Omitted,
    StreamMessage,
)


class ReferenceStreamMessage(ReferenceMessage, StreamMessage):
    """A message that carries a sequence of typed values."""

    __slots__ = ("_items", "_offset", "_position", "_writable")

    KIND: ClassVar[Kind] = "stream"

    _items: list[BodyValue]
    _position: int
    _offset: int | None  # position in the byte array that read_bytes has begun; None otherwise
    _writable: bool

    def read_boolean(self) -> bool:
        """Read the next value as boolean."""
        return bool(self._read("boolean"))

    def read_byte(self) -> int:
        """Read the next value as byte."""
        return int(self._read("byte"))

    def read_short(self) -> int:
        """Read the next value as short."""
        return int(self._read("short"))

    def read_char(self) -> str:
        """Read the next value as char."""
        return str(self._read("char"))

    def read_int(self) -> int:
        """Read the next value as int."""
        return int(self._read("int"))

    def read_long(self) -> int:
        """Read the next value as long."""
        return int(self._read("long"))

    def read_float(self) -> float:
        """Read the next value as float."""
        return float(self._read("float"))

    def read_double(self) -> float:
        """Read the next value as double."""
        return float(self._read("double"))

    def read_string(self) -> str | None:
        """Read the next value as String."""
        return cast("str | None", self._read("String"))

    def read_object(self) -> object:
        """Read the next value in the type it was written with."""
        value = self._next()
        self._move_on()
        return value

    def read_bytes(self, buffer: bytearray) -> int:
        """Read the next part of a byte array into `buffer`.

        Returns:
            The number of bytes read: fewer than the buffer holds at the end of the array; -1 for a null array, and
            after an array whose last part filled the buffer (3.11-22, 3.11-23).
        """
        self._check_readable()
        if buffer is None:
            raise NullPointerException("read_bytes needs a buffer")
        if self._offset is None:
            return self._begin_array(buffer)
        return self._continue_array(buffer)

    def _begin_array(self, buffer: bytearray) -> int:
        array = conversions.convert(self._table(), self._next(), "byte[]", self._what())
        if array is None:
            self._move_on()
            return -1
        self._offset = 0
        return self._read_part(array, buffer)

    def _continue_array(self, buffer: bytearray) -> int:
        array = cast("bytes", self._items[self._position])
        if self._offset == len(array):
            self._move_on()
            return -1
        return self._read_part(array, buffer)

    def _read_part(self, array: bytes, buffer: bytearray) -> int:
        offset = self._offset or 0
        part = array[offset : offset + len(buffer)]
        buffer[: len(part)] = part
        if len(part) < len(buffer):
            self._move_on()
        else:
            self._offset = offset + len(part)
        return len(part)

    def write_boolean(self, value: bool) -> None:
        """Write a boolean."""
        self._check_writable()
        self._items.append(values.of_boolean(value))

    def write_byte(self, value: int) -> None:
        """Write a byte."""
        self._check_writable()
        self._items.append(values.of_byte(value))

    def write_short(self, value: int) -> None:
        """Write a short."""
        self._check_writable()
        self._items.append(values.of_short(value))

    def write_char(self, value: str) -> None:
        """Write a char."""
        self._check_writable()
        self._items.append(values.of_char(value))

    def write_int(self, value: int) -> None:
        """Write an int."""
        self._check_writable()
        self._items.append(values.of_int(value))

    def write_long(self, value: int) -> None:
        """Write a long."""
        self._check_writable()
        self._items.append(values.of_long(value))

    def write_float(self, value: float) -> None:
        """Write a float."""
        self._check_writable()
        self._items.append(values.of_float(value))

    def write_double(self, value: float) -> None:
        """Write a double."""
        self._check_writable()
        self._items.append(values.of_double(value))

    def write_string(self, value: str | None) -> None:
        """Write a String, or null (3.12-10)."""
        self._check_writable()
        self._items.append(values.of_string(value))

    def write_bytes(
        self, value: bytes | None, offset: int | Omitted = OMITTED, length: int | Omitted = OMITTED
    ) -> None:
        """Write a byte array as one value, copied; with `offset` and `length` only that part.

        Raises:
            NullPointerException: a part of null.
            IndexOutOfBoundsException: a part outside the array.
        """
        self._check_writable()
        if value is None and offset is not OMITTED:
            raise NullPointerException("null has no parts")
        self._items.append(values.of_array(value, offset, length))

    def write_object(self, value: object) -> None:
        """Write a value by its type.

        Raises:
            MessageFormatException: neither a wrapper of a primitive nor a String nor a byte array (3.11-20).
        """
        self._check_writable()
        self._items.append(values.body_object(value))

    def reset(self) -> None:
        """Make the stream read-only and go to its first value."""
        self._writable = False
        self._position = 0
        self._offset = None

    def _read(self, target: conversions.Target) -> conversions.Plain:
        value = conversions.convert(self._table(), self._next(), target, self._what())
        self._move_on()
        return value

    def _next(self) -> BodyValue:
        """Return the value at the read position, without moving it."""
        self._check_readable()
        self._check_no_open_array()
        if self._position >= len(self._items):
            raise MessageEOFException(f"the stream has no more than its {len(self._items)} values")
        return self._items[self._position]

    def _move_on(self) -> None:
        self._position += 1
        self._offset = None

    def _check_no_open_array(self) -> None:
        if self._offset is not None:
            raise MessageFormatException(f"{self._what()} is a byte array that read_bytes has not read to its end")

    def _check_readable(self) -> None:
        if self._writable:
            raise MessageNotReadableException("the stream is write-only until reset() or its receipt")

    def _check_writable(self) -> None:
        if not self._writable:
            raise MessageNotWriteableException(
                "the stream is read-only after reset() or its receipt; clear_body() first"
            )

    def _table(self) -> conversions.Table:
        return conversions.stream_table(self._model.version)

    def _what(self) -> str:
        return f"value {self._position + 1} of the stream"

    def _empty_body(self) -> None:
        self._items = []
        self._position = 0
        self._offset = None
        self._writable = True

    def _restore_body(self, body: Body) -> None:
        assert isinstance(body, tuple)  # noqa: S101 - of a snapshot of this kind
        self._items = list(body)
        self.reset()

    def _frozen_body(self) -> Body:
        return tuple(self._items)

    def _has_body(self) -> bool:
        return True  # an empty stream is not exempt: getBody refuses every stream (3.11-34)

    def _accepts_body_type(self, body_type: BodyType) -> bool:  # noqa: ARG002 - no type at all (3.11-41)
        return False
