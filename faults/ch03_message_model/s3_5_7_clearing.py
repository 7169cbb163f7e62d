"""Faults in 3.5.7: clearing properties."""

from __future__ import annotations

from typing import Any

from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider.messages import ReferenceMessage


def _clearing(patch: Patch, fault: Any) -> None:
    """Run `fault` after properties are cleared, with the message and its former properties."""
    original = ReferenceMessage.clear_properties

    def clear_properties(self: ReferenceMessage) -> None:
        before = dict(self._properties)
        original(self)
        fault(self, before)

    patch.replace(ReferenceMessage, "clear_properties", clear_properties)


@saboteur("3.5.7-1", "clearProperties keeps the first property")
def _(patch: Patch) -> None:
    def fault(message: ReferenceMessage, before: dict[str, Any]) -> None:
        message._properties.update(list(before.items())[:1])

    _clearing(patch, fault)


@saboteur("3.5.7-2", "properties of a received message stay read-only after clearProperties")
def _(patch: Patch) -> None:
    def fault(message: ReferenceMessage, before: dict[str, Any]) -> None:
        message._properties_writable = message._acknowledge is None

    _clearing(patch, fault)


@saboteur("3.5.7-3", "clearProperties clears the body too")
def _(patch: Patch) -> None:
    _clearing(patch, lambda message, before: message.clear_body())


@saboteur("3.5.7-4", "clearProperties resets JMSType")
def _(patch: Patch) -> None:
    _clearing(patch, lambda message, before: setattr(message, "jms_type", None))
