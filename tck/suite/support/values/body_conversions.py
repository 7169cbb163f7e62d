"""Cells of the conversion table of map and stream messages: the type that was written, the type that is read, the result.

Each cell has an entry of a map, or an item of a stream, of its own. A mark follows each item, so that a reader finds its
way again wherever a failed read left the position.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tck import api
from tck.catalogue.versions import OLDEST
from tck.suite.support.values import properties
from tck.suite.support.values.bodies import TYPES, Table
from tck.suite.support.values.properties import boxed
from tck.suite.support.values.seen import tried

REFUSED = "raises MessageFormatException"


_TEXTS: Mapping[str, tuple[str, object]] = {
    "boolean": ("true", True),
    "byte": ("-128", -128),
    "short": ("32767", 32767),
    "int": ("-2147483648", -(2**31)),
    "long": ("9223372036854775807", 2**63 - 1),
    "float": ("0.1", 0.1),
    "double": ("1e300", 1e300),
}
"""What a String that is read as each type says, and what that means."""


_READABLE_AS: Mapping[str, tuple[str, ...]] = {
    **properties.READABLE_AS,
    "char": ("char", "string"),
    "bytes": ("bytes",),
}
"""The marked cells of the conversion table of maps and streams: a value written as the key can be read as each of these."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One reading: a value written as `source` is read as `target`, and gives `wanted`."""

    source: str
    value: object
    target: str
    wanted: object

    @property
    def title(self) -> str:
        """What tables call it."""
        shown = f"{str(self.value)[:20]}..." if len(str(self.value)) > 40 else repr(self.value)
        return f"{self.source} {shown} as {self.target}"

    def seen(self, read: Callable[[], object]) -> object:
        """Read; text that stands for a value of another type is shown as that value."""
        value = tried(read)
        told = isinstance(value, str) and not value.startswith("raises ")
        if self.target != "string" or self.source in {"string", "char"} or not told:
            return value
        return _value_of(self.source, str(value))


def marked() -> Sequence[Cell]:
    """Give the marked cells, with each telling value."""
    plain = [
        Cell(source, value, target, _meaning(source, target, value))
        for source, targets in _READABLE_AS.items()
        for target in targets
        if source != "string" or target == "string"
        for value in TYPES[source].values
    ]
    texts = [Cell("string", text, target, TYPES[target].boxed(value)) for target, (text, value) in _TEXTS.items()]
    return plain + texts


def unmarked(version: str) -> Sequence[Cell]:
    """Give the unmarked cells, with two values each; in version 1.0 a String as char is not one of them."""
    return [
        Cell(source, value, target, REFUSED)
        for source, targets in _READABLE_AS.items()
        for target in TYPES
        if target not in targets and (version, source, target) != (OLDEST, "string", "char")
        for value in (*TYPES[source].values[:2], *(("x",) if source == "string" else ()))
    ]


def wanted(cells: Sequence[Cell]) -> Table:
    """Give what must be read in each cell, by its title."""
    return {cell.title: cell.wanted for cell in cells}


def set_cells(message: Any, cells: Sequence[Cell], *, as_objects: bool = False) -> None:
    """Give each cell an entry of a map."""
    for number, cell in enumerate(cells):
        one = TYPES[cell.source]
        if as_objects:
            message.set_object(f"c{number}", one.boxed(cell.value))
        else:
            one.set(message, f"c{number}", cell.value)


def get_cells(message: Any, cells: Sequence[Cell]) -> Table:
    """Read the cells of a map."""
    return {
        cell.title: cell.seen(lambda: TYPES[cell.target].get(message, f"c{number}"))  # noqa: B023 - called at once
        for number, cell in enumerate(cells)
    }


def write_cells(message: Any, cells: Sequence[Cell], *, as_objects: bool = False) -> None:
    """Give each cell an item of a stream, and a mark behind it."""
    for number, cell in enumerate(cells):
        one = TYPES[cell.source]
        if as_objects:
            message.write_object(one.boxed(cell.value))
        else:
            one.write(message, cell.value)
        message.write_string(_mark(number))


def _mark(number: int) -> str:
    """Name the mark behind an item."""
    return f"mark {number}"


def read_cells(message: Any, cells: Sequence[Cell]) -> Table:
    """Read the cells of a stream."""
    table = {}
    for number, cell in enumerate(cells):
        table[cell.title] = cell.seen(lambda: TYPES[cell.target].read(message))  # noqa: B023 - called at once
        skip_to(message, number)
    return table


def skip_to(message: Any, number: int) -> None:
    """Read on to behind the mark of this number, at most a few items."""
    for _ in range(3):
        if tried(message.read_object) == _mark(number):
            return


def _meaning(source: str, target: str, value: object) -> object:
    if target == "string":
        return str(value) if source == "char" else TYPES[source].boxed(value)
    if source == "float" and target == "double":
        return api.Double(api.Float(float(str(value))).value)
    return TYPES[target].boxed(value)


def _value_of(source: str, text: str) -> object:
    """Read text as the source type's valueOf does; text that it rejects as it is."""
    if source == "boolean":
        return {"true": True, "false": False}.get(text, text)
    try:
        return boxed(source, float(text) if source in {"float", "double"} else int(text))
    except ValueError:
        return text
