"""Faults of one member or one later look, written beside the tables of values by the suite's own authors."""

from faults.kit import *


def _around(patch, owner, name, fault):
    """Call `fault` instead of a method, with the original first."""
    original = getattr(owner, name)
    patch.replace(owner, name, lambda self, *given, **named: fault(original, self, *given, **named))


# -- members -------------------------------------------------------------------------------------------------------------


@nearly_right(
    "parts-into-read-only",
    "set_bytes of a part writes into a received map message",
    "3.11.2-2",
    by=lambda patch, made: _around(patch, ReferenceMapMessage, "set_bytes", made),
)
def _(original, message, name, value, *part, **named):
    before, message._writable = message._writable, message._writable or bool(part or named)
    try:
        original(message, name, value, *part, **named)
    finally:
        message._writable = before


@nearly_right(
    "objects-into-read-only",
    "write_object of a received stream message does nothing",
    "3.11.2-4",
    by=lambda patch, made: _around(patch, ReferenceStreamMessage, "write_object", made),
)
def _(original, message, value):
    if message._writable:
        original(message, value)


@nearly_right(
    "char-of-a-new-message",
    "read_char of a new bytes message raises MessageEOFException",
    "3.11-9",
    by=lambda patch, made: _around(patch, ReferenceBytesMessage, "read_char", made),
)
def _(original, message):
    if message._written is not None:
        raise MessageEOFException("nothing was written")
    return original(message)


@nearly_right(
    "null-into-read-only",
    "a received message takes a null property",
    "3.5.3-2",
    by=lambda patch, made: _around(patch, ReferenceMessage, "set_object_property", made),
)
def _(original, message, name, value):
    if value is not None:
        original(message, name, value)


@nearly_right(
    "floats-into-read-only",
    "a received object message takes a float property",
    "3.5.3-2",
    by=lambda patch, made: _around(patch, ReferenceMessage, "set_float_property", made),
)
def _(original, message, name, value):
    before = message._properties_writable
    message._properties_writable = before or isinstance(message, ReferenceObjectMessage)
    try:
        original(message, name, value)
    finally:
        message._properties_writable = before


@nearly_right(
    "shorts-after-clearing",
    "write_short of a received stream message is refused after clear_body()",
    "3.11.2-6",
    "3.10-2",
    by=lambda patch, made: _around(patch, ReferenceStreamMessage, "write_short", made),
)
def _(original, message, value):
    if message.jms_message_id is not None:
        message.reset()
    original(message, value)


@nearly_right(
    "arrays-as-properties",
    "an empty byte array is accepted as a property",
    "3.5.5-2",
    by=lambda patch, made: _around(patch, ReferenceMessage, "set_object_property", made),
)
def _(original, message, name, value):
    original(message, name, "" if value == b"" else value)


# -- later looks ---------------------------------------------------------------------------------------------------------


class _Shared:
    """One iterator for all that ask while it is not at its end."""

    def __init__(self):
        self.open = {}

    def of(self, owner, make):
        rest = self.open.get(id(owner)) or self.open.setdefault(id(owner), [*make()])
        if not rest:
            self.open[id(owner)] = rest = [*make()]
        while rest:
            yield rest.pop(0)


@nearly_right(
    "one-enumeration-of-properties", "two open enumerations of property names share their position", "3.5.6-1"
)
def _(patch):
    shared = _Shared()
    _around(
        patch, ReferenceMessage, "get_property_names", lambda original, self: shared.of(self, lambda: original(self))
    )


@nearly_right("one-enumeration-of-entries", "two open enumerations of entries share their position", "3.11-3")
def _(patch):
    shared = _Shared()
    _around(patch, ReferenceMapMessage, "get_map_names", lambda original, self: shared.of(self, lambda: original(self)))


@nearly_right("one-enumeration-of-a-browser", "two open enumerations of a browser share their position", "4.1.6-10")
def _(patch):
    shared = _Shared()
    _around(patch, ReferenceBrowser, "get_enumeration", lambda original, self: shared.of(self, lambda: original(self)))


@nearly_right("first-enumeration-only", "a browser shows at each enumeration what the first one showed", "4.1.6-10")
def _(patch):
    known = {}

    def enumerated(original, browser):
        if id(browser) not in known:
            known[id(browser)] = (browser, [*original(browser)])
        return iter(known[id(browser)][1])

    _around(patch, ReferenceBrowser, "get_enumeration", enumerated)


@nearly_right("names-remembered", "property names are those of the first look until they are cleared", "3.5.6-1")
def _(patch):
    known = {}

    def enumerated(original, message):
        if message._properties and id(message) not in known:
            known[id(message)] = (message, [*original(message)])
        return iter(known[id(message)][1]) if message._properties else original(message)

    _around(patch, ReferenceMessage, "get_property_names", enumerated)


@nearly_right(
    "live-properties", "properties set after a send in a transaction reach the receiver", "3.9-2", by=after_send
)
def _(sender, message, entry, options):
    if isinstance(message, ReferenceMessage) and sender.session.transacted:
        entry.snapshot = entry.snapshot._replace(properties=message._properties)


@nearly_right("live-arrays", "a byte array set as an object in a map is not copied", "3.12-5", "3.9-1")
def _(patch):
    def put(original, message, name, value):
        original(message, name, value)
        if isinstance(value, bytearray):
            message._entries[name] = _Live(value)

    def get(original, message, name):
        value = original(message, name)
        return bytes(value.array) if isinstance(value, _Live) else value

    def frozen(original, message):
        body = original(message)
        return {name: bytes(value.array) if isinstance(value, _Live) else value for name, value in body.items()}

    _around(patch, ReferenceMapMessage, "set_object", put)
    _around(patch, ReferenceMapMessage, "_entry", get)
    _around(patch, ReferenceMapMessage, "_frozen_body", frozen)


class _Live:
    """An array of the application."""

    def __init__(self, array):
        self.array = array


@nearly_right("object-read-once", "an object message returns the same map at each read", "3.12-16")
def _(patch):
    known = {}
    honest = ReferenceObjectMessage.object

    def get(message):
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
def _(patch):
    def received(message, delivery):
        if isinstance(message, ReferenceMapMessage):
            message._entries = delivery.entry.snapshot.body

    def empty(original, message):
        old = getattr(message, "_entries", None)
        original(message)
        if old:
            old.clear()

    as_received(patch, received)
    _around(patch, ReferenceMapMessage, "_empty_body", empty)


@nearly_right(
    "whole-parts",
    "an array whose length is a multiple of 4,096 is read without its last -1",
    "3.11-22",
    by=lambda patch, made: _around(patch, ReferenceStreamMessage, "read_bytes", made),
)
def _(original, message, buffer):
    count = original(message, buffer)
    if (
        message._offset is not None
        and message._offset % 4096 == 0
        and message._offset == len(message._items[message._position])
    ):
        message._move_on()
    return count


@nearly_right(
    "reset-amid-an-array",
    "reset() of a stream leaves an array that is half read open",
    "3.11-10",
    by=lambda patch, made: _around(patch, ReferenceStreamMessage, "reset", made),
)
def _(original, message):
    opened = getattr(message, "_offset", None)
    original(message)
    message._offset = opened


@nearly_right(
    "refused-type-moves",
    "getBody of bytes with a wrong type leaves the position at the end",
    "3.11-33",
    by=lambda patch, made: _around(patch, ReferenceBytesMessage, "get_body", made),
)
def _(original, message, body_type):
    at_end = message._written is None and message._position >= len(message._data) > 0
    if at_end:
        raise MessageFormatException("the bytes were read to their end")
    return original(message, body_type)


@nearly_right(
    "properties-until-acknowledged",
    "properties of a message cannot be read after acknowledge()",
    "3.11.4-3",
    by=lambda patch, made: _around(patch, ReferenceMessage, "acknowledge", made),
)
def _(original, message):
    original(message)
    message._properties = {}


@nearly_right(
    "stopped-is-deaf",
    "a subscription without a name misses what is published while its connection is stopped",
    "4.2.2-2",
    at=fault_points.SUBSCRIPTION_MATCHED,
)
def _(original, subscription, entry):
    connection = getattr(subscription.session, "connection", None)
    return original(subscription, entry) and (connection is None or connection.running)


@nearly_right(
    "second-clearing",
    "properties set again after clear_properties() are read-only on a message sent before",
    "3.5.7-2",
    by=lambda patch, made: _around(patch, ReferenceMessage, "clear_properties", made),
)
def _(original, message):
    original(message)
    message._properties_writable = message.jms_message_id is None or not isinstance(message, ReferenceTextMessage)
