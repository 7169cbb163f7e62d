"""Which types a body may be asked for as: a message of each kind with a body, and a matrix of types to ask for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tck import api
from tck.suite.support.contents import Container, Fragile, Parcel, Stranger, both_ends, fresh
from tck.suite.support.link import Link
from tck.suite.support.seen import tried

REFUSED = "raises MessageFormatException"
ENTRIES: Mapping[str, object] = {"text": "x", "number": api.Int(7), "bytes": b"abc", "null": None}
PARCEL = Parcel("brown", 7)

ASKED: Mapping[str, api.BodyType] = {
    "String": str,
    "CharSequence": api.CHAR_SEQUENCE,
    "Comparable": api.COMPARABLE,
    "Serializable": api.SERIALIZABLE,
    "Number": api.NUMBER,
    "Integer": api.Int,
    "Long": api.Long,
    "Double": api.Double,
    "Boolean": bool,
    "Character": api.Char,
    "Map": dict,
    "byte[]": bytes,
    "List": list,
    "Parcel": Parcel,
    "Container": Container,
    "Stranger": Stranger,
    "Object": api.OBJECT,
}
"""Types to ask for, by the names they have in Java."""


OBJECTS: Mapping[str, tuple[object, tuple[str, ...]]] = {
    "text": ("x", ("String", "CharSequence", "Comparable", "Serializable", "Object")),
    "whole number": (api.Int(5), ("Integer", "Number", "Comparable", "Serializable", "Object")),
    "long number": (2**40, ("Long", "Number", "Comparable", "Serializable", "Object")),
    "real number": (2.5, ("Double", "Number", "Comparable", "Serializable", "Object")),
    "character": (api.Char("c"), ("Character", "Comparable", "Serializable", "Object")),
    "truth value": (True, ("Boolean", "Comparable", "Serializable", "Object")),
    "map": ({"a": 1}, ("Map", "Serializable", "Object")),
    "list": ([1, "two"], ("List", "Serializable", "Object")),
    "object of a class": (PARCEL, ("Parcel", "Container", "Serializable", "Object")),
}
"""Objects of many types, each with the types of `ASKED` that it can be assigned to."""


def holding(link: Link, value: object) -> Any:
    """Create an object message; types of the suite are registered for it."""
    message = filled(link, "object")
    message.object = value
    return message


def filled(link: Link, kind: str) -> Any:
    """Create a message of a kind with a telling body; types of the suite are registered for objects."""
    link.case.provider.register_types(Container, Parcel, Stranger, Fragile)
    message = fresh(link, kind)  # type: ignore[arg-type]  # any of the kinds
    if kind == "text":
        message.text = "x"
    elif kind == "bytes":
        message.write_bytes(b"\x07\x08abc")
    elif kind == "map":
        for name, value in ENTRIES.items():
            message.set_object(name, value)
    elif kind == "stream":
        message.write_string("x")
        message.write_long(7)
    elif kind == "object":
        message.object = PARCEL
    return message


def ends(link: Link, kind: str) -> tuple[tuple[str, Any], tuple[str, Any]]:
    """Send a filled message of a kind; returns it and the received one, each with words for it."""
    return both_ends(link, filled(link, kind))


def fragile(link: Link) -> Any:
    """Create an object message whose object cannot be built again."""
    message = filled(link, "object")
    message.object = Fragile()
    return message


def bodies(message: Any, names: Sequence[str]) -> dict[str, object]:
    """Ask for the body as each of these types."""
    return {name: tried(lambda: message.get_body(ASKED[name])) for name in names}  # noqa: B023 - called at once


def answers(message: Any, names: Sequence[str] = tuple(ASKED)) -> dict[str, object]:
    """Ask whether the body can be had as each of these types."""
    return {name: tried(lambda: message.is_body_assignable_to(ASKED[name])) for name in names}  # noqa: B023 - called at once


def accepted(message: Any) -> dict[str, bool]:
    """Show which types the body is given as, and not refused with MessageFormatException."""
    return {name: seen != REFUSED for name, seen in bodies(message, tuple(ASKED)).items()}


def answered_then_refused(message: Any) -> list[str]:
    """List the types of which the message says that it can be had as them, and then refuses."""
    return [
        name
        for name, one in ASKED.items()
        if tried(lambda: message.is_body_assignable_to(one)) is True and bodies(message, [name])[name] == REFUSED  # noqa: B023 - called at once
    ]
