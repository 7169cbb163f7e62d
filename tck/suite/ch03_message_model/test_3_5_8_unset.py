"""3.5.8 Properties that are not set."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import product

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.messages import taken as received
from tck.suite.support.values.kinds import KINDS, Kind
from tck.suite.support.values.properties import TYPES
from tck.suite.support.values.seen import taken, tried

UNUSED = ("unused", "Used", "USED", "use", "used_", "body", "text")
"""Names never used, some near the one that is."""
PRIMITIVES = ("boolean", "byte", "short", "int", "long", "float", "double")
AS_NULL = {
    "boolean": False,
    **dict.fromkeys(("byte", "short", "int", "long"), "raises NumberFormatException"),
    **dict.fromkeys(("float", "double"), "raises NullPointerException"),
}
"""What the seven getters of primitives do with null."""


def _primitives(message: api.Message, name: str) -> dict[str, object]:
    """Read a property with each of the seven getters that give a primitive; `raises TYPE` where one refuses."""
    return {kind: tried(partial(one.get, message, name)) for kind, one in TYPES.items() if kind != "string"}


@asserts("3.5.8-1")
def test_an_unset_property_reads_as_null(case: Case) -> None:
    """A name never used reads as null, as String and as object, at both ends and after clearing."""
    link = case.link()
    for kind in KINDS:
        message = link.message(kind)
        message.set_string_property("used", "text")
        for end, seen in link.both_ends(message):
            expect.equal(f"a used name as String {end}", seen.get_string_property("used"), "text")
            texts = {name: tried(partial(seen.get_string_property, name)) for name in UNUSED}
            expect.equal(f"unused names as String {end}, {kind}", [*texts.values()], [None] * len(UNUSED))
            things = {name: tried(partial(seen.get_object_property, name)) for name in UNUSED}
            expect.equal(f"unused names as object {end}, {kind}", [*things.values()], [None] * len(UNUSED))
            seen.clear_properties()
            expect.equal(f"an unused name as String {end}, cleared", seen.get_string_property("unused"), None)


def _with_null(link: Link, kind: Kind) -> api.Message:
    message = link.message(kind)
    taken(lambda: message.set_object_property("empty", None))  # where null is refused, 3.12-12 reports it
    return message


@asserts("3.5.8-2")
def test_an_unset_property_reads_like_a_null_one(case: Case) -> None:
    """A name never used reads as a primitive just as a property does that is null."""
    link = case.link()
    for end, seen in ((end, seen) for kind in KINDS for end, seen in link.both_ends(_with_null(link, kind))):
        expect.equal(f"an unused name as primitive {end}", _primitives(seen, "unused"), AS_NULL)
        expect.equal(f"just as a null property {end}", _primitives(seen, "unused"), _primitives(seen, "empty"))


ABSENT = {"unused": False, "Text": False, "TEXT": False}


@asserts("3.5.8-3")
def test_a_property_exists_once_set(case: Case) -> None:
    """A property exists when it was set, be it to null, and not before, nor after clearing."""
    link = case.link()
    message = link.text("x")
    message.set_string_property("text", "x")
    empty = taken(lambda: message.set_string_property("empty", None))  # where null is refused, 3.12-12 reports it
    for end, seen in link.both_ends(message):
        exist = {
            name: tried(partial(seen.property_exists, name)) for name in ("text", "empty", "unused", "Text", "TEXT")
        }
        expect.equal(f"which properties exist {end}", exist, {"text": True, "empty": empty, **ABSENT})
        seen.clear_properties()
        exist = {name: tried(partial(seen.property_exists, name)) for name in ("text", "empty")}
        expect.equal(f"which properties exist {end} after clearing", exist, {"text": False, "empty": False})


GROUP = {"JMSXGroupID": "group", "JMSXGroupSeq": api.Int(5)}
"""The properties of a group, both the client's to set."""
PARTS = (tuple(GROUP), ("JMSXGroupID",), ("JMSXGroupSeq",), ())


@asserts("3.5.8-3", ack=("client",), variant="group")
def test_the_properties_of_a_group_exist_once_set(case: Case) -> None:
    """Of JMSXGroupID and JMSXGroupSeq those exist that the sender has set, none, one or both, also when the message is redelivered."""
    for what, part, seen in _groups(case):
        exist = {name: seen.property_exists(name) for name in GROUP}
        expect.equal(f"which properties of a group exist {what}", exist, {name: name in part for name in GROUP})


@asserts("3.5.8-1", ack=("client",), variant="group")
def test_an_unset_property_of_a_group_reads_as_null(case: Case) -> None:
    """JMSXGroupID and JMSXGroupSeq read as null where the sender has set the other one or none, also when the message is redelivered."""
    for what, part, seen in _groups(case):
        read = {name: seen.get_object_property(name) for name in GROUP}
        wanted = {name: value if name in part else None for name, value in GROUP.items()}
        expect.equal(f"the properties of a group {what}", read, wanted)


def _groups(case: Case) -> Iterator[tuple[str, Sequence[str], api.Message]]:
    """Yield messages of each kind with each part of a group, at each look, with words for it, and the part."""
    link = case.link()
    for kind, part in product(KINDS, PARTS):
        message = link.message(kind)
        for name in part:
            message.set_object_property(name, GROUP[name])
        for turn, seen in _twice(link, message):
            yield f"{turn}, on a {kind} message with {' and '.join(part) or 'neither'}", part, seen


def _twice(link: Link, message: api.Message) -> Iterator[tuple[str, api.Message]]:
    """Yield a message at the sender, as it is received, and as it is redelivered after recover(); it is acknowledged then."""
    link.send(message)
    yield "at the sender", message
    yield "at the receiver", received(link)
    link.client.recover()
    again = received(link)
    yield "at the receiver the second time", again
    again.acknowledge()


@asserts("3.5.8-4", api=("domain-specific",))
def test_an_unset_property_refuses_to_be_a_primitive(case: Case) -> None:
    """In 1.0 a name never used raises NullPointerException when read as any primitive, on each kind of message object."""
    link = case.link()
    message = link.text("x")
    message.set_boolean_property("used", True)
    wanted = dict.fromkeys(PRIMITIVES, "raises NullPointerException")
    expect.equal("a used name", message.get_boolean_property("used"), True)
    expect.equal("an unused name on a fresh message", _primitives(message, "unused"), wanted)
    for end, seen in link.both_ends(message):
        expect.equal(f"an unused name {end}", _primitives(seen, "unused"), wanted)
        seen.clear_properties()
        expect.equal(f"an unused name {end}, cleared", _primitives(seen, "unused"), wanted)
