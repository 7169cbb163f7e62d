"""Faults with copies in object messages."""

from __future__ import annotations

from typing import Any

from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.messages.object_message import ReferenceObjectMessage


def _as_read(patch: Patch, read: Any) -> None:
    honest: Any = ReferenceObjectMessage.object
    patch.replace(ReferenceObjectMessage, "object", property(lambda self: read(honest.fget, self), honest.fset))


@saboteur("pj-object-copy-1", "an object that is no list is serialised at the send")
def _(patch: Patch) -> None:
    honest: Any = ReferenceObjectMessage.object
    held: list[tuple[Any, Any]] = []

    def store(self: Any, value: Any) -> None:
        honest.fset(self, value)
        if not isinstance(value, list):
            held.append((self, value))

    def prepare(original: Any, producer: Any, message: Any, *rest: Any) -> Any:
        for _, value in [each for each in held if each[0] is message][-1:]:
            honest.fset(message, value)
        return original(producer, message, *rest)

    patch.replace(ReferenceObjectMessage, "object", property(honest.fget, store))
    patch.at(fault_points.SEND_PREPARED, prepare)


@saboteur("pj-object-copy-2", "a list of more than three objects is read back to front")
def _(patch: Patch) -> None:
    def read(honest: Any, message: Any) -> Any:
        value = honest(message)
        return value[::-1] if isinstance(value, list) and len(value) > 3 else value

    _as_read(patch, read)


@saboteur("pj-object-copy-3", "each read of an object message returns the same object")
def _(patch: Patch) -> None:
    made: list[tuple[Any, Any]] = []

    def read(honest: Any, message: Any) -> Any:
        known = [value for one, value in made if one is message]
        if not known:
            made.append((message, honest(message)))
        return known[0] if known else made[-1][1]

    _as_read(patch, read)
