"""Faults in 7.5: reading the properties of a JMSProducer, the set of their names, and refusals."""

from faults.kit import *


@saboteur("7.5-8", "getIntProperty of a long property truncates it", around=(ReferenceJMSProducer, "get_int_property"))
def _(original, self, name):
    value = self.get_object_property(name)
    if isinstance(value, (Long, int)) and not isinstance(value, bool):
        return ((int(self.get_long_property(name)) + 2**31) % 2**32) - 2**31
    return original(self, name)


@saboteur("7.5-9", "getStringProperty of a property that was cleared returns the empty string")
def _(patch):
    clear, get = ReferenceJMSProducer.clear_properties, ReferenceJMSProducer.get_string_property
    cleared = set()

    def clear_properties(self):
        cleared.add(id(self))
        return clear(self)

    def get_string_property(self, name):
        found = get(self, name)
        return "" if found is None and id(self) in cleared else found

    patch.replace(ReferenceJMSProducer, "clear_properties", clear_properties)
    patch.replace(ReferenceJMSProducer, "get_string_property", get_string_property)


@saboteur(
    "7.5-11",
    "getPropertyNames returns a copy, which later changes do not reach",
    around=(ReferenceJMSProducer, "get_property_names"),
)
def _(original, self):
    return _Copy(original(self))


class _Copy(frozenset[str]):
    """A copy of the names that cannot be changed."""

    def _refuse(self, *names):
        raise UnsupportedOperationException(f"the names cannot be changed ({names})")

    add = remove = discard = clear = pop = _refuse


class _Lenient(PropertyNames):
    __slots__ = ()

    def remove(self, *names):  # the fault
        """Do nothing."""


@saboteur(
    "7.5-12",
    "a name can be removed from the set of names, which changes nothing else",
    around=(ReferenceJMSProducer, "get_property_names"),
)
def _(original, producer):
    found = original(producer)
    found.__class__ = _Lenient
    return found


@saboteur("7.5-13", "an empty name is accepted by the setProperty of an Object")
def _(patch):
    original = ReferenceJMSProducer.set_object_property
    typed = ReferenceJMSProducer.set_property

    def set_object_property(self, name, value):
        return self if name == "" else original(self, name, value)

    def set_property(self, name, value):
        return original(self, name, value) if name == "" else typed(self, name, value)

    patch.replace(ReferenceJMSProducer, "set_object_property", set_object_property)
    patch.replace(ReferenceJMSProducer, "set_property", set_property)


@saboteur("7.5-14", "a list is set as a text", around=(ReferenceJMSProducer, "set_object_property"))
def _(original, self, name, value):
    return original(self, name, str(value) if isinstance(value, list) else value)


@saboteur(
    "7.5-15",
    "a message with read-only properties is sent without those of the producer that are new to it",
    at=fault_points.PRODUCER_APPLIED,
)
def _(original, producer, message):
    names = set(producer.get_property_names())
    try:
        original(producer, message)
    except MessageNotWriteableException:
        if not names.isdisjoint(message.get_property_names()):
            raise
