"""The conversion tables: the types as which a stored value may be read (3.5.4, 3.11.3).

A table maps the wanted Java type to the stored types it can be read from, each with the conversion; a missing cell
raises MessageFormatException. Properties, maps and streams have a table each, so that a fault can change one alone.
Null is a stored type of its own: it behaves as `valueOf(null)` of the wanted type.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, Literal, TypeAlias

from reference_provider.java import numbers
from reference_provider.messages.values import JAVA_NAMES
from tck.api import (
    Byte,
    Char,
    Float,
    Int,
    MessageFormatException,
    NullPointerException,
    NumberFormatException,
    Short,
)

Target: TypeAlias = Literal["boolean", "byte", "short", "char", "int", "long", "float", "double", "String", "byte[]"]
Conversion: TypeAlias = Callable[[Any], Any]
Table: TypeAlias = dict[Target, dict[type, Conversion]]

Plain: TypeAlias = Any
"""A value in the type it is stored in, or in the plain Python type it is read as."""

NULL: Final = type(None)


def convert(table: Table, value: object, target: Target, what: str) -> Plain:
    """Read a stored value as the wanted type.

    Args:
        table: the conversions for this kind of value.
        value: the stored value, None for null.
        target: the wanted Java type.
        what: the name of the value, for the error message.

    Raises:
        MessageFormatException: the table has no such conversion.
        NumberFormatException: a String that is no such number, or null as a whole number.
        NullPointerException: null as float, double or char.
    """
    conversion = table[target].get(type(value))
    if conversion is None:
        raise refusal(value, target, what)
    return conversion(value)


def refusal(value: object, target: Target, what: str) -> MessageFormatException:
    """Return the exception for a value that cannot be read as the wanted type; `what` names the value."""
    return MessageFormatException(f"{what} is of type {JAVA_NAMES[type(value)]} and cannot be read as {target}")


def same(value: Plain) -> Plain:
    """Return the value itself."""
    return value


def unboxed(value: Plain) -> Plain:
    """Return the plain number or character of a box."""
    return value.value


def text_of_boolean(value: bool) -> str:
    """Write a boolean as `Boolean.toString` does."""
    return "true" if value else "false"


def text_of_integer_box(value: Byte | Short | Int) -> str:
    """Write a whole number in decimal."""
    return str(value.value)


def text_of_float(value: Float) -> str:
    """Write a float as `Float.toString` does."""
    return numbers.float_text(value.value)


def boolean_of_text(text: str) -> bool:
    """Read a text as `Boolean.valueOf` does: true for "true" in any case, otherwise false (3.5.4-5, 3.11.3-9)."""
    return text.lower() == "true"


def byte_of_text(text: str) -> int:
    """Read a text as `Byte.valueOf` does."""
    return numbers.parse_integer(text, 8)


def short_of_text(text: str) -> int:
    """Read a text as `Short.valueOf` does."""
    return numbers.parse_integer(text, 16)


def int_of_text(text: str) -> int:
    """Read a text as `Integer.valueOf` does."""
    return numbers.parse_integer(text, 32)


def long_of_text(text: str) -> int:
    """Read a text as `Long.valueOf` does."""
    return numbers.parse_integer(text, 64)


def boolean_of_null(_: None) -> bool:
    """Return false, as `Boolean.valueOf(null)` does."""
    return False


def integer_of_null(_: None) -> int:
    """Refuse, as `Byte.valueOf(null)` to `Long.valueOf(null)` do."""
    raise NumberFormatException("null is not a number")


def real_of_null(_: None) -> float:
    """Refuse, as `Float.valueOf(null)` and `Double.valueOf(null)` do."""
    raise NullPointerException("null is not a floating-point number")


def char_of_null(_: None) -> str:
    """Refuse: null is no character (3.11.3-13)."""
    raise NullPointerException("null is not a character")


def first_character(text: str) -> str:
    """Read a text of one character as that character; only version 1.0 allows it (3.11.3-19)."""
    if len(text) == 1 and text <= "\uffff":
        return text
    raise MessageFormatException("only a String of one character can be read as char")


def property_table() -> Table:
    """Return the conversions of properties."""
    return {
        "boolean": {bool: same, str: boolean_of_text, NULL: boolean_of_null},
        "byte": {Byte: unboxed, str: byte_of_text, NULL: integer_of_null},
        "short": {Byte: unboxed, Short: unboxed, str: short_of_text, NULL: integer_of_null},
        "int": {Byte: unboxed, Short: unboxed, Int: unboxed, str: int_of_text, NULL: integer_of_null},
        "long": {Byte: unboxed, Short: unboxed, Int: unboxed, int: same, str: long_of_text, NULL: integer_of_null},
        "float": {Float: unboxed, str: numbers.parse_float, NULL: real_of_null},
        "double": {Float: unboxed, float: same, str: numbers.parse_double, NULL: real_of_null},
        "String": {
            bool: text_of_boolean,
            Byte: text_of_integer_box,
            Short: text_of_integer_box,
            Int: text_of_integer_box,
            int: str,
            Float: text_of_float,
            float: numbers.double_text,
            str: same,
            NULL: same,
        },
    }


def body_table() -> Table:
    """Return the conversions of maps and streams: those of properties, and char and byte[]."""
    table = property_table()
    table["char"] = {Char: unboxed, NULL: char_of_null}
    table["String"][Char] = unboxed
    table["byte[]"] = {bytes: same, NULL: same}
    return table


def body_table_1_0() -> Table:
    """Return the conversions of maps and streams in version 1.0, where a String could be read as char."""
    table = body_table()
    table["char"][str] = first_character
    return table


PROPERTY_TABLE: Final = property_table()
MAP_TABLE: Final = body_table()
MAP_TABLE_1_0: Final = body_table_1_0()
STREAM_TABLE: Final = body_table()
STREAM_TABLE_1_0: Final = body_table_1_0()

MAP_TABLES: Final[Mapping[str, Table]] = {"1.0": MAP_TABLE_1_0}
STREAM_TABLES: Final[Mapping[str, Table]] = {"1.0": STREAM_TABLE_1_0}


def map_table(version: str) -> Table:
    """Return the conversions of a map in this version."""
    return MAP_TABLES.get(version, MAP_TABLE)


def stream_table(version: str) -> Table:
    """Return the conversions of a stream in this version."""
    return STREAM_TABLES.get(version, STREAM_TABLE)
