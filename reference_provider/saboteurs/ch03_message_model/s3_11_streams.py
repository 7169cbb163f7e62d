"""Faults in 3.11: arrays and objects in bytes, stream and map messages."""

from __future__ import annotations

from typing import Any

from reference_provider.messages import values
from reference_provider.messages.map_message import ReferenceMapMessage
from reference_provider.messages.stream_message import ReferenceStreamMessage
from reference_provider.saboteurs.faults import around
from reference_provider.saboteurs.registry import Patch, saboteur
from tck.api import OMITTED


@saboteur("3.11-19", "writeBytes ignores the offset")
def _(patch: Patch) -> None:
    original = values.of_array

    def of_array(value: Any, offset: Any = OMITTED, length: Any = OMITTED) -> bytes | None:
        return original(value, offset if offset is OMITTED else 0, length)

    patch.replace(values, "of_array", of_array)


@saboteur("3.11-21", "getObject returns a byte array of a map as a list of numbers")
def _(patch: Patch) -> None:
    def get_object(original: Any, self: Any, name: str) -> Any:
        value = original(self, name)
        return list(value) if isinstance(value, bytes) else value

    around(patch, ReferenceMapMessage, "get_object", get_object)


@saboteur("3.11-22", "a read after one that filled the buffer returns the next item")
def _(patch: Patch) -> None:
    def continue_array(original: Any, self: Any, buffer: bytearray) -> int:
        if self._offset == len(self._items[self._position]):
            self._move_on()
            return int(self.read_bytes(buffer))
        return int(original(self, buffer))

    around(patch, ReferenceStreamMessage, "_continue_array", continue_array)


@saboteur("3.11-23", "readBytes returns 0 for a null array")
def _(patch: Patch) -> None:
    def begin_array(original: Any, self: Any, buffer: bytearray) -> int:
        return max(int(original(self, buffer)), 0)

    around(patch, ReferenceStreamMessage, "_begin_array", begin_array)


@saboteur("3.11-24", "other reads skip the rest of a byte array")
def _(patch: Patch) -> None:
    def check(original: Any, self: Any) -> None:
        if self._offset is not None:
            self._move_on()

    around(patch, ReferenceStreamMessage, "_check_no_open_array", check)
