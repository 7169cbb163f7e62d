"""Bodies as tables: the ten types of map entries and stream items, with distinctive values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from tck import api
from tck.suite.support.values import numbers, properties
from tck.suite.support.values.properties import boxed, comparable
from tck.suite.support.values.seen import tried

Table: TypeAlias = Mapping[str, object]
"""Observed or wanted values by name."""

_ROOM = 4096
"""Size in bytes of the buffer for byte arrays that are read at once."""


def array_of(stream: Any) -> bytes | None:
    """Read the next byte array of a stream, or the rest of a bytes message; None for null, or at the end."""
    buffer = bytearray(_ROOM)
    count = stream.read_bytes(buffer)
    return None if count < 0 else bytes(buffer[:count])


@dataclass(frozen=True, slots=True)
class BodyType:
    """One of the ten types of a body value.

    Attributes:
        name: as Java calls it; the methods are named after it.
        values: distinctive values; an idle provider does not show the first one.
    """

    name: str
    values: tuple[object, ...]

    def boxed(self, value: object) -> object:
        """Return the object form of a value; it compares as with Java's equals."""
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
    "char": BodyType("char", numbers.CHARS),
    "bytes": BodyType("bytes", numbers.ARRAYS),
}
"""The ten types, by name."""


def typed(values: Sequence[tuple[str, object]]) -> Table:
    """Return values in the form of `typed_items` and `typed_entries`."""
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
"""One value of each type, with the type's name."""

_MOST = max(len(one.values) for one in TYPES.values())
ALL_MIXED: Sequence[tuple[str, object]] = tuple(
    (name, one.values[turn]) for turn in range(_MOST) for name, one in TYPES.items() if turn < len(one.values)
)
"""Every value of each type, with the type's name, in a mixed order."""


def objects(message: Any, count: int) -> Sequence[object]:
    """Read `count` items of a stream as objects that compare exactly."""
    return [tried(lambda: comparable(message.read_object())) for _ in range(count)]


def counts(message: Any, size: int, times: int) -> Sequence[object]:
    """Call read_bytes with a buffer of `size` bytes `times` times; return the counts."""
    buffer = bytearray(size)
    return [tried(lambda: message.read_bytes(buffer)) for _ in range(times)]
