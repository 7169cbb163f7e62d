"""Faults of one member or one later look, written beside the tables of values by the suite's own authors."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from faults.kit.common import after_send, as_received
from faults.kit.declaring import nearly_right
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.broker.physical_destinations import Subscription
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.client.browsers import ReferenceBrowser
from reference_provider.client.producers import Options, ReferenceProducer
from reference_provider.messages.bytes_message import ReferenceBytesMessage
from reference_provider.messages.map_message import ReferenceMapMessage
from reference_provider.messages.message import ReferenceMessage
from reference_provider.messages.object_message import ReferenceObjectMessage
from reference_provider.messages.stream_message import ReferenceStreamMessage
from reference_provider.messages.text_message import ReferenceTextMessage
from tck.api import (
    Message,
    MessageEOFException,
    MessageFormatException,
)


def _around(patch: Patch, owner: type, name: str, fault: Callable[..., Any]) -> None:
    """Call `fault` instead of a method, with the original first."""
    original = getattr(owner, name)
    patch.replace(owner, name, lambda self, *given, **named: fault(original, self, *given, **named))


# -- members -------------------------------------------------------------------------------------------------------------


@nearly_right("parts-into-read-only", "set_bytes of a part writes into a received map message", "3.11.2-2")
def _(patch: Patch) -> None:
    def put(original: Callable[..., None], message: Any, name: str, value: Any, *part: int, **named: int) -> None:
        before, message._writable = message._writable, message._writable or bool(part or named)
        try:
            original(message, name, value, *part, **named)
        finally:
            message._writable = before

    _around(patch, ReferenceMapMessage, "set_bytes", put)


@nearly_right("objects-into-read-only", "write_object of a received stream message does nothing", "3.11.2-4")
def _(patch: Patch) -> None:
    def put(original: Callable[..., None], message: Any, value: object) -> None:
        if message._writable:
            original(message, value)

    _around(patch, ReferenceStreamMessage, "write_object", put)


@nearly_right("char-of-a-new-message", "read_char of a new bytes message raises MessageEOFException", "3.11-9")
def _(patch: Patch) -> None:
    def read(original: Callable[..., str], message: Any) -> str:
        if message._written is not None:
            raise MessageEOFException("nothing was written")
        return original(message)

    _around(patch, ReferenceBytesMessage, "read_char", read)


@nearly_right("null-into-read-only", "a received message takes a null property", "3.5.3-2")
def _(patch: Patch) -> None:
    def put(original: Callable[..., None], message: Any, name: str, value: object) -> None:
        if value is not None:
            original(message, name, value)

    _around(patch, ReferenceMessage, "set_object_property", put)


@nearly_right("floats-into-read-only", "a received object message takes a float property", "3.5.3-2")
def _(patch: Patch) -> None:
    def put(original: Callable[..., None], message: Any, name: str, value: float) -> None:
        before = message._properties_writable
        message._properties_writable = before or isinstance(message, ReferenceObjectMessage)
        try:
            original(message, name, value)
        finally:
            message._properties_writable = before

    _around(patch, ReferenceMessage, "set_float_property", put)


@nearly_right(
    "shorts-after-clearing",
    "write_short of a received stream message is refused after clear_body()",
    "3.11.2-6",
    "3.10-2",
)
def _(patch: Patch) -> None:
    def put(original: Callable[..., None], message: Any, value: int) -> None:
        if message.jms_message_id is not None:
            message.reset()
        original(message, value)

    _around(patch, ReferenceStreamMessage, "write_short", put)


@nearly_right("arrays-as-properties", "an empty byte array is accepted as a property", "3.5.5-2")
def _(patch: Patch) -> None:
    def put(original: Callable[..., None], message: Any, name: str, value: object) -> None:
        original(message, name, "" if value == b"" else value)

    _around(patch, ReferenceMessage, "set_object_property", put)


# -- later looks ---------------------------------------------------------------------------------------------------------


class _Shared:
    """One iterator for all that ask while it is not at its end."""

    def __init__(self) -> None:
        self.open: dict[int, list[Any]] = {}

    def of(self, owner: object, make: Callable[[], Iterator[Any]]) -> Iterator[Any]:
        rest = self.open.get(id(owner)) or self.open.setdefault(id(owner), [*make()])
        if not rest:
            self.open[id(owner)] = rest = [*make()]
        while rest:
            yield rest.pop(0)


@nearly_right(
    "one-enumeration-of-properties", "two open enumerations of property names share their position", "3.5.6-1"
)
def _(patch: Patch) -> None:
    shared = _Shared()
    _around(
        patch, ReferenceMessage, "get_property_names", lambda original, self: shared.of(self, lambda: original(self))
    )


@nearly_right("one-enumeration-of-entries", "two open enumerations of entries share their position", "3.11-3")
def _(patch: Patch) -> None:
    shared = _Shared()
    _around(patch, ReferenceMapMessage, "get_map_names", lambda original, self: shared.of(self, lambda: original(self)))


@nearly_right("one-enumeration-of-a-browser", "two open enumerations of a browser share their position", "4.1.6-10")
def _(patch: Patch) -> None:
    shared = _Shared()
    _around(patch, ReferenceBrowser, "get_enumeration", lambda original, self: shared.of(self, lambda: original(self)))


@nearly_right("first-enumeration-only", "a browser shows at each enumeration what the first one showed", "4.1.6-10")
def _(patch: Patch) -> None:
    known: dict[int, tuple[ReferenceBrowser, list[Message]]] = {}

    def enumerated(original: Callable[..., Iterator[Message]], browser: ReferenceBrowser) -> Iterator[Message]:
        if id(browser) not in known:
            known[id(browser)] = (browser, [*original(browser)])
        return iter(known[id(browser)][1])

    _around(patch, ReferenceBrowser, "get_enumeration", enumerated)


@nearly_right("names-remembered", "property names are those of the first look until they are cleared", "3.5.6-1")
def _(patch: Patch) -> None:
    known: dict[int, tuple[Any, list[str]]] = {}

    def enumerated(original: Callable[..., Iterator[str]], message: Any) -> Iterator[str]:
        if message._properties and id(message) not in known:
            known[id(message)] = (message, [*original(message)])
        return iter(known[id(message)][1]) if message._properties else original(message)

    _around(patch, ReferenceMessage, "get_property_names", enumerated)


@nearly_right("live-properties", "properties set after a send in a transaction reach the receiver", "3.9-2")
def _(patch: Patch) -> None:
    def sent(sender: ReferenceProducer, message: Any, entry: StoredMessage, options: Options) -> None:
        if isinstance(message, ReferenceMessage) and sender.session.transacted:  # type: ignore[attr-defined]
            entry.snapshot = entry.snapshot._replace(properties=message._properties)

    after_send(patch, sent)


@nearly_right("live-arrays", "a byte array set as an object in a map is not copied", "3.12-5", "3.9-1")
def _(patch: Patch) -> None:
    def put(original: Callable[..., None], message: Any, name: str, value: object) -> None:
        original(message, name, value)
        if isinstance(value, bytearray):
            message._entries[name] = _Live(value)

    def get(original: Callable[..., Any], message: Any, name: str) -> Any:
        value = original(message, name)
        return bytes(value.array) if isinstance(value, _Live) else value

    def frozen(original: Callable[..., Any], message: Any) -> Any:
        body = original(message)
        return {name: bytes(value.array) if isinstance(value, _Live) else value for name, value in body.items()}

    _around(patch, ReferenceMapMessage, "set_object", put)
    _around(patch, ReferenceMapMessage, "_entry", get)
    _around(patch, ReferenceMapMessage, "_frozen_body", frozen)


class _Live:
    """An array of the application."""

    def __init__(self, array: bytearray) -> None:
        self.array = array


@nearly_right("object-read-once", "an object message returns the same map at each read", "3.12-16")
def _(patch: Patch) -> None:
    known: dict[int, tuple[Any, bytes, Any]] = {}
    honest: Any = ReferenceObjectMessage.object

    def get(message: Any) -> Any:
        value = honest.fget(message)
        if not isinstance(value, dict):
            return value
        found = known.get(id(message))
        if found is None or found[1] != message._encoded:
            known[id(message)] = found = (message, message._encoded, value)
        return found[2]

    patch.replace(ReferenceObjectMessage, "object", property(get, honest.fset))


@nearly_right(
    "maps-cleared-in-place",
    "clear_body() of a received map message empties the stored message too",
    "3.10-4",
    "4.2.2-7",
)
def _(patch: Patch) -> None:
    def received(message: Any, delivery: Any) -> None:
        if isinstance(message, ReferenceMapMessage):
            message._entries = delivery.entry.snapshot.body

    def empty(original: Callable[..., None], message: Any) -> None:
        old = getattr(message, "_entries", None)
        original(message)
        if old:
            old.clear()

    as_received(patch, received)
    _around(patch, ReferenceMapMessage, "_empty_body", empty)


@nearly_right("whole-parts", "an array whose length is a multiple of 4,096 is read without its last -1", "3.11-22")
def _(patch: Patch) -> None:
    def read(original: Callable[..., int], message: Any, buffer: bytearray) -> int:
        count = original(message, buffer)
        if (
            message._offset is not None
            and message._offset % 4096 == 0
            and message._offset == len(message._items[message._position])
        ):
            message._move_on()
        return count

    _around(patch, ReferenceStreamMessage, "read_bytes", read)


@nearly_right("reset-amid-an-array", "reset() of a stream leaves an array that is half read open", "3.11-10")
def _(patch: Patch) -> None:
    def reset(original: Callable[..., None], message: Any) -> None:
        opened = getattr(message, "_offset", None)
        original(message)
        message._offset = opened

    _around(patch, ReferenceStreamMessage, "reset", reset)


@nearly_right("refused-type-moves", "getBody of bytes with a wrong type leaves the position at the end", "3.11-33")
def _(patch: Patch) -> None:
    def get(original: Callable[..., Any], message: Any, body_type: Any) -> Any:
        at_end = message._written is None and message._position >= len(message._data) > 0
        if at_end:
            raise MessageFormatException("the bytes were read to their end")
        return original(message, body_type)

    _around(patch, ReferenceBytesMessage, "get_body", get)


@nearly_right("properties-until-acknowledged", "properties of a message cannot be read after acknowledge()", "3.11.4-3")
def _(patch: Patch) -> None:
    def acknowledge(original: Callable[..., None], message: Any) -> None:
        original(message)
        message._properties = {}

    _around(patch, ReferenceMessage, "acknowledge", acknowledge)


@nearly_right(
    "stopped-is-deaf",
    "a subscription without a name misses what is published while its connection is stopped",
    "4.2.2-2",
)
def _(patch: Patch) -> None:
    def wants(original: Callable[..., bool], subscription: Subscription, entry: StoredMessage) -> bool:
        connection = getattr(subscription.session, "connection", None)
        return original(subscription, entry) and (connection is None or connection.running)

    patch.at(fault_points.SUBSCRIPTION_MATCHED, wants)


@nearly_right(
    "second-clearing", "properties set again after clear_properties() are read-only on a message sent before", "3.5.7-2"
)
def _(patch: Patch) -> None:
    def clear(original: Callable[..., None], message: Any) -> None:
        original(message)
        message._properties_writable = message.jms_message_id is None or not isinstance(message, ReferenceTextMessage)

    _around(patch, ReferenceMessage, "clear_properties", clear)
