"""Interworking 2.4.2: the rest of an event as the body of a message."""

from __future__ import annotations

from typing import Final

from tck import api
from tck.interworking import (
    NULL,
    Any_,
    Kind,
    TypeCode,
    array_of,
    decode,
    enum_of,
    event,
    sequence_of,
    struct_of,
    union_of,
)
from tck.suite.support import Case, asserts, expect
from tck.suite.support.interworking.bridging import Bridged

ALARM = struct_of("Alarm", Al_name=TypeCode(Kind.STRING), Severity=TypeCode(Kind.LONG))
TYPES: Final[tuple[tuple[type[api.Message], str], ...]] = (
    (api.TextMessage, "text"),
    (api.MapMessage, "map"),
    (api.StreamMessage, "stream"),
    (api.BytesMessage, "bytes"),
    (api.ObjectMessage, "object"),
)


def kind_of(message: api.Message) -> str:
    """Return the type of a message: text, map, stream, bytes, object or plain."""
    return next((name for type_, name in TYPES if isinstance(message, type_)), "plain")


def text(value: str) -> Any_:
    """Return a string."""
    return Any_.of(Kind.STRING, value)


def bytes_of(message: api.Message) -> bytes:
    """Return the body of a bytes message; another message breaks the row."""
    expect.equal("the type of the message", kind_of(message), "bytes")
    if not isinstance(message, api.BytesMessage):
        return b""
    message.reset()
    buffer = bytearray(message.body_length)
    if buffer:
        message.read_bytes(buffer)
    return bytes(buffer)


@asserts("iw-2.4.2-5", plain=True)
def test_the_content_chooses_the_type(case: Case) -> None:
    """A string is a text, basic values are a stream, properties a map, octets bytes."""
    bridged = Bridged(case)
    bodies = {
        "text": text("x"),
        "stream": Any_.sequence(Any_.of(Kind.SHORT, 1), Any_.of(Kind.LONG, 2)),
        "map": Any_.properties({"a": Any_.of(Kind.LONG, 1)}),
        "bytes": Any_.octets(b"x"),
    }
    found = {name: kind_of(bridged.message(event(body=each))) for name, each in bodies.items()}
    expect.equal("the types", found, {name: name for name in bodies})


CONSTRUCTED = {
    "a struct": Any_(ALARM, ("fire", 3)),
    "a sequence of structs": Any_(sequence_of(ALARM), (("fire", 3), ("water", 1))),
    "a union": Any_(
        union_of(
            "Either", TypeCode(Kind.BOOLEAN), text=(True, TypeCode(Kind.STRING)), number=(False, TypeCode(Kind.LONG))
        ),
        (True, "x"),
    ),
}
"""Values of types for which there is no message of their own."""


@asserts("iw-2.4.2-44", plain=True)
def test_other_values_are_bytes(case: Case) -> None:
    """A struct, a sequence of structs and a union are BytesMessages that are not empty."""
    bridged = Bridged(case)
    found = {name: bool(bytes_of(bridged.message(event(body=each)))) for name, each in CONSTRUCTED.items()}
    expect.equal("bytes that are not empty", found, dict.fromkeys(CONSTRUCTED, True))


@asserts("iw-2.4.2-45", "iw-2.4.2-46", plain=True)
def test_other_values_can_be_decoded(case: Case) -> None:
    """The bridge's decoder gives the value back from the bytes; whether these are an encapsulation with the type is left open."""
    bridged = Bridged(case)
    got = {name: bridged.message(event(body=each)) for name, each in CONSTRUCTED.items()}
    with expect.for_row("iw-2.4.2-45"):
        found = {
            name: bridged.calls("decode", lambda each=each: bridged.converter.decode("", each)).value  # type: ignore[misc]
            for name, each in got.items()
        }
        expect.equal("the values", found, {name: each.value for name, each in CONSTRUCTED.items()})
    with expect.for_row("iw-2.4.2-46"):
        octets = bytes_of(bridged.message(event(body=CONSTRUCTED["a struct"])))
        expect.true("there are bytes", bool(octets), repr(octets))
        expect.record("an encapsulation with the type" if _is_encapsulation(octets) else "another form")


def _is_encapsulation(octets: bytes) -> bool:
    try:
        return decode(octets) == CONSTRUCTED["a struct"]
    except ValueError:
        return False


@asserts("iw-2.4.2-47", plain=True)
def test_bodies_without_a_rule_are_recorded(case: Case) -> None:
    """No value, strings among basic values, sequences and arrays of one basic type, and properties with octets or a struct become
    messages of some type, with their headers.
    """
    bridged = Bridged(case)
    bodies = {
        "no value": NULL,
        "strings among numbers": Any_.sequence(text("x"), Any_.of(Kind.LONG, 1)),
        "a sequence of longs": Any_(sequence_of(TypeCode(Kind.LONG)), (3, 1, 2)),
        "an array of shorts": Any_(array_of(TypeCode(Kind.SHORT), 2), (7, -7)),
        "octets among properties": Any_.properties({"a": Any_.octets(b"\x00")}),
        "a struct among properties": Any_.properties({"a": CONSTRUCTED["a struct"]}),
        "an enum": Any_(enum_of("Colour", "red", "green"), "green"),
    }
    got = {name: bridged.message(event("d", "t", "n", body=each)) for name, each in bodies.items()}
    names = [each.get_string_property("$event_name") for each in got.values()]
    expect.equal("the names of the events", names, ["n"] * len(bodies))
    expect.record(", ".join(f"{name}: {kind_of(each)}" for name, each in got.items()))
