"""CORBA values with their types: `Any_` holds a value and the `TypeCode` that says what it is.

Values are Python's own: bool, int, float and str for the basic types, bytes for a sequence of octets, a tuple for any other
sequence, for an array and for the members of a struct, a label for an enum, (discriminator, value) for a union, `Any_` for an any.
Imports nothing of ours.
"""

from __future__ import annotations

import enum
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final


class Kind(enum.IntEnum):
    """The kinds of types, numbered as in CDR."""

    NULL = 0
    SHORT = 2
    LONG = 3
    USHORT = 4
    ULONG = 5
    FLOAT = 6
    DOUBLE = 7
    BOOLEAN = 8
    CHAR = 9
    OCTET = 10
    ANY = 11
    STRUCT = 15
    UNION = 16
    ENUM = 17
    STRING = 18
    SEQUENCE = 19
    ARRAY = 20
    ALIAS = 21
    LONGLONG = 23
    ULONGLONG = 24
    WCHAR = 26
    WSTRING = 27


RANGES: Final[Mapping[Kind, tuple[int, int]]] = MappingProxyType(
    {
        Kind.SHORT: (-(2**15), 2**15 - 1),
        Kind.LONG: (-(2**31), 2**31 - 1),
        Kind.LONGLONG: (-(2**63), 2**63 - 1),
        Kind.USHORT: (0, 2**16 - 1),
        Kind.ULONG: (0, 2**32 - 1),
        Kind.ULONGLONG: (0, 2**64 - 1),
        Kind.OCTET: (0, 255),
    }
)
"""Least and greatest value of each type of whole numbers."""

BASIC: Final = frozenset({*RANGES, Kind.FLOAT, Kind.DOUBLE, Kind.BOOLEAN, Kind.CHAR, Kind.WCHAR})
"""The basic types: whole numbers, floating ones, booleans and characters."""

STRINGS: Final = frozenset({Kind.STRING, Kind.WSTRING})


@dataclass(frozen=True, slots=True)
class TypeCode:
    """A type of CORBA values.

    Attributes:
        kind: What sort of type.
        name: Of a struct, union, enum or alias, its name.
        id: Of one of these, its repository id, such as `IDL:omg.org/CosNotification/Property:1.0`.
        members: Of a struct, name and type of each member; of a union, name and type of each arm.
        labels: Of an enum, its labels; of a union, the discriminator of each arm, `None` for the default arm.
        content: Of a sequence, array or alias, the type of what it holds; of a union, that of its discriminator.
        length: Of an array, its length; of a bounded sequence or string, its bound; else 0.
    """

    kind: Kind
    name: str = ""
    id: str = ""
    members: tuple[tuple[str, TypeCode], ...] = ()
    labels: tuple[object, ...] = ()
    content: TypeCode | None = None
    length: int = 0

    @property
    def plain(self) -> TypeCode:
        """The type without its aliases."""
        return self.content.plain if self.kind == Kind.ALIAS and self.content is not None else self

    @property
    def inner(self) -> TypeCode:
        """The type of what a sequence, array or alias holds.

        Raises:
            ValueError: The type holds nothing.
        """
        if self.content is None:
            raise ValueError(f"a {self} has no type inside")
        return self.content

    def __str__(self) -> str:
        match self.kind:
            case Kind.SEQUENCE:
                return f"sequence<{self.content}>"
            case Kind.ARRAY:
                return f"{self.content}[{self.length}]"
            case Kind.STRUCT | Kind.UNION | Kind.ENUM:
                return f"{self.kind.name.lower()} {self.name}"
            case Kind.ALIAS:
                return self.name
        return {Kind.LONGLONG: "long long", Kind.ULONGLONG: "unsigned long long"}.get(
            self.kind, self.kind.name.lower().replace("ushort", "unsigned short").replace("ulong", "unsigned long")
        )


def sequence_of(content: TypeCode, bound: int = 0) -> TypeCode:
    """Return the type of sequences; `bound` 0 means any length."""
    return TypeCode(Kind.SEQUENCE, content=content, length=bound)


def array_of(content: TypeCode, length: int) -> TypeCode:
    """Return the type of arrays of one length."""
    return TypeCode(Kind.ARRAY, content=content, length=length)


def struct_of(name: str, /, **members: TypeCode) -> TypeCode:
    """Return the type of a struct with these members, in their order."""
    return TypeCode(Kind.STRUCT, name, f"IDL:{name}:1.0", members=tuple(members.items()))


def enum_of(name: str, *labels: str) -> TypeCode:
    """Return the type of an enum."""
    return TypeCode(Kind.ENUM, name, f"IDL:{name}:1.0", labels=labels)


def union_of(name: str, switch: TypeCode, /, **arms: tuple[object, TypeCode]) -> TypeCode:
    """Return the type of a union: by the name of each arm, its label (`None` for the default arm) and type."""
    return TypeCode(
        Kind.UNION,
        name,
        f"IDL:{name}:1.0",
        members=tuple((arm, type_) for arm, (_, type_) in arms.items()),
        labels=tuple(label for label, _ in arms.values()),
        content=switch,
    )


@dataclass(frozen=True, slots=True)
class Any_:  # noqa: N801 - `Any` is Python's
    """A value with its type.

    Attributes:
        type: The type.
        value: The value, in the form that the module names.

    Raises:
        ValueError: The value is none of the type, with the place in it.
    """

    type: TypeCode
    value: object = None

    def __post_init__(self) -> None:
        if fault := _fault(self.type.plain, self.value, "the value"):
            raise ValueError(f"{fault}; its type is {self.type}")

    # -- one of each kind ------------------------------------------------------------------------------------------

    @classmethod
    def of(cls, kind: Kind, value: object) -> Any_:
        """Return a value of a basic type or a string."""
        return cls(TypeCode(kind), value)

    @classmethod
    def octets(cls, value: bytes) -> Any_:
        """Return a sequence of octets."""
        return cls(OCTET_SEQ, value)

    @classmethod
    def sequence(cls, *items: Any_) -> Any_:
        """Return a sequence of anys."""
        return cls(ANY_SEQ, items)

    @classmethod
    def properties(cls, entries: Mapping[str, Any_]) -> Any_:
        """Return a sequence of properties: names and their values."""
        return cls(PROPERTY_SEQ, tuple(entries.items()))


def _fault(type_: TypeCode, value: object, place: str) -> str:
    """Return what makes a value none of a type; empty if it is one."""
    kind = type_.kind
    if kind in RANGES:
        low, high = RANGES[kind]
        fits = type(value) is int and low <= value <= high
    elif kind in (Kind.FLOAT, Kind.DOUBLE):
        fits = type(value) is float and (kind == Kind.DOUBLE or _single(value))
    elif kind in (Kind.CHAR, Kind.WCHAR):
        fits = isinstance(value, str) and len(value) == 1 and ord(value) <= (0xFF if kind == Kind.CHAR else 0xFFFF)
    elif kind in STRINGS:
        fits = (
            isinstance(value, str) and (kind == Kind.WSTRING or "\0" not in value) and not 0 < type_.length < len(value)
        )
    elif kind == Kind.ENUM:
        fits = value in type_.labels
    elif kind in (Kind.STRUCT, Kind.SEQUENCE, Kind.ARRAY, Kind.UNION):
        return _fault_inside(type_, value, place)
    else:
        kinds: Mapping[Kind, type] = {Kind.BOOLEAN: bool, Kind.ANY: Any_, Kind.NULL: type(None)}
        fits = type(value) is kinds[kind]
    return "" if fits else f"{place} is {value!r}, which is no {type_}"


def _fault_inside(type_: TypeCode, value: object, place: str) -> str:
    """Return the first fault in a value with parts."""
    if type_.kind == Kind.SEQUENCE and type_.inner.kind == Kind.OCTET:
        return "" if isinstance(value, bytes) else f"{place} is {value!r}; a sequence of octets is given as bytes"
    if not isinstance(value, tuple):
        return f"{place} is {value!r}; a {type_} is given as a tuple"
    if type_.kind == Kind.UNION:
        return _fault_of_union(type_, value, place)
    if type_.kind == Kind.STRUCT:
        parts = [(f"{place}.{name}", member) for name, member in type_.members]
        if len(value) != len(parts):
            return f"{place} has {len(value)} members, and {type_} has {len(parts)}"
    else:
        if (type_.kind == Kind.ARRAY and len(value) != type_.length) or 0 < type_.length < len(value):
            return f"{place} has {len(value)} items, and {type_} holds {type_.length}"
        parts = [(f"{place}[{at}]", type_.inner) for at in range(len(value))]
    found = (_fault(part.plain, each, where) for (where, part), each in zip(parts, value, strict=True))
    return next(filter(None, found), "")


def _fault_of_union(type_: TypeCode, value: tuple[object, ...], place: str) -> str:
    if len(value) != 2:
        return f"{place} is {value!r}; a union is given as its discriminator and the value of the arm"
    switch, held = value
    if fault := _fault(type_.inner.plain, switch, f"the discriminator of {place}"):
        return fault
    arm = arm_of(type_, switch)
    if arm is None:
        return "" if held is None else f"{place} holds {held!r}, though no arm of {type_} has the label {switch!r}"
    return _fault(arm[1].plain, held, f"{place}.{arm[0]}")


def arm_of(type_: TypeCode, switch: object) -> tuple[str, TypeCode] | None:
    """Return name and type of the arm of a union that a discriminator chooses; None where there is none."""
    for label, arm in zip(type_.labels, type_.members, strict=True):
        if label is not None and label == switch:
            return arm
    return next((arm for label, arm in zip(type_.labels, type_.members, strict=True) if label is None), None)


def _single(value: float) -> bool:
    """Whether a number is one of single precision."""
    try:
        again: float = struct.unpack(">f", struct.pack(">f", value))[0]
    except OverflowError:
        return False
    return again == value or value != value  # noqa: PLR0124 - not a number differs from itself


ANY_SEQ: Final = sequence_of(TypeCode(Kind.ANY))
OCTET_SEQ: Final = sequence_of(TypeCode(Kind.OCTET))
PROPERTY: Final = TypeCode(
    Kind.STRUCT,
    "Property",
    "IDL:omg.org/CosNotification/Property:1.0",
    members=(("name", TypeCode(Kind.STRING)), ("value", TypeCode(Kind.ANY))),
)
PROPERTY_SEQ: Final = sequence_of(PROPERTY)
NULL: Final = Any_(TypeCode(Kind.NULL))
"""The any without a value."""
