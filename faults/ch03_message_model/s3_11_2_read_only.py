"""Faults in 3.11.2: read-only bodies."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from faults.kit.common import around
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider.messages.bytes_message import ReferenceBytesMessage
from reference_provider.messages.map_message import ReferenceMapMessage
from reference_provider.messages.object_message import ReferenceObjectMessage
from reference_provider.messages.stream_message import ReferenceStreamMessage
from reference_provider.messages.text_message import ReferenceTextMessage
from tck.api import OMITTED


def _writable_all_the_same(fault: Callable[..., None]) -> Callable[..., None]:
    """Return a setter or a method that writes into a read-only body."""

    def write(self: Any, *arguments: Any) -> None:
        writable, self._writable = self._writable, True
        try:
            fault(self, *arguments)
        finally:
            self._writable = writable

    return write


def _writes(patch: Patch, owner: type, name: str) -> None:
    """Let one method write into a read-only body."""
    patch.replace(owner, name, _writable_all_the_same(getattr(owner, name)))


def _settable(patch: Patch, owner: type, name: str) -> None:
    """Let a read-only body be set."""
    honest: Any = getattr(owner, name)
    patch.replace(owner, name, property(honest.fget, _writable_all_the_same(honest.fset)))


@saboteur("3.11.2-1", "the text of a received message can be set")
def _(patch: Patch) -> None:
    _settable(patch, ReferenceTextMessage, "text")


@saboteur("3.11.2-2", "setObject succeeds on a received map")
def _(patch: Patch) -> None:
    _writes(patch, ReferenceMapMessage, "set_object")


@saboteur("3.11.2-3", "the object of a received message can be set")
def _(patch: Patch) -> None:
    _settable(patch, ReferenceObjectMessage, "object")


@saboteur("3.11.2-4", "writeObject succeeds on a received stream")
def _(patch: Patch) -> None:
    _writes(patch, ReferenceStreamMessage, "write_object")


@saboteur("3.11.2-5", "writeBytes of a part succeeds on received bytes")
def _(patch: Patch) -> None:
    original = ReferenceBytesMessage.write_bytes

    def write_bytes(self: Any, value: bytes, offset: Any = OMITTED, length: Any = OMITTED) -> None:
        if self._written is not None or offset is OMITTED:
            original(self, value, offset, length)

    patch.replace(ReferenceBytesMessage, "write_bytes", write_bytes)


@saboteur("3.11.2-6", "received bytes stay read-only after clearBody")
def _(patch: Patch) -> None:
    def clear_body(original: Any, self: Any) -> None:
        original(self)
        if self._acknowledge is not None:
            self.reset()

    around(patch, ReferenceBytesMessage, "clear_body", clear_body)
