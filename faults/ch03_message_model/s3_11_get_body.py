"""Faults in 3.11: getBody and isBodyAssignableTo."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from faults.kit.common import around
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider.messages.bytes_message import BYTES_TYPES, ReferenceBytesMessage
from reference_provider.messages.map_message import ReferenceMapMessage
from reference_provider.messages.message import ReferenceMessage
from reference_provider.messages.object_message import ANY, ReferenceObjectMessage
from reference_provider.messages.stream_message import ReferenceStreamMessage
from reference_provider.messages.text_message import ReferenceTextMessage
from tck.api import COMPARABLE, OBJECT, BodyType, Int, MessageFormatException

MATRIX = "the case compares the answers of isBodyAssignableTo with what getBody does, and asks for this type too"


def _body(patch: Patch, owner: type, fault: Callable[..., object]) -> None:
    around(patch, owner, "get_body", fault)


def _answer(patch: Patch, owner: type, fault: Callable[..., bool]) -> None:
    around(patch, owner, "is_body_assignable_to", fault)


def _accepting(patch: Patch, owner: type, accepts: Callable[[Any, BodyType], bool]) -> None:
    """Accept other types in getBody and isBodyAssignableTo; `accepts` gets a message with a body, and the type."""

    def body(original: Any, self: Any, body_type: BodyType) -> object:
        if not body_type or not self._has_body():
            return original(self, body_type)
        if not accepts(self, body_type):
            raise MessageFormatException("not as this type")
        return original(self, OBJECT)

    def answer(original: Any, self: Any, body_type: BodyType) -> bool:
        if not body_type or not self._has_body():
            return bool(original(self, body_type))
        return accepts(self, body_type)

    _body(patch, owner, body)
    _answer(patch, owner, answer)


@saboteur("3.11-29", "getBody refuses a text as CharSequence and Comparable")
def _(patch: Patch) -> None:
    _accepting(patch, ReferenceTextMessage, lambda message, body_type: body_type in {str, OBJECT})


@saboteur(
    "3.11-30",
    "getBody returns an object as its own class and as Serializable only",
    collateral={"3.11-35": "the case asks for each object as what it is before it asks for what it is not"},
)
def _(patch: Patch) -> None:
    def accepts(message: Any, body_type: BodyType) -> bool:
        try:
            value = message.object
        except MessageFormatException:
            return False
        return body_type in ANY or body_type is type(value)

    _accepting(patch, ReferenceObjectMessage, accepts)


@saboteur("3.11-31", "getBody of a map omits its byte arrays")
def _(patch: Patch) -> None:
    def fault(original: Any, self: Any, body_type: BodyType) -> object:
        entries = original(self, body_type)
        return entries and {name: value for name, value in entries.items() if not isinstance(value, bytes)}

    _body(patch, ReferenceMapMessage, fault)


@saboteur("3.11-32", "getBody of a bytes message accepts byte[] only")
def _(patch: Patch) -> None:
    _accepting(patch, ReferenceBytesMessage, lambda message, body_type: body_type is bytes)


@saboteur("3.11-33", "getBody leaves the position of a bytes message at the end")
def _(patch: Patch) -> None:
    def fault(original: Any, self: Any, body_type: BodyType) -> object:
        body = original(self, body_type)
        self._position = len(self._data)
        return body

    _body(patch, ReferenceBytesMessage, fault)


@saboteur("3.11-34", "getBody returns the items of a stream as a list", collateral={"3.11-39": MATRIX})
def _(patch: Patch) -> None:
    patch.replace(ReferenceStreamMessage, "get_body", lambda self, body_type: list(self._items))


@saboteur("3.11-35", "getBody returns bytes as text")
def _(patch: Patch) -> None:
    _accepting(patch, ReferenceBytesMessage, lambda message, body_type: body_type is str or body_type in BYTES_TYPES)


@saboteur("3.11-36", "getBody of an empty map message returns an empty map")
def _(patch: Patch) -> None:
    def fault(original: Any, self: Any, body_type: BodyType) -> object:
        return {} if body_type is dict and not self._entries else original(self, body_type)

    _body(patch, ReferenceMapMessage, fault)


@saboteur("3.11-37", "getBody of a plain message raises MessageFormatException")
def _(patch: Patch) -> None:
    def fault(original: Any, self: Any, body_type: BodyType) -> object:
        if type(self) is ReferenceMessage:
            raise MessageFormatException("a plain message has no body")
        return original(self, body_type)

    _body(patch, ReferenceMessage, fault)


@saboteur("3.11-38", "getBody returns null for an object that cannot be built")
def _(patch: Patch) -> None:
    def fault(original: Any, self: Any, body_type: BodyType) -> object:
        try:
            _ = self.object
        except MessageFormatException:
            return None
        return original(self, body_type)

    _body(patch, ReferenceObjectMessage, fault)


@saboteur("3.11-39", "isBodyAssignableTo is false for a text as Comparable")
def _(patch: Patch) -> None:
    def fault(original: Any, self: Any, body_type: BodyType) -> bool:
        return bool(original(self, body_type)) and not (body_type is COMPARABLE and self._has_body())

    _answer(patch, ReferenceTextMessage, fault)


@saboteur("3.11-40", "isBodyAssignableTo is true for an object as any type", collateral={"3.11-39": MATRIX})
def _(patch: Patch) -> None:
    def fault(original: Any, self: Any, body_type: BodyType) -> bool:
        return bool(original(self, body_type)) or (isinstance(body_type, type) and bool(original(self, OBJECT)))

    _answer(patch, ReferenceObjectMessage, fault)


@saboteur(
    "3.11-41", "isBodyAssignableTo is true for a stream as Object", collateral={"3.11-39": MATRIX, "3.11-40": MATRIX}
)
def _(patch: Patch) -> None:
    def fault(original: Any, self: Any, body_type: BodyType) -> bool:
        return body_type is OBJECT or bool(original(self, body_type))

    _answer(patch, ReferenceStreamMessage, fault)


@saboteur("3.11-42", "isBodyAssignableTo is false for an empty text as Integer")
def _(patch: Patch) -> None:
    def fault(original: Any, self: Any, body_type: BodyType) -> bool:
        return body_type is not Int and bool(original(self, body_type))

    _answer(patch, ReferenceTextMessage, fault)


@saboteur("3.11-43", "isBodyAssignableTo raises the error of an object that cannot be built")
def _(patch: Patch) -> None:
    def fault(original: Any, self: Any, body_type: BodyType) -> bool:
        _ = self.object
        return bool(original(self, body_type))

    _answer(patch, ReferenceObjectMessage, fault)
