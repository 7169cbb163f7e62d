"""3.12 Provider implementations of messages: where null is a value, and where it is refused."""

from __future__ import annotations

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.messages import both_ends, carried, fresh
from tck.suite.support.values.bodies import array_of, objects
from tck.suite.support.values.foreign import foreign
from tck.suite.support.values.kinds import KINDS
from tck.suite.support.values.properties import comparable, own_names
from tck.suite.support.values.seen import tried


@asserts("3.12-9")
def test_null_in_a_map(case: Case) -> None:
    """Entries may be null, and are there as null, at the receiver too."""
    link = case.link()
    message = fresh(link, "map")
    message.set_string("before", "x")
    for name in ("string", "bytes", "object"):
        message.set_object(name, "a value that null replaces" if name != "bytes" else b"bytes")
    expect.works("a null String", lambda: message.set_string("string", None))
    expect.works("a null array", lambda: message.set_bytes("bytes", None))
    expect.works("a null object", lambda: message.set_object("object", None))
    for end, seen in both_ends(link, message):
        names = ("bytes", "object", "string")
        read = [seen.get_bytes("bytes"), seen.get_object("object"), seen.get_string("string")]
        expect.equal(f"the names {end}", sorted(seen.get_map_names()), ["before", *names])
        expect.equal(f"the null entries {end}", dict(zip(names, read, strict=True)), dict.fromkeys(names))


@asserts("3.12-10")
def test_null_in_a_stream(case: Case) -> None:
    """Items may be null, and what follows them is intact, at the receiver too."""
    link = case.link()
    message = fresh(link, "stream")
    expect.works("a null String", lambda: message.write_string(None))
    message.write_string("one")
    expect.works("a null object", lambda: message.write_object(None))
    message.write_string("two")
    expect.works("a null array", lambda: message.write_bytes(None))
    message.write_string("three")
    for end, seen in both_ends(link, message):
        read = [tried(seen.read_string), tried(seen.read_string), *objects(seen, 2), tried(lambda: array_of(seen))]
        expect.equal(f"the items {end}", [*read, tried(seen.read_string)], [None, "one", None, "two", None, "three"])


@asserts("3.12-11")
def test_null_as_text_and_object(case: Case) -> None:
    """A text and an object may be null, and read as null at the receiver."""
    link = case.link()
    text, thing = link.text("x"), link.message("object", "x")
    expect.works("setting the text to null", lambda: setattr(text, "text", None))
    expect.works("setting the object to null", lambda: setattr(thing, "object", None))
    made = expect.works("a text message made with null", lambda: link.client.session.create_text_message(None))
    expect.equal("a text that is not null", carried(link, link.text("x")).text, "x")
    for end, seen in (*both_ends(link, text), *both_ends(link, made)):
        expect.equal(f"a null text {end}", seen.text, None)
    for end, seen in both_ends(link, thing):
        expect.equal(f"a null object {end}", seen.object, None)


@asserts("3.12-12")
def test_null_as_property(case: Case) -> None:
    """Properties of type String and Object may be null, and are there as null at the receiver."""
    link = case.link()
    message = link.text("x")
    message.set_string_property("string", "a value that null replaces")
    message.set_int_property("object", 7)
    expect.works("a null String property", lambda: message.set_string_property("string", None))
    expect.works("a null object property", lambda: message.set_object_property("object", None))
    for end, seen in both_ends(link, message):
        read = {"string": seen.get_string_property("string"), "object": seen.get_object_property("object")}
        expect.equal(f"the names of properties {end}", own_names(seen), ["object", "string"])
        expect.equal(f"the null properties {end}", read, {"string": None, "object": None})


@asserts("3.12-9", variant="foreign")
def test_null_in_a_map_of_another_implementation(case: Case) -> None:
    """A null entry of a map that is not the provider's is there as null at the receiver, beside others and alone."""
    link = case.link()
    for others in ({"text": "x"}, {"text": "", "array": b"x"}, {}):
        message = foreign("map")
        message.clear_body()
        for name, value in {"nothing": None, "another": None, **others}.items():
            message.set_object(name, value)
        received = carried(link, message)
        wanted = {"nothing": None, "another": None, **others}
        expect.equal("the names", sorted(received.get_map_names()), sorted(wanted))
        expect.equal("the entries", {name: received.get_object(name) for name in wanted}, wanted)


@asserts("3.12-10", variant="foreign")
def test_null_in_a_stream_of_another_implementation(case: Case) -> None:
    """A null item of a stream that is not the provider's is read as null at the receiver, between others and at both ends."""
    link = case.link()
    for items in ([None, "one", None], ["one", None, None, "two"], ["one", None]):
        message = foreign("stream")
        message.clear_body()
        for item in items:
            message.write_object(item)
        expect.equal("the items", objects(carried(link, message), len(items)), items)


@asserts("3.12-12", variant="foreign")
def test_null_properties_of_another_implementation_arrive(case: Case) -> None:
    """A null property of a message that is not the provider's is there as null at the receiver, beside others and alone, of each kind."""
    link = case.link()
    for kind in KINDS:
        for others in ({}, {"text": "x"}, {"text": "", "flag": False, "number": api.Int(0)}):
            message = foreign(kind)
            message.set_object_property("nothing", None)
            message.set_string_property("another", None)
            for name, value in others.items():
                message.set_object_property(name, value)
            received = carried(link, message)
            wanted = {"nothing": None, "another": None, **others}
            read = {name: comparable(received.get_object_property(name)) for name in wanted}
            expect.equal(f"the names of properties of a {kind} message", own_names(received), sorted(wanted))
            expect.equal(f"the properties of a {kind} message", read, wanted)


@asserts("3.12-13")
def test_null_into_bytes(case: Case) -> None:
    """Writing null into a bytes message raises NullPointerException and writes nothing."""
    link = case.link()
    message = fresh(link, "bytes")
    message.write_utf("x")
    seen = {
        "write_utf": tried(lambda: message.write_utf(None)),
        "write_bytes": tried(lambda: message.write_bytes(None)),
        "write_object": tried(lambda: message.write_object(None)),
    }
    message.write_utf("y")
    received: api.BytesMessage = carried(link, message)
    expect.equal("the body", array_of(received), b"\x00\x01x\x00\x01y")
    expect.equal("writing null", seen, dict.fromkeys(seen, "raises NullPointerException"))
