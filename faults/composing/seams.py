"""The functions that generic faults change: every fault point, every public member of the client classes, and those of grounds."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from faults.kit.patch import Patch
from faults.kit.seams import *

Overlay = Callable[..., Any]
"""Is called in place of a function: the original first, then the arguments of the call."""


@dataclass(frozen=True, slots=True)
class Seam:
    """A function that generic faults change.

    Attributes:
        name: Of a fault point, or `Class.member`; a property has `.fget` or `.fset` behind it.
        owner: The class or module.
        attribute: The name of the function or property.
        part: `fget` or `fset` of a property; empty for a function.
        returns: The annotation of what it returns, such as `None` or `list[str]`.
    """

    name: str
    owner: Any
    attribute: str
    part: str
    returns: str

    def overlay(self, patch: Patch, fault: Overlay) -> None:
        """Put an overlay in the place of the function."""
        if not self.part:
            patch.around(self.owner, self.attribute, fault)
            return
        old = getattr(self.owner, self.attribute)
        parts = {"fget": old.fget, "fset": old.fset}
        original = parts[self.part]
        parts[self.part] = lambda *arguments: fault(original, *arguments)
        patch.replace(self.owner, self.attribute, property(**parts))


_CLASSES: Final = (
    ReferenceConnection, ReferenceSession, ReferenceConsumer, ReferenceProducer, ReferenceContext, ReferenceJMSProducer,
    ReferenceJMSConsumer, ReferenceBrowser, ReferenceMessage, ReferenceTextMessage, ReferenceBytesMessage, ReferenceMapMessage,
    ReferenceStreamMessage, ReferenceObjectMessage, ReferenceXAResource, ReferenceConnectionFactory, ReferenceQueueSession,
    ReferenceTopicSession, ReferenceSender, ReferencePublisher,
)  # fmt: skip


GROUNDS: Final[dict[str, dict[str, Seam]]] = {}
"""The functions of lawful providers that are models of other brokers, by the provider's name: seams on its ground alone."""


def open_ground(ground: str, module: Any, *functions: Callable[..., Any]) -> None:
    """Let generic faults change functions of a lawful provider's module, on its ground."""
    names = [each.__name__ for each in functions]
    prefix = module.__name__.rpartition(".")[2]
    GROUNDS[ground] = {
        f"{prefix}.{name}": Seam(f"{prefix}.{name}", module, name, "", _returns(getattr(module, name)))
        for name in names
    }


def seams(ground: str = "") -> Mapping[str, Seam]:
    """Return all functions that generic faults change, by name; on a ground its own as well."""
    return {**_seams(), **GROUNDS.get(ground, {})}


@cache
def _seams() -> Mapping[str, Seam]:
    found = [
        Seam(name, point.owner, point.attribute, "", _returns(getattr(point.owner, point.attribute)))
        for name, point in fault_points.FAULT_POINTS.items()
    ]
    taken = {(point.owner, point.attribute) for point in fault_points.FAULT_POINTS.values()}
    for owner in _CLASSES:
        api = {name for base in owner.__mro__ if base.__module__.startswith("tck.api") for name in vars(base)}
        for name, member in vars(owner).items():
            if name.startswith("_") or (owner, name) in taken or (api and name not in api):
                continue
            if isinstance(member, property):
                found += [
                    Seam(f"{owner.__name__}.{name}.{part}", owner, name, part, _returns(getattr(member, part)))
                    for part in ("fget", "fset")
                    if getattr(member, part)
                ]
            elif inspect.isfunction(member):
                found.append(Seam(f"{owner.__name__}.{name}", owner, name, "", _returns(member)))
    return {seam.name: seam for seam in found}


def _returns(function: Any) -> str:
    return str(getattr(function, "__annotations__", {}).get("return", ""))
