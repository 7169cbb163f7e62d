"""Cells of the property conversion table.

The cell `byte_1 as long` reads the property `byte_1`, which holds the byte type's second value, as long. The wanted result is
the value in the target type; as String, a text that the source type's valueOf reads back as the same value.
"""

from __future__ import annotations

from collections.abc import Mapping

from tck import api
from tck.suite.support.values.numbers import value_of
from tck.suite.support.values.properties import READABLE_AS, TYPES, boxed
from tck.suite.support.values.seen import tried


def marked() -> dict[str, object]:
    """Return the wanted result of each marked cell. Text as numbers has its own rows, so String is read as String only."""
    return {
        f"{source}_{number} as {target}": _wanted(source, target, value)
        for source, targets in READABLE_AS.items()
        for target in targets
        for number, value in enumerate(TYPES[source].values)
        if source != "string" or target == "string"
    }


def unmarked() -> dict[str, object]:
    """Return the wanted result of each unmarked cell."""
    return {
        f"{source}_{number} as {target}": "raises MessageFormatException"
        for source, targets in READABLE_AS.items()
        for target in TYPES
        if target not in targets
        for number, _ in enumerate(TYPES[source].values[:8])
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
    """Return the box of the value that the source type's valueOf reads from a text, or the text where it rejects it."""
    value = value_of(source, text)
    try:
        return value if isinstance(value, (bool, str)) else boxed(source, value)
    except ValueError:  # beyond the range of the type
        return text


def _wanted(source: str, target: str, value: object) -> object:
    if target == "string":
        return TYPES[source].boxed(value)
    if source == "float" and target == "double":
        return api.Double(api.Float(float(str(value))).value)
    return boxed(target, value)
