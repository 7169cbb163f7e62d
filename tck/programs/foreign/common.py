"""What foreign messages of all kinds share: headers, properties, and how values are held and read. Imports `tck.api` only."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Final

from tck import api

_BOXES: Final[Mapping[str, type[api.Byte | api.Short | api.Int | api.Float | api.Char]]] = {
    "byte": api.Byte,
    "short": api.Short,
    "int": api.Int,
    "float": api.Float,
    "char": api.Char,
}
"""Types whose values need a box in the API's Object positions; a plain value says the others."""


def held(kind: str, value: Any) -> Any:
    """Return a value in the form of the API's Object positions; an array that can change is copied.

    Raises:
        ValueError: A number is out of the range of its type.
    """
    if kind in _BOXES and value is not None:
        return _BOXES[kind](value)
    if kind == "long" and value is not None:
        return api.Long(value).value
    return bytes(value) if isinstance(value, bytearray) else value


def read_as(kind: str, value: Any) -> Any:
    """Return a held value as the getter of a type does: an object as it is held, any other without its box."""
    return value if kind == "object" else getattr(value, "value", value)


def part_of(value: bytes, offset: Any, length: Any) -> bytes:
    """Return a copy of an array, or of `length` bytes of it from `offset`."""
    return bytes(value) if offset is api.OMITTED else bytes(value[offset : offset + length])


# Accessors of the same form, one for each type: their type is Any, since each stands for methods of several signatures.


def _property_getter(kind: str) -> Any:
    return lambda self, name: read_as(kind, self.properties.get(name))


def _property_setter(kind: str) -> Any:
    return lambda self, name, value: self.properties.update({name: held(kind, value)})


class Common:
    """Headers, properties and the body as a whole, for any message type."""

    jms_message_id: str | None = None
    jms_correlation_id: str | None = None
    jms_correlation_id_as_bytes: bytes | None = None
    jms_destination: api.Destination | None = None
    jms_reply_to: api.Destination | None = None
    jms_type: str | None = None
    jms_redelivered = False
    jms_timestamp = jms_delivery_mode = jms_expiration = jms_delivery_time = jms_priority = 0

    body_types: ClassVar[frozenset[api.BodyType]] = frozenset()
    """The types as which `get_body` returns the body, beside those of which the body is an instance."""

    def __init__(self) -> None:
        self.properties: dict[str, Any] = {}
        self.clear_body()

    get_boolean_property = _property_getter("boolean")
    get_byte_property = _property_getter("byte")
    get_short_property = _property_getter("short")
    get_int_property = _property_getter("int")
    get_long_property = _property_getter("long")
    get_float_property = _property_getter("float")
    get_double_property = _property_getter("double")
    get_string_property = _property_getter("string")
    get_object_property = _property_getter("object")

    set_boolean_property = _property_setter("boolean")
    set_byte_property = _property_setter("byte")
    set_short_property = _property_setter("short")
    set_int_property = _property_setter("int")
    set_long_property = _property_setter("long")
    set_float_property = _property_setter("float")
    set_double_property = _property_setter("double")
    set_string_property = _property_setter("string")
    set_object_property = _property_setter("object")

    def get_property_names(self) -> Iterator[str]:
        """Return a fresh iterator over the names of the properties."""
        return iter(list(self.properties))

    def property_exists(self, name: str) -> bool:
        """Return whether a property is set, null or not."""
        return name in self.properties

    def clear_properties(self) -> None:
        """Remove all properties."""
        self.properties.clear()

    def acknowledge(self) -> None:
        """Do nothing: the message was not received."""

    def clear_body(self) -> None:
        """Remove the body and make it writable."""

    def whole_body(self) -> Any:
        """Return the body as one value, None if there is none."""
        return None

    def get_body(self, body_type: api.BodyType) -> Any:
        """Return the body as it is held, None if there is none.

        Raises:
            MessageFormatException: The body is not of that type, or is a stream.
        """
        if not self.is_body_assignable_to(body_type):
            raise api.MessageFormatException(f"the body of a {type(self).__name__} is no {body_type}")
        return self.whole_body()

    def is_body_assignable_to(self, body_type: api.BodyType) -> bool:
        """Return whether `get_body` succeeds with this type: with any, if there is no body."""
        body = self.whole_body()
        return (
            body is None
            or body_type in self.body_types
            or (isinstance(body_type, type) and isinstance(body, body_type))
        )
