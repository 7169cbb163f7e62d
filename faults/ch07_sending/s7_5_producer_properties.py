"""Faults in 7.5: properties set on a JMSProducer."""

from faults.kit import *


def _overlay(patch, fault):
    """Run `fault` after the producer's properties were set on a message, with the message's own ones."""

    def overlay(original, producer, message):
        before = {str(name): message.get_object_property(name) for name in message.get_property_names()}
        original(producer, message)
        fault(producer, message, before)

    patch.at(fault_points.PRODUCER_APPLIED, overlay)


def _set(message, properties):
    """Replace all properties of a message."""
    message.clear_properties()
    for name, value in properties.items():
        message.set_object_property(name, value)


def _now(message):
    return {str(name): message.get_object_property(name) for name in message.get_property_names()}


@saboteur("7.5-2", "a byte property of the producer arrives as an int", by=_overlay)
def _(_, message, before):
    for name, value in _now(message).items():
        if isinstance(value, Byte):
            message.set_int_property(name, value.value)


@saboteur(
    "7.5-3",
    "messages made of a map have no properties of the producer",
    collateral={"7.5-15": "the case sends messages of each kind"},
    by=_overlay,
)
def _(_, message, before):
    if isinstance(message, MapMessage):
        message.clear_properties()


@saboteur("7.5-4", "a text of the message wins over the producer's boolean property", by=_overlay)
def _(_, message, before):
    for name, value in _now(message).items():
        if isinstance(value, bool) and isinstance(before.get(name), str):
            message.set_object_property(name, before[name])


@saboteur("7.5-5", "a producer with properties removes the others of the message", by=_overlay)
def _(producer, message, before):
    names = producer.get_property_names()
    if names:
        _set(message, {name: value for name, value in _now(message).items() if name in names})


@saboteur("7.5-6", "the third message of a producer has none of its properties")
def _(patch):
    sent = {}

    def fault(producer, message, before):
        count = sent.get(id(producer), (producer, 0))[1] + 1
        sent[id(producer)] = (producer, count)
        if count == 3 and not before and type(message).__name__.endswith("TextMessage"):
            message.clear_properties()

    _overlay(patch, fault)


@saboteur(
    "7.5-7",
    "clearProperties leaves the property set first",
    collateral=dict.fromkeys(("7.5-9", "7.5-11", "7.5-15"), "the case clears the properties too"),
    around=(ReferenceJMSProducer, "clear_properties"),
)
def _(original, self):
    kept = next(iter(self.get_property_names()), None)
    value = None if kept is None else self.get_object_property(kept)
    original(self)
    return self if kept is None else self.set_object_property(kept, value)


@saboteur(
    "7.5-10", "getPropertyNames has JMSType while a type is set", around=(ReferenceJMSProducer, "get_property_names")
)
def _(original, self):
    found = original(self)
    return found if self.get_jms_type() is None else {*found, "JMSType"}
