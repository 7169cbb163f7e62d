"""Faults in 3.5.8: properties that are not set."""

from faults.kit import *


@saboteur("3.5.8-1", "an unset property is read as the empty string", around=(ReferenceMessage, "get_string_property"))
def _(original, self, name):
    return original(self, name) if self.property_exists(name) else ""


@saboteur("3.5.8-2", "an unset property is read as the int 0", around=(ReferenceMessage, "get_int_property"))
def _(original, self, name):
    return original(self, name) if self.property_exists(name) else 0


saboteur(
    "3.5.8-3",
    "propertyExists is always true",
    lambda patch: patch.replace(ReferenceMessage, "property_exists", lambda self, name: True),
)


@saboteur(
    "3.5.8-4",
    "reading an unset property as int raises NumberFormatException",
    version="1.0",
    around=(ReferenceMessage, "get_int_property"),
)
def _(original, self, name):
    if not self.property_exists(name):
        raise NumberFormatException("null is no number")
    return original(self, name)
