"""Faults in 7.5: properties set on a JMSProducer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.client.simplified import ReferenceJMSProducer
from tck.api import Byte, MapMessage, Message


def _overlay(patch: Patch, fault: Callable[[ReferenceJMSProducer, Message, dict[str, Any]], None]) -> None:
    """Run `fault` after the producer's properties were set on a message, with the message's own ones."""

    def overlay(original: Callable[..., None], producer: ReferenceJMSProducer, message: Message) -> None:
        before = {str(name): message.get_object_property(name) for name in message.get_property_names()}
        original(producer, message)
        fault(producer, message, before)

    patch.at(fault_points.PRODUCER_APPLIED, overlay)


def _set(message: Message, properties: dict[str, Any]) -> None:
    """Replace all properties of a message."""
    message.clear_properties()
    for name, value in properties.items():
        message.set_object_property(name, value)


def _now(message: Message) -> dict[str, Any]:
    return {str(name): message.get_object_property(name) for name in message.get_property_names()}


@saboteur("7.5-2", "a byte property of the producer arrives as an int")
def _(patch: Patch) -> None:
    def fault(_: ReferenceJMSProducer, message: Message, before: dict[str, Any]) -> None:
        for name, value in _now(message).items():
            if isinstance(value, Byte):
                message.set_int_property(name, value.value)

    _overlay(patch, fault)


@saboteur(
    "7.5-3",
    "messages made of a map have no properties of the producer",
    collateral={"7.5-15": "the case sends messages of each kind"},
)
def _(patch: Patch) -> None:
    def fault(_: ReferenceJMSProducer, message: Message, before: dict[str, Any]) -> None:
        if isinstance(message, MapMessage):
            message.clear_properties()

    _overlay(patch, fault)


@saboteur("7.5-4", "a text of the message wins over the producer's boolean property")
def _(patch: Patch) -> None:
    def fault(_: ReferenceJMSProducer, message: Message, before: dict[str, Any]) -> None:
        for name, value in _now(message).items():
            if isinstance(value, bool) and isinstance(before.get(name), str):
                message.set_object_property(name, before[name])

    _overlay(patch, fault)


@saboteur("7.5-5", "a producer with properties removes the others of the message")
def _(patch: Patch) -> None:
    def fault(producer: ReferenceJMSProducer, message: Message, before: dict[str, Any]) -> None:
        names = producer.get_property_names()
        if names:
            _set(message, {name: value for name, value in _now(message).items() if name in names})

    _overlay(patch, fault)


@saboteur("7.5-6", "the third message of a producer has none of its properties")
def _(patch: Patch) -> None:
    sent: dict[int, tuple[ReferenceJMSProducer, int]] = {}

    def fault(producer: ReferenceJMSProducer, message: Message, before: dict[str, Any]) -> None:
        count = sent.get(id(producer), (producer, 0))[1] + 1
        sent[id(producer)] = (producer, count)
        if count == 3 and not before and type(message).__name__.endswith("TextMessage"):
            message.clear_properties()

    _overlay(patch, fault)


@saboteur(
    "7.5-7",
    "clearProperties leaves the property set first",
    collateral=dict.fromkeys(("7.5-9", "7.5-11", "7.5-15"), "the case clears the properties too"),
)
def _(patch: Patch) -> None:
    original = ReferenceJMSProducer.clear_properties

    def clear(self: ReferenceJMSProducer) -> Any:
        kept = next(iter(self.get_property_names()), None)
        value = None if kept is None else self.get_object_property(kept)
        original(self)
        return self if kept is None else self.set_object_property(kept, value)

    patch.replace(ReferenceJMSProducer, "clear_properties", clear)


@saboteur("7.5-10", "getPropertyNames has JMSType while a type is set")
def _(patch: Patch) -> None:
    original = ReferenceJMSProducer.get_property_names

    def names(self: ReferenceJMSProducer) -> Any:
        found = original(self)
        return found if self.get_jms_type() is None else {*found, "JMSType"}

    patch.replace(ReferenceJMSProducer, "get_property_names", names)
