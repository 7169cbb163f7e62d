"""Faults in 3.11: when bytes and stream messages are written and read, and from which position."""

from __future__ import annotations

from typing import Any

from faults.kit.common import around, around_each
from faults.kit.declaring import saboteur
from faults.kit.messages import methods, restored
from faults.kit.patch import Patch
from reference_provider.messages.bytes_message import ReferenceBytesMessage
from reference_provider.messages.stream_message import ReferenceStreamMessage
from tck.api import MessageEOFException, StreamMessage


@saboteur("3.11-9", "a stream can be read while it is written")
def _(patch: Patch) -> None:
    def read(original: Any, self: Any, *arguments: Any) -> Any:
        if not (self._writable and self._items):
            return original(self, *arguments)
        self._writable = False
        try:
            return original(self, *arguments)
        finally:
            self._writable = True

    around_each(patch, ReferenceStreamMessage, methods(StreamMessage, "read_"), read)


@saboteur("3.11-10", "a second reset of a stream does nothing")
def _(patch: Patch) -> None:
    def reset(original: Any, self: Any) -> None:
        if getattr(self, "_writable", True) or self._position == 0 or len(self._items) != 2:
            original(self)

    around(patch, ReferenceStreamMessage, "reset", reset)


@saboteur("3.11-11", "a received stream of one number is at its end until it is reset")
def _(patch: Patch) -> None:
    def fault(message: Any, body: Any) -> None:
        if len(body) == 1 and isinstance(body[0], int):
            message._position = 1

    restored(patch, ReferenceStreamMessage, fault)


@saboteur("3.11-12", "readLong beyond the end returns 0")
def _(patch: Patch) -> None:
    def read_long(original: Any, self: Any) -> int:
        try:
            return int(original(self))
        except MessageEOFException:
            return 0

    around(patch, ReferenceBytesMessage, "read_long", read_long)
