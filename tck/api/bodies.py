"""The five kinds of message with a body."""

from __future__ import annotations

import builtins
from abc import abstractmethod
from collections.abc import Iterator

from tck.api.messages import Message
from tck.api.values import OMITTED, Omitted

__all__ = ["BytesMessage", "MapMessage", "ObjectMessage", "StreamMessage", "TextMessage"]


class TextMessage(Message):
    """Carry one string."""

    __slots__ = ()

    @property
    @abstractmethod
    def text(self) -> str | None:
        """Give or set the body."""

    @text.setter
    @abstractmethod
    def text(self, text: str | None) -> None: ...


class ObjectMessage(Message):
    """Carry one serializable object."""

    __slots__ = ()

    @property
    @abstractmethod
    def object(self) -> builtins.object:
        """Give or set the body; each read gives a copy made from what was set."""

    @object.setter  # noqa: A003 - the name is fixed by the rule
    @abstractmethod
    def object(self, value: builtins.object) -> None: ...


class BytesMessage(Message):
    """Carry uninterpreted bytes, written and read in order, big endian."""

    __slots__ = ()

    @property
    @abstractmethod
    def body_length(self) -> int:
        """Give the length of the body in bytes."""

    @abstractmethod
    def read_boolean(self) -> bool:
        """Read the next bytes as a Java boolean."""

    @abstractmethod
    def read_byte(self) -> int:
        """Read the next bytes as a Java byte."""

    @abstractmethod
    def read_unsigned_byte(self) -> int:
        """Read the next bytes as an unsigned byte."""

    @abstractmethod
    def read_short(self) -> int:
        """Read the next bytes as a Java short."""

    @abstractmethod
    def read_unsigned_short(self) -> int:
        """Read the next bytes as an unsigned short."""

    @abstractmethod
    def read_char(self) -> str:
        """Read the next bytes as a Java char."""

    @abstractmethod
    def read_int(self) -> int:
        """Read the next bytes as a Java int."""

    @abstractmethod
    def read_long(self) -> int:
        """Read the next bytes as a Java long."""

    @abstractmethod
    def read_float(self) -> float:
        """Read the next bytes as a Java float."""

    @abstractmethod
    def read_double(self) -> float:
        """Read the next bytes as a Java double."""

    @abstractmethod
    def write_boolean(self, value: bool) -> None:
        """Write a Java boolean."""

    @abstractmethod
    def write_byte(self, value: int) -> None:
        """Write a Java byte."""

    @abstractmethod
    def write_short(self, value: int) -> None:
        """Write a Java short."""

    @abstractmethod
    def write_char(self, value: str) -> None:
        """Write a Java char."""

    @abstractmethod
    def write_int(self, value: int) -> None:
        """Write a Java int."""

    @abstractmethod
    def write_long(self, value: int) -> None:
        """Write a Java long."""

    @abstractmethod
    def write_float(self, value: float) -> None:
        """Write a Java float."""

    @abstractmethod
    def write_double(self, value: float) -> None:
        """Write a Java double."""

    @abstractmethod
    def read_utf(self) -> str:
        """Read a string in Java's modified UTF-8 with two bytes of length before it."""

    @abstractmethod
    def read_bytes(self, buffer: bytearray, length: int | Omitted = OMITTED) -> int:
        """Fill `buffer` in place with up to `length` bytes; return their count, -1 at the end."""

    @abstractmethod
    def write_utf(self, value: str) -> None:
        """Write a string in Java's modified UTF-8 with two bytes of length before it."""

    @abstractmethod
    def write_bytes(self, value: bytes, offset: int | Omitted = OMITTED, length: int | Omitted = OMITTED) -> None:
        """Write `value`, or `length` bytes of it from `offset`."""

    @abstractmethod
    def write_object(self, value: object) -> None:
        """Write a value by its type."""

    @abstractmethod
    def reset(self) -> None:
        """Make the body read-only and go to its start."""


class StreamMessage(Message):
    """Carry a sequence of typed values, written and read in order."""

    __slots__ = ()

    @abstractmethod
    def read_boolean(self) -> bool:
        """Read the next value as a Java boolean."""

    @abstractmethod
    def read_byte(self) -> int:
        """Read the next value as a Java byte."""

    @abstractmethod
    def read_short(self) -> int:
        """Read the next value as a Java short."""

    @abstractmethod
    def read_char(self) -> str:
        """Read the next value as a Java char."""

    @abstractmethod
    def read_int(self) -> int:
        """Read the next value as a Java int."""

    @abstractmethod
    def read_long(self) -> int:
        """Read the next value as a Java long."""

    @abstractmethod
    def read_float(self) -> float:
        """Read the next value as a Java float."""

    @abstractmethod
    def read_double(self) -> float:
        """Read the next value as a Java double."""

    @abstractmethod
    def read_string(self) -> str | None:
        """Read the next value as a String."""

    @abstractmethod
    def write_boolean(self, value: bool) -> None:
        """Write a Java boolean."""

    @abstractmethod
    def write_byte(self, value: int) -> None:
        """Write a Java byte."""

    @abstractmethod
    def write_short(self, value: int) -> None:
        """Write a Java short."""

    @abstractmethod
    def write_char(self, value: str) -> None:
        """Write a Java char."""

    @abstractmethod
    def write_int(self, value: int) -> None:
        """Write a Java int."""

    @abstractmethod
    def write_long(self, value: int) -> None:
        """Write a Java long."""

    @abstractmethod
    def write_float(self, value: float) -> None:
        """Write a Java float."""

    @abstractmethod
    def write_double(self, value: float) -> None:
        """Write a Java double."""

    @abstractmethod
    def write_string(self, value: str | None) -> None:
        """Write a String."""

    @abstractmethod
    def read_bytes(self, buffer: bytearray) -> int:
        """Fill `buffer` in place from the next byte array; return the count, -1 at its end."""

    @abstractmethod
    def read_object(self) -> object:
        """Read the next value as an object of the type it was written with."""

    @abstractmethod
    def write_bytes(self, value: bytes, offset: int | Omitted = OMITTED, length: int | Omitted = OMITTED) -> None:
        """Write `value`, or `length` bytes of it from `offset`, as one byte array."""

    @abstractmethod
    def write_object(self, value: object) -> None:
        """Write a value by its type."""

    @abstractmethod
    def reset(self) -> None:
        """Make the body read-only and go to its start."""


class MapMessage(Message):
    """Carry typed values under names."""

    __slots__ = ()

    @abstractmethod
    def get_boolean(self, name: str) -> bool:
        """Get the value `name` as a Java boolean."""

    @abstractmethod
    def get_byte(self, name: str) -> int:
        """Get the value `name` as a Java byte."""

    @abstractmethod
    def get_short(self, name: str) -> int:
        """Get the value `name` as a Java short."""

    @abstractmethod
    def get_char(self, name: str) -> str:
        """Get the value `name` as a Java char."""

    @abstractmethod
    def get_int(self, name: str) -> int:
        """Get the value `name` as a Java int."""

    @abstractmethod
    def get_long(self, name: str) -> int:
        """Get the value `name` as a Java long."""

    @abstractmethod
    def get_float(self, name: str) -> float:
        """Get the value `name` as a Java float."""

    @abstractmethod
    def get_double(self, name: str) -> float:
        """Get the value `name` as a Java double."""

    @abstractmethod
    def get_string(self, name: str) -> str | None:
        """Get the value `name` as a String."""

    @abstractmethod
    def get_bytes(self, name: str) -> bytes | None:
        """Get the value `name` as a byte array."""

    @abstractmethod
    def get_object(self, name: str) -> object:
        """Get the value `name` as an object of the type it was set with."""

    @abstractmethod
    def set_boolean(self, name: str, value: bool) -> None:
        """Set the value `name` to a Java boolean."""

    @abstractmethod
    def set_byte(self, name: str, value: int) -> None:
        """Set the value `name` to a Java byte."""

    @abstractmethod
    def set_short(self, name: str, value: int) -> None:
        """Set the value `name` to a Java short."""

    @abstractmethod
    def set_char(self, name: str, value: str) -> None:
        """Set the value `name` to a Java char."""

    @abstractmethod
    def set_int(self, name: str, value: int) -> None:
        """Set the value `name` to a Java int."""

    @abstractmethod
    def set_long(self, name: str, value: int) -> None:
        """Set the value `name` to a Java long."""

    @abstractmethod
    def set_float(self, name: str, value: float) -> None:
        """Set the value `name` to a Java float."""

    @abstractmethod
    def set_double(self, name: str, value: float) -> None:
        """Set the value `name` to a Java double."""

    @abstractmethod
    def set_string(self, name: str, value: str | None) -> None:
        """Set the value `name` to a String."""

    @abstractmethod
    def set_bytes(
        self, name: str, value: bytes | None, offset: int | Omitted = OMITTED, length: int | Omitted = OMITTED
    ) -> None:
        """Set the value `name` to a byte array, or to `length` bytes of it from `offset`."""

    @abstractmethod
    def set_object(self, name: str, value: object) -> None:
        """Set the value `name` by the type of `value`."""

    @abstractmethod
    def get_map_names(self) -> Iterator[str]:
        """Give a fresh iterator over the names in the map."""

    @abstractmethod
    def item_exists(self, name: str) -> bool:
        """Tell whether the map has a value `name`."""
