"""Faults in 3.11: the content of each kind of body."""

from __future__ import annotations

from typing import Any

from faults.kit.common import around
from faults.kit.declaring import saboteur
from faults.kit.messages import restored
from faults.kit.patch import Patch
from reference_provider.messages.bytes_message import ReferenceBytesMessage
from reference_provider.messages.map_message import ReferenceMapMessage
from reference_provider.messages.object_message import ReferenceObjectMessage
from reference_provider.messages.stream_message import ReferenceStreamMessage
from reference_provider.messages.text_message import ReferenceTextMessage
from tck.api import MessageFormatException, NullPointerException

MANY = 20
"""Number of values from which on some faults apply, so that the short bodies of other rows are spared."""


@saboteur(
    "3.11-1",
    "two neighbours in a long stream are swapped",
    collateral={"3.11-22": "it reads a long stream in order"},
)
def _(patch: Patch) -> None:
    def fault(message: Any, body: Any) -> None:
        if len(body) >= MANY:
            message._items[3], message._items[4] = message._items[4], message._items[3]

    restored(patch, ReferenceStreamMessage, fault)


@saboteur(
    "3.11-2",
    "two entries of a large map are swapped",
    collateral={"3.11-3": "it reads the entries of a large map"},
)
def _(patch: Patch) -> None:
    def fault(message: Any, body: Any) -> None:
        if len(body) >= MANY:
            first, second = list(body)[3:5]
            message._entries = {**body, first: body[second], second: body[first]}

    restored(patch, ReferenceMapMessage, fault)


@saboteur("3.11-3", "getMapNames omits null entries")
def _(patch: Patch) -> None:
    def names(self: ReferenceMapMessage) -> Any:
        return iter([name for name, value in self._entries.items() if value is not None])

    patch.replace(ReferenceMapMessage, "get_map_names", names)


@saboteur("3.11-5", "text above 64 KB is cut")
def _(patch: Patch) -> None:
    def fault(message: Any, body: Any) -> None:
        message._text = body and body[:65535]

    restored(patch, ReferenceTextMessage, fault)


@saboteur("3.11-6", "lists arrive empty", collateral={"3.11-30": "a list is one of the objects it asks for"})
def _(patch: Patch) -> None:
    honest: Any = ReferenceObjectMessage.object

    def read(self: ReferenceObjectMessage) -> Any:
        value = honest.fget(self)
        return [] if isinstance(value, list) and not self._writable else value

    patch.replace(ReferenceObjectMessage, "object", property(read, honest.fset))


@saboteur(
    "3.11-7",
    "the body of a long bytes message is decoded and encoded as text",
    collateral=dict.fromkeys(("3.11-13", "3.11-14", "3.11-15", "3.11-32"), "it reads a long body of all byte values"),
)
def _(patch: Patch) -> None:
    def fault(message: Any, body: bytes) -> None:
        if len(body) >= 256:
            message._data = body.decode("ascii", "replace").encode("ascii", "replace")

    restored(patch, ReferenceBytesMessage, fault)


@saboteur("3.11-8", "the body of a bytes message begins with its properties")
def _(patch: Patch) -> None:
    def fault(message: Any, body: bytes) -> None:
        own = {name: value for name, value in message._properties.items() if not name.startswith("JMS")}
        message._data = repr(own).encode() + body if own else body

    restored(patch, ReferenceBytesMessage, fault)


@saboteur("3.11-20", "a list in a body is stored as text")
def _(patch: Patch) -> None:
    def set_object(original: Any, self: Any, *arguments: Any) -> None:
        *name, value = arguments
        original(self, *name, str(value) if isinstance(value, list) else value)

    around(patch, ReferenceMapMessage, "set_object", set_object)
    around(patch, ReferenceBytesMessage, "write_object", set_object)
    around(patch, ReferenceStreamMessage, "write_object", set_object)


@saboteur("3.11-25", "setBytes raises NullPointerException for a null name")
def _(patch: Patch) -> None:
    original = ReferenceMapMessage.set_bytes

    def set_bytes(self: Any, name: str, *arguments: Any) -> None:
        if name is None:
            raise NullPointerException("a name is wanted")
        original(self, name, *arguments)

    patch.replace(ReferenceMapMessage, "set_bytes", set_bytes)


@saboteur("3.11-26", "itemExists is false for null entries")
def _(patch: Patch) -> None:
    patch.replace(ReferenceMapMessage, "item_exists", lambda self, name: self._entries.get(name) is not None)


@saboteur(
    "3.11-27",
    "an unset text arrives as the empty string",
    collateral={"3.11-42": "the case asks a received message without a text too"},
)
def _(patch: Patch) -> None:
    def fault(message: Any, body: Any) -> None:
        message._text = body or ""

    restored(patch, ReferenceTextMessage, fault)


@saboteur("3.11-28", "setObject accepts an object that cannot be sent")
def _(patch: Patch) -> None:
    honest: Any = ReferenceObjectMessage.object

    def store(self: ReferenceObjectMessage, value: Any) -> None:
        try:
            honest.fset(self, value)
        except MessageFormatException:
            self._encoded = b"cannot be read"

    patch.replace(ReferenceObjectMessage, "object", property(honest.fget, store))
