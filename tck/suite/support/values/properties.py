"""Message properties as tables: the eight types with distinctive values, and the conversions between them.

Values compare as Java objects do: by their box, so that NaN equals NaN, 0.0 differs from -0.0 and an Integer differs
from a Long.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial

from tck import api
from tck.suite.support.values import jmsx, numbers, texts
from tck.suite.support.values.seen import tried


@dataclass(frozen=True, slots=True)
class PropertyType:
    """One of the eight types of a property value.

    Attributes:
        name: as Java calls it; setters and getters are named after it.
        values: distinctive values; an idle provider does not show the first one.
        boxed: returns the result of `get_object_property` for a value; it compares as with Java's equals.
    """

    name: str
    values: tuple[object, ...]
    boxed: Callable[[object], object]

    def set(self, message: api.Message, name: str, value: object) -> None:
        """Set a property with the setter of this type."""
        getattr(message, f"set_{self.name}_property")(name, value)

    def get(self, message: api.Message, name: str) -> object:
        """Read a property with the getter of this type, boxed for comparison."""
        return boxed(self.name, getattr(message, f"get_{self.name}_property")(name))


def boxed(type_name: str, value: object) -> object:
    """Return the box of a primitive, which compares as with Java's equals; null and text as they are."""
    box = _BOXES.get(type_name)
    return value if box is None or value is None else box(value)


_BOXES: Mapping[str, Callable[[object], object]] = {
    "byte": lambda value: api.Byte(int(str(value))),
    "short": lambda value: api.Short(int(str(value))),
    "int": lambda value: api.Int(int(str(value))),
    "long": lambda value: api.Long(int(str(value))),
    "float": lambda value: api.Float(float(str(value))),
    "double": lambda value: api.Double(float(str(value))),
}


def comparable(value: object) -> object:
    """Return an object read from a message in the form that compares exactly: plain numbers become boxes."""
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, int):
        return api.Long(value)
    if isinstance(value, float):
        return api.Double(value)
    return value


def _typed(name: str, *values: object) -> PropertyType:
    return PropertyType(name, values, lambda value: boxed(name, value))


TYPES: Mapping[str, PropertyType] = {
    one.name: one
    for one in (
        _typed("boolean", True, False),
        _typed("byte", *numbers.BYTES),
        _typed("short", *numbers.SHORTS),
        _typed("int", *numbers.INTS),
        _typed("long", *numbers.LONGS),
        _typed("float", *numbers.FLOATS),
        _typed("double", *numbers.DOUBLES),
        _typed("string", "text", *texts.SHORT.values(), *texts.MEDIUM.values()),
    )
}
"""The eight types, by name."""

READABLE_AS: Mapping[str, tuple[str, ...]] = {
    "boolean": ("boolean", "string"),
    "byte": ("byte", "short", "int", "long", "string"),
    "short": ("short", "int", "long", "string"),
    "int": ("int", "long", "string"),
    "long": ("long", "string"),
    "float": ("float", "double", "string"),
    "double": ("double", "string"),
    "string": tuple(TYPES),
}
"""The marked cells of the property conversion table: a value set as the key can be read as each of these types."""


def set_all(
    message: api.Message, setter: Callable[[PropertyType, str, object], None] | None = None
) -> dict[str, object]:
    """Set every value of every type under its own name; return the objects that must be read, by name."""
    wanted: dict[str, object] = {}
    for one in TYPES.values():
        for number, value in enumerate(one.values):
            name = f"{one.name}_{number}"
            if setter is None:
                one.set(message, name, value)
            else:
                setter(one, name, value)
            wanted[name] = comparable(one.boxed(value))
    return wanted


def set_some(message: api.Message, turn: int = 0) -> dict[str, object]:
    """Set one value of each type under the type's name; return the objects that must be read, by name.

    `turn` chooses the values, so that messages of several kinds have different ones.
    """
    wanted: dict[str, object] = {}
    for one in TYPES.values():
        value = one.values[turn % len(one.values)]
        one.set(message, f"{one.name}_0", value)
        wanted[f"{one.name}_0"] = comparable(one.boxed(value))
    return wanted


def setters(message: api.Message) -> dict[str, Callable[[str], None]]:
    """Return the nine property setters of a message by their names; each takes a property's name and sets a value."""
    typed = {f"set_{one.name}_property": partial(_set_first, one, message) for one in TYPES.values()}
    return {**typed, "set_object_property": lambda name: message.set_object_property(name, "object")}


def _set_first(one: PropertyType, message: api.Message, name: str) -> None:
    one.set(message, name, one.values[0])


def objects(message: api.Message, names: Iterable[str]) -> dict[str, object]:
    """Read properties as objects that compare exactly."""
    return {name: comparable(message.get_object_property(name)) for name in names}


def arrived(message: api.Message, wanted: Mapping[str, object]) -> dict[str, object]:
    """Return what is wanted of properties or cells, without the texts that arrived as other texts: 3.5.3-1 reports those."""
    return {each: value for each, value in wanted.items() if not _altered(message, each.partition(" as ")[0], value)}


def _altered(message: api.Message, name: str, value: object) -> bool:
    seen = tried(lambda: message.get_string_property(name)) if name.startswith("string_") else value
    return isinstance(seen, str) and seen != value and not seen.startswith("raises ")


def names_of(message: api.Message) -> list[str]:
    """Return all property names, sorted."""
    return sorted(str(name) for name in message.get_property_names())


def own_names(message: api.Message) -> list[str]:
    """Return the property names, sorted, without those that a provider may add: its own, and the JMSX names it sets.

    Whether it may add those to a message that was not received is another row's (3.5.9-16).
    """
    added = jmsx.SET_BY_PROVIDER
    return [name for name in names_of(message) if name not in added and not _OF_A_PROVIDER.match(name)]


_OF_A_PROVIDER = re.compile(r"JMS_[^_]")
"""The beginning of names of a provider's own properties: the vendor's name follows the prefix."""
