"""Faults in 3.11: reading and writing bytes and stream messages."""

from __future__ import annotations

from typing import Any

from reference_provider.messages import values
from reference_provider.messages.bytes_message import ReferenceBytesMessage
from reference_provider.messages.map_message import ReferenceMapMessage
from reference_provider.messages.stream_message import ReferenceStreamMessage
from reference_provider.saboteurs.faults import restored
from reference_provider.saboteurs.registry import Patch, saboteur
from tck.api import OMITTED, IndexOutOfBoundsException, MessageEOFException


def around(patch: Patch, owner: type, name: str, fault: Any) -> None:
    """Replace a method by `fault`, whose first argument is the original method."""
    original = getattr(owner, name)
    patch.replace(owner, name, lambda self, *arguments: fault(original, self, *arguments))


@saboteur("3.11-9", "a stream can be read while it is written")
def _(patch: Patch) -> None:
    def check(self: Any) -> None:
        if self._writable and not self._items:
            original(self)

    original = ReferenceStreamMessage._check_readable
    patch.replace(ReferenceStreamMessage, "_check_readable", check)


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


@saboteur("3.11-13", "writeInt writes the low byte first")
def _(patch: Patch) -> None:
    def write_int(original: Any, self: Any, value: int) -> None:
        self._writer().extend(value.to_bytes(4, "little", signed=True))

    around(patch, ReferenceBytesMessage, "write_int", write_int)


@saboteur("3.11-14", "readUnsignedByte returns negative values")
def _(patch: Patch) -> None:
    patch.replace(ReferenceBytesMessage, "read_unsigned_byte", ReferenceBytesMessage.read_byte)


@saboteur("3.11-15", "writeUTF writes plain UTF-8")
def _(patch: Patch) -> None:
    def write_utf(original: Any, self: Any, value: str) -> None:
        encoded = value.encode()
        self._writer().extend(len(encoded).to_bytes(2, "big") + encoded)

    around(patch, ReferenceBytesMessage, "write_utf", write_utf)


@saboteur("3.11-16", "readBytes returns 0 at the end")
def _(patch: Patch) -> None:
    original = ReferenceBytesMessage.read_bytes

    def read_bytes(self: Any, buffer: bytearray, length: Any = OMITTED) -> int:
        count = original(self, buffer, length)
        return 0 if count < 0 and len(self._data) == 10 else count

    patch.replace(ReferenceBytesMessage, "read_bytes", read_bytes)


@saboteur("3.11-17", "readBytes clips a length beyond the buffer")
def _(patch: Patch) -> None:
    original = ReferenceBytesMessage.read_bytes

    def read_bytes(self: Any, buffer: bytearray, length: Any = OMITTED) -> int:
        try:
            return original(self, buffer, length)
        except IndexOutOfBoundsException:
            return original(self, buffer)

    patch.replace(ReferenceBytesMessage, "read_bytes", read_bytes)


@saboteur("3.11-18", "getBodyLength returns the bytes that are left")
def _(patch: Patch) -> None:
    def length(self: Any) -> int:
        self._check_readable()
        return len(self._data) - int(self._position)

    patch.replace(ReferenceBytesMessage, "body_length", property(length))


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
