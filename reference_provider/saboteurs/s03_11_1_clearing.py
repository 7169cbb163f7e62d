"""Faults in 3.11.1, 3.11.2 and 3.11.4: clearing bodies, bodies that are read-only, and kinds that change on their way."""

from __future__ import annotations

from typing import Any

from reference_provider.broker.delivery import Delivery
from reference_provider.client.sessions import ReferenceSession
from reference_provider.messages import create
from reference_provider.messages.bytes_message import ReferenceBytesMessage
from reference_provider.messages.map_message import ReferenceMapMessage
from reference_provider.messages.message import ReferenceMessage
from reference_provider.messages.object_message import ReferenceObjectMessage
from reference_provider.messages.stream_message import ReferenceStreamMessage
from reference_provider.messages.text_message import ReferenceTextMessage
from reference_provider.saboteurs.registry import Patch, saboteur
from tck.api import OMITTED, Message


def _after_clearing(patch: Patch, fault: Any) -> None:
    original = ReferenceMessage.clear_body

    def clear_body(self: Any) -> None:
        entries = dict(getattr(self, "_entries", {}))
        original(self)
        fault(self, entries)

    patch.replace(ReferenceMessage, "clear_body", clear_body)


@saboteur("3.11.1-1", "clear_body() leaves one entry of a map")
def _(patch: Patch) -> None:
    def fault(message: Any, entries: dict[str, Any]) -> None:
        if entries:
            message._entries = dict(list(entries.items())[:1])

    _after_clearing(patch, fault)


@saboteur("3.11.1-2", "clear_body() of a map clears the properties too")
def _(patch: Patch) -> None:
    def fault(message: Any, entries: dict[str, Any]) -> None:
        if entries:
            message._properties = {}

    _after_clearing(patch, fault)


@saboteur("3.11.1-3", "clear_body() forgets JMSCorrelationID")
def _(patch: Patch) -> None:
    def fault(message: Any, entries: dict[str, Any]) -> None:
        message.jms_correlation_id = None

    _after_clearing(patch, fault)


def _written_all_the_same(patch: Patch, owner: type, name: str) -> None:
    """Have one method write into a read-only body."""
    original = getattr(owner, name)

    def write(self: Any, *arguments: Any) -> None:
        writable, self._writable = self._writable, True
        try:
            original(self, *arguments)
        finally:
            self._writable = writable

    patch.replace(owner, name, write)


@saboteur("3.11.2-1", "a received text can be set")
def _(patch: Patch) -> None:
    patch.replace(ReferenceTextMessage, "_check_writable", lambda self: None)


@saboteur("3.11.2-2", "set_object() of a received map is not guarded")
def _(patch: Patch) -> None:
    _written_all_the_same(patch, ReferenceMapMessage, "set_object")


@saboteur("3.11.2-3", "a received object can be set")
def _(patch: Patch) -> None:
    patch.replace(ReferenceObjectMessage, "_check_writable", lambda self: None)


@saboteur("3.11.2-4", "write_object() of a received stream is not guarded")
def _(patch: Patch) -> None:
    _written_all_the_same(patch, ReferenceStreamMessage, "write_object")


@saboteur("3.11.2-5", "write_bytes() of a part into received bytes is not guarded")
def _(patch: Patch) -> None:
    original = ReferenceBytesMessage.write_bytes

    def write_bytes(self: Any, value: bytes, offset: Any = OMITTED, length: Any = OMITTED) -> None:
        if self._written is not None or offset is OMITTED:
            original(self, value, offset, length)

    patch.replace(ReferenceBytesMessage, "write_bytes", write_bytes)


@saboteur("3.11.2-6", "received bytes stay read-only when they are cleared")
def _(patch: Patch) -> None:
    def empty(self: Any) -> None:
        received = getattr(self, "_acknowledge", None) is not None
        self._data, self._position = b"", 0
        self._written = None if received else bytearray()

    patch.replace(ReferenceBytesMessage, "_empty_body", empty)


def _as_other_kind(patch: Patch, kind: type[ReferenceMessage], other: Any) -> None:
    """Have messages of a class arrive as another kind, with the same headers and properties."""
    original = ReferenceSession.message_of

    def message_of(self: ReferenceSession, delivery: Delivery) -> Message:
        message = original(self, delivery)
        if not isinstance(message, kind):
            return message
        made = create(other, self.model)
        if other == "message" and message._frozen_body() is not None:
            return message
        made.restore(delivery.entry.snapshot._replace(kind=other, body=made._frozen_body()), delivery, self.model)
        return made

    patch.replace(ReferenceSession, "message_of", message_of)


@saboteur("3.11.4-1", "streams are delivered as bytes")
def _(patch: Patch) -> None:
    _as_other_kind(patch, ReferenceStreamMessage, "bytes")


@saboteur("3.11.4-2", "maps are delivered as objects")
def _(patch: Patch) -> None:
    _as_other_kind(patch, ReferenceMapMessage, "object")


@saboteur("3.11.4-3", "a text message without a text arrives as a plain message")
def _(patch: Patch) -> None:
    _as_other_kind(patch, ReferenceTextMessage, "message")
