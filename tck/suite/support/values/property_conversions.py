"""Cells of the property conversion table, made from one table of types and one of marks.

A cell is named `byte_1 as long`: the property of that name holds the byte type's second value. What must be read is the
value in the target type; as String, text that the source type's valueOf reads back as the same value.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tck import api
from tck.suite.support.values.properties import READABLE_AS, TYPES, boxed
from tck.suite.support.values.seen import tried

REFUSED_TEXTS: Sequence[tuple[str, str]] = (
    *((target, text) for target in ("byte", "short", "int", "long", "float", "double") for text in ("abc", "")),
    *((target, "1.5") for target in ("byte", "short", "int", "long")),
    *((target, " 1") for target in ("byte", "short", "int", "long")),
    ("byte", "128"),
    ("byte", "300"),
    ("short", "32768"),
    ("int", "99999999999"),
    ("long", "9223372036854775808"),
    ("int", "0x10"),
    ("double", "1,5"),
)
"""Type and text: the type's valueOf rejects the text."""


def marked() -> dict[str, object]:
    """Give what must be read in each marked cell. Text as numbers has rows of its own, so String reads as String only."""
    return {
        f"{source}_{number} as {target}": _wanted(source, target, value)
        for source, targets in READABLE_AS.items()
        for target in targets
        for number, value in enumerate(TYPES[source].values)
        if source != "string" or target == "string"
    }


def unmarked() -> dict[str, object]:
    """Give what must happen in each unmarked cell."""
    return {
        f"{source}_{number} as {target}": "raises MessageFormatException"
        for source, targets in READABLE_AS.items()
        for target in TYPES
        if target not in targets
        for number, _ in enumerate(TYPES[source].values)
    }


def cells(message: api.Message, wanted: Mapping[str, object]) -> dict[str, object]:
    """Read the cells that `wanted` names."""
    return {cell: _read(message, *cell.split(" as ")) for cell in wanted}


def _read(message: api.Message, name: str, target: str) -> object:
    seen = tried(lambda: TYPES[target].get(message, name))
    source = name.split("_", maxsplit=1)[0]
    if target != "string" or source == "string" or not isinstance(seen, str) or seen.startswith("raises "):
        return seen
    return _value_of(source, seen)


def _value_of(source: str, text: str) -> object:
    """Read text as the source type's valueOf does, for the texts that its own values have; other text as it is."""
    if source == "boolean":
        return {"true": True, "false": False}.get(text, text)
    try:
        number = float(text) if source in {"float", "double"} else int(text)
    except ValueError:
        return text
    return boxed(source, number)


def _wanted(source: str, target: str, value: object) -> object:
    if target == "string":
        return TYPES[source].boxed(value)
    if source == "float" and target == "double":
        return api.Double(api.Float(float(str(value))).value)
    return boxed(target, value)
