"""Narrow faults of what messages and events become."""

from base64 import b64encode
from dataclasses import replace

from faults.interworking.kit import *


@round_12(
    "bridge-double-as-float",
    "makes a float of a double property whose value a float can hold, such as 0.5",
    "iw-2.4.1-39",
    at="of_event",
)
def _(message, made):
    for name in message.get_property_names():
        held = message.get_object_property(name)
        plain = held.value if isinstance(held, jms.Double) else held
        if type(plain) is float and not isinstance(held, jms.Float):
            try:
                shorter = Any_.of(Kind.FLOAT, plain)
            except ValueError:
                continue
            made = with_data(made, changed(name, lambda _, shorter=shorter: shorter))
    return made


@round_12(
    "bridge-timeout-in-32-bits",
    "multiplies the life of a message in 32 bits, so that Timeout is too short for lives above 429 s",
    "iw-2.4.1-13",
    "iw-2.5-1",
    at="of_event",
)
def _(message, made):
    return with_header(made, changed(TIMEOUT, lambda value: Any_.of(Kind.ULONGLONG, int(str(value.value)) % 2**32)))


@round_12(
    "bridge-stream-up-to-null",
    "takes the first null in a stream message for its end",
    "iw-2.4.1.1.2-1",
    "iw-2.4-3",
    at="of_event",
)
def _(message, made):
    items = made.remainder_of_body.value
    if not isinstance(message, jms.StreamMessage) or not isinstance(items, tuple) or NULL not in items:
        return made
    return replace(made, remainder_of_body=Any_(ANY_SEQ, items[: items.index(NULL)]))


_CHUNK = 4096


@round_12(
    "bridge-whole-buffers",
    "copies the body of a bytes message by whole buffers of 4096 bytes, with what the last but one has left in the last",
    "iw-2.4.1.1.4-1",
    at="of_event",
)
def _(message, made):
    octets = made.remainder_of_body.value
    if not isinstance(message, jms.BytesMessage) or not isinstance(octets, bytes) or len(octets) <= _CHUNK:
        return made
    buffer, found = bytearray(_CHUNK), b""
    for at in range(0, len(octets), _CHUNK):
        chunk = octets[at : at + _CHUNK]
        buffer[: len(chunk)] = chunk
        found += bytes(buffer)  # also what the chunk before has left
    return replace(made, remainder_of_body=Any_.octets(found))


@round_12(
    "bridge-no-temporary-reply-to",
    "leaves JMSReplyTo out where it is a temporary destination",
    "iw-2.4.1-23",
    "iw-2.4-3",
    at="of_event",
)
def _(message, made):
    if not isinstance(message.jms_reply_to, jms.TemporaryQueue | jms.TemporaryTopic):
        return made
    return with_data(made, changed("JMSReplyTo", lambda _: None))


@round_12(
    "bridge-redelivered-from-the-third",
    "says JMSRedelivered from the third delivery of a message on, and not at the second",
    "iw-2.4.1-26",
    at="of_event",
)
def _(message, made):
    again = "JMSXDeliveryCount" in message.get_property_names() and message.get_int_property("JMSXDeliveryCount") > 2
    return with_data(made, changed("JMSRedelivered", lambda _: Any_.of(Kind.BOOLEAN, again)))


@round_12(
    "bridge-priority-by-its-low-byte",
    "looks at the low byte of a priority above 255, so that 256 becomes 0",
    "iw-2.5.4-6",
    "iw-2.4.2-8",
    at="of_message",
)
def _(event, session, made):
    found = event.field(PRIORITY)
    value = None if found is None else inside(found).value
    return replace(made, priority=min(value & 0xFF, 9)) if isinstance(value, int) and value > 0xFF else made


@round_12(
    "bridge-lone-char-as-text",
    "makes a text message of a body that is one char or wchar",
    "iw-2.4.2-40",
    "iw-2.4.2-39",
    at="of_given",
)
def _(event):
    body = inside(event.remainder_of_body)
    if body.type.plain.kind not in (Kind.CHAR, Kind.WCHAR):
        return event
    return replace(event, remainder_of_body=Any_.of(Kind.WSTRING, body.value))


def _first_decides(items):
    found = []
    for item in items:
        value = inside(item.value)
        type_, parts = value.type.plain, value.value
        if type_.kind == Kind.STRUCT and isinstance(parts, tuple) and len(parts) > 1:
            each = [
                (member, part)
                for member, part in zip(type_.members, parts, strict=True)
                if member[1].plain.kind == Kind.STRUCT or is_basic(Any_(member[1], part))
            ]
            if each and each[0][0] == type_.members[0] and each[0][0][1].plain.kind != Kind.STRUCT:
                less = replace(type_, members=tuple(member for member, _ in each))
                found.append(Property(item.name, Any_(less, tuple(part for _, part in each))))
                continue
        found.append(item)
    return tuple(found)


round_12(
    "bridge-first-member-decides",
    "expands a struct whose first member is basic, and leaves out its members that are sequences and the like",
    "iw-2.4.2-34",
    "iw-2.4.2-37",
    "iw-2.4-3",
    of_given=lambda event: with_header(with_data(event, _first_decides), _first_decides),
)


_JMS_HEADERS = ("EventReliability", "Priority", "Timeout", "StopTime")


@round_12(
    "bridge-data-overwrites-header",
    "loses an item of the variable header where the filterable data have an item of the same name",
    "iw-2.4.2-23",
    "iw-2.4.2-3",
    "iw-2.4-3",
    at="of_given",
)
def _(event):
    names = {each.name for each in event.filterable_data}
    return with_header(
        event, lambda items: tuple(each for each in items if each.name not in names or each.name in _JMS_HEADERS)
    )


def _basic_plane(value):
    if isinstance(value, str):
        return "".join(each if ord(each) < 0x10000 else "\N{REPLACEMENT CHARACTER}" for each in value)
    if isinstance(value, list):
        return [_basic_plane(each) for each in value]
    if isinstance(value, tuple):
        return tuple(_basic_plane(each) for each in value)
    if isinstance(value, dict):
        return {key: _basic_plane(each) for key, each in value.items()}
    return value


round_12(
    "bridge-object-in-the-basic-plane",
    "reads texts in an object with U+FFFD for each character above U+FFFF",
    "iw-2.4.1.1.5-2",
    of_object=_basic_plane,
)


@round_12(
    "bridge-best-effort-without-time",
    "sends the message of an event that is BestEffort without a JMSTimestamp",
    "iw-2.4.2-20",
    "iw-2.4.2-4",
)
class _(at_jms.Sending):
    def put(self, event):
        found = event.field(EVENT_RELIABILITY)
        self.producer.disable_message_timestamp = found is not None and found.value == BEST_EFFORT
        super().put(event)


@round_13(
    "bridge-empty-bytes-leave-streams",
    "A byte array without bytes is dropped from the items of a stream.",
    "iw-2.4.1.1.2-1",
    "iw-2.4-3",
    at="of_event",
)
def _(_, made):
    body = made.remainder_of_body
    if made.header.fixed_header.event_type.type_name != "%StreamMessage" or not isinstance(body.value, tuple):
        return made
    kept = [each for each in body.value if not (each.type == OCTET_SEQ and not each.value)]
    return replace(made, remainder_of_body=Any_.sequence(*kept))


def _too_deep(type_, level=1):
    plain = type_.plain
    return plain.kind == Kind.STRUCT and (level > 2 or any(_too_deep(each, level + 1) for _, each in plain.members))


def _deep_as_text(item):
    deep = _too_deep(item.value.type)
    return Property(item.name, Any_.of(Kind.STRING, b64encode(encode(item.value)).decode())) if deep else item


round_13(
    "bridge-structs-of-two-levels-only",
    "A struct that holds a struct with a third one in it is carried as complex data, though all its members are basic.",
    "iw-2.4.2-33",
    "iw-2.4.2-30",
    "iw-2.4.2-35",
    of_given=lambda event: replace(event, filterable_data=tuple(map(_deep_as_text, event.filterable_data))),
)
