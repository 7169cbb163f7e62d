"""Faults in 3.5.5: properties as objects."""

from __future__ import annotations

from typing import Any

from faults.kit.common import around, as_received
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider.broker.delivery import Delivery
from reference_provider.messages import ReferenceMessage
from tck.api import Char, JMSException, MessageFormatException, Short


def _taken(patch: Patch, change: Any) -> None:
    """Change the values that `set_object_property` is called with."""

    def set_object_property(original: Any, self: Any, name: str, value: object) -> None:
        original(self, name, change(value))

    around(patch, ReferenceMessage, "set_object_property", set_object_property)


def _no_short(value: object) -> object:
    if isinstance(value, Short):
        raise MessageFormatException("a property cannot hold a Short")
    return value


@saboteur("3.5.5-1", "setObjectProperty refuses a Short")
def _(patch: Patch) -> None:
    _taken(patch, _no_short)


@saboteur("3.5.5-2", "setObjectProperty stores a Character as a String")
def _(patch: Patch) -> None:
    _taken(patch, lambda value: value.value if isinstance(value, Char) else value)


@saboteur("3.5.5-3", "setIntProperty stores a long")
def _(patch: Patch) -> None:
    original = ReferenceMessage.set_int_property

    def set_int_property(self: ReferenceMessage, name: str, value: int) -> None:
        if name.startswith("JMSX"):
            original(self, name, value)
        else:
            self.set_long_property(name, value)

    patch.replace(ReferenceMessage, "set_int_property", set_int_property)


@saboteur("3.5.5-4", "a property set by the provider is a table")
def _(patch: Patch) -> None:
    def fault(message: Any, delivery: Delivery) -> None:
        own: Any = {"JMS_TCK_route": {"hops": 1}}
        message._provider_properties = {**message._provider_properties, **own}

    as_received(patch, fault)


@saboteur("3.5.5-5", "getObjectProperty raises an exception for an unused name")
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
