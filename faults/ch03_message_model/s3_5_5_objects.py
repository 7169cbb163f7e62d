"""Faults in 3.5.5: properties as objects."""

from faults.kit import *


def _taken(patch, change):
    """Change the values that `set_object_property` is called with."""

    def set_object_property(original, self, name, value):
        original(self, name, change(value))

    patch.around(ReferenceMessage, "set_object_property", set_object_property)


def _no_short(value):
    if isinstance(value, Short):
        raise MessageFormatException("a property cannot hold a Short")
    return value


saboteur("3.5.5-1", "setObjectProperty refuses a Short", lambda patch: _taken(patch, _no_short))
saboteur(
    "3.5.5-2",
    "setObjectProperty stores a Character as a String",
    lambda patch: _taken(patch, lambda value: value.value if isinstance(value, Char) else value),
)


@saboteur("3.5.5-3", "setIntProperty stores a long", around=(ReferenceMessage, "set_int_property"))
def _(original, self, name, value):
    if name.startswith("JMSX"):
        original(self, name, value)
    else:
        self.set_long_property(name, value)


@saboteur("3.5.5-4", "a property set by the provider is a table", by=as_received)
def _(message, delivery):
    own = {"JMS_TCK_route": {"hops": 1}}
    message._provider_properties = {**message._provider_properties, **own}


@saboteur(
    "3.5.5-5",
    "getObjectProperty raises an exception for an unused name",
    around=(ReferenceMessage, "get_object_property"),
)
def _(original, self, name):
    if not self.property_exists(name):
        raise JMSException(f"there is no property {name!r}")
    return original(self, name)


@saboteur("3.5.5-6", "properties set as objects cannot be read as String")
def _(patch):
    setter, getter = ReferenceMessage.set_object_property, ReferenceMessage.get_string_property
    as_object = {}

    def set_object_property(self, name, value):
        setter(self, name, value)
        as_object.setdefault(id(self), (self, set()))[1].add(name)

    def get_string_property(self, name):
        if id(self) in as_object and name in as_object[id(self)][1]:
            raise MessageFormatException(f"{name!r} was set as an object")
        return getter(self, name)

    patch.replace(ReferenceMessage, "set_object_property", set_object_property)
    patch.replace(ReferenceMessage, "get_string_property", get_string_property)
