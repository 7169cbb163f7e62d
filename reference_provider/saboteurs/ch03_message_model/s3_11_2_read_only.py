"""Faults in 3.11.2: read-only bodies."""

from __future__ import annotations

from typing import Any

from reference_provider.messages.bytes_message import ReferenceBytesMessage
from reference_provider.messages.map_message import ReferenceMapMessage
from reference_provider.messages.object_message import ReferenceObjectMessage
from reference_provider.messages.stream_message import ReferenceStreamMessage
from reference_provider.messages.text_message import ReferenceTextMessage
from reference_provider.saboteurs.registry import Patch, saboteur
from tck.api import OMITTED


def _written_all_the_same(patch: Patch, owner: type, name: str) -> None:
    """Let one method write into a read-only body."""
    original = getattr(owner, name)

    def write(self: Any, *arguments: Any) -> None:
        writable, self._writable = self._writable, True
        try:
            original(self, *arguments)
        finally:
            self._writable = writable

    patch.replace(owner, name, write)


@saboteur("3.11.2-1", "the text of a received message can be set")
def _(patch: Patch) -> None:
    patch.replace(ReferenceTextMessage, "_check_writable", lambda self: None)


@saboteur("3.11.2-2", "setObject succeeds on a received map")
def _(patch: Patch) -> None:
    _written_all_the_same(patch, ReferenceMapMessage, "set_object")


@saboteur("3.11.2-3", "the object of a received message can be set")
def _(patch: Patch) -> None:
    patch.replace(ReferenceObjectMessage, "_check_writable", lambda self: None)


@saboteur("3.11.2-4", "writeObject succeeds on a received stream")
def _(patch: Patch) -> None:
    _written_all_the_same(patch, ReferenceStreamMessage, "write_object")


@saboteur("3.11.2-5", "writeBytes of a part succeeds on received bytes")
def _(patch: Patch) -> None:
    original = ReferenceBytesMessage.write_bytes

    def write_bytes(self: Any, value: bytes, offset: Any = OMITTED, length: Any = OMITTED) -> None:
        if self._written is not None or offset is OMITTED:
            original(self, value, offset, length)

    patch.replace(ReferenceBytesMessage, "write_bytes", write_bytes)


@saboteur("3.11.2-6", "received bytes stay read-only after clearBody")
def _(patch: Patch) -> None:
    def empty(self: Any) -> None:
        received = getattr(self, "_acknowledge", None) is not None
        self._data, self._position = b"", 0
        self._written = None if received else bytearray()

    patch.replace(ReferenceBytesMessage, "_empty_body", empty)
