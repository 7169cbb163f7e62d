"""The bytes message: uninterpreted bytes, written and read in the layout of Java's data streams (3.11-13).

A failed read does not move the position (3.11.3-17).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from struct import Struct
from typing import Any, ClassVar, Final, TypeAlias

from reference_provider.java import numbers, utf
from reference_provider.messages import values
from reference_provider.messages.message import ReferenceMessage
from reference_provider.messages.model import Body, Kind
from tck.api import (
    OBJECT,
    OMITTED,
    BodyType,
    Byte,
    BytesMessage,
    Char,
    Float,
    IndexOutOfBoundsException,
    Int,
    MessageEOFException,
    MessageFormatException,
    MessageNotReadableException,
    MessageNotWriteableException,
    NullPointerException,
    Omitted,
    Short,
)

BYTE: Final = Struct(">b")
UNSIGNED_BYTE: Final = Struct(">B")
SHORT: Final = Struct(">h")
UNSIGNED_SHORT: Final = Struct(">H")
INT: Final = Struct(">i")
LONG: Final = Struct(">q")
FLOAT: Final = Struct(">f")
DOUBLE: Final = Struct(">d")

Number: TypeAlias = Any
"""A number or a UTF-16 unit as `struct` gives it."""

LONGEST_UTF: Final = 65535
"""What the two bytes of length before a `write_utf` can say."""

BYTES_TYPES: Final[frozenset[BodyType]] = frozenset({bytes, object, OBJECT})
"""The types the body may be asked for as (3.11-32)."""


class ReferenceBytesMessage(ReferenceMessage, BytesMessage):
    """A message that carries bytes."""

    __slots__ = ("_data", "_position", "_written")

    KIND: ClassVar[Kind] = "bytes"

    _data: bytes  # the read position and bytes, once the body is read-only
    _position: int
    _written: bytearray | None  # the bytes written so far; None when the body is read-only

    @property
    def body_length(self) -> int:
        """Return the length of the whole body in bytes, whatever the read position (3.11-18)."""
        self._check_readable()
        return len(self._data)

    def read_boolean(self) -> bool:
        """Read one byte as boolean: 0 is false."""
        return bool(self._read(UNSIGNED_BYTE))

    def read_byte(self) -> int:
        """Read one byte with sign."""
        return int(self._read(BYTE))

    def read_unsigned_byte(self) -> int:
        """Read one byte without sign."""
        return int(self._read(UNSIGNED_BYTE))

    def read_short(self) -> int:
        """Read two bytes with sign."""
        return int(self._read(SHORT))

    def read_unsigned_short(self) -> int:
        """Read two bytes without sign."""
        return int(self._read(UNSIGNED_SHORT))

    def read_char(self) -> str:
        """Read two bytes as one UTF-16 unit."""
        return chr(self._read(UNSIGNED_SHORT))

    def read_int(self) -> int:
        """Read four bytes with sign."""
        return int(self._read(INT))

    def read_long(self) -> int:
        """Read eight bytes with sign."""
        return int(self._read(LONG))

    def read_float(self) -> float:
        """Read four bytes as a 32-bit floating-point number."""
        return float(self._read(FLOAT))

    def read_double(self) -> float:
        """Read eight bytes as a 64-bit floating-point number."""
        return float(self._read(DOUBLE))

    def read_utf(self) -> str:
        """Read a text in modified UTF-8, with two bytes of length before it (3.11-15).

        Raises:
            MessageEOFException: fewer bytes are left than the length says.
            MessageFormatException: not modified UTF-8.
        """
        self._check_readable()
        (length,) = UNSIGNED_SHORT.unpack(self._ahead(0, UNSIGNED_SHORT.size))
        encoded = self._ahead(UNSIGNED_SHORT.size, length)
        try:
            text = utf.decode(encoded)
        except ValueError as error:
            raise MessageFormatException(f"no modified UTF-8 at byte {self._position}: {error}") from error
        self._position += UNSIGNED_SHORT.size + length
        return text

    def read_bytes(self, buffer: bytearray, length: int | Omitted = OMITTED) -> int:
        """Read into `buffer`, at most `length` bytes.

        Returns:
            The number of bytes read, -1 at the end (3.11-16).

        Raises:
            NullPointerException: no buffer.
            IndexOutOfBoundsException: a length below 0 or beyond the buffer; nothing is read (3.11-17).
        """
        self._check_readable()
        if buffer is None:
            raise NullPointerException("read_bytes needs a buffer")
        wanted = len(buffer) if length is OMITTED else length
        if wanted < 0 or wanted > len(buffer):
            raise IndexOutOfBoundsException(f"{wanted} bytes do not fit into a buffer of {len(buffer)}")
        if self._position >= len(self._data):
            return -1
        part = self._data[self._position : self._position + wanted]
        buffer[: len(part)] = part
        self._position += len(part)
        return len(part)

    def write_boolean(self, value: bool) -> None:
        """Write one byte: 1 or 0."""
        self._writer().append(1 if values.of_boolean(value) else 0)

    def write_byte(self, value: int) -> None:
        """Write one byte."""
        self._writer().extend(BYTE.pack(values.of_byte(value).value))

    def write_short(self, value: int) -> None:
        """Write two bytes, the high one first."""
        self._writer().extend(SHORT.pack(values.of_short(value).value))

    def write_char(self, value: str) -> None:
        """Write one UTF-16 unit, the high byte first."""
        self._writer().extend(UNSIGNED_SHORT.pack(ord(values.of_char(value).value)))

    def write_int(self, value: int) -> None:
        """Write four bytes, the high one first."""
        self._writer().extend(INT.pack(values.of_int(value).value))

    def write_long(self, value: int) -> None:
        """Write eight bytes, the high one first."""
        self._writer().extend(LONG.pack(values.of_long(value)))

    def write_float(self, value: float) -> None:
        """Write the four bytes of a 32-bit floating-point number."""
        self._writer().extend(FLOAT.pack(values.of_float(value).value))

    def write_double(self, value: float) -> None:
        """Write the eight bytes of a 64-bit floating-point number."""
        self._writer().extend(DOUBLE.pack(values.of_double(value)))

    def write_utf(self, value: str) -> None:
        """Write a text in modified UTF-8, with two bytes of length before it (3.11-15).

        Raises:
            NullPointerException: null (3.12-13).
            MessageFormatException: longer than 65535 bytes in that form.
        """
        writer = self._writer()
        text = values.of_string(value)
        if text is None:
            raise NullPointerException("a bytes message cannot hold null")
        encoded = utf.encode(text)
        if len(encoded) > LONGEST_UTF:
            raise MessageFormatException(
                f"{numbers.shown(text)} takes {len(encoded)} bytes in modified UTF-8; write_utf has room for {LONGEST_UTF}"
            )
        writer.extend(UNSIGNED_SHORT.pack(len(encoded)))
        writer.extend(encoded)

    def write_bytes(self, value: bytes, offset: int | Omitted = OMITTED, length: int | Omitted = OMITTED) -> None:
        """Write bytes, copied (3.12-7); with `offset` and `length` only that part.

        Raises:
            NullPointerException: null (3.12-13).
            IndexOutOfBoundsException: a part outside the array.
        """
        writer = self._writer()
        array = values.of_array(value, offset, length)
        if array is None:
            raise NullPointerException("a bytes message cannot hold null")
        writer.extend(array)

    def write_object(self, value: object) -> None:
        """Write a value by its type, a String as `write_utf` does.

        Raises:
            NullPointerException: null (3.12-13).
            MessageFormatException: neither a wrapper of a primitive nor a String nor a byte array (3.11-20).
        """
        self._writer()
        if value is None:
            raise NullPointerException("a bytes message cannot hold null")
        stored = values.body_object(value)
        OBJECT_WRITERS[type(stored)](self, stored)

    def reset(self) -> None:
        """Make the body read-only and go to its first byte."""
        if self._written is not None:
            self._data = bytes(self._written)
            self._written = None
        self._position = 0

    def get_body(self, body_type: BodyType) -> object:
        """Return the whole body; the message is reset before and after (3.11-33)."""
        self.reset()
        return super().get_body(body_type)

    def _read(self, form: Struct) -> Number:
        self._check_readable()
        (value,) = form.unpack(self._ahead(0, form.size))
        self._position += form.size
        return value

    def _ahead(self, skipped: int, size: int) -> bytes:
        """Return the next bytes after some skipped ones; the position does not move."""
        start = self._position + skipped
        if start + size > len(self._data):
            raise MessageEOFException(f"{size} bytes are wanted at byte {start} of {len(self._data)}")
        return self._data[start : start + size]

    def _check_readable(self) -> None:
        if self._written is not None:
            raise MessageNotReadableException("the bytes are write-only until reset() or their receipt")

    def _writer(self) -> bytearray:
        if self._written is None:
            raise MessageNotWriteableException(
                "the bytes are read-only after reset() or their receipt; clear_body() first"
            )
        return self._written

    def _empty_body(self) -> None:
        self._data = b""
        self._position = 0
        self._written = bytearray()

    def _restore_body(self, body: Body) -> None:
        assert isinstance(body, bytes)  # noqa: S101 - of a snapshot of this kind
        self._data = body
        self._position = 0
        self._written = None

    def _frozen_body(self) -> Body:
        return self._data if self._written is None else bytes(self._written)

    def _has_body(self) -> bool:
        return bool(self._frozen_body())

    def _accepts_body_type(self, body_type: BodyType) -> bool:
        return body_type in BYTES_TYPES

    def _body_value(self) -> object:
        return bytes(self._data)


OBJECT_WRITERS: Final[Mapping[type, Callable[[ReferenceBytesMessage, Any], None]]] = {
    bool: ReferenceBytesMessage.write_boolean,
    Byte: lambda message, box: message.write_byte(box.value),
    Short: lambda message, box: message.write_short(box.value),
    Char: lambda message, box: message.write_char(box.value),
    Int: lambda message, box: message.write_int(box.value),
    int: ReferenceBytesMessage.write_long,
    Float: lambda message, box: message.write_float(box.value),
    float: ReferenceBytesMessage.write_double,
    str: ReferenceBytesMessage.write_utf,
    bytes: ReferenceBytesMessage.write_bytes,
}
"""How `write_object` writes a value of each type: as the method of that type does."""
