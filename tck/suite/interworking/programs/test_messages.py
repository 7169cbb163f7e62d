"""Interworking 2.4.1 by programs: messages of many shapes, and each part of the events that they become."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from tck import api
from tck.interworking import (
    ANY_SEQ,
    EVENT_RELIABILITY,
    PRIORITY,
    PROPERTY_SEQ,
    TIMEOUT,
    Kind,
    Property,
    StructuredEvent,
)
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.link import Link
from tck.suite.support.harness.outcome import Unsupported
from tck.suite.support.interworking.bridging import KINDS, TICKS, Bridged
from tck.suite.support.interworking.crossing import PULL, PUSH, SEQUENCE, SINK, SOURCE, STRUCTURED, Crossing
from tck.suite.support.interworking.programs import ROWS_OF_TYPES, SIZES, TEXTS, Draw, Table, idl, on_channel

DAY: Final = 24 * 3_600_000
LIVES: Final = (0, 60_000, 429_496, 429_497, 3_600_000, DAY, 2**31 - 1, 2**31, 2**32 + 1, 365 * DAY, 100 * 365 * DAY)
"""Lives of messages in ms, around those whose number of units, or of ms, no longer fits 31 or 32 bits."""
NAMES: Final = (
    "a",
    "A",
    "a1",
    "_a",
    "$a",
    "text",
    "value",
    "name",
    "gr\u00f6\u00dfe",
    "Priority",
    "Timeout",
    "m" * 300,
)
"""Names of properties, some of them names of other things too."""
ENTRIES: Final = (*NAMES, "a b", "a.b", "1", "a-b", "JMSType", "NULL", " ", "\N{GRINNING FACE}")
"""Names of entries of maps."""
TYPE_NAMES: Final = {
    "text": ("iw-2.4.1-4", "%TextMessage"),
    "map": ("iw-2.4.1-5", "%MapMessage"),
    "stream": ("iw-2.4.1-6", "%StreamMessage"),
    "bytes": ("iw-2.4.1-7", "%BytesMessage"),
    "object": ("iw-2.4.1-8", "%ObjectMessage"),
}


class Made:
    """A message, how it is sent, and what is in it."""

    def __init__(self, number: int, message: api.Message, kind: str, content: Any) -> None:
        self.number, self.message, self.kind, self.content = number, message, kind, content
        self.mode, self.priority, self.life = api.DeliveryMode.PERSISTENT, 4, 0
        self.properties: dict[str, object] = {}
        self.sent_at = 0

    def send(self, link: Link) -> None:
        """Send it."""
        self.sent_at = link.case.now()
        link.send(self.message, mode=self.mode, priority=self.priority, ttl=self.life)


class Maker:
    """Makes messages of many shapes."""

    def __init__(self, case: Case, link: Link, seed: int) -> None:
        self.draw, self._session, self._case = Draw(seed), link.client.session, case
        self._number = 0
        client = case.client(domain="queue"), case.client(domain="topic")
        self._replies = (
            None,
            *(case.destination(domain) for domain in ("queue", "topic")),
            *(each.temporary() for each in client),
        )

    def make(self) -> Made:
        """Return the next message."""
        draw, number = self.draw, self._number
        self._number += 1
        kind = KINDS[number % len(KINDS)]
        message, content = getattr(self, f"_{kind}")()
        made = Made(number, message, kind, content)
        made.mode = draw.each((api.DeliveryMode.PERSISTENT, api.DeliveryMode.NON_PERSISTENT))
        made.priority, made.life = draw.each(_PRIORITIES), draw.each(LIVES)
        message.jms_type = draw.each((None, "alarm", *TEXTS[1:6]))
        message.jms_correlation_id = draw.each((None, "c-1", "größer", "x" * 300))
        message.jms_reply_to = draw.each(self._replies)
        names = [f"p{number}_{each}" for each in range(draw.each((0, 1, 9, 40)))]
        names += draw.random.sample(NAMES, draw.each(_SOME_NAMES))
        for name in draw.random.sample(names, len(names)):
            made.properties[name] = draw.java()
            message.set_object_property(name, made.properties[name])
        if draw.chance(0.3):
            made.properties |= {"JMSXGroupID": "g", "JMSXGroupSeq": api.Int(number)}
            message.set_string_property("JMSXGroupID", "g")
            message.set_int_property("JMSXGroupSeq", number)
        return made

    def _text(self) -> tuple[api.Message, object]:
        message = self._session.create_text_message()
        message.text = self.draw.text(self.draw.each(SIZES)) if self.draw.chance() else self.draw.each(TEXTS)
        return message, message.text

    def _map(self) -> tuple[api.Message, object]:
        message: api.MapMessage = self._session.create_map_message()
        names = [*self.draw.random.sample(ENTRIES, self.draw.each(_SOME_ENTRIES))]
        names += [f"e{each}" for each in range(self.draw.each((0, 1, 40)))]
        content = {name: None if self.draw.chance(0.1) else self.draw.java(item=True) for name in names}
        for name, value in content.items():
            message.set_object(name, value)
        return message, content

    def _stream(self) -> tuple[api.Message, object]:
        message: api.StreamMessage = self._session.create_stream_message()
        count = self.draw.each((0, 1, 2, 9, 40))
        content = [None if self.draw.chance(0.2) else self.draw.java(item=True) for _ in range(count)]
        for value in content:
            message.write_object(value)
        return message, content

    def _bytes(self) -> tuple[api.Message, object]:
        message: api.BytesMessage = self._session.create_bytes_message()
        content = self.draw.octets(self.draw.each(SIZES))
        message.write_bytes(content)
        return message, content

    def _object(self) -> tuple[api.Message, object]:
        content = self.draw.each(OBJECTS)
        return self._session.create_object_message(content), content


_SOME_NAMES: Final = (0, 1, len(NAMES))
_SOME_ENTRIES: Final = (0, 1, len(ENTRIES))
_PRIORITIES: Final = tuple(range(10))
OBJECTS: Final[Sequence[object]] = (
    {"texts": list(TEXTS), "\N{GRINNING FACE}": "\U0010ffff"},
    [[], {}, "", None, [None, [True, False, 0, -1, 2**31, -(2**31) - 1, 2**62, 0.5, -1e300]]],
    "\N{GRINNING FACE} lone",
    {"deep": {"deep": {"deep": [{"deep": "x" * 5000}]}}, "": 1},
    list(range(300)),
)
"""Objects of texts, numbers, lists and maps."""


class Reading:
    """Compares events with the messages that they were."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def read(self, where: str, made: Made, event: StructuredEvent, until: int) -> None:
        """Note each part of an event.

        Args:
            where: By which way it came.
            made: The message that was sent.
            event: The event.
            until: A time after the conversion, in ms.
        """
        what = f"{where}, the {made.kind} message {made.number}"
        header, note = event.header, self._table.note
        note("iw-2.4.1-3", f"{what}: domain_name", header.fixed_header.event_type.domain_name, "")
        row, name = TYPE_NAMES[made.kind]
        note(row, f"{what}: type_name", header.fixed_header.event_type.type_name, name)
        persistent = made.mode == api.DeliveryMode.PERSISTENT
        found = _one(header.variable_header, EVENT_RELIABILITY)
        row = "iw-2.4.1-11" if persistent else "iw-2.4.1-12"
        note(row, f"{what}: EventReliability", found, ("SHORT", int(persistent)))
        found = _one(header.variable_header, PRIORITY)
        note("iw-2.4.1-16", f"{what}: Priority", found, ("SHORT", made.priority))
        note("iw-2.4.1-13", f"{what}: Timeout", *self._timeout(made, event, until))
        names = {each.name for each in event.filterable_data}
        misplaced = sorted(names & {"JMSDeliveryMode", "JMSExpiration", "JMSPriority"})
        note("iw-2.4.1-29", f"{what}: headers in the wrong place", misplaced, [])
        self._headers(what, made, event)
        self._properties(what, made, event)
        self._body(what, made, event)

    def _timeout(self, made: Made, event: StructuredEvent, until: int) -> tuple[object, object]:
        value = event.field(TIMEOUT)
        if not made.life:
            seen = "none" if value is None or value.value == 0 else repr(value.value)
            return seen, "none"
        if value is None:
            return "none", "one"
        ends = made.message.jms_expiration
        units = int(str(value.value)) if type(value.value) is int else -1
        slack = 2 * TICKS
        fits = (ends - until) * TICKS - slack <= units <= (ends - made.sent_at) * TICKS + slack or units == ends * TICKS
        kind = value.type.plain.kind == Kind.ULONGLONG
        return ("one" if fits and kind else f"{value.type} {value.value!r} for {made.life} ms"), "one"

    def _headers(self, what: str, made: Made, event: StructuredEvent) -> None:
        message, note, data = made.message, self._table.note, event.filterable_data
        for row, name, text in (
            ("iw-2.4.1-20", "JMSType", message.jms_type),
            ("iw-2.4.1-21", "JMSMessageID", message.jms_message_id),
            ("iw-2.4.1-24", "JMSCorrelationID", message.jms_correlation_id),
        ):
            if text:
                note(row, f"{what}: {name}", _one(data, name), ("STRING", text))
            else:
                note(row, f"{what}: {name} without a value", _one(data, name)[1] in (None, ""), True)
        note("iw-2.4.1-22", f"{what}: JMSTimestamp", _one(data, "JMSTimestamp"), ("LONGLONG", message.jms_timestamp))
        note("iw-2.4.1-26", f"{what}: JMSRedelivered", _one(data, "JMSRedelivered"), ("BOOLEAN", False))
        for row, names, place in (
            ("iw-2.4.1-25", ("JMSDestination",), message.jms_destination),
            ("iw-2.4.1-23", ("JMSReplyTo", "JMSreplyTo"), message.jms_reply_to),
        ):
            found = [each for each in (_one(data, name) for name in names) if each[0] != "none"]
            if place is None:
                note(row, f"{what}: {names[0]} without a value", all(not each[1] for each in found), True)
                continue
            name = place.queue_name if isinstance(place, api.Queue) else getattr(place, "topic_name", "")
            seen = len(found) == 1 and found[0][0] == "STRING" and str(name) in str(found[0][1])
            note(row, f"{what}: {names[0]} names {name}", seen or repr(found), True)

    def _properties(self, what: str, made: Made, event: StructuredEvent) -> None:
        lacking = [name for name in made.properties if _one(event.filterable_data, name)[0] == "none"]
        self._table.note("iw-2.4-3", f"{what}: properties that are missing", lacking, [])
        others = sorted(
            name for each in event.filterable_data if (name := each.name) not in made.properties and _ours(name)
        )
        self._table.note("iw-2.4.1-32", f"{what}: properties of other messages", others, [])
        for name, value in made.properties.items():
            wanted = idl(value)
            row = ROWS_OF_TYPES[Kind[wanted[0]]]
            self._table.note(row, f"{what}: {name[:20]}", _one(event.filterable_data, name), wanted)

    def _body(self, what: str, made: Made, event: StructuredEvent) -> None:
        note, body, content = self._table.note, event.remainder_of_body, made.content
        match made.kind:
            case "text":
                note("iw-2.4.1.1.1-1", f"{what}: the body", on_channel(body), ("STRING", content))
            case "bytes":
                seen = _octets(body.value)
                note("iw-2.4.1.1.4-1", f"{what}: the body", seen, _octets(content))
            case "stream":
                fits = body.type.plain == ANY_SEQ and isinstance(body.value, tuple)
                items: tuple[Any, ...] = body.value if fits else ()  # type: ignore[assignment]
                count = len(items) if fits else str(body.type)
                note("iw-2.4.1.1.2-1", f"{what}: the number of items", count, len(content))
                pairs = list(zip(items, content, strict=False))
                types = [on_channel(a)[0] for a, b in pairs if b is not None]
                note("iw-2.4.1.1.2-3", f"{what}: the types", types, [idl(b)[0] for _, b in pairs if b is not None])
                values = [on_channel(a) for a, b in pairs if b is not None]
                note("iw-2.4.1.1.2-2", f"{what}: the items", values, [idl(b) for _, b in pairs if b is not None])
            case "map":
                is_map = body.type.plain == PROPERTY_SEQ and isinstance(body.value, tuple)
                entries: list[tuple[str, Any]] = list(body.value) if is_map else []  # type: ignore[call-overload]
                names = sorted(name for name, _ in entries)
                note("iw-2.4.1.1.3-1", f"{what}: the entries", names if is_map else "no properties", sorted(content))
                values_ = {name: on_channel(value) for name, value in entries if content.get(name) is not None}
                wanted = {name: idl(value) for name, value in content.items() if value is not None}
                note("iw-2.4.1.1.3-2", f"{what}: the values", sorted(values_.items()), sorted(wanted.items()))

    def read_object(self, bridged: Bridged, made: Made, event: StructuredEvent) -> None:
        """Note the object that a bridge reads again from the octets of an event."""
        octets, row, what = event.remainder_of_body.value, "iw-2.4.1.1.5-2", f"the object {made.number}"
        held, read = (octets if isinstance(octets, bytes) else b""), bridged.converter.read_object
        seen = self._table.attempt(row, f"{what} is read", lambda: bridged.calls("read_object", lambda: read(held)))
        self._table.note(row, what, seen, made.content)


def _ours(name: str) -> bool:
    """Whether a property can only be one that a program has made."""
    return name[:1] == "p" and name[1:2].isdigit() and "_" in name


def _octets(value: object) -> object:
    """Return bytes, and their length."""
    return (len(value), value) if isinstance(value, bytes) else repr(value)


def _one(items: Sequence[Property], name: str) -> tuple[str, object]:
    """Return type and value of the one item with a name; `none` or `several` as the type where there is not one."""
    found = [each.value for each in items if each.name == name]
    if len(found) != 1:
        return ("several" if found else "none"), None
    return on_channel(found[0])


@asserts(
    "iw-2.4-3", "iw-2.4.1-3", "iw-2.4.1-4", "iw-2.4.1-5", "iw-2.4.1-6", "iw-2.4.1-7", "iw-2.4.1-8", "iw-2.4.1-11",
    "iw-2.4.1-12", "iw-2.4.1-13", "iw-2.4.1-16", "iw-2.4.1-20", "iw-2.4.1-21", "iw-2.4.1-22", "iw-2.4.1-23",
    "iw-2.4.1-24", "iw-2.4.1-25", "iw-2.4.1-26", "iw-2.4.1-29", "iw-2.4.1-32", "iw-2.4.1-33", "iw-2.4.1-34",
    "iw-2.4.1-35", "iw-2.4.1-36", "iw-2.4.1-37", "iw-2.4.1-38", "iw-2.4.1-39", "iw-2.4.1-40", "iw-2.4.1.1.1-1",
    "iw-2.4.1.1.2-1", "iw-2.4.1.1.2-2", "iw-2.4.1.1.2-3", "iw-2.4.1.1.3-1", "iw-2.4.1.1.3-2", "iw-2.4.1.1.4-1",
    "iw-2.4.1.1.5-2", variant="messages", domain=("queue",), plain=True
)  # fmt: skip
def test_messages_of_many_shapes(case: Case) -> None:
    """Messages of all types, sizes and mixtures of headers and properties become events whose parts are those of the message."""
    bridged, table = Bridged(case), Table()
    maker, reading = Maker(case, bridged.link, 1), Reading(table)

    def program() -> None:
        for _ in range(60):
            made = maker.make()
            made.send(bridged.link)
            event = table.attempt(
                "iw-2.4-3", f"message {made.number}", lambda: bridged.event_of(bridged.link.receive())
            )
            reading.read("by the converter", made, event, case.now())
            if made.kind == "object":
                reading.read_object(bridged, made, event)

    table.play(program)


@asserts(
    "iw-2.4-3", "iw-2.4.1-3", "iw-2.4.1-4", "iw-2.4.1-5", "iw-2.4.1-6", "iw-2.4.1-7", "iw-2.4.1-8", "iw-2.4.1-11",
    "iw-2.4.1-12", "iw-2.4.1-13", "iw-2.4.1-16", "iw-2.4.1-20", "iw-2.4.1-21", "iw-2.4.1-22", "iw-2.4.1-23",
    "iw-2.4.1-24", "iw-2.4.1-25", "iw-2.4.1-26", "iw-2.4.1-29", "iw-2.4.1-32", "iw-2.4.1-33", "iw-2.4.1-34",
    "iw-2.4.1-35", "iw-2.4.1-36", "iw-2.4.1-37", "iw-2.4.1-38", "iw-2.4.1-39", "iw-2.4.1-40", "iw-2.4.1.1.1-1",
    "iw-2.4.1.1.2-1", "iw-2.4.1.1.2-2", "iw-2.4.1.1.2-3", "iw-2.4.1.1.3-1", "iw-2.4.1.1.3-2", "iw-2.4.1.1.4-1",
    variant="running-messages", domain=("topic",), plain=True
)  # fmt: skip
def test_messages_of_many_shapes_through_bridges(case: Case) -> None:
    """The same through bridges that run, of each style and grouping that is offered."""
    table = Table()
    reading = Reading(table)

    def program() -> None:
        seed = 2
        for style, of_channel in ((PUSH, PUSH), (PULL, PULL), (PULL, PUSH), (PUSH, PULL)):
            for type_ in (STRUCTURED, SEQUENCE):
                crossing, seed = Crossing(case), seed + 1
                points = crossing.destination(SOURCE, style), crossing.channel_end(SINK, of_channel, type_)
                try:
                    crossing.offered(points)
                except Unsupported as left_out:
                    case.witness(str(left_out))
                    continue
                _cross(crossing, Maker(case, crossing.sender, seed), reading, table, f"{style.name} {type_.name}")

    table.play(program)


def _cross(crossing: Crossing, maker: Maker, reading: Reading, table: Table, where: str) -> None:
    """Send messages through a bridge, and compare them with the events."""
    consumer = crossing.consumer()
    sent = [maker.make() for _ in range(8)]
    for made in sent:
        made.send(crossing.sender)
    events = table.attempt("iw-2.4-3", where, lambda: crossing.pulled(consumer, len(sent)))
    known = {str(_one(each.filterable_data, "JMSMessageID")[1]): each for each in events}
    for made in sent:
        found = known.get(str(made.message.jms_message_id))
        table.demand(
            "iw-2.4.1-21", f"{where}: an event has the JMSMessageID of message {made.number}", found is None, False
        )
        if found is not None:
            reading.read(where, made, found, crossing.case.now())


@asserts("iw-2.4.1-26", variant="again", domain=("queue",), plain=True)
def test_each_further_delivery_is_a_redelivery(case: Case) -> None:
    """JMSRedelivered is false in the event of the first delivery, and true in those of the second, third and fourth, whatever the type."""
    bridged = Bridged(case)
    link = bridged.link = case.link("client")
    for kind in KINDS:
        link.send(link.message(kind, "x"))
        again = [link.take()]
        seen = []
        for turn in range(4):
            seen.append(_one(bridged.event_of(again[-1]).filterable_data, "JMSRedelivered"))
            if turn < 3:
                again += link.returned(1)
        link.client.settle(again[-1])
        expect.equal(
            f"JMSRedelivered of a {kind} message", seen, [("BOOLEAN", each) for each in (False, True, True, True)]
        )
