"""Foreign messages whose body is got and set: none, a text, an object, a map."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tck import api
from tck.programs.foreign.common import Common, held, part_of, read_as


def _entry_getter(kind: str) -> Any:
    return lambda self, name: read_as(kind, self.entries.get(name))


def _entry_setter(kind: str) -> Any:
    return lambda self, name, value: self.entries.update({name: held(kind, value)})


class ForeignMessage(Common, api.Message):
    """A foreign message without a body."""


class ForeignTextMessage(Common, api.TextMessage):
    """A foreign message that holds a text or None."""

    body_types = frozenset({api.OBJECT, api.SERIALIZABLE, api.CHAR_SEQUENCE, api.COMPARABLE})
    text: str | None = None

    def clear_body(self) -> None:
        """Set the text to None."""
        self.text = None

    def whole_body(self) -> str | None:
        """Return the text."""
        return self.text


class ForeignObjectMessage(Common, api.ObjectMessage):
    """A foreign message that holds an object or None; the object is not copied."""

    body_types = frozenset({api.OBJECT, api.SERIALIZABLE})
    object: Any = None

    def clear_body(self) -> None:
        """Set the object to None."""
        self.object = None

    def whole_body(self) -> Any:
        """Return the object."""
        return self.object


class ForeignMapMessage(Common, api.MapMessage):
    """A foreign message that holds entries by name."""

    body_types = frozenset({api.OBJECT})

    get_boolean = _entry_getter("boolean")
    get_byte = _entry_getter("byte")
    get_short = _entry_getter("short")
    get_char = _entry_getter("char")
    get_int = _entry_getter("int")
    get_long = _entry_getter("long")
    get_float = _entry_getter("float")
    get_double = _entry_getter("double")
    get_string = _entry_getter("string")
    get_bytes = _entry_getter("bytes")
    get_object = _entry_getter("object")

    set_boolean = _entry_setter("boolean")
    set_byte = _entry_setter("byte")
    set_short = _entry_setter("short")
    set_char = _entry_setter("char")
    set_int = _entry_setter("int")
    set_long = _entry_setter("long")
    set_float = _entry_setter("float")
    set_double = _entry_setter("double")
    set_string = _entry_setter("string")
    set_object = _entry_setter("object")

    def set_bytes(self, name: str, value: bytes | None, offset: Any = api.OMITTED, length: Any = api.OMITTED) -> None:
        """Set an entry to a copy of an array, to a copy of `length` bytes of it from `offset`, or to None."""
        self.entries[name] = None if value is None else part_of(value, offset, length)

    def get_map_names(self) -> Iterator[str]:
        """Return a fresh iterator over the names of the entries."""
        return iter(list(self.entries))

    def item_exists(self, name: str) -> bool:
        """Return whether there is an entry, null or not."""
        return name in self.entries

    def clear_body(self) -> None:
        """Remove all entries."""
        self.entries: dict[str, Any] = {}

    def whole_body(self) -> dict[str, Any] | None:
        """Return the entries by name, None if there is none."""
        return dict(self.entries) or None
