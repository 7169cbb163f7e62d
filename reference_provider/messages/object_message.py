"""The object message: one value, kept in its safe encoding from the moment it is set.

So the message holds a copy from that moment (3.12-8), each read returns a new one (3.12-16), and a value that cannot be
sent is refused when it is set, not at the send (3.11-28).
"""

from __future__ import annotations

from typing import Any, ClassVar, Final, TypeAlias

from reference_provider.messages import objects
from reference_provider.messages.message import ReferenceMessage
from reference_provider.messages.model import Body, Kind
from reference_provider.messages.text_message import STRING_TYPES
from tck.api import (
    COMPARABLE,
    NUMBER,
    OBJECT,
    SERIALIZABLE,
    BodyMarker,
    BodyType,
    Box,
    Char,
    Double,
    Long,
    MessageFormatException,
    MessageNotWriteableException,
    ObjectMessage,
)

Content: TypeAlias = Any
"""What an object message may carry, a built-in value or one of a registered type."""

ANY: Final[frozenset[BodyType]] = frozenset({OBJECT, SERIALIZABLE, object})


class ReferenceObjectMessage(ReferenceMessage, ObjectMessage):
    """A message that carries one value of a built-in or registered type."""

    __slots__ = ("_encoded", "_writable")

    KIND: ClassVar[Kind] = "object"

    _encoded: bytes | None
    _writable: bool

    @property
    def object(self) -> Content:
        """Get or set the value; it is copied when set and on each read.

        Raises:
            MessageFormatException: set to a value that cannot be sent; read a value that cannot be built here.
        """
        return None if self._encoded is None else objects.decode(self._encoded, self._model.types)

    @object.setter  # noqa: A003 - the messaging API names the property so
    def object(self, value: Content) -> None:
        self._check_writable()
        self._encoded = self._encode(value)

    def _encode(self, value: Content) -> bytes | None:
        return None if value is None else objects.encode(value, self._model.types, self._model.limits.object_depth)

    def _check_writable(self) -> None:
        if not self._writable:
            raise MessageNotWriteableException("the object of a received message is read-only; clear_body() first")

    def _empty_body(self) -> None:
        self._encoded = None
        self._writable = True

    def _restore_body(self, body: Body) -> None:
        assert body is None or isinstance(body, bytes)  # noqa: S101 - of a snapshot of this kind
        self._encoded = body
        self._writable = False

    def _frozen_body(self) -> Body:
        return self._encoded

    def _has_body(self) -> bool:
        return self._encoded is not None

    def _accepts_body_type(self, body_type: BodyType) -> bool:
        try:
            value = self.object
        except MessageFormatException:
            return False  # 3.11-43
        return is_assignable(value, body_type)

    def _body_as(self, body_type: BodyType) -> Content:
        value = self.object
        return value if is_assignable(value, body_type) else None


def is_assignable(value: Content, body_type: BodyType) -> bool:
    """Return whether a value other than null can be assigned to a type, by Java's rules."""
    if body_type in ANY:
        return True
    if isinstance(value, str) and body_type in STRING_TYPES:
        return True
    if isinstance(body_type, BodyMarker):
        return (body_type is NUMBER and _is_number(value)) or (body_type is COMPARABLE and _is_comparable(value))
    if body_type in {Long, Double}:
        return type(value) in {body_type, {Long: int, Double: float}[body_type]}
    if isinstance(value, bool):
        return body_type is bool
    return isinstance(value, body_type)


def _is_number(value: Content) -> bool:
    if isinstance(value, Box):
        return not isinstance(value, Char)
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_comparable(value: Content) -> bool:
    """Return whether the type is ordered, as Java's numbers, booleans, characters and dates are."""
    if isinstance(value, (Box, bool)):
        return True
    if isinstance(value, (dict, list, tuple, set, frozenset, bytes, bytearray)):
        return False
    return any("__lt__" in vars(each) for each in type(value).__mro__ if each is not object)
