"""Java's values as CORBA's, and back: the standard mapping of the basic types, and which values have a counterpart at all."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from tck import api as jms
from tck.interworking import NULL, Any_, BridgeError, Kind
from tck.interworking.anys import BASIC, STRINGS

_OF_BOX: Final[Mapping[type, Kind]] = MappingProxyType(
    {
        jms.Byte: Kind.OCTET,
        jms.Short: Kind.SHORT,
        jms.Int: Kind.LONG,
        jms.Long: Kind.LONGLONG,
        jms.Float: Kind.FLOAT,
        jms.Double: Kind.DOUBLE,
        jms.Char: Kind.WCHAR,
        bool: Kind.BOOLEAN,
        int: Kind.LONGLONG,
        float: Kind.DOUBLE,
        str: Kind.STRING,
    }
)

_TO_JAVA: Final[Mapping[Kind, Callable[[Any], object]]] = MappingProxyType(
    {
        Kind.OCTET: lambda value: jms.Byte(value - 256 if value > 127 else value),
        Kind.SHORT: jms.Short,
        Kind.LONG: jms.Int,
        Kind.LONGLONG: jms.Long,
        Kind.USHORT: jms.Int,
        Kind.ULONG: jms.Long,
        Kind.ULONGLONG: lambda value: jms.Long(value) if value < 2**63 else str(value),
        Kind.FLOAT: jms.Float,
        Kind.DOUBLE: jms.Double,
    }
)


def to_any(value: object) -> Any_:
    """Return a property, a map entry or an item of a stream as CORBA's value; `NULL` for null.

    Raises:
        BridgeError: It is of no type that JMS has.
    """
    if value is None:
        return NULL
    if isinstance(value, bytes | bytearray):
        return Any_.octets(bytes(value))
    kind = _OF_BOX.get(type(value))
    if kind is None:
        raise BridgeError(f"a {type(value).__name__} is no value of a JMS message")
    plain = value.value if isinstance(value, jms.Box) else value
    if kind == Kind.OCTET:
        return Any_.of(kind, int(str(plain)) % 256)
    if kind == Kind.STRING and "\0" in str(plain):
        return Any_.of(Kind.WSTRING, plain)
    return Any_.of(kind, plain)


def is_basic(value: Any_) -> bool:
    """Return whether a value has a counterpart among the values of properties, map entries and stream items."""
    plain = inside(value)
    return plain.type.plain.kind in BASIC | STRINGS | {Kind.ENUM}


def inside(value: Any_) -> Any_:
    """Return what is in an any that holds an any, however deep."""
    while isinstance(value.value, Any_):
        value = value.value
    return value


def to_java(value: Any_, *, characters: bool) -> object:
    """Return a basic value as Java's: unsigned ones in the next wider type, what no long holds as text, an enum as its label.

    Args:
        value: A value for which `is_basic` holds.
        characters: Whether a char may stay one; a property has none and becomes a String.
    """
    plain = inside(value)
    kind, held = plain.type.plain.kind, plain.value
    if kind in (Kind.CHAR, Kind.WCHAR):
        return jms.Char(str(held)) if characters else held
    return _TO_JAVA[kind](held) if kind in _TO_JAVA else held
