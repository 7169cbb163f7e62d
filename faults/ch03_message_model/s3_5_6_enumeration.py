"""Faults in 3.5.6: enumerating property names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider.messages import ReferenceMessage


def _names(patch: Patch, change: Any) -> None:
    """Enumerate other names; `change` gets the message and the honest names."""
    original = ReferenceMessage.get_property_names

    def get_property_names(self: ReferenceMessage) -> Iterator[str]:
        return iter(change(self, list(original(self))))

    patch.replace(ReferenceMessage, "get_property_names", get_property_names)


@saboteur("3.5.6-1", "getPropertyNames omits null properties")
def _(patch: Patch) -> None:
    _names(patch, lambda message, names: [name for name in names if message._property(name) is not None])


@saboteur("3.5.6-3", "getPropertyNames includes JMSType")
def _(patch: Patch) -> None:
    _names(patch, lambda message, names: [*names, "JMSType"] if message.jms_type is not None else names)
