"""Bodies as tables: the ten types of map entries and stream items with telling values, and which type may be read as which.

Each cell of the conversion table has an entry, or an item, of its own. Behind each item of a stream stands a mark, so that a
reader finds its way again whatever a failed read has done to the position.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from tck import api
from tck.catalogue.versions import OLDEST
from tck.suite.support import properties
from tck.suite.support.contents import both_ends, fresh
from tck.suite.support.link import Link
from tck.suite.support.properties import boxed, comparable
from tck.suite.support.seen import tried

Table: TypeAlias = Mapping[str, object]

REFUSED = "raises MessageFormatException"
ROOM = 4096
"""Size in bytes of the buffer for byte arrays that are read in one go."""


def array_of(stream: Any) -> bytes | None:
    """Read the next byte array of a stream, or all that is left of a bytes message; None for null, or nothing."""
    buffer = bytearray(ROOM)
    count = stream.read_bytes(buffer)
    return None if count < 0 else bytes(buffer[:count])


@dataclass(frozen=True, slots=True)
class BodyType:
    """One of the ten types of a body value.

    Attributes:
        name: as Java calls it; the methods are named after it.
        values: telling values, the first of them not one that an idle provider shows.
    """

    name: str
    values: tuple[object, ...]

    def boxed(self, value: object) -> object:
        """Give the object form of a value; it compares as Java's equals does."""
        return api.Char(str(value)) if self.name == "char" and value is not None else boxed(self.name, value)

    def set(self, message: Any, name: str | None, value: object) -> None:
        """Set an entry of a map message with the method of this type."""
        getattr(message, f"set_{self.name}")(name, value)

    def get(self, message: Any, name: str) -> object:
        """Get an entry of a map message with the method of this type, boxed for comparison."""
        return self.boxed(getattr(message, f"get_{self.name}")(name))

    def write(self, message: Any, value: object) -> None:
        """Write to a stream or bytes message with the method of this type."""
        getattr(message, f"write_{self.name}")(value)

    def read(self, message: Any) -> object:
        """Read from a stream message with the method of this type, boxed for comparison."""
        return array_of(message) if self.name == "bytes" else self.boxed(getattr(message, f"read_{self.name}")())


TYPES: Mapping[str, BodyType] = {
    **{name: BodyType(name, one.values) for name, one in properties.TYPES.items()},
    "char": BodyType("char", ("x", "\0", "\uffff", "東")),
    "bytes": BodyType("bytes", (b"\x00\x7f\x80\xff", b"")),
}
"""The ten types, by name."""

TEXTS: Mapping[str, tuple[str, object]] = {
    "boolean": ("true", True),
    "byte": ("-128", -128),
    "short": ("32767", 32767),
    "int": ("-2147483648", -(2**31)),
    "long": ("9223372036854775807", 2**63 - 1),
    "float": ("0.1", 0.1),
    "double": ("1e300", 1e300),
}
"""What a String that is read as each type says, and what that means."""

READABLE_AS: Mapping[str, tuple[str, ...]] = {
    **properties.READABLE_AS,
    "char": ("char", "string"),
    "bytes": ("bytes",),
}
"""The marked cells of the conversion table of maps and streams: a value written as the key can be read as each of these."""

NUMERIC = ("byte", "short", "int", "long", "float", "double")


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
        for source, targets in READABLE_AS.items()
        for target in targets
        if source != "string" or target == "string"
        for value in TYPES[source].values
    ]
    texts = [Cell("string", text, target, TYPES[target].boxed(value)) for target, (text, value) in TEXTS.items()]
    return plain + texts


def unmarked(version: str) -> Sequence[Cell]:
    """Give the unmarked cells, with two values each; in version 1.0 a String as char is not one of them."""
    return [
        Cell(source, value, target, REFUSED)
        for source, targets in READABLE_AS.items()
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
        message.write_string(mark(number))


def mark(number: int) -> str:
    """Name the mark behind an item."""
    return f"mark {number}"


def read_cells(message: Any, cells: Sequence[Cell]) -> Table:
    """Read the cells of a stream."""
    table = {}
    for number, cell in enumerate(cells):
        table[cell.title] = cell.seen(lambda: TYPES[cell.target].read(message))  # noqa: B023 - called at once
        skip_to(message, number)
    return table


def reread_cells(message: Any, cells: Sequence[Cell]) -> Table:
    """Read the cells of a stream, which fails, and then read each in the type it was written with."""
    table = {}
    for number, cell in enumerate(cells):
        failed = tried(lambda: TYPES[cell.target].read(message))  # noqa: B023 - called at once
        again = tried(lambda: TYPES[cell.source].read(message))  # noqa: B023 - called at once
        table[cell.title] = (failed, again)
        skip_to(message, number)
    return table


def skip_to(message: Any, number: int) -> None:
    """Read on to behind the mark of this number, at most a few items."""
    for _ in range(3):
        if tried(message.read_object) == mark(number):
            return


def typed(values: Sequence[tuple[str, object]]) -> Table:
    """Give values as `typed_items` and `typed_entries` show them."""
    return {f"{number} {name}": TYPES[name].boxed(value) for number, (name, value) in enumerate(values)}


def typed_items(message: Any, values: Sequence[tuple[str, object]]) -> Table:
    """Read the items of a stream, each by the method of its type."""
    return {f"{number} {name}": tried(lambda: TYPES[name].read(message)) for number, (name, _) in enumerate(values)}  # noqa: B023 - called at once


def typed_entries(message: Any, values: Sequence[tuple[str, object]]) -> Table:
    """Read the entries of a map, the last set first, each by the method of its type."""
    numbered = reversed(list(enumerate(values)))
    return {f"{number} {name}": tried(lambda: TYPES[name].get(message, f"e{number}")) for number, (name, _) in numbered}  # noqa: B023 - called at once


def set_entries(message: Any, values: Sequence[tuple[str, object]]) -> None:
    """Set entries `e0`, `e1`, and so on, each by the method of its type."""
    for number, (name, value) in enumerate(values):
        TYPES[name].set(message, f"e{number}", value)


def write_items(message: Any, values: Sequence[tuple[str, object]]) -> None:
    """Write items, each by the method of its type."""
    for name, value in values:
        TYPES[name].write(message, value)


ONE_OF_EACH: Sequence[tuple[str, object]] = tuple((name, one.values[0]) for name, one in TYPES.items())
"""A type and a telling value of it, for each type."""

ALL_MIXED: Sequence[tuple[str, object]] = tuple(
    (name, one.values[turn]) for turn in range(7) for name, one in TYPES.items() if turn < len(one.values)
)
"""Every telling value of each type, no two neighbours of one type until few types are left."""


def objects(message: Any, count: int) -> Sequence[object]:
    """Read so many items of a stream as objects, comparable exactly."""
    return [tried(lambda: comparable(message.read_object())) for _ in range(count)]


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


def everywhere(
    link: Link, cells: Sequence[Cell], *, kinds: Sequence[str] = ("map", "stream"), forms: Sequence[bool] = (False,)
) -> Iterator[tuple[str, Table]]:
    """Put cells into maps and streams, send them, and read them at both ends; yields each table with words for it.

    `forms` says whether they are written by the methods of their types (False), as objects (True), or in turn by both.
    """
    for kind in kinds:
        put, get = (set_cells, get_cells) if kind == "map" else (write_cells, read_cells)
        for as_objects in forms:
            message = fresh(link, "map" if kind == "map" else "stream")
            put(message, cells, as_objects=as_objects)
            for end, seen in both_ends(link, message):
                yield f"{kind} cells{' set as objects' if as_objects else ''} {end}", get(seen, cells)
