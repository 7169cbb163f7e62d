"""Faults in 3.5.1 to 3.5.3: names of properties, the eight types, what travels and what is read-only."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from reference_provider.broker.delivery import Delivery
from reference_provider.messages import ReferenceMessage, names
from reference_provider.saboteurs.faults import as_received
from reference_provider.saboteurs.registry import Patch, saboteur
from tck.api import Byte, Float, IllegalArgumentException, Int, Short


def in_transit(patch: Patch, kind: type, change: Callable[[Any], object]) -> None:
    """Have properties stored as `kind` change on their way; what `change` gives as Ellipsis gets lost."""

    def fault(message: Any, delivery: Delivery) -> None:
        for name, value in list(message._properties.items()):
            if type(value) is kind and not name.startswith("JMS"):
                message._properties[name] = changed = change(value)
                if changed is ...:
                    del message._properties[name]

    as_received(patch, fault)


@saboteur("3.5.1-1", "names with a dollar sign are refused")
def _(patch: Patch) -> None:
    original = names.check_property_name

    def check_property_name(name: str, version: str = "3.1") -> None:
        original(name, version)
        if "$" in name:
            raise IllegalArgumentException("a dollar sign")

    patch.replace(names, "check_property_name", check_property_name)


@saboteur("3.5.1-4", "a property may have an empty name")
def _(patch: Patch) -> None:
    original = names.check_property_name

    def check_property_name(name: str, version: str = "3.1") -> None:
        if name != "":
            original(name, version)

    patch.replace(names, "check_property_name", check_property_name)


@saboteur("3.5.1-5", "a property takes the place of one whose name differs in case only")
def _(patch: Patch) -> None:
    original = ReferenceMessage._set_property

    def _set_property(self: ReferenceMessage, name: str, value: Any) -> None:
        for other in [other for other in self._properties if other.lower() == name.lower()]:
            del self._properties[other]
        original(self, name, value)

    patch.replace(ReferenceMessage, "_set_property", _set_property)


@saboteur("3.5.2-1", "false gets lost")
def _(patch: Patch) -> None:
    in_transit(patch, bool, lambda value: value or ...)


@saboteur("3.5.2-2", "negative bytes become shorts")
def _(patch: Patch) -> None:
    in_transit(patch, Byte, lambda value: Short(value.value % 256) if value.value < 0 else value)


@saboteur("3.5.2-3", "shorts become ints")
def _(patch: Patch) -> None:
    in_transit(patch, Short, lambda value: Int(value.value))


@saboteur("3.5.2-4", "ints pass through a float")
def _(patch: Patch) -> None:
    in_transit(patch, Int, lambda value: Int(min(int(Float(float(value.value)).value), 2**31 - 1)))


@saboteur("3.5.2-5", "longs pass through a double")
def _(patch: Patch) -> None:
    in_transit(patch, int, lambda value: min(int(float(value)), 2**63 - 1))


@saboteur("3.5.2-6", "floats become doubles")
def _(patch: Patch) -> None:
    in_transit(patch, Float, lambda value: value.value)


@saboteur("3.5.2-7", "doubles pass through a float")
def _(patch: Patch) -> None:
    in_transit(patch, float, lambda value: Float(value).value)


@saboteur("3.5.2-8", "empty strings become null")
def _(patch: Patch) -> None:
    in_transit(patch, str, lambda value: value or None)


@saboteur("3.5.3-1", "only the first twenty properties travel")
def _(patch: Patch) -> None:
    def fault(message: Any, delivery: Delivery) -> None:
        message._properties = dict(list(message._properties.items())[:20])

    as_received(patch, fault)


@saboteur("3.5.3-2", "setObjectProperty is not guarded on received messages")
def _(patch: Patch) -> None:
    original = ReferenceMessage.set_object_property

    def set_object_property(self: ReferenceMessage, name: str, value: object) -> None:
        guarded, self._properties_writable = self._properties_writable, True
        try:
            original(self, name, value)
        finally:
            self._properties_writable = guarded

    patch.replace(ReferenceMessage, "set_object_property", set_object_property)
