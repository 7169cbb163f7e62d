"""Faults in 3.5.8: properties that are not set."""

from faults.kit import *


@saboteur("3.5.8-1", "an unset property is read as the empty string")
def _(patch):
    original = ReferenceMessage.get_string_property

    def get_string_property(self, name):
        return original(self, name) if self.property_exists(name) else ""

    patch.replace(ReferenceMessage, "get_string_property", get_string_property)


@saboteur("3.5.8-2", "an unset property is read as the int 0")
def _(patch):
    original = ReferenceMessage.get_int_property

    def get_int_property(self, name):
        return original(self, name) if self.property_exists(name) else 0

    patch.replace(ReferenceMessage, "get_int_property", get_int_property)


saboteur(
    "3.5.8-3",
    "propertyExists is always true",
    lambda patch: patch.replace(ReferenceMessage, "property_exists", lambda self, name: True),
)


@saboteur("3.5.8-4", "reading an unset property as int raises NumberFormatException", version="1.0")
def _(patch):
    original = ReferenceMessage.get_int_property

    def get_int_property(self, name):
        if not self.property_exists(name):
            raise NumberFormatException("null is no number")
        return original(self, name)

    patch.replace(ReferenceMessage, "get_int_property", get_int_property)
