"""Typed values: the types of properties, map entries and stream items, and the conversion of Python values to them.

A value is kept in the form of an Object position: `bool`, `int` (long), `float` (double), `str`, `bytes`, None, or the
box of another Java type. The typed setters convert plain Python values to that form here; the object setters accept the
eight property types (3.5.5-1) or the ten body types (3.11-20) and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

from reference_provider.messages.model import BodyValue, PropertyValue
from tck.api import (
    OMITTED,
    Byte,
    Char,
    Double,
    Float,
    IndexOutOfBoundsException,
    Int,
    Long,
    MessageFormatException,
    NullPointerException,
    Omitted,
    Short,
)

JAVA_NAMES: Final[Mapping[type, str]] = {
    bool: "boolean",
    Byte: "byte",
    Short: "short",
    Char: "char",
    Int: "int",
    int: "long",
    Float: "float",
    float: "double",
    str: "String",
    bytes: "byte[]",
    type(None): "null",
}
"""What an error message calls the type of a stored value."""

V = TypeVar("V")


def of_boolean(value: bool) -> bool:
    """Take a Java boolean."""
    if value is True or value is False:
        return value
    raise TypeError(f"a boolean is wanted, not {value!r}")


def of_byte(value: int) -> Byte:
    """Take a Java byte."""
    return Byte(value)


def of_short(value: int) -> Short:
    """Take a Java short."""
    return Short(value)


def of_int(value: int) -> Int:
    """Take a Java int."""
    return Int(value)


def of_long(value: int) -> int:
    """Take a Java long."""
    if type(value) is int and Long.MIN_VALUE <= value <= Long.MAX_VALUE:
        return value
    return Long(value).value


def of_float(value: float) -> Float:
    """Take a Java float: rounded to 32 bits."""
    return Float(value)


def of_double(value: float) -> float:
    """Take a Java double."""
    return value if type(value) is float else Double(value).value


def of_char(value: str) -> Char:
    """Take a Java char: one UTF-16 unit."""
    if value is None:
        raise NullPointerException("a char cannot be null")
    return Char(value)


def of_string(value: str | None) -> str | None:
    """Take a String or null."""
    if value is None or type(value) is str:
        return value
    if isinstance(value, str):
        return str.__str__(value)
    raise TypeError(f"a string is wanted, not {value!r}")


def of_array(value: bytes | None, offset: int | Omitted = OMITTED, length: int | Omitted = OMITTED) -> bytes | None:
    """Copy a byte array, or `length` bytes of it from `offset` (3.11-19, 3.12-5 to 3.12-7); null stays null.

    Raises:
        IndexOutOfBoundsException: the part reaches outside the array.
        TypeError: one of `offset` and `length` without the other, which no Java overload takes.
    """
    if value is None:
        return None
    if not isinstance(value, (bytes, bytearray, memoryview)):
        raise TypeError(f"a byte array is wanted, not {value!r}")
    if offset is OMITTED and length is OMITTED:
        return bytes(value)
    if offset is OMITTED or length is OMITTED:
        raise TypeError("offset and length go together")
    if offset < 0 or length < 0 or offset + length > len(value):
        raise IndexOutOfBoundsException(f"{length} bytes from {offset} reach outside an array of {len(value)}")
    return bytes(value[offset : offset + length])


def _same(value: V) -> V:
    return value


def _long_in_object(value: int) -> int:
    if Long.MIN_VALUE <= value <= Long.MAX_VALUE:
        return value
    raise MessageFormatException(f"{value} is larger than a Java long")


def _unboxed(box: Long | Double) -> int | float:
    return box.value


PROPERTY_OBJECTS: Final[dict[type, Callable[[Any], PropertyValue]]] = {
    bool: _same,
    Byte: _same,
    Short: _same,
    Int: _same,
    int: _long_in_object,
    Long: _unboxed,
    Float: _same,
    float: _same,
    Double: _unboxed,
    str: _same,
    type(None): _same,
}
"""The types `set_object_property` accepts, each with what is stored for it."""

BODY_OBJECTS: Final[dict[type, Callable[[Any], BodyValue]]] = {
    **PROPERTY_OBJECTS,
    Char: _same,
    bytes: _same,
    bytearray: bytes,
    memoryview: bytes,
}
"""The types that maps, streams and `BytesMessage.write_object` accept, each with what is stored for it."""


def property_object(value: object) -> PropertyValue:
    """Take a property given as an object.

    Raises:
        MessageFormatException: not one of the eight property types (3.5.5-2).
    """
    accept = PROPERTY_OBJECTS.get(type(value))
    if accept is None:
        raise MessageFormatException(f"a property cannot hold {type_name(value)}")
    return accept(value)


def body_object(value: object) -> BodyValue:
    """Take a map entry or stream item given as an object.

    Raises:
        MessageFormatException: neither a wrapper of a primitive nor a String nor a byte array (3.11-20).
    """
    accept = BODY_OBJECTS.get(type(value))
    if accept is None:
        raise MessageFormatException(f"the body cannot hold {type_name(value)}")
    return accept(value)


def type_name(value: object) -> str:
    """Return the name of a value's type for an error message."""
    kind = type(value)
    return (
        kind.__qualname__
        if kind.__module__ in {"builtins", "tck.api.values"}
        else f"{kind.__module__}.{kind.__qualname__}"
    )
