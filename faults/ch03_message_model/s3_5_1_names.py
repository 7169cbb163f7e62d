"""Faults in 3.5.1: names of properties."""

from faults.kit import *
from reference_provider.messages import names


@saboteur("3.5.1-1", "property names with a dollar sign are refused", around=(ReferenceMessage, *PROPERTY_SETTERS))
def _(original, self, name, value):
    if "$" in (name or ""):
        raise IllegalArgumentException("a dollar sign")
    original(self, name, value)


@saboteur("3.5.1-4", "a property may have an empty name", around=(names, "check_property_name"))
def _(original, name, version="3.1"):
    if name != "":
        original(name, version)


@saboteur(
    "3.5.1-5",
    "setting a property removes one whose name differs only in case",
    around=(ReferenceMessage, *PROPERTY_SETTERS),
)
def _(original, self, name, value):
    original(self, name, value)
    for other in [other for other in self._properties if other != name and other.lower() == name.lower()]:
        del self._properties[other]
