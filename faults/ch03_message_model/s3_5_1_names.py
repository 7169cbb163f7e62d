"""Faults in 3.5.1: names of properties."""

from __future__ import annotations

from typing import Any

from faults.kit.common import around_each
from faults.kit.declaring import saboteur
from faults.kit.messages import PROPERTY_SETTERS
from faults.kit.patch import Patch
from reference_provider.messages import ReferenceMessage, names
from tck.api import IllegalArgumentException


@saboteur("3.5.1-1", "property names with a dollar sign are refused")
def _(patch: Patch) -> None:
    def set_property(original: Any, self: Any, name: str, value: Any) -> None:
        if "$" in (name or ""):
            raise IllegalArgumentException("a dollar sign")
        original(self, name, value)

    around_each(patch, ReferenceMessage, PROPERTY_SETTERS, set_property)


@saboteur("3.5.1-4", "a property may have an empty name")
def _(patch: Patch) -> None:
    original = names.check_property_name

    def check_property_name(name: str, version: str = "3.1") -> None:
        if name != "":
            original(name, version)

    patch.replace(names, "check_property_name", check_property_name)


@saboteur("3.5.1-5", "setting a property removes one whose name differs only in case")
def _(patch: Patch) -> None:
    def set_property(original: Any, self: Any, name: str, value: Any) -> None:
        original(self, name, value)
        for other in [other for other in self._properties if other != name and other.lower() == name.lower()]:
            del self._properties[other]

    around_each(patch, ReferenceMessage, PROPERTY_SETTERS, set_property)
