"""The three kinds of message whose body is got and set: text, object, map."""

from __future__ import annotations

import builtins
from abc import abstractmethod
from collections.abc import Iterator

from tck.api.messages import Message
from tck.api.values import OMITTED, Omitted

__all__ = ["MapMessage", "ObjectMessage", "TextMessage"]


class TextMessage(Message):
    """Carry one string, or null (3.11-5)."""

    __slots__ = ()

    @property
    @abstractmethod
    def text(self) -> str | None:
        """Give or set the body, None at first (3.11-27).

        Setting raises MessageNotWriteableException when it is read-only (3.11.2-1).
        """

    @text.setter
    @abstractmethod
    def text(self, text: str | None) -> None: ...


class ObjectMessage(Message):
    """Carry one serializable object, or null (3.11-6).

    A plain value, a box, a list or dict of such, or an object of a type given to `Provider.register_types`.
    """

    __slots__ = ()

    @property
    @abstractmethod
    def object(self) -> builtins.object:
        """Give or set the body, None at first (3.11-27).

        A snapshot is taken when it is set (3.12-8), each read gives a copy (3.12-16).

        Raises:
            MessageFormatException: The object cannot be serialised (3.11-28) or deserialised.
            MessageNotWriteableException: The body is read-only (3.11.2-3).
        """

    @object.setter  # noqa: A003 - the name is fixed by the rule
    @abstractmethod
    def object(self, value: builtins.object) -> None: ...


class MapMessage(Message):
    """Carry typed values under names, in no set order (3.11-2, 3.11-4).

    Typed gets convert as section 3.11.3 allows. Setters raise MessageNotWriteableException on a message received and
    not cleared (3.11.2-2), IllegalArgumentException for a name that is null or empty (3.11-25), ValueError for a number
    out of range.
    """

    __slots__ = ()

    @abstractmethod
    def get_boolean(self, name: str) -> bool:
        """Get the value `name` as a Java boolean.

        A null reads as False (3.11.3-12).

        Raises:
            MessageFormatException: Its type does not convert (3.11.3-4).
        """

    @abstractmethod
    def get_byte(self, name: str) -> int:
        """Get the value `name` as a Java byte (-128 to 127).

        Raises:
            MessageFormatException: Its type does not convert (3.11.3-4).
            NumberFormatException: It is a string that is no such number (3.11.3-7).
            NumberFormatException: It is null (3.11.3-10).
        """

    @abstractmethod
    def get_short(self, name: str) -> int:
        """Get the value `name` as a Java short (16 bits).

        Raises:
            MessageFormatException: Its type does not convert (3.11.3-4).
            NumberFormatException: It is a string that is no such number (3.11.3-7).
            NumberFormatException: It is null (3.11.3-10).
        """

    @abstractmethod
    def get_char(self, name: str) -> str:
        """Get the value `name` as a Java char (a ``str`` of length 1).

        Raises:
            MessageFormatException: Its type does not convert (3.11.3-4).
            NullPointerException: It is null (3.11.3-13).
        """

    @abstractmethod
    def get_int(self, name: str) -> int:
        """Get the value `name` as a Java int (32 bits).

        Raises:
            MessageFormatException: Its type does not convert (3.11.3-4).
            NumberFormatException: It is a string that is no such number (3.11.3-7).
            NumberFormatException: It is null (3.11.3-10).
        """

    @abstractmethod
    def get_long(self, name: str) -> int:
        """Get the value `name` as a Java long (64 bits).

        Raises:
            MessageFormatException: Its type does not convert (3.11.3-4).
            NumberFormatException: It is a string that is no such number (3.11.3-7).
            NumberFormatException: It is null (3.11.3-10).
        """

    @abstractmethod
    def get_float(self, name: str) -> float:
        """Get the value `name` as a Java float (32 bits).

        Raises:
            MessageFormatException: Its type does not convert (3.11.3-4).
            NumberFormatException: It is a string that is no such number (3.11.3-7).
            NullPointerException: It is null (3.11.3-11).
        """

    @abstractmethod
    def get_double(self, name: str) -> float:
        """Get the value `name` as a Java double.

        Raises:
            MessageFormatException: Its type does not convert (3.11.3-4).
            NumberFormatException: It is a string that is no such number (3.11.3-7).
            NullPointerException: It is null (3.11.3-11).
        """

    @abstractmethod
    def get_string(self, name: str) -> str | None:
        """Get the value `name` as a string; every type but bytes converts (3.11.3-3).

        None if there is none (3.11.3-14).
        """

    @abstractmethod
    def get_bytes(self, name: str) -> bytes | None:
        """Get the value `name` as bytes, a copy (3.12-14); None if there is none (3.11.3-14).

        Raises:
            MessageFormatException: Its type does not convert (3.11.3-4).
        """

    @abstractmethod
    def get_object(self, name: str) -> object:
        """Get the value `name` as it was set.

        Plain value or box (3.11-21, see `tck.api.values`), None if there is none (3.11.3-14).
        """

    @abstractmethod
    def set_boolean(self, name: str, value: bool) -> None:
        """Set the value `name` to a Java boolean."""

    @abstractmethod
    def set_byte(self, name: str, value: int) -> None:
        """Set the value `name` to a Java byte (-128 to 127)."""

    @abstractmethod
    def set_short(self, name: str, value: int) -> None:
        """Set the value `name` to a Java short (16 bits)."""

    @abstractmethod
    def set_char(self, name: str, value: str) -> None:
        """Set the value `name` to a Java char (a ``str`` of length 1)."""

    @abstractmethod
    def set_int(self, name: str, value: int) -> None:
        """Set the value `name` to a Java int (32 bits)."""

    @abstractmethod
    def set_long(self, name: str, value: int) -> None:
        """Set the value `name` to a Java long (64 bits)."""

    @abstractmethod
    def set_float(self, name: str, value: float) -> None:
        """Set the value `name` to a Java float (32 bits)."""

    @abstractmethod
    def set_double(self, name: str, value: float) -> None:
        """Set the value `name` to a Java double."""

    @abstractmethod
    def set_string(self, name: str, value: str | None) -> None:
        """Set the value `name` to a string, or None (3.12-9)."""

    @abstractmethod
    def set_bytes(
        self, name: str, value: bytes | None, offset: int | Omitted = OMITTED, length: int | Omitted = OMITTED
    ) -> None:
        """Set the value `name` to `value`, or to just `length` bytes of it from `offset`; they are copied (3.12-5)."""

    @abstractmethod
    def set_object(self, name: str, value: object) -> None:
        """Set the value `name` by the type of `value`, as the typed method for it would (3.11.3-2).

        None is allowed (3.12-9).

        Raises:
            MessageFormatException: The type is none that a map message takes (3.11-20).
        """

    @abstractmethod
    def get_map_names(self) -> Iterator[str]:
        """Give a fresh iterator over the names in the map (3.11-3), in no set order (3.11-4)."""

    @abstractmethod
    def item_exists(self, name: str) -> bool:
        """Tell whether the map has a value `name`, null or not (3.11-26)."""
