"""The text message: one String, or null."""

from __future__ import annotations

from typing import ClassVar, Final

from reference_provider.messages import values
from reference_provider.messages.message import ReferenceMessage
from reference_provider.messages.model import Body, Kind
from tck.api import CHAR_SEQUENCE, COMPARABLE, OBJECT, SERIALIZABLE, BodyType, MessageNotWriteableException, TextMessage

STRING_TYPES: Final[frozenset[BodyType]] = frozenset({str, object, OBJECT, SERIALIZABLE, CHAR_SEQUENCE, COMPARABLE})
"""The types a Java String can be assigned to (3.11-29)."""


class ReferenceTextMessage(ReferenceMessage, TextMessage):
    """A message that carries one String."""

    __slots__ = ("_text", "_writable")

    KIND: ClassVar[Kind] = "text"

    _text: str | None
    _writable: bool

    @property
    def text(self) -> str | None:
        """Get or set the text."""
        return self._text

    @text.setter
    def text(self, text: str | None) -> None:
        self._check_writable()
        self._text = values.of_string(text)

    def _check_writable(self) -> None:
        if not self._writable:
            raise MessageNotWriteableException("the text of a received message is read-only; clear_body() first")

    def _empty_body(self) -> None:
        self._text = None
        self._writable = True

    def _restore_body(self, body: Body) -> None:
        assert body is None or isinstance(body, str)  # noqa: S101 - of a snapshot of this kind
        self._text = body
        self._writable = False

    def _frozen_body(self) -> Body:
        return self._text

    def _has_body(self) -> bool:
        return self._text is not None

    def _accepts_body_type(self, body_type: BodyType) -> bool:
        return body_type in STRING_TYPES

    def _body_value(self) -> object:
        return self._text
