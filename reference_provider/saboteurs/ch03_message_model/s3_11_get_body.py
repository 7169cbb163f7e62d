"""Faults in 3.11: getBody and isBodyAssignableTo."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reference_provider.messages import object_message, text_message
from reference_provider.messages.bytes_message import BYTES_TYPES, ReferenceBytesMessage
from reference_provider.messages.map_message import ReferenceMapMessage
from reference_provider.messages.message import ReferenceMessage
from reference_provider.messages.object_message import ANY, ReferenceObjectMessage
from reference_provider.messages.stream_message import ReferenceStreamMessage
from reference_provider.messages.text_message import STRING_TYPES, ReferenceTextMessage
from reference_provider.saboteurs.registry import Patch, saboteur
from tck.api import COMPARABLE, OBJECT, BodyType, Int, MessageFormatException

MATRIX = "the case compares the answers of isBodyAssignableTo with what getBody does, and asks for this type too"


def _body(patch: Patch, owner: type, fault: Any) -> None:
    original = owner.get_body  # type: ignore[attr-defined]  # a class of messages
    patch.replace(owner, "get_body", lambda self, body_type: fault(original, self, body_type))


def _answer(patch: Patch, owner: type, fault: Any) -> None:
    original = owner.is_body_assignable_to  # type: ignore[attr-defined]  # a class of messages
    patch.replace(owner, "is_body_assignable_to", lambda self, body_type: fault(original, self, body_type))


@saboteur("3.11-29", "getBody refuses a text as CharSequence and Comparable")
def _(patch: Patch) -> None:
    patch.replace(text_message, "STRING_TYPES", frozenset({str, OBJECT}))


@saboteur(
    "3.11-30",
    "getBody returns an object as its own class and as Serializable only",
    collateral={"3.11-35": "the case asks for each object as what it is before it asks for what it is not"},
)
def _(patch: Patch) -> None:
    patch.replace(
        object_message, "is_assignable", lambda value, body_type: body_type in ANY or body_type is type(value)
    )


@saboteur("3.11-31", "getBody of a map omits its byte arrays")
def _(patch: Patch) -> None:
    def value(self: Any) -> Mapping[str, object]:
        return {name: each for name, each in self._entries.items() if not isinstance(each, bytes)}

    patch.replace(ReferenceMapMessage, "_body_value", value)


@saboteur("3.11-32", "getBody of a bytes message accepts byte[] only")
def _(patch: Patch) -> None:
    def accepts(self: Any, body_type: BodyType) -> bool:
        return body_type is bytes

    patch.replace(ReferenceBytesMessage, "_accepts_body_type", accepts)


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
    def accepts(self: Any, body_type: BodyType) -> bool:
        return body_type is str or body_type in BYTES_TYPES

    patch.replace(ReferenceBytesMessage, "_accepts_body_type", accepts)


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
    def accepts(self: Any, body_type: BodyType) -> bool:
        return body_type in STRING_TYPES and body_type is not COMPARABLE

    patch.replace(ReferenceTextMessage, "_accepts_body_type", accepts)
    patch.replace(
        ReferenceTextMessage, "_body_as", lambda self, body_type: self._text if body_type in STRING_TYPES else None
    )


@saboteur("3.11-40", "isBodyAssignableTo is true for an object as any type", collateral={"3.11-39": MATRIX})
def _(patch: Patch) -> None:
    def accepts(original: Any, self: Any, body_type: BodyType) -> bool:
        return isinstance(body_type, type) or bool(original(self, body_type))

    def fault(self: Any, body_type: BodyType) -> bool:
        return accepts(honest, self, body_type) and bool(honest(self, OBJECT))

    honest = ReferenceObjectMessage._accepts_body_type
    patch.replace(ReferenceObjectMessage, "_accepts_body_type", fault)


@saboteur(
    "3.11-41", "isBodyAssignableTo is true for a stream as Object", collateral={"3.11-39": MATRIX, "3.11-40": MATRIX}
)
def _(patch: Patch) -> None:
    patch.replace(ReferenceStreamMessage, "_accepts_body_type", lambda self, body_type: body_type is OBJECT)
    patch.replace(ReferenceStreamMessage, "_body_as", lambda self, body_type: None)


@saboteur("3.11-42", "isBodyAssignableTo is false for an empty text as Integer")
def _(patch: Patch) -> None:
    def fault(original: Any, self: Any, body_type: BodyType) -> bool:
        return body_type is not Int and bool(original(self, body_type))

    _answer(patch, ReferenceTextMessage, fault)


@saboteur("3.11-43", "isBodyAssignableTo raises the error of an object that cannot be built")
def _(patch: Patch) -> None:
    def accepts(self: Any, body_type: BodyType) -> bool:
        return object_message.is_assignable(self.object, body_type)

    patch.replace(ReferenceObjectMessage, "_accepts_body_type", accepts)
