"""Faults in 3.12: copies of arrays and objects."""

from __future__ import annotations

from typing import Any

from faults.kit.common import around
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider.messages.bytes_message import ReferenceBytesMessage
from reference_provider.messages.map_message import ReferenceMapMessage
from reference_provider.messages.object_message import ReferenceObjectMessage
from reference_provider.messages.stream_message import ReferenceStreamMessage
from tck.api import OMITTED, BodyType


class _Kept:
    """References to arrays and objects, by the message that they were passed to."""

    def __init__(self) -> None:
        self._things: dict[int, tuple[Any, list[tuple[Any, Any]]]] = {}

    def add(self, message: Any, key: Any, thing: Any) -> None:
        """Remember an array or object, with its name or number."""
        self._things.setdefault(id(message), (message, []))[1].append((key, thing))

    def of(self, message: Any) -> list[tuple[Any, Any]]:
        """Return the arrays and objects of a message."""
        return self._things.get(id(message), (message, []))[1]


@saboteur("3.12-5", "a map message keeps a reference to a byte array")
def _(patch: Patch) -> None:
    kept = _Kept()
    write, read = ReferenceMapMessage.set_bytes, ReferenceMapMessage.get_bytes

    def set_bytes(self: Any, name: str, value: Any, offset: Any = OMITTED, length: Any = OMITTED) -> None:
        write(self, name, value, offset, length)
        if offset is OMITTED:
            kept.add(self, name, value)

    def get_bytes(self: Any, name: str) -> bytes | None:
        return next((bytes(array) for key, array in kept.of(self) if key == name), read(self, name))

    patch.replace(ReferenceMapMessage, "set_bytes", set_bytes)
    patch.replace(ReferenceMapMessage, "get_bytes", get_bytes)


@saboteur("3.12-6", "a stream message keeps a reference to a byte array until reset")
def _(patch: Patch) -> None:
    kept = _Kept()
    write, start = ReferenceStreamMessage.write_bytes, ReferenceStreamMessage.reset

    def write_bytes(self: Any, value: Any, offset: Any = OMITTED, length: Any = OMITTED) -> None:
        write(self, value, offset, length)
        if offset is OMITTED and value is not None:
            kept.add(self, len(self._items) - 1, value)

    def reset(self: Any) -> None:
        for number, array in kept.of(self):
            self._items[number] = bytes(array)
        start(self)

    patch.replace(ReferenceStreamMessage, "write_bytes", write_bytes)
    patch.replace(ReferenceStreamMessage, "reset", reset)


@saboteur("3.12-7", "a bytes message keeps a reference to a byte array until reset")
def _(patch: Patch) -> None:
    kept = _Kept()
    write, start = ReferenceBytesMessage.write_bytes, ReferenceBytesMessage.reset

    def write_bytes(self: Any, value: Any, offset: Any = OMITTED, length: Any = OMITTED) -> None:
        write(self, value, offset, length)
        if offset is OMITTED:
            kept.add(self, len(self._written) - len(value), value)

    def reset(self: Any) -> None:
        for at, array in kept.of(self) if self._written is not None else ():
            self._written[at : at + len(array)] = array
        start(self)

    patch.replace(ReferenceBytesMessage, "write_bytes", write_bytes)
    patch.replace(ReferenceBytesMessage, "reset", reset)


@saboteur("3.12-8", "an object message keeps a reference to its object")
def _(patch: Patch) -> None:
    kept = _Kept()
    honest: Any = ReferenceObjectMessage.object

    def store(self: Any, value: Any) -> None:
        honest.fset(self, value)
        kept.add(self, "object", value)

    def read(self: Any) -> Any:
        for _, value in kept.of(self)[-1:]:
            self._encoded = self._encode(value)
        return honest.fget(self)

    patch.replace(ReferenceObjectMessage, "object", property(read, store))


@saboteur("3.12-14", "getBody of a map returns the map of the message itself")
def _(patch: Patch) -> None:
    def get_body(original: Any, self: Any, body_type: BodyType) -> object:
        return original(self, body_type) and self._entries

    around(patch, ReferenceMapMessage, "get_body", get_body)


@saboteur("3.12-15", "a stream message returns its own byte arrays")
def _(patch: Patch) -> None:
    original = ReferenceStreamMessage.read_object
    own: dict[tuple[int, int], tuple[Any, bytearray]] = {}

    def read_object(self: Any) -> object:
        at = self._position
        value = original(self)
        if isinstance(value, bytes):
            return own.setdefault((id(self), at), (self, bytearray(value)))[1]
        return value

    patch.replace(ReferenceStreamMessage, "read_object", read_object)


@saboteur("3.12-16", "getObject returns the same object each time")
def _(patch: Patch) -> None:
    kept = _Kept()
    honest: Any = ReferenceObjectMessage.object

    def read(self: Any) -> Any:
        if not kept.of(self):
            kept.add(self, "object", honest.fget(self))
        return kept.of(self)[0][1]

    patch.replace(ReferenceObjectMessage, "object", property(read, honest.fset))


@saboteur("3.12-17", "getBody of a bytes message returns its own buffer")
def _(patch: Patch) -> None:
    def get_body(original: Any, self: Any, body_type: BodyType) -> object:
        if original(self, body_type) is None:
            return None
        self._data = bytearray(self._data)
        return self._data

    around(patch, ReferenceBytesMessage, "get_body", get_body)
