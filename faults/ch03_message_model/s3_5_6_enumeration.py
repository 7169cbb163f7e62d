"""Faults in 3.5.6: enumerating property names."""

from faults.kit import *


def _names(patch, change):
    """Enumerate other names; `change` gets the message and the honest names."""
    original = ReferenceMessage.get_property_names

    def get_property_names(self):
        return iter(change(self, list(original(self))))

    patch.replace(ReferenceMessage, "get_property_names", get_property_names)


@saboteur("3.5.6-1", "getPropertyNames omits null properties", by=_names)
def _(message, names):
    return [name for name in names if message._property(name) is not None]


@saboteur("3.5.6-3", "getPropertyNames includes JMSType", by=_names)
def _(message, names):
    return [*names, "JMSType"] if message.jms_type is not None else names
