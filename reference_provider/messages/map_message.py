"""The map message: typed values under names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar, Final, cast

from reference_provider.messages import conversions, names, values
from reference_provider.messages.message import ReferenceMessage
from reference_provider.messages.model import Body, BodyValue, Kind
from tck.api import OBJECT, OMITTED, BodyType, MapMessage, MessageNotWriteableException, NullPointerException, Omitted

MAP_TYPES: Final[frozenset[BodyType]] = frozenset({dict, Mapping, object, OBJECT})
"""The types the entries may be asked for as; a particular kind of map is none of them (3.11-31)."""


class ReferenceMapMessage(ReferenceMessage, MapMessage):
    """A message that carries typed values under names."""

    __slots__ = ("_entries", "_writable")

    KIND: ClassVar[Kind] = "map"

    _entries: dict[str, BodyValue]
    _writable: bool

    def get_boolean(self, name: str) -> bool:
        """Get an entry as boolean."""
        return bool(self._converted(name, "boolean"))

    def get_byte(self, name: str) -> int:
        """Get an entry as byte."""
        return int(self._converted(name, "byte"))

    def get_short(self, name: str) -> int:
        """Get an entry as short."""
        return int(self._converted(name, "short"))

    def get_char(self, name: str) -> str:
        """Get an entry as char."""
        return str(self._converted(name, "char"))

    def get_int(self, name: str) -> int:
        """Get an entry as int."""
        return int(self._converted(name, "int"))

    def get_long(self, name: str) -> int:
        """Get an entry as long."""
        return int(self._converted(name, "long"))

    def get_float(self, name: str) -> float:
        """Get an entry as float."""
        return float(self._converted(name, "float"))

    def get_double(self, name: str) -> float:
        """Get an entry as double."""
        return float(self._converted(name, "double"))

    def get_string(self, name: str) -> str | None:
        """Return an entry as String, None if it is null or not set."""
        return cast("str | None", self._converted(name, "String"))

    def get_bytes(self, name: str) -> bytes | None:
        """Return an entry as byte array, None if it is null or not set."""
        return cast("bytes | None", self._converted(name, "byte[]"))

    def get_object(self, name: str) -> object:
        """Return an entry in the type it was set with, None if it is null or not set."""
        return self._entry(name)

    def get_map_names(self) -> Iterator[str]:
        """Return the name of each entry once, in no particular order."""
        return iter(list(self._entries))

    def item_exists(self, name: str) -> bool:
        """Return whether an entry of this name exists, also if it is null (3.11-26)."""
        return name in self._entries

    def set_boolean(self, name: str, value: bool) -> None:
        """Set a boolean entry."""
        self._check_entry_writable(name)
        self._entries[name] = values.of_boolean(value)

    def set_byte(self, name: str, value: int) -> None:
        """Set a byte entry."""
        self._check_entry_writable(name)
        self._entries[name] = values.of_byte(value)

    def set_short(self, name: str, value: int) -> None:
        """Set a short entry."""
        self._check_entry_writable(name)
        self._entries[name] = values.of_short(value)

    def set_char(self, name: str, value: str) -> None:
        """Set a char entry."""
        self._check_entry_writable(name)
        self._entries[name] = values.of_char(value)

    def set_int(self, name: str, value: int) -> None:
        """Set an int entry."""
        self._check_entry_writable(name)
        self._entries[name] = values.of_int(value)

    def set_long(self, name: str, value: int) -> None:
        """Set a long entry."""
        self._check_entry_writable(name)
        self._entries[name] = values.of_long(value)

    def set_float(self, name: str, value: float) -> None:
        """Set a float entry."""
        self._check_entry_writable(name)
        self._entries[name] = values.of_float(value)

    def set_double(self, name: str, value: float) -> None:
        """Set a double entry."""
        self._check_entry_writable(name)
        self._entries[name] = values.of_double(value)

    def set_string(self, name: str, value: str | None) -> None:
        """Set a String entry, or a null one (3.12-9)."""
        self._check_entry_writable(name)
        self._entries[name] = values.of_string(value)

    def set_bytes(
        self, name: str, value: bytes | None, offset: int | Omitted = OMITTED, length: int | Omitted = OMITTED
    ) -> None:
        """Set a byte array entry, copied; with `offset` and `length` only that part.

        Raises:
            NullPointerException: a part of null.
            IndexOutOfBoundsException: a part outside the array.
        """
        self._check_entry_writable(name)
        if value is None and offset is not OMITTED:
            raise NullPointerException("null has no parts")
        self._entries[name] = values.of_array(value, offset, length)

    def set_object(self, name: str, value: object) -> None:
        """Set an entry by the type of the value.

        Raises:
            MessageFormatException: neither a wrapper of a primitive nor a String nor a byte array (3.11-20).
        """
        self._check_entry_writable(name)
        self._entries[name] = values.body_object(value)

    def _check_entry_writable(self, name: str) -> None:
        if not self._writable:
            raise MessageNotWriteableException(
                f"the entries of a received message are read-only, {name!r} too; clear_body() first"
            )
        names.check_entry_name(name)

    def _entry(self, name: str) -> BodyValue:
        """Return the stored value, None if it is null or not set (3.11.3-14)."""
        return self._entries.get(name)

    def _converted(self, name: str, target: conversions.Target) -> conversions.Plain:
        table = conversions.map_table(self._model.version)
        return conversions.convert(table, self._entry(name), target, f"the entry {name!r}")

    def _empty_body(self) -> None:
        self._entries = {}
        self._writable = True

    def _restore_body(self, body: Body) -> None:
        assert isinstance(body, dict)  # noqa: S101 - of a snapshot of this kind
        self._entries = body
        self._writable = False

    def _frozen_body(self) -> Body:
        return dict(self._entries)

    def _has_body(self) -> bool:
        return bool(self._entries)

    def _accepts_body_type(self, body_type: BodyType) -> bool:
        return body_type in MAP_TYPES

    def _body_value(self) -> object:
        return dict(self._entries)
