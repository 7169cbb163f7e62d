"""Interworking 2.4.1.1: the body of a message as the rest of an event."""

from __future__ import annotations

from collections.abc import Mapping

from tck import api
from tck.interworking import ANY_SEQ, NULL, OCTET_SEQ, PROPERTY_SEQ, Any_, Kind, StructuredEvent
from tck.suite.support import Case, asserts, expect
from tck.suite.support.interworking.bridging import BOXES, Bridged, item, seen
from tck.suite.support.values.texts import SHORT

STRINGS = (Kind.STRING, Kind.WSTRING)
OBJECT: Mapping[str, object] = {"text": "größer", "numbers": [1, 2.5, True, None]}


def _body(bridged: Bridged, message: api.Message) -> Any_:
    """Send a message, and return the body of the event that it becomes."""
    made: StructuredEvent = bridged.event(message)
    id_ = made.data("JMSMessageID")
    expect.equal("the event's JMSMessageID", id_ and id_.value, message.jms_message_id)
    return made.remainder_of_body


def _items(body: Any_) -> list[tuple[str, object] | None]:
    """Return the items of a sequence of anys; any other body breaks the row."""
    expect.equal("the type of the body", str(body.type.plain), str(ANY_SEQ))
    return [seen(each) for each in body.value] if isinstance(body.value, tuple) else []


@asserts("iw-2.4.1.1.1-1", plain=True)
def test_a_text_is_a_string(case: Case) -> None:
    """The body of a TextMessage is a string, or a wide one, with the same characters: empty, with line ends, beyond the basic plane."""
    bridged = Bridged(case)
    texts = {name: text for name, text in SHORT.items() if "\0" not in text}
    found = {}
    for name, text in texts.items():
        body = _body(bridged, bridged.link.text(text))
        expect.true(f"the body of {name} is a string", body.type.plain.kind in STRINGS, str(body.type))
        found[name] = body.value
    expect.equal("the texts", found, texts)


@asserts("iw-2.4.1.1.1-2", plain=True)
def test_a_null_text_is_recorded(case: Case) -> None:
    """What a null text becomes is left open: no value, or an empty string."""
    bridged = Bridged(case)
    message = bridged.link.text("x")
    message.text = None
    body = _body(bridged, message)
    expect.one_of("the value of the body", body.value, {None: "no value", "": "an empty string"})


def _stream(bridged: Bridged, *values: object) -> api.Message:
    message: api.StreamMessage = bridged.link.client.session.create_stream_message()
    for value in values:
        message.write_object(value)
    return message


@asserts("iw-2.4.1.1.2-1", plain=True)
def test_a_stream_is_a_sequence_of_anys(case: Case) -> None:
    """The body of a StreamMessage is a sequence of anys, one for each item; of an empty stream an empty one."""
    bridged = Bridged(case)
    lengths = [len(_items(_body(bridged, _stream(bridged, *values)))) for values in ((), ("a",), ("a", 1, True))]
    expect.equal("the lengths of the sequences", lengths, [0, 1, 3])


@asserts("iw-2.4.1.1.2-2", plain=True)
def test_the_order_of_a_stream_is_kept(case: Case) -> None:
    """The items stay in the order in which they were written."""
    bridged = Bridged(case)
    items = _items(_body(bridged, _stream(bridged, *(api.Int(each) for each in (3, 1, 2, 1)))))
    expect.equal("the items", items, [item(Kind.LONG, each) for each in (3, 1, 2, 1)])


@asserts("iw-2.4.1.1.2-3", plain=True)
def test_the_items_of_a_stream_have_their_types(case: Case) -> None:
    """Each item has the type that the standard mapping gives: a char is a wide one, a byte array a sequence of octets."""
    bridged = Bridged(case)
    values = [value for value, _, _ in BOXES.values()]
    message = _stream(bridged, *values, api.Char("\u20ac"), b"\x00\xff")
    wanted = [item(kind, value) for _, kind, value in BOXES.values()]
    wanted += [item(Kind.WCHAR, "\u20ac"), (str(OCTET_SEQ), b"\x00\xff")]
    expect.equal("the items", _items(_body(bridged, message)), wanted)


def _map(bridged: Bridged, entries: Mapping[str, object]) -> api.Message:
    message: api.MapMessage = bridged.link.client.session.create_map_message()
    for name, value in entries.items():
        message.set_object(name, value)
    return message


def _entries(body: Any_) -> dict[str, tuple[str, object] | None]:
    """Return the entries of a sequence of properties; any other body breaks the row."""
    expect.equal("the type of the body", body.type.plain == PROPERTY_SEQ, True)
    pairs = body.value if body.type.plain == PROPERTY_SEQ and isinstance(body.value, tuple) else ()
    expect.distinct("the names", [name for name, _ in pairs])
    return {name: seen(value) for name, value in pairs}


@asserts("iw-2.4.1.1.3-1", plain=True)
def test_a_map_is_a_sequence_of_properties(case: Case) -> None:
    """The body of a MapMessage is a sequence of properties, one for each entry."""
    bridged = Bridged(case)
    found = _entries(_body(bridged, _map(bridged, {"a": api.Int(1), "b": "x", "a b-c": "y"})))
    wanted = {"a": item(Kind.LONG, 1), "b": item(Kind.STRING, "x"), "a b-c": item(Kind.STRING, "y")}
    expect.equal("the entries", found, wanted)


@asserts("iw-2.4.1.1.3-2", plain=True)
def test_the_entries_of_a_map_have_their_types(case: Case) -> None:
    """Each entry keeps its name, and has the type that the standard mapping gives."""
    bridged = Bridged(case)
    boxes = {**BOXES, "String": ("größer", Kind.STRING, "größer")}  # more characters of a map than that are 3.11-2's
    values: dict[str, object] = {name: value for name, (value, _, _) in boxes.items()}
    found = _entries(_body(bridged, _map(bridged, values | {"char": api.Char("\u20ac"), "bytes": b"\x00\xff"})))
    wanted: dict[str, object] = {name: item(kind, value) for name, (_, kind, value) in boxes.items()}
    expect.equal(
        "the entries", found, wanted | {"char": item(Kind.WCHAR, "\u20ac"), "bytes": (str(OCTET_SEQ), b"\x00\xff")}
    )


@asserts("iw-2.4.1.1.4-1", plain=True)
def test_bytes_are_octets(case: Case) -> None:
    """The body of a BytesMessage is a sequence of octets with the same bytes, all 256 of them, and none."""
    bridged = Bridged(case)
    found = []
    for octets in (bytes(range(256)), b""):
        message: api.BytesMessage = bridged.link.client.session.create_bytes_message()
        message.write_bytes(octets)
        found.append(seen(_body(bridged, message)))
    expect.equal("the bodies", found, [(str(OCTET_SEQ), bytes(range(256))), (str(OCTET_SEQ), b"")])


def _object(bridged: Bridged) -> Any_:
    message: api.ObjectMessage = bridged.link.client.session.create_object_message(dict(OBJECT))
    return _body(bridged, message)


@asserts("iw-2.4.1.1.5-1", plain=True)
def test_an_object_is_octets(case: Case) -> None:
    """The body of an ObjectMessage is a sequence of octets, and not an empty one."""
    body = _object(Bridged(case))
    expect.equal("the type of the body", str(body.type.plain), str(OCTET_SEQ))
    expect.true("the body has octets", bool(body.value), repr(body.value))


@asserts("iw-2.4.1.1.5-2", plain=True)
def test_an_object_can_be_read_back(case: Case) -> None:
    """The octets of an object give an equal object again."""
    bridged = Bridged(case)
    body = _object(bridged)
    octets = body.value if isinstance(body.value, bytes) else b""
    expect.equal(
        "the object", bridged.calls("read_object", lambda: bridged.converter.read_object(octets)), dict(OBJECT)
    )


@asserts("iw-2.4-5", plain=True)
def test_what_comes_of_an_event_that_was_a_message_is_recorded(case: Case) -> None:
    """An event that was a text message becomes a message of some type with its text; whether of the first one is left open."""
    bridged = Bridged(case)
    message = bridged.link.text("hello")
    message.set_int_property("severity", 3)
    again = bridged.message(bridged.event(message))
    is_text = isinstance(again, api.TextMessage)
    expect.true(
        "the message has a body", is_text or isinstance(again, api.BytesMessage | api.StreamMessage), repr(again)
    )
    expect.record("the first type again" if is_text else f"a {type(again).__name__}")


@asserts("iw-2.4.1-9", variant="body", plain=True)
def test_a_message_without_body_has_no_body_as_an_event(case: Case) -> None:
    """The rest of an event that was a message without body is empty."""
    bridged = Bridged(case)
    body = _body(bridged, bridged.link.client.session.create_message())
    expect.equal("the body", seen(body), seen(NULL))
    expect.record("an empty body")
