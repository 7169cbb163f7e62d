"""The two kinds of message whose body is written and read in order."""

from __future__ import annotations

from abc import abstractmethod

from tck.api.messages import Message
from tck.api.values import OMITTED, Omitted

__all__ = ["BytesMessage", "StreamMessage"]


class BytesMessage(Message):
    """Carry uninterpreted bytes, written and read in order, numbers in big endian form (3.11-7, 3.11-13).

    It is made write-only and becomes readable by `reset`, or by being received (3.11-9, 3.11-10, 3.11-11). Reads while
    it is write-only raise MessageNotReadableException (10.3-40), writes while it is read-only
    MessageNotWriteableException (3.11.2-5), reads past the end MessageEOFException (10.3-28). A failed read leaves the
    position where it was (3.11.3-17). A number out of a typed method's range raises ValueError.
    """

    __slots__ = ()

    @property
    @abstractmethod
    def body_length(self) -> int:
        """Give the length of the body in bytes; only while it is readable (3.11-18)."""

    @abstractmethod
    def read_boolean(self) -> bool:
        """Read 1 byte as a Java boolean."""

    @abstractmethod
    def read_byte(self) -> int:
        """Read 1 byte as a Java byte (-128 to 127)."""

    @abstractmethod
    def read_unsigned_byte(self) -> int:
        """Read 1 byte as a number from 0 to 255 (3.11-14)."""

    @abstractmethod
    def read_short(self) -> int:
        """Read 2 bytes as a Java short (16 bits)."""

    @abstractmethod
    def read_unsigned_short(self) -> int:
        """Read 2 bytes as a number from 0 to 65535 (3.11-14)."""

    @abstractmethod
    def read_char(self) -> str:
        """Read 2 bytes as a Java char (a ``str`` of length 1)."""

    @abstractmethod
    def read_int(self) -> int:
        """Read 4 bytes as a Java int (32 bits)."""

    @abstractmethod
    def read_long(self) -> int:
        """Read 8 bytes as a Java long (64 bits)."""

    @abstractmethod
    def read_float(self) -> float:
        """Read 4 bytes as a Java float (32 bits)."""

    @abstractmethod
    def read_double(self) -> float:
        """Read 8 bytes as a Java double."""

    @abstractmethod
    def write_boolean(self, value: bool) -> None:
        """Write a Java boolean as 1 byte."""

    @abstractmethod
    def write_byte(self, value: int) -> None:
        """Write a Java byte (-128 to 127) as 1 byte."""

    @abstractmethod
    def write_short(self, value: int) -> None:
        """Write a Java short (16 bits) as 2 bytes."""

    @abstractmethod
    def write_char(self, value: str) -> None:
        """Write a Java char (a ``str`` of length 1) as 2 bytes."""

    @abstractmethod
    def write_int(self, value: int) -> None:
        """Write a Java int (32 bits) as 4 bytes."""

    @abstractmethod
    def write_long(self, value: int) -> None:
        """Write a Java long (64 bits) as 8 bytes."""

    @abstractmethod
    def write_float(self, value: float) -> None:
        """Write a Java float (32 bits) as 4 bytes."""

    @abstractmethod
    def write_double(self, value: float) -> None:
        """Write a Java double as 8 bytes."""

    @abstractmethod
    def read_utf(self) -> str:
        """Read a string that `write_utf` wrote: 2 bytes of length, then Java's modified UTF-8 (3.11-15)."""

    @abstractmethod
    def read_bytes(self, buffer: bytearray, length: int | Omitted = OMITTED) -> int:
        """Fill `buffer` in place with up to `length` bytes, default as many as it holds.

        Return the count, -1 at the end (3.11-16).

        Raises:
            IndexOutOfBoundsException: The length is negative or greater than the buffer; nothing is read (3.11-17).
        """

    @abstractmethod
    def write_utf(self, value: str) -> None:
        """Write a string as 2 bytes of length, then Java's modified UTF-8 (3.11-15)."""

    @abstractmethod
    def write_bytes(self, value: bytes, offset: int | Omitted = OMITTED, length: int | Omitted = OMITTED) -> None:
        """Write `value`, or just `length` bytes of it from `offset` (3.11-19); they are copied (3.12-7)."""

    @abstractmethod
    def write_object(self, value: object) -> None:
        """Write a value by its type, as the typed method for it would (3.11.3-2).

        Raises:
            MessageFormatException: The type is none that a bytes message takes (3.11-20).
            NullPointerException: The value is null (3.12-13).
        """

    @abstractmethod
    def reset(self) -> None:
        """Make the body read-only and go to its start (3.11-10)."""


class StreamMessage(Message):
    """Carry a sequence of typed values, written and read in order (3.11-1).

    It is made write-only and becomes readable by `reset`, or by being received (3.11-9, 3.11-10, 3.11-11). Typed reads
    convert as section 3.11.3 allows. Reads while it is write-only raise MessageNotReadableException (10.3-39), writes
    while it is read-only MessageNotWriteableException (3.11.2-4), reads past the end MessageEOFException (10.3-27). A
    failed read leaves the position where it was (3.11.3-15, 3.11.3-16). A number out of a typed method's range raises
    ValueError.
    """

    __slots__ = ()

    @abstractmethod
    def read_boolean(self) -> bool:
        """Read the next value as a Java boolean.

        A null reads as False (3.11.3-12).

        Raises:
            MessageFormatException: Its type does not convert (3.11.3-6).
        """

    @abstractmethod
    def read_byte(self) -> int:
        """Read the next value as a Java byte (-128 to 127).

        Raises:
            MessageFormatException: Its type does not convert (3.11.3-6).
            NumberFormatException: It is a string that is no such number (3.11.3-8).
            NumberFormatException: It is null (3.11.3-10).
        """

    @abstractmethod
    def read_short(self) -> int:
        """Read the next value as a Java short (16 bits).

        Raises:
            MessageFormatException: Its type does not convert (3.11.3-6).
            NumberFormatException: It is a string that is no such number (3.11.3-8).
            NumberFormatException: It is null (3.11.3-10).
        """

    @abstractmethod
    def read_char(self) -> str:
        """Read the next value as a Java char (a ``str`` of length 1).

        Raises:
            MessageFormatException: Its type does not convert (3.11.3-6).
            NullPointerException: It is null (3.11.3-13).
        """

    @abstractmethod
    def read_int(self) -> int:
        """Read the next value as a Java int (32 bits).

        Raises:
            MessageFormatException: Its type does not convert (3.11.3-6).
            NumberFormatException: It is a string that is no such number (3.11.3-8).
            NumberFormatException: It is null (3.11.3-10).
        """

    @abstractmethod
    def read_long(self) -> int:
        """Read the next value as a Java long (64 bits).

        Raises:
            MessageFormatException: Its type does not convert (3.11.3-6).
            NumberFormatException: It is a string that is no such number (3.11.3-8).
            NumberFormatException: It is null (3.11.3-10).
        """

    @abstractmethod
    def read_float(self) -> float:
        """Read the next value as a Java float (32 bits).

        Raises:
            MessageFormatException: Its type does not convert (3.11.3-6).
            NumberFormatException: It is a string that is no such number (3.11.3-8).
            NullPointerException: It is null (3.11.3-11).
        """

    @abstractmethod
    def read_double(self) -> float:
        """Read the next value as a Java double.

        Raises:
            MessageFormatException: Its type does not convert (3.11.3-6).
            NumberFormatException: It is a string that is no such number (3.11.3-8).
            NullPointerException: It is null (3.11.3-11).
        """

    @abstractmethod
    def read_string(self) -> str | None:
        """Read the next value as a string; every type but bytes converts (3.11.3-5)."""

    @abstractmethod
    def write_boolean(self, value: bool) -> None:
        """Write a Java boolean."""

    @abstractmethod
    def write_byte(self, value: int) -> None:
        """Write a Java byte (-128 to 127)."""

    @abstractmethod
    def write_short(self, value: int) -> None:
        """Write a Java short (16 bits)."""

    @abstractmethod
    def write_char(self, value: str) -> None:
        """Write a Java char (a ``str`` of length 1)."""

    @abstractmethod
    def write_int(self, value: int) -> None:
        """Write a Java int (32 bits)."""

    @abstractmethod
    def write_long(self, value: int) -> None:
        """Write a Java long (64 bits)."""

    @abstractmethod
    def write_float(self, value: float) -> None:
        """Write a Java float (32 bits)."""

    @abstractmethod
    def write_double(self, value: float) -> None:
        """Write a Java double."""

    @abstractmethod
    def write_string(self, value: str | None) -> None:
        """Write a string, or None (3.12-10)."""

    @abstractmethod
    def read_bytes(self, buffer: bytearray) -> int:
        """Fill `buffer` in place with the next part of a bytes value.

        Return the count, -1 when a part exactly filled it and nothing is left (3.11-22). A null value gives -1, an
        empty one 0 (3.11-23). Until the value is read completely, no other read is allowed (3.11-24).

        Raises:
            MessageFormatException: The next value is not bytes (3.11.3-6).
        """

    @abstractmethod
    def read_object(self) -> object:
        """Read the next value as it was written: plain value or box (3.11-21, see `tck.api.values`).

        Raises:
            MessageFormatException: A bytes value is only partly read (3.11-24).
        """

    @abstractmethod
    def write_bytes(self, value: bytes, offset: int | Omitted = OMITTED, length: int | Omitted = OMITTED) -> None:
        """Write `value`, or just `length` bytes of it from `offset`, as one value; they are copied (3.12-6)."""

    @abstractmethod
    def write_object(self, value: object) -> None:
        """Write a value by its type, as the typed method for it would (3.11.3-2); None is allowed (3.12-10).

        Raises:
            MessageFormatException: The type is none that a stream message takes (3.11-20).
        """

    @abstractmethod
    def reset(self) -> None:
        """Make the body read-only and go to its start (3.11-10)."""
