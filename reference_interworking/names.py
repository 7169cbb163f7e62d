"""Under which property each field of an event is found.

The document wants names that are identifiers of selectors, and leaves open how others are altered. This bridge writes a field under
its own name and a member of a struct as `$field.member`. A character that no identifier has becomes an underscore, the dot too where
the provider refuses it; a name that a selector or JMS itself reserves, or gives another type, gets an underscore before it; of two
equal names the later one gets a number.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final
from unicodedata import category

from reference_interworking.values import inside
from tck.interworking import Any_, Kind, Property, StructuredEvent
from tck.interworking.anys import BASIC, STRINGS, TypeCode

Path = tuple[str, ...]
"""`header` or `data`, the name of a field, and the members on the way to a value in it."""

FIXED: Final = ("$domain_type", "$type_name", "$event_name")
"""The properties of the fixed header."""

_RESERVED: Final = frozenset({"NULL", "TRUE", "FALSE", "NOT", "AND", "OR", "BETWEEN", "LIKE", "IN", "IS", "ESCAPE"})
_STARTS: Final = frozenset({"Lu", "Ll", "Lt", "Lm", "Lo", "Nl", "Sc", "Pc"})
_PARTS: Final = frozenset({"Nd", "Mn", "Mc"})
"""Categories of the characters that begin an identifier of Java, and of those that only go on with one."""
_SETTABLE: Final[Mapping[str, frozenset[Kind]]] = MappingProxyType(
    {"JMSXGroupID": STRINGS, "JMSXGroupSeq": frozenset({Kind.LONG, Kind.USHORT})}
)
"""JMSX properties that an application sets, with the kinds whose values have their type."""


def leaves(items: Iterator[tuple[str, Property]]) -> Iterator[tuple[Path, Any_]]:
    """Yield path and value of each field; of a struct whose members are basic, or such structs, those of its members."""
    for where, item in items:
        value = inside(item.value)
        if _expands(value.type):
            yield from _members((where, item.name), value.type.plain, value.value)
        else:
            yield (where, item.name), value


def _expands(type_: TypeCode) -> bool:
    """Return whether a type is a struct that is expanded to one property for each member."""
    return type_.plain.kind == Kind.STRUCT and all(
        member.plain.kind in BASIC | STRINGS | {Kind.ENUM} or _expands(member) for _, member in type_.plain.members
    )


def _members(path: Path, type_: TypeCode, value: object) -> Iterator[tuple[Path, Any_]]:
    assert isinstance(value, tuple)  # noqa: S101 - the value of a struct
    for (name, member), each in zip(type_.members, value, strict=True):
        if member.plain.kind == Kind.STRUCT:
            yield from _members((*path, name), member.plain, each)
        else:
            yield (*path, name), Any_(member, each)


def fields(event: StructuredEvent, taken: frozenset[str]) -> Iterator[tuple[str, Property]]:
    """Yield the items of an event that become properties.

    Args:
        event: The event.
        taken: Names of header items that become headers of the message.
    """
    for item in event.header.variable_header:
        if item.name not in taken:
            yield "header", item
    for item in event.filterable_data:
        yield "data", item


def names(found_at: Iterator[tuple[Path, Any_ | None]], *, dots: bool) -> Mapping[Path, str]:
    """Return the property of each path.

    Args:
        found_at: The paths and their values, in the order of the event; None for a value that is not known.
        dots: Whether the provider takes names with a dot.
    """
    found: dict[Path, str] = {}
    used = set(FIXED)
    for path, value in found_at:
        wanted = name = _name(path, value, dots=dots)
        count = 2
        while name in used:
            name, count = f"{wanted}_{count}", count + 1
        used.add(name)
        found[path] = name
    return found


def _name(path: Path, value: Any_ | None, *, dots: bool) -> str:
    _, field, *members = path
    parts = [
        "".join(each if category(each) in _STARTS | _PARTS else "_" for each in part) for part in (field, *members)
    ]
    if members:
        return "$" + ("." if dots else "_").join(parts)
    name = parts[0]
    fits = name in _SETTABLE and (value is None or value.type.plain.kind in _SETTABLE[name])
    of_jms = name.startswith("JMS") and not fits
    if not name or category(name[0]) not in _STARTS or name.upper() in _RESERVED or of_jms:
        return "_" + name
    return name
