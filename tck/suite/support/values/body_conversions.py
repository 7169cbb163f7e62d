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
from tck.suite.support.values import numbers, properties
from tck.suite.support.values.bodies import TYPES, Table
from tck.suite.support.values.numbers import value_of
from tck.suite.support.values.properties import boxed
from tck.suite.support.values.seen import tried

REFUSED = "raises MessageFormatException"
"""The result of an unmarked cell, as `tried` shows it."""


_TEXTS: Sequence[tuple[str, str, object]] = (
    *numbers.ACCEPTED_TEXTS,
    *(("boolean", text, True) for text in numbers.TRUTHS),
    *(("boolean", text, False) for text in numbers.UNTRUTHS),
)
"""Types, Strings that can be read as them, and the values."""


_READABLE_AS: Mapping[str, tuple[str, ...]] = {
    **properties.READABLE_AS,
    "char": ("char", "string"),
    "bytes": ("bytes",),
}
"""The marked cells of the conversion table: a value written as the key can be read as each of these types."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of the table: a value written as `source` and read as `target` must be `wanted`."""

    source: str
    value: object
    target: str
    wanted: object

    @property
    def title(self) -> str:
        """The name of the cell in tables."""
        shown = repr(self.value)
        if len(shown) > 60:
            shown = f"{shown[:40]}... ({len(shown)} characters)"
        return f"{self.source} {shown} as {self.target}"

    def seen(self, read: Callable[[], object]) -> object:
        """Read, and show the result; text is shown as the value that its source type's valueOf reads from it."""
        value = tried(read)
        read_text = isinstance(value, str) and not value.startswith("raises ")
        if self.target != "string" or self.source in {"string", "char"} or not read_text:
            return value
        return _value_of(self.source, str(value))


def marked() -> Sequence[Cell]:
    """Return the marked cells, with each value."""
    plain = [
        Cell(source, value, target, _meaning(source, target, value))
        for source, targets in _READABLE_AS.items()
        for target in targets
        if source != "string" or target == "string"
        for value in TYPES[source].values
    ]
    texts = [Cell("string", text, target, TYPES[target].boxed(value)) for target, text, value in _TEXTS]
    return plain + texts


def unmarked(version: str) -> Sequence[Cell]:
    """Return the unmarked cells, with values that would fit too; in version 1.0 a String as char is not one of them."""
    return [
        Cell(source, value, target, REFUSED)
        for source, targets in _READABLE_AS.items()
        for target in TYPES
        if target not in targets and (version, source, target) != (OLDEST, "string", "char")
        for value in (*TYPES[source].values[:3], *(("x", "1") if source == "string" else ()))
    ]


def wanted(cells: Sequence[Cell]) -> Table:
    """Return the wanted result of each cell, by its title."""
    return {cell.title: cell.wanted for cell in cells}


def set_cells(message: Any, cells: Sequence[Cell], *, as_objects: bool = False) -> None:
    """Set an entry of a map for each cell."""
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
    """Write an item of a stream for each cell, and a mark after it."""
    for number, cell in enumerate(cells):
        one = TYPES[cell.source]
        if as_objects:
            message.write_object(one.boxed(cell.value))
        else:
            one.write(message, cell.value)
        message.write_string(_mark(number))


def _mark(number: int) -> str:
    """Return the mark after an item."""
    return f"mark {number}"


def read_cells(message: Any, cells: Sequence[Cell]) -> Table:
    """Read the cells of a stream."""
    table = {}
    for number, cell in enumerate(cells):
        table[cell.title] = cell.seen(lambda: TYPES[cell.target].read(message))  # noqa: B023 - called at once
        skip_to(message, number)
    return table


def read_cells_anew(message: Any, cells: Sequence[Cell]) -> Table:
    """Read the cells of a stream, each from the start of the body, so that a failure does not touch those behind it."""
    table = {}
    for number, cell in enumerate(cells):
        message.reset()
        for _ in range(2 * number):
            message.read_object()
        table[cell.title] = cell.seen(lambda: TYPES[cell.target].read(message))  # noqa: B023 - called at once
    return table


def skip_to(message: Any, number: int) -> None:
    """Read up to the mark of this number, at most three items."""
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
    """Return the box of the value that the source type's valueOf reads from a text, or the text where it rejects it."""
    value = value_of(source, text)
    try:
        return value if isinstance(value, (bool, str)) else boxed(source, value)
    except ValueError:  # beyond the range of the type
        return text
