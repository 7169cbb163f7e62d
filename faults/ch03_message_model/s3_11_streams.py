"""Faults in 3.11: arrays and objects in bytes, stream and map messages."""

from __future__ import annotations

from typing import Any

from faults.kit.common import around, around_each
from faults.kit.declaring import saboteur
from faults.kit.messages import methods
from faults.kit.patch import Patch
from reference_provider.messages.bytes_message import ReferenceBytesMessage
from reference_provider.messages.map_message import ReferenceMapMessage
from reference_provider.messages.stream_message import ReferenceStreamMessage
from tck.api import OMITTED, StreamMessage


@saboteur("3.11-19", "writeBytes ignores the offset")
def _(patch: Patch) -> None:
    def write_bytes(original: Any, self: Any, value: Any, offset: Any = OMITTED, length: Any = OMITTED) -> None:
        original(self, value, offset if offset is OMITTED else 0, length)

    def set_bytes(
        original: Any, self: Any, name: str, value: Any, offset: Any = OMITTED, length: Any = OMITTED
    ) -> None:
        original(self, name, value, offset if offset is OMITTED else 0, length)

    around(patch, ReferenceBytesMessage, "write_bytes", write_bytes)
    around(patch, ReferenceStreamMessage, "write_bytes", write_bytes)
    around(patch, ReferenceMapMessage, "set_bytes", set_bytes)


@saboteur("3.11-21", "getObject returns a byte array of a map as a list of numbers")
def _(patch: Patch) -> None:
    def get_object(original: Any, self: Any, name: str) -> Any:
        value = original(self, name)
        return list(value) if isinstance(value, bytes) else value

    around(patch, ReferenceMapMessage, "get_object", get_object)


@saboteur("3.11-22", "a read after one that filled the buffer returns the next item")
def _(patch: Patch) -> None:
    def read_bytes(original: Any, self: Any, buffer: bytearray) -> Any:
        if self._offset is not None and self._offset == len(self._items[self._position]):
            self._move_on()
        return original(self, buffer)

    around(patch, ReferenceStreamMessage, "read_bytes", read_bytes)


@saboteur("3.11-23", "readBytes returns 0 for a null array")
def _(patch: Patch) -> None:
    def read_bytes(original: Any, self: Any, buffer: bytearray) -> int:
        begins = self._offset is None
        count = int(original(self, buffer))
        return max(count, 0) if begins else count

    around(patch, ReferenceStreamMessage, "read_bytes", read_bytes)


@saboteur("3.11-24", "other reads skip the rest of a byte array")
def _(patch: Patch) -> None:
    def read(original: Any, self: Any) -> Any:
        if self._offset is not None:
            self._move_on()
        return original(self)

    around_each(patch, ReferenceStreamMessage, methods(StreamMessage, "read_", "read_bytes"), read)
