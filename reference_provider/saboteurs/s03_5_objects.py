"""Faults in 3.5.5 to 3.5.8: properties as objects, their names, clearing them, reading what is not set."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from reference_provider.broker.delivery import Delivery
from reference_provider.messages import ReferenceMessage, values
from reference_provider.saboteurs.faults import as_received
from reference_provider.saboteurs.registry import Patch, saboteur
from tck.api import Char, JMSException, MessageFormatException, NumberFormatException, Short


def _taken(patch: Patch, change: Any) -> None:
    """Give `set_object_property` other values than those it is called with."""
    original = values.property_object
    patch.replace(values, "property_object", lambda value: original(change(value)))


def _no_short(value: object) -> object:
    if isinstance(value, Short):
        raise MessageFormatException("a property cannot hold a Short")
    return value


@saboteur("3.5.5-1", "a Short cannot be set as an object")
def _(patch: Patch) -> None:
    _taken(patch, _no_short)


@saboteur("3.5.5-2", "a Character set as an object is stored as a String")
def _(patch: Patch) -> None:
    _taken(patch, lambda value: value.value if isinstance(value, Char) else value)


@saboteur("3.5.5-3", "an int set with the typed setter is stored as a long")
def _(patch: Patch) -> None:
    original = ReferenceMessage.set_int_property

    def set_int_property(self: ReferenceMessage, name: str, value: int) -> None:
        if name.startswith("JMSX"):
            original(self, name, value)
        else:
            self.set_long_property(name, value)

    patch.replace(ReferenceMessage, "set_int_property", set_int_property)


@saboteur("3.5.5-4", "a property of the provider's own is a table")
def _(patch: Patch) -> None:
    def fault(message: Any, delivery: Delivery) -> None:
        own: Any = {"JMS_TCK_route": {"hops": 1}}
        message._provider_properties = {**message._provider_properties, **own}

    as_received(patch, fault)


@saboteur("3.5.5-5", "an unused name is an error")
def _(patch: Patch) -> None:
    original = ReferenceMessage.get_object_property

    def get_object_property(self: ReferenceMessage, name: str) -> object:
        if not self.property_exists(name):
            raise JMSException(f"there is no property {name!r}")
        return original(self, name)

    patch.replace(ReferenceMessage, "get_object_property", get_object_property)


@saboteur("3.5.5-6", "properties set as objects cannot be read as String")
def _(patch: Patch) -> None:
    setter, getter = ReferenceMessage.set_object_property, ReferenceMessage.get_string_property
    as_object: dict[int, tuple[ReferenceMessage, set[str]]] = {}

    def set_object_property(self: ReferenceMessage, name: str, value: object) -> None:
        setter(self, name, value)
        as_object.setdefault(id(self), (self, set()))[1].add(name)

    def get_string_property(self: ReferenceMessage, name: str) -> str | None:
        if id(self) in as_object and name in as_object[id(self)][1]:
            raise MessageFormatException(f"{name!r} was set as an object")
        return getter(self, name)

    patch.replace(ReferenceMessage, "set_object_property", set_object_property)
    patch.replace(ReferenceMessage, "get_string_property", get_string_property)


def _names(patch: Patch, change: Any) -> None:
    """Have other names enumerated; `change` is given the message and the honest names."""
    original = ReferenceMessage.get_property_names

    def get_property_names(self: ReferenceMessage) -> Iterator[str]:
        return iter(change(self, list(original(self))))

    patch.replace(ReferenceMessage, "get_property_names", get_property_names)


@saboteur("3.5.6-1", "names of null properties are left out")
def _(patch: Patch) -> None:
    _names(patch, lambda message, names: [name for name in names if message._property(name) is not None])


@saboteur("3.5.6-3", "JMSType is among the property names of a message that has one")
def _(patch: Patch) -> None:
    _names(patch, lambda message, names: [*names, "JMSType"] if message.jms_type is not None else names)


def _clearing(patch: Patch, fault: Any) -> None:
    """Run `fault` on each message whose properties were just cleared, with those it had."""
    original = ReferenceMessage.clear_properties

    def clear_properties(self: ReferenceMessage) -> None:
        before = dict(self._properties)
        original(self)
        fault(self, before)

    patch.replace(ReferenceMessage, "clear_properties", clear_properties)


@saboteur("3.5.7-1", "the first property survives")
def _(patch: Patch) -> None:
    def fault(message: ReferenceMessage, before: dict[str, Any]) -> None:
        message._properties.update(list(before.items())[:1])

    _clearing(patch, fault)


@saboteur("3.5.7-2", "a received message stays read-only after its properties were cleared")
def _(patch: Patch) -> None:
    def fault(message: ReferenceMessage, before: dict[str, Any]) -> None:
        message._properties_writable = message._acknowledge is None

    _clearing(patch, fault)


@saboteur("3.5.7-3", "clearing the properties empties the body too")
def _(patch: Patch) -> None:
    _clearing(patch, lambda message, before: message.clear_body())


@saboteur("3.5.7-4", "clearing the properties resets JMSType")
def _(patch: Patch) -> None:
    _clearing(patch, lambda message, before: setattr(message, "jms_type", None))


@saboteur("3.5.8-1", "an unset property is the empty string")
def _(patch: Patch) -> None:
    original = ReferenceMessage.get_string_property

    def get_string_property(self: ReferenceMessage, name: str) -> str | None:
        return original(self, name) if self.property_exists(name) else ""

    patch.replace(ReferenceMessage, "get_string_property", get_string_property)


@saboteur("3.5.8-2", "an unset property is the int 0")
def _(patch: Patch) -> None:
    original = ReferenceMessage.get_int_property

    def get_int_property(self: ReferenceMessage, name: str) -> int:
        return original(self, name) if self.property_exists(name) else 0

    patch.replace(ReferenceMessage, "get_int_property", get_int_property)


@saboteur("3.5.8-3", "every property exists")
def _(patch: Patch) -> None:
    patch.replace(ReferenceMessage, "property_exists", lambda self, name: True)


@saboteur("3.5.8-4", "an unset property read as int raises NumberFormatException", version="1.0")
def _(patch: Patch) -> None:
    original = ReferenceMessage.get_int_property

    def get_int_property(self: ReferenceMessage, name: str) -> int:
        if not self.property_exists(name):
            raise NumberFormatException("null is no number")
        return original(self, name)

    patch.replace(ReferenceMessage, "get_int_property", get_int_property)
