"""Faults in 3.11: the layout of bytes messages, and reads of several bytes."""

from __future__ import annotations

from typing import Any

from faults.kit.common import around
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider.messages.bytes_message import ReferenceBytesMessage
from tck.api import OMITTED, IndexOutOfBoundsException


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
