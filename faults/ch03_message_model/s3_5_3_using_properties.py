"""Faults in 3.5.3: sending properties, and changing received ones."""

from __future__ import annotations

from typing import Any

from faults.kit.common import as_received
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider.broker.delivery import Delivery
from reference_provider.messages import ReferenceMessage


@saboteur("3.5.3-1", "only the first twenty properties arrive")
def _(patch: Patch) -> None:
    def fault(message: Any, delivery: Delivery) -> None:
        message._properties = dict(list(message._properties.items())[:20])

    as_received(patch, fault)


@saboteur("3.5.3-2", "setObjectProperty succeeds on received messages")
def _(patch: Patch) -> None:
    original = ReferenceMessage.set_object_property

    def set_object_property(self: ReferenceMessage, name: str, value: object) -> None:
        guarded, self._properties_writable = self._properties_writable, True
        try:
            original(self, name, value)
        finally:
            self._properties_writable = guarded

    patch.replace(ReferenceMessage, "set_object_property", set_object_property)
