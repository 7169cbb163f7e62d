"""Interworking 2.4.2 by programs: events of many shapes, and each part of the messages that they become."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tck import api
from tck.interworking import (
    EVENT_RELIABILITY,
    OCTET_SEQ,
    PRIORITY,
    TIMEOUT,
    Any_,
    Kind,
    StructuredEvent,
    TypeCode,
    array_of,
    event,
    sequence_of,
    struct_of,
    union_of,
)
from tck.interworking.anys import BASIC
from tck.suite.support import Case, asserts
from tck.suite.support.harness.outcome import Unsupported
from tck.suite.support.interworking.bridging import TICKS, Bridged
from tck.suite.support.interworking.crossing import PULL, PUSH, SEQUENCE, SINK, SOURCE, STRUCTURED, Crossing
from tck.suite.support.interworking.programs import SETTLED, SIZES, TEXTS, UNSETTLED, Draw, Table, boxed, java
from tck.suite.support.values.seen import shown

DAY: Final = 24 * 3_600_000
LIVES: Final = (None, 60_000, 429_496, 429_497, 3_600_000, 2**31 - 1, 2**31, 2**32 + 1, 365 * DAY, 100 * 365 * DAY)
"""Lives of events in ms; None for no Timeout."""
PRIORITIES: Final = (
    *(None, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 127, 128, 255, 256, 257, 260, 511, 512, 4096, 32512, 32766, 32767),
    *(-1, -2, -5, -128, -129, -251, -255, -256, -257, -4096, -32766, -32767),
)
"""Priorities of events around the ends of bytes; None for none."""
RELIABILITIES: Final = (None, 0, 1)
NAMES: Final = (
    "a",
    "A",
    "a b",
    "a_b",
    "a-b",
    "1",
    "sev",
    "größe",
    "JMSType",
    "JMSPriority",
    "and",
    "$a",
    "_",
    "x" * 200,
)
"""Names of fields, in the header and among the data."""
OF_HEADERS: Final = (PRIORITY, TIMEOUT, EVENT_RELIABILITY, "StopTime", "JMSDeliveryMode", "JMSExpiration")
"""Names that mean something in the header, and nothing among the data."""
LONGS: Final = sequence_of(TypeCode(Kind.LONG))
POINT: Final = struct_of("Point", x=TypeCode(Kind.LONG), y=TypeCode(Kind.DOUBLE))
EITHER: Final = union_of(
    "Either", TypeCode(Kind.BOOLEAN), text=(True, TypeCode(Kind.STRING)), number=(False, TypeCode(Kind.LONG))
)
COMPLEX: Final = (
    Any_(LONGS, ()),
    Any_(LONGS, (1, -2, 3)),
    Any_(sequence_of(TypeCode(Kind.STRING)), ("", "größer \N{GRINNING FACE}")),
    Any_(sequence_of(POINT), ((1, 0.5), (-1, 1e300))),
    Any_(OCTET_SEQ, bytes(range(256))),
    Any_(array_of(TypeCode(Kind.SHORT), 2), (7, -7)),
    Any_(EITHER, (True, "x")),
    Any_(EITHER, (False, -1)),
)
"""Values that are neither basic, nor strings, nor structs of these."""
OTHERS: Final = (
    Any_(POINT, (3, -0.0)),
    Any_(sequence_of(POINT), ((1, 0.5), (2, 1e-300))),
    Any_(sequence_of(POINT), ()),
    Any_(EITHER, (True, "größer")),
    Any_(EITHER, (False, 2**31 - 1)),
    Any_(struct_of("Deep", a=POINT, b=LONGS, c=EITHER), ((1, 2.0), (1, 2), (False, 3))),
)
"""Bodies for which there is no message of their own."""
BODIES: Final = ("lone", "lone", "string", "basics", "properties", "octets", "other", "other", "lone unsettled")
_COUNTS: Final = (0, 1, 2, 9, 40)
_SOME: Final = (1, 2, 3, 20, 60)


class Maker:
    """Makes events of many shapes."""

    def __init__(self, seed: int) -> None:
        self.draw = Draw(seed)
        self._number = 0

    def make(self) -> tuple[str, StructuredEvent]:
        """Return the kind of the next event's body, and the event; its name is its number."""
        draw, number = self.draw, self._number
        self._number += 1
        kind = BODIES[number % len(BODIES)]
        header: dict[str, Any_] = {}
        reliability, priority, life = draw.each(RELIABILITIES), draw.each(PRIORITIES), draw.each(LIVES)
        if reliability is not None:
            header[EVENT_RELIABILITY] = Any_.of(Kind.SHORT, reliability)
        if priority is not None:
            header[PRIORITY] = Any_.of(Kind.SHORT, priority)
        if life is not None:
            header[TIMEOUT] = Any_.of(Kind.ULONGLONG, life * TICKS)
        header |= self._fields(f"h{number}_")
        items = list(header.items())
        draw.random.shuffle(items)
        data = self._fields(f"d{number}_")
        if draw.chance(0.3):
            data |= {name: Any_.of(Kind.SHORT, 0) for name in OF_HEADERS}
        domain, type_ = draw.each(("d", "", "Telecom", *TEXTS[:3])), draw.each(("t", "", "%TextMessage", "größe"))
        return kind, event(domain, type_, str(number), header=dict(items), data=data, body=self._body(kind))

    def _fields(self, start: str) -> dict[str, Any_]:
        names = [f"{start}{each}" for each in range(self.draw.each(_COUNTS))]
        names += self.draw.random.sample(NAMES, self.draw.random.randrange(4))
        return {name: self._field() for name in self.draw.random.sample(names, len(names))}

    def _field(self) -> Any_:
        match self.draw.random.randrange(10):
            case 0:
                return self.draw.each(COMPLEX)
            case 1:
                return self.draw.basic(UNSETTLED)
            case 2:
                return self._struct(self.draw.chance())
        return self.draw.basic(SETTLED)

    def _struct(self, complex_: bool, depth: int = 2) -> Any_:
        """Return a struct of basic members and strings, in any order; a complex one has another member too, and no struct in it."""
        members = [self.draw.basic(SETTLED) for _ in range(self.draw.random.randrange(1, 5))]
        if complex_:
            members.insert(self.draw.random.randrange(len(members) + 1), self.draw.each(COMPLEX))
        elif depth and self.draw.chance():
            members.insert(self.draw.random.randrange(len(members) + 1), self._struct(False, depth - 1))
        return self.draw.record(members)

    def _body(self, kind: str) -> Any_:
        draw = self.draw
        match kind:
            case "lone":
                return draw.basic(_LONE)
            case "lone unsettled":
                return draw.basic(_LONE_UNSETTLED)
            case "string":
                text = draw.text(draw.each(SIZES)) if draw.chance() else draw.each(TEXTS)
                return draw.string(text)
            case "basics":
                return Any_.sequence(*(draw.basic(_LONE) for _ in range(draw.each(_SOME))))
            case "properties":
                count = draw.each(_SOME)
                names = [*draw.random.sample(NAMES, min(count, len(NAMES))), *(f"e{each}" for each in range(count))]
                return Any_.properties({name: draw.basic(_ENTRIES) for name in names})
            case "octets":
                return Any_.octets(draw.octets(draw.each(SIZES)))
        return draw.each(OTHERS)


_LONE: Final = (*(each for each in SETTLED if each in BASIC), Kind.CHAR, Kind.WCHAR)
_LONE_UNSETTLED: Final = (Kind.USHORT, Kind.ULONG, Kind.ULONGLONG)
_ENTRIES: Final = (*SETTLED, Kind.CHAR, Kind.WCHAR)


class Reading:
    """Compares messages with the events that they were."""

    def __init__(self, table: Table, bridged: Bridged) -> None:
        self.table, self._bridged = table, bridged

    def read(self, where: str, kind: str, given: StructuredEvent, got: api.Message, *, held: bool) -> None:
        """Note each part of a message.

        Args:
            where: By which way it came.
            kind: The kind of the event's body.
            given: The event.
            got: The message.
            held: Whether the event may have been on its way for a while, which shortens its life.
        """
        what = f"{where}, event {given.header.fixed_header.event_name}"
        self._headers(what, given, got, held=held)
        fixed = given.header.fixed_header
        for row, name, text in (
            ("iw-2.4.2-13", "$domain_type", fixed.event_type.domain_name),
            ("iw-2.4.2-14", "$type_name", fixed.event_type.type_name),
            ("iw-2.4.2-15", "$event_name", fixed.event_name),
        ):
            self.table.note(row, f"{what}: {name}", got.get_object_property(name), text)
        self._fields(what, given, got)
        self._body(what, kind, given.remainder_of_body, got)

    def _headers(self, what: str, given: StructuredEvent, got: api.Message, *, held: bool) -> None:
        note = self.table.note
        found = {name: given.field(name) for name in (EVENT_RELIABILITY, PRIORITY, TIMEOUT)}
        reliability, priority, timeout = ((None if each is None else int(str(each.value))) for each in found.values())
        best = api.DeliveryMode.NON_PERSISTENT if reliability == 0 else api.DeliveryMode.PERSISTENT
        row = "iw-2.4.2-9" if reliability is None else "iw-2.4.2-6"
        note(row, f"{what}: the delivery mode for {reliability}", got.jms_delivery_mode, best)
        if priority is None:
            note("iw-2.4.2-11", f"{what}: the default priority", got.jms_priority, 4)
        else:
            low, high = "iw-2.5.4-5", "iw-2.5.4-6"
            row = low if priority <= 0 else "iw-2.5.4-4" if priority < 9 else high
            for each in (row, "iw-2.4.2-8"):
                note(each, f"{what}: JMSPriority of {priority}", got.jms_priority, min(max(priority, 0), 9))
        life = got.jms_expiration - (got.jms_timestamp or self._bridged.case.now()) if got.jms_expiration else 0
        if timeout is None:
            note("iw-2.4.2-10", f"{what}: JMSExpiration", got.jms_expiration, 0)
        else:
            wanted, slack = timeout // TICKS, self._bridged.case.timing.tolerance
            early = 50_000 if held else slack
            fits = wanted - early <= life <= wanted + slack
            note("iw-2.4.2-7", f"{what}: a life of {wanted} ms", wanted if fits else life, wanted)
        if not any(found.values()):
            defaults = (got.jms_delivery_mode, got.jms_priority, got.jms_expiration)
            note("iw-2.4.2-2", f"{what}: the defaults", defaults, (api.DeliveryMode.PERSISTENT, 4, 0))
        note("iw-2.4.2-22", f"{what}: JMSType", got.jms_type, "Structured Event")

    def _fields(self, what: str, given: StructuredEvent, got: api.Message) -> None:
        asked = self._bridged.converter.names
        names = self.table.attempt("iw-2.4.2-3", what, lambda: self._bridged.calls("names", lambda: asked(given)))
        of_jms = (EVENT_RELIABILITY, PRIORITY, TIMEOUT)
        fields = [
            (("header", each.name), each.value) for each in given.header.variable_header if each.name not in of_jms
        ]
        fields += [(("data", each.name), each.value) for each in given.filterable_data]
        places: list[str] = []
        for path, value in fields:
            places += self._field(what, path, value, names, got)
        self.table.note(
            "iw-2.4.2-3", f"{what}: names for two fields", sorted(n for n in places if places.count(n) > 1), []
        )
        own = f"h{given.header.fixed_header.event_name}_", f"d{given.header.fixed_header.event_name}_"
        others = [name for name in got.get_property_names() if _ours(name) and not any(each in name for each in own)]
        self.table.note("iw-2.4.2-3", f"{what}: properties of other events", others, [])

    def _field(
        self, what: str, path: tuple[str, ...], value: Any_, names: Mapping[tuple[str, ...], str], got: api.Message
    ) -> list[str]:
        """Note the property of a field, or those of the members of a struct; return their names."""
        type_ = value.type.plain
        if type_.kind == Kind.STRUCT and _expands(type_):
            assert isinstance(value.value, tuple)  # noqa: S101 - a struct
            found: list[str] = []
            for (name, member), each in zip(type_.members, value.value, strict=True):
                found += self._field(what, (*path, name), Any_(member, each), names, got)
            whole = path in names and got.property_exists(names[path])
            self.table.note("iw-2.4.2-30", f"{what}: a property of the whole of {path}", whole, False)
            return found
        row = "iw-2.4.2-23" if path[0] == "header" else "iw-2.4.2-24"
        words = " ".join(each[:20] for each in path)
        place = names.get(path, "")
        is_there = bool(place) and got.property_exists(place)
        if not self.table.note(row, f"{what}: there is a property for {words}", is_there, True):
            self.table.note("iw-2.4-3", f"{what}: {words} is there", False, True)
            return []
        if type_.kind in UNSETTLED:
            return [place]
        if type_.kind in SETTLED:
            row = "iw-2.4.2-28" if len(path) == 2 else "iw-2.4.2-35" if len(path) == 3 else "iw-2.4.2-33"
            self.table.note(row, f"{what}: {words}", boxed(got.get_object_property(place)), java(value))
            return [place]
        if type_.kind == Kind.STRUCT:
            members = [each for each in names if each[:2] == path[:2] and len(each) > 2]
            self.table.note("iw-2.4.2-34", f"{what}: members of {words} with properties", members, [])
        decoded = self._decoded("iw-2.4.2-37", f"{what}: {words} is decoded", place, got)
        self.table.note("iw-2.4.2-37", f"{what}: {words} decoded", decoded.value, value.value)
        return [place]

    def _decoded(self, row: str, what: str, place: str, got: api.Message) -> Any_:
        """Return what the bridge's decoder gives; an exception of it breaks a row."""
        decode = self._bridged.converter.decode
        return self.table.attempt(row, what, lambda: self._bridged.calls("decode", lambda: decode(place, got)))

    def _body(self, what: str, kind: str, body: Any_, got: api.Message) -> None:
        note = self.table.note
        match kind:
            case "lone":
                note("iw-2.4.2-40", f"{what}: a lone {body.type}", _items(got), [java(body)])
            case "lone unsettled":
                items = _items(got)
                count = len(items) if isinstance(items, list) else items
                note("iw-2.4.2-40", f"{what}: the number of items of a lone {body.type}", count, 1)
            case "string":
                seen = got.text if isinstance(got, api.TextMessage) else type(got).__name__
                note("iw-2.4.2-41", f"{what}: the text", seen or "", body.value)
            case "basics":
                assert isinstance(body.value, tuple)  # noqa: S101 - a sequence
                note("iw-2.4.2-39", f"{what}: the items", _items(got), [java(each) for each in body.value])
            case "properties":
                is_map = isinstance(got, api.MapMessage)
                found = {name: boxed(got.get_object(name)) for name in got.get_map_names()} if is_map else {}  # type: ignore[attr-defined]
                wanted = {name: java(each) for name, each in body.value}  # type: ignore[attr-defined]
                note("iw-2.4.2-42", f"{what}: the entries", sorted(found.items()), sorted(wanted.items()))
            case "octets":
                note("iw-2.4.2-43", f"{what}: the bytes", _bytes(got), body.value)
            case "other":
                if note("iw-2.4.2-44", f"{what}: a {body.type} is bytes", isinstance(got, api.BytesMessage), True):
                    decoded = self._decoded("iw-2.4.2-45", f"{what}: the {body.type} is decoded", "", got)
                    note("iw-2.4.2-45", f"{what}: the {body.type} decoded", decoded.value, body.value)


def _expands(type_: TypeCode) -> bool:
    """Whether all members of a struct are basic values, strings, or such structs."""
    return all(
        member.kind in SETTLED or (member.kind == Kind.STRUCT and _expands(member)) for _, member in type_.members
    )


def _ours(name: str) -> bool:
    """Whether the name of a property can only have come of a field that a program has made."""
    plain = name.lstrip("$_")
    return plain[:1] in ("h", "d") and plain[1:].partition("_")[0].isdigit()


def _items(got: api.Message) -> object:
    """Return the items of a stream; the type of any other message."""
    if not isinstance(got, api.StreamMessage):
        return type(got).__name__
    got.reset()
    items: list[object] = []
    while True:
        try:
            items.append(boxed(got.read_object()))
        except api.MessageEOFException:
            return items


def _bytes(got: api.Message) -> object:
    """Return the bytes of a message; the type of any other."""
    if not isinstance(got, api.BytesMessage):
        return type(got).__name__
    got.reset()
    buffer = bytearray(got.body_length)
    if buffer:
        got.read_bytes(buffer)
    return bytes(buffer)


@asserts(
    "iw-2.4-3", "iw-2.4.2-3", "iw-2.4.2-2", "iw-2.4.2-6", "iw-2.4.2-7", "iw-2.4.2-8", "iw-2.4.2-9", "iw-2.4.2-10",
    "iw-2.4.2-11", "iw-2.4.2-13", "iw-2.4.2-14", "iw-2.4.2-15", "iw-2.4.2-22", "iw-2.4.2-23", "iw-2.4.2-24",
    "iw-2.4.2-28", "iw-2.4.2-30", "iw-2.4.2-33", "iw-2.4.2-34", "iw-2.4.2-35", "iw-2.4.2-37", "iw-2.4.2-39",
    "iw-2.4.2-40", "iw-2.4.2-41", "iw-2.4.2-42", "iw-2.4.2-43", "iw-2.4.2-44", "iw-2.4.2-45", "iw-2.5.4-4",
    "iw-2.5.4-5", "iw-2.5.4-6", variant="events", domain=("queue",), plain=True
)  # fmt: skip
def test_events_of_many_shapes(case: Case) -> None:
    """Events with fields, headers and bodies of all kinds become messages whose parts are those of the event."""
    bridged, table, maker = Bridged(case), Table(), Maker(11)
    reading = Reading(table, bridged)

    def program() -> None:
        for _ in range(63):
            kind, given = maker.make()
            what = f"event {given.header.fixed_header.event_name}"
            got = table.attempt("iw-2.4-3", what, lambda each=given: bridged.message(each))  # type: ignore[misc]
            reading.read("by the converter", kind, given, got, held=False)

    table.play(program)


@asserts(
    "iw-2.4-3", "iw-2.4.2-3", "iw-2.4.2-2", "iw-2.4.2-6", "iw-2.4.2-7", "iw-2.4.2-8", "iw-2.4.2-9", "iw-2.4.2-10",
    "iw-2.4.2-11", "iw-2.4.2-13", "iw-2.4.2-14", "iw-2.4.2-15", "iw-2.4.2-22", "iw-2.4.2-23", "iw-2.4.2-24",
    "iw-2.4.2-28", "iw-2.4.2-30", "iw-2.4.2-33", "iw-2.4.2-34", "iw-2.4.2-35", "iw-2.4.2-37", "iw-2.4.2-39",
    "iw-2.4.2-40", "iw-2.4.2-41", "iw-2.4.2-42", "iw-2.4.2-43", "iw-2.4.2-44", "iw-2.4.2-45", "iw-2.5.4-4",
    "iw-2.5.4-5", "iw-2.5.4-6", "iw-2.4.2-20", "iw-2.4.2-4", "iw-2.4.2-18", "iw-2.4.2-21",
    variant="running-events", domain=("topic",), plain=True
)  # fmt: skip
def test_events_of_many_shapes_through_bridges(case: Case) -> None:
    """The same through bridges that run, of each style and grouping that is offered."""
    bridged, table = Bridged(case), Table()
    reading = Reading(table, bridged)

    def program() -> None:
        for seed, (style, type_) in enumerate((s, t) for s in (PUSH, PULL) for t in (STRUCTURED, SEQUENCE)):
            crossing = Crossing(case)
            _ = crossing.link
            try:
                crossing.offered((crossing.channel_end(SOURCE, style, type_), crossing.destination(SINK)))
            except Unsupported as left_out:
                case.witness(str(left_out))
                continue
            _cross(crossing, Maker(seed + 20), reading, bridged, f"{style.name} {type_.name}")

    table.play(program)


def _cross(crossing: Crossing, maker: Maker, reading: Reading, bridged: Bridged, where: str) -> None:
    """Push events, and compare them with the messages."""
    table, supplier = reading.table, crossing.supplier()
    given = {each.header.fixed_header.event_name: (kind, each) for kind, each in (maker.make() for _ in range(18))}
    before = crossing.case.now()
    for _, each in given.values():
        bridged.converted(each)
        supplier.push_structured_event(each)
    got = table.attempt("iw-2.4-3", where, lambda: crossing.received(len(given)))
    came = {str(each.get_string_property("$event_name")): each for each in got}
    table.demand("iw-2.4.2-15", f"{where}: the names of the events", sorted(came), sorted(given))
    for name, (kind, each) in given.items():
        reading.read(where, kind, each, came[name], held=True)
        _supplied(crossing, table, f"{where}, event {name}", came[name], before)
    ids = [each.jms_message_id for each in got]
    table.note("iw-2.4.2-18", f"{where}: different identifiers", len(set(ids)), len(ids))


def _supplied(crossing: Crossing, table: Table, what: str, got: api.Message, before: int) -> None:
    """Note the headers that do not come from an event."""
    time, slack = got.jms_timestamp, crossing.case.timing.tolerance
    fits = before - slack <= time <= crossing.case.now() + slack
    for row in ("iw-2.4.2-20", "iw-2.4.2-4"):
        table.note(row, f"{what}: JMSTimestamp", "in time" if fits else time, "in time")
    table.note("iw-2.4.2-18", f"{what}: JMSMessageID begins with ID", str(got.jms_message_id)[:2], "ID")
    table.note("iw-2.4.2-21", f"{what}: JMSDestination", shown(got.jms_destination), shown(crossing.place))
