"""3.11 Message bodies: getBody and isBodyAssignableTo."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.messages import READ_ONLY, both_ends, carried, filled, fragile, fresh
from tck.suite.support.values.bodies import TYPES, objects
from tck.suite.support.values.body_types import ASKED, ENTRIES, PARCEL
from tck.suite.support.values.kinds import Kind
from tck.suite.support.values.names import PROPERTY_NAMES
from tck.suite.support.values.numbers import ARRAYS, LONG_ARRAY
from tck.suite.support.values.properties import comparable
from tck.suite.support.values.seen import taken, tried
from tck.suite.support.values.texts import MEDIUM

WITH_BODY: tuple[Kind, ...] = ("text", "object", "map", "bytes")
MATRIX: tuple[Kind, ...] = (*WITH_BODY, "stream")


REFUSED = "raises MessageFormatException"
OBJECTS: Mapping[str, tuple[object, tuple[str, ...]]] = {
    "text": ("x", ("String", "CharSequence", "Comparable", "Serializable", "Object")),
    "whole number": (api.Int(5), ("Integer", "Number", "Comparable", "Serializable", "Object")),
    "long number": (2**40, ("Long", "Number", "Comparable", "Serializable", "Object")),
    "real number": (2.5, ("Double", "Number", "Comparable", "Serializable", "Object")),
    "character": (api.Char("c"), ("Character", "Comparable", "Serializable", "Object")),
    "truth value": (True, ("Boolean", "Comparable", "Serializable", "Object")),
    "map": ({"a": 1}, ("Map", "Serializable", "Object")),
    "list": ([1, "two"], ("List", "Serializable", "Object")),
    "object of a class": (PARCEL, ("Parcel", "Container", "Serializable", "Object")),
}
"""Objects of many types, each with the types of `ASKED` that it can be assigned to."""


def _holding(link: Link, value: object) -> Any:
    """Create an object message, and register the suite's types for it."""
    message = filled(link, "object")
    message.object = value
    return message


def _ends(link: Link, kind: str) -> tuple[tuple[str, Any], tuple[str, Any]]:
    """Send a filled message of a kind; return it and the received one, each with words for it."""
    return both_ends(link, filled(link, kind))


def _comparable(body: object) -> object:
    """Return a map with values that compare exactly; anything else as it is."""
    return {name: comparable(value) for name, value in body.items()} if isinstance(body, Mapping) else body


def _bodies(message: Any, names: Sequence[str]) -> dict[str, object]:
    """Ask for the body as each of these types."""
    return {name: tried(lambda: message.get_body(ASKED[name])) for name in names}


def _answers(message: Any, names: Sequence[str] = tuple(ASKED)) -> dict[str, object]:
    """Ask whether the body can be had as each of these types."""
    return {name: tried(lambda: message.is_body_assignable_to(ASKED[name])) for name in names}


def _accepted(message: Any) -> dict[str, bool]:
    """Show for each type whether getBody accepts it, without MessageFormatException."""
    return {name: seen != REFUSED for name, seen in _bodies(message, tuple(ASKED)).items()}


def _answered_then_refused(message: Any) -> list[str]:
    """List the types for which isBodyAssignableTo is true and getBody refuses."""
    return [
        name
        for name, one in ASKED.items()
        if tried(lambda: message.is_body_assignable_to(one)) is True and _bodies(message, [name])[name] == REFUSED
    ]


@asserts("3.11-29")
def test_a_text_as_what_a_string_is(case: Case) -> None:
    """The body of a text message can be had as String and as each type that a String can be assigned to."""
    types = ("String", "CharSequence", "Comparable", "Serializable", "Object")
    link = case.link()
    for what, text in {"one letter": "x", "the word null": "null", **MEDIUM}.items():
        for end, seen in both_ends(link, link.text(text)):
            for again in ("", ", again"):
                expect.equal(
                    f"a text ({what}) as each type {end}{again}", _bodies(seen, types), dict.fromkeys(types, text)
                )


@asserts("3.11-30")
def test_an_object_as_what_it_is(case: Case) -> None:
    """The object of an object message can be had as Serializable, as its class, and as each type that can be assigned from it."""
    types = ("Parcel", "Container", "Serializable", "Object")
    for end, seen in _ends(case.link(), "object"):
        for again in ("", ", again"):
            expect.equal(f"the object as each type {end}{again}", _bodies(seen, types), dict.fromkeys(types, PARCEL))
        expect.equal(f"the object itself {end}", seen.object, PARCEL)


@asserts("3.11-30", variant="kinds")
def test_objects_of_many_types_as_what_they_are(case: Case) -> None:
    """Numbers, characters, truth values, texts and collections can be had as each type that can be assigned from them."""
    link = case.link()
    for name, (value, types) in OBJECTS.items():
        received = carried(link, _holding(link, value))
        expect.equal(f"a {name} as each type", _bodies(received, types), dict.fromkeys(types, value))


@asserts("3.11-31")
def test_a_map_as_map(case: Case) -> None:
    """The entries of a map message can be had together, as Map or Object."""
    link = case.link()
    entries: dict[str, object] = dict.fromkeys(PROPERTY_NAMES, "x")
    entries |= {
        f"{name} {at}": one.boxed(value) for name, one in TYPES.items() for at, value in enumerate(one.values[:5])
    }
    for meant in (ENTRIES, entries):
        message = fresh(link, "map")
        for name, value in meant.items():
            message.set_object(name, value)
        if taken(partial(message.set_object, "null", None)):
            meant = {**meant, "null": None}  # noqa: PLW2901 - where null is refused, 3.12-9 reports it
        for end, seen in both_ends(link, message):
            for again in ("", ", again"):
                bodies = {name: _comparable(body) for name, body in _bodies(seen, ("Map", "Object")).items()}
                expect.equal(
                    f"the entries as each type {end}{again}", bodies, dict.fromkeys(bodies, _comparable(meant))
                )


@asserts("3.11-32")
def test_bytes_as_array(case: Case) -> None:
    """The whole body of a bytes message can be had as byte array or Object."""
    types = ("byte[]", "Object")
    link = case.link()
    for array in (b"\x07\x08abc", *filter(None, ARRAYS), LONG_ARRAY):
        message = fresh(link, "bytes")
        message.write_bytes(array)
        for end, seen in both_ends(link, message):
            for again in ("", ", again"):
                bodies = {name: body == array for name, body in _bodies(seen, types).items()}
                expect.equal(
                    f"{len(array)} bytes as each type {end}{again}, the same", bodies, dict.fromkeys(types, True)
                )


@asserts("3.11-33")
def test_get_body_resets_bytes(case: Case) -> None:
    """GetBody gives the whole body wherever the reading stood, and leaves it at the beginning, readable."""
    link = case.link()
    for end, seen in _ends(link, "bytes"):
        read = [seen.read_byte(), seen.read_byte()]
        whole = tried(lambda: seen.get_body(bytes))
        expect.equal(
            f"two bytes, the whole, a byte {end}", [*read, whole, tried(seen.read_byte)], [7, 8, b"\x07\x08abc", 7]
        )
    for end, seen in _ends(link, "bytes"):
        get = partial(tried, partial(seen.get_body, bytes))
        first, _ = tried(seen.read_byte), tried(lambda: seen.get_body(str))  # refused: the row of that is 3.11-35
        refused = [first, get(), get()]
        beyond = [tried(lambda: seen.read_bytes(bytearray(9))), tried(seen.read_byte), get()]
        whole = b"\x07\x08abc"
        expect.equal(f"a byte, a wrong type, the whole twice {end}", refused, [7, whole, whole])
        expect.equal(f"all, beyond the end, the whole {end}", beyond, [5, "raises MessageEOFException", whole])
        expect.equal(
            f"the first byte, and a write {end}",
            [tried(seen.read_byte), tried(lambda: seen.write_byte(1))],
            [7, READ_ONLY],
        )
    written = filled(link, "bytes")
    seen_bytes = [tried(lambda: written.get_body(bytes)), tried(written.read_byte)]
    expect.equal("a message being written, and its first byte", seen_bytes, [b"\x07\x08abc", 7])


@asserts("3.11-34")
def test_a_stream_has_no_get_body(case: Case) -> None:
    """GetBody of a stream message raises MessageFormatException for every type, of an empty one too."""
    link = case.link()
    types = ("Object", "List", "byte[]", "Serializable")
    for end, seen in (*_ends(link, "stream"), *both_ends(link, fresh(link, "stream"))):
        expect.equal(f"the stream as each type {end}", _bodies(seen, types), dict.fromkeys(types, REFUSED))


@asserts("3.11-35")
def test_a_body_that_is_no_such_type(case: Case) -> None:
    """GetBody raises MessageFormatException for a type that the body cannot be assigned to."""
    link = case.link()
    wrong: dict[Kind, tuple[str, ...]] = {
        "text": ("Integer", "byte[]", "Map", "Stranger"),
        "bytes": ("String", "Map", "Integer", "Stranger"),
        "map": ("String", "byte[]", "List", "Stranger"),
        "object": ("String", "Map", "byte[]", "Stranger"),
    }
    for kind, types in wrong.items():
        for end, seen in _ends(link, kind):
            expect.equal(f"a {kind} body as each type {end}", _bodies(seen, types), dict.fromkeys(types, REFUSED))


@asserts("3.11-35", variant="kinds")
def test_objects_of_many_types_as_what_they_are_not(case: Case) -> None:
    """GetBody raises MessageFormatException for each type that cannot be assigned from the object."""
    link = case.link()
    for name, (value, types) in OBJECTS.items():
        received = carried(link, _holding(link, value))
        expect.equal(f"a {name} as what it is", _accepted(received)[types[0]], True)
        wrong = [one for one in ASKED if one not in types]
        expect.equal(f"a {name} as what it is not", _bodies(received, wrong), dict.fromkeys(wrong, REFUSED))


@asserts("3.11-36")
def test_no_body_is_null_for_every_type(case: Case) -> None:
    """GetBody of a message without a body gives null whatever the type, new or cleared.

    The text leaves open whether a map or bytes message that is empty has no body or an empty one, which fits its own type only.
    """
    link = case.link()
    types = ("String", "Integer", "Map", "byte[]", "Stranger")
    own = {"text": "String", "object": "Parcel", "map": "Map", "bytes": "byte[]"}
    for kind in WITH_BODY:
        message = filled(link, kind)
        expect.differs(f"a {kind} body", _bodies(message, [own[kind]])[own[kind]], REFUSED)
        message.clear_body()
        for what, seen in (("cleared", _bodies(message, types)), ("new", _bodies(fresh(link, kind), types))):
            expect.equal(f"a {what} {kind} body", seen, _none_or_empty(seen, kind, own[kind]))


def _none_or_empty(seen: Mapping[str, object], kind: str, own: str) -> dict[str, object]:
    """Return the bodies of a message that has none, or an empty one, if that is what is seen as its own type."""
    empty = {"map": {}, "bytes": b""}
    if kind not in empty or seen[own] is None:
        return dict.fromkeys(seen, None)
    return {**dict.fromkeys(seen, REFUSED), own: empty[kind]}


@asserts("3.11-37")
def test_a_plain_message_is_null_for_every_type(case: Case) -> None:
    """GetBody of a plain message gives null whatever the type, at the sender and at the receiver."""
    link = case.link()
    types = ("String", "Integer", "Map", "byte[]", "Stranger", "Object")
    for end, seen in both_ends(link, fresh(link, "message")):
        expect.equal(f"no body as each type {end}", _bodies(seen, types), dict.fromkeys(types, None))


@asserts("3.11-38")
def test_an_object_that_cannot_be_built(case: Case) -> None:
    """GetBody raises MessageFormatException where the object cannot be deserialised."""
    link = case.link()
    received = carried(link, fragile(link))
    types = ("Serializable", "Object")
    expect.equal("an object that refuses to be built", _bodies(received, types), dict.fromkeys(types, REFUSED))


@asserts("3.11-39")
def test_is_body_assignable_to_tells_what_get_body_takes(case: Case) -> None:
    """IsBodyAssignableTo is true for the types that getBody takes, and for no other."""
    link = case.link()
    for kind in MATRIX:
        for end, seen in _ends(link, kind):
            expect.equal(f"the answers of a {kind} message {end}", _answers(seen), _accepted(seen))
            expect.equal(f"the answers of a {kind} message {end}, again", _answers(seen), _accepted(seen))
    for value, _ in OBJECTS.values():
        for end, seen in both_ends(link, _holding(link, value)):
            expect.equal(f"the answers of an object message with {value!r} {end}", _answers(seen), _accepted(seen))
    for text in (" ", "null"):
        for end, seen in both_ends(link, link.text(text)):
            expect.equal(f"the answers of the text {text!r} {end}", _answers(seen), _accepted(seen))
            answers = _answers(seen, ["String", "Integer"])
            expect.equal(f"two answers of the text {text!r} {end}", answers, {"String": True, "Integer": False})
    expect.equal("a text as String", _answers(filled(link, "text"), ["String"]), {"String": True})


@asserts("3.11-40")
def test_a_promised_body_is_given(case: Case) -> None:
    """Where isBodyAssignableTo is true, getBody with the same type does not raise MessageFormatException."""
    link = case.link()
    for kind in MATRIX:
        for end, seen in _ends(link, kind):
            broken = _answered_then_refused(seen)
            expect.true(
                f"a {kind} message gives what it promises {end}", not broken, f"promised and refused: {broken!r}"
            )


@asserts("3.11-41")
def test_a_stream_is_assignable_to_nothing(case: Case) -> None:
    """IsBodyAssignableTo of a stream message is false for every type."""
    link = case.link()
    types = ("Object", "List", "byte[]", "Serializable")
    for end, seen in _ends(link, "stream"):
        expect.equal(f"the items {end}", objects(seen, 1), ["x"])
        expect.equal(f"the answers {end}", _answers(seen, types), dict.fromkeys(types, False))


@asserts("3.11-42")
def test_no_body_is_assignable_to_everything(case: Case) -> None:
    """IsBodyAssignableTo of a message without a body is true for every type."""
    link = case.link()
    for kind in (*WITH_BODY, "message"):
        for end, seen in both_ends(link, fresh(link, kind)):
            expect.equal(f"the answers of an empty {kind} message {end}", _answers(seen), dict.fromkeys(ASKED, True))


@asserts("3.11-43")
def test_an_object_that_cannot_be_built_is_not_assignable(case: Case) -> None:
    """IsBodyAssignableTo is false, and raises nothing, where the object cannot be deserialised."""
    link = case.link()
    whole = carried(link, filled(link, "object"))
    expect.equal("the answer for a sound object", _answers(whole, ["Serializable"]), {"Serializable": True})
    received = carried(link, fragile(link))
    types = ("Serializable", "Stranger")
    expect.equal(
        "the answers for an object that refuses to be built", _answers(received, types), dict.fromkeys(types, False)
    )
