"""3.12 Provider implementations of messages: arrays and objects are copied, in and out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.messages import both_ends, carried, fresh
from tck.suite.support.values.bodies import array_of, objects
from tck.suite.support.values.object_types import Container, Ledger
from tck.suite.support.values.seen import tried

MUTABLE: Mapping[str, tuple[Callable[[], Any], Callable[[Any], object]]] = {
    "a list": (lambda: [1], lambda one: one.append(2)),
    "a list in a list": (lambda: [[1], 2], lambda one: one[0].append(2)),
    "a map": (lambda: {"a": 1}, lambda one: one.update(a=2, b=3)),
    "a list in a map": (lambda: {"a": [1]}, lambda one: one["a"].clear()),
    "an object of a class": (lambda: Container("before"), lambda one: setattr(one, "word", "after")),
    "a list in an object": (lambda: Ledger("before"), lambda one: one.lines.append("after")),
}
"""Objects that can be changed: how to make one, and how to change it."""


def _spoil(case: Case, array: object) -> None:
    """Overwrite an array or map that was read, if it is mutable; an immutable one needs no copy."""
    if isinstance(array, bytearray):
        array[:] = bytes(len(array))
    elif isinstance(array, bytes):
        case.provider.overwrite(array)
    elif isinstance(array, dict):
        for each in array.values():
            _spoil(case, each)
        array.clear()


def _map_reads(case: Case, message: Any, name: str) -> Mapping[str, object]:
    """Read an array from a map message in each way that the version has."""
    read = {"get_bytes": tried(lambda: message.get_bytes(name)), "get_object": tried(lambda: message.get_object(name))}
    if case.offers("get_body"):
        read["get_body"] = tried(lambda: message.get_body(dict))
    return read


def _given(content: bytes) -> bytearray:
    """Create an array for a message, to change afterwards."""
    return bytearray(content)


@asserts("3.12-5")
def test_a_map_copies_what_it_is_given(case: Case) -> None:
    """A change of an array after it was set in a map message does not change the entry."""
    link = case.link()
    message = fresh(link, "map")
    array = _given(b"before")
    message.set_bytes("whole", array)
    message.set_bytes("part", array, 1, 4)
    message.set_object("object", array)
    array[:] = b"after!"
    wanted = {"whole": b"before", "part": b"efor", "object": b"before"}
    expect.equal("the entries before the send", {name: message.get_bytes(name) for name in wanted}, wanted)
    for end, seen in both_ends(link, message):
        expect.equal(f"the entries {end}", {name: seen.get_bytes(name) for name in wanted}, wanted)


@asserts("3.12-6")
def test_a_stream_copies_what_it_is_given(case: Case) -> None:
    """A change of an array after it was written to a stream message does not change the item."""
    link = case.link()
    message = fresh(link, "stream")
    array = _given(b"before")
    message.write_bytes(array)
    message.write_bytes(array, 1, 4)
    message.write_object(array)
    array[:] = b"after!"
    for end, seen in both_ends(link, message):
        expect.equal(f"the items {end}", objects(seen, 3), [b"before", b"efor", b"before"])


@asserts("3.12-7")
def test_bytes_copy_what_they_are_given(case: Case) -> None:
    """A change of an array after it was written to a bytes message does not change the body."""
    link = case.link()
    message = fresh(link, "bytes")
    array = _given(b"before")
    message.write_bytes(array)
    message.write_bytes(array, 1, 4)
    message.write_object(array)
    array[:] = b"after!"
    for end, seen in both_ends(link, message):
        expect.equal(f"the body {end}", array_of(seen), b"beforeeforbefore")


@asserts("3.12-8")
def test_an_object_message_holds_a_copy(case: Case) -> None:
    """A change of an object after it was set in an object message does not change what the message holds."""
    link = case.link()
    case.provider.register_types(Container, Ledger)
    for given, (make, change) in MUTABLE.items():
        objects = [make(), make()]
        message, made = fresh(link, "object"), link.client.session.create_object_message(objects[0])
        message.object = objects[1]
        for one in objects:
            change(one)
        for what, holder in (("set", message), ("given at the creation", made)):
            expect.equal(f"{given} that was {what}, before the send", holder.object, make())
            for end, seen in both_ends(link, holder):
                expect.equal(f"{given} that was {what} {end}", seen.object, make())


@asserts("3.12-14")
def test_reads_of_a_map_are_copies(case: Case) -> None:
    """A change of what was read from a map message, an array or the whole map, does not change the message."""
    link = case.link()
    message = fresh(link, "map")
    message.set_bytes("array", b"before")
    for end, seen in both_ends(link, message):
        first = _map_reads(case, seen, "array")
        for value in first.values():
            _spoil(case, value)
        again = _map_reads(case, seen, "array")
        wanted = {"get_bytes": b"before", "get_object": b"before", "get_body": {"array": b"before"}}
        expect.equal(f"the entry, read again {end}", again, {way: wanted[way] for way in first})


@asserts("3.12-15")
def test_reads_of_a_stream_are_copies(case: Case) -> None:
    """A change of an array that was read from a stream message does not change the message."""
    link = case.link()
    message = fresh(link, "stream")
    message.write_bytes(b"before")
    for end, seen in both_ends(link, message):
        _spoil(case, seen.read_object())
        seen.reset()
        expect.equal(f"the item, read again {end}", tried(seen.read_object), b"before")
        buffer = bytearray(10)
        seen.reset()
        seen.read_bytes(buffer)
        _spoil(case, buffer)
        seen.reset()
        expect.equal(f"the item, read into a buffer and as an object {end}", tried(seen.read_object), b"before")


@asserts("3.12-16")
def test_reads_of_an_object_message_are_copies(case: Case) -> None:
    """A change of an object that was read does not change what the next read gives."""
    link = case.link()
    case.provider.register_types(Container, Ledger)
    for given, (make, change) in MUTABLE.items():
        message = fresh(link, "object")
        message.object = make()
        for end, seen in both_ends(link, message):
            reads: list[Callable[[Any], Any]] = [lambda one: one.object]
            if case.offers("get_body"):
                reads.append(lambda one: one.get_body(api.SERIALIZABLE))
            for read in (*reads, *reversed(reads)):
                first = read(seen)
                expect.equal(f"{given} {end}", first, make())
                change(first)
                expect.equal(
                    f"{given}, read again {end}", [tried(partial(one, seen)) for one in reads], [make() for _ in reads]
                )


@asserts("3.12-17")
def test_the_array_of_a_bytes_message_is_a_copy(case: Case) -> None:
    """A change of the array that getBody gave does not change the message."""
    link = case.link()
    message = fresh(link, "bytes")
    message.write_bytes(b"before")
    for end, seen in both_ends(link, message):
        _spoil(case, tried(lambda: seen.get_body(bytes)))
        expect.equal(
            f"the body, read again {end}",
            [tried(lambda: seen.get_body(bytes)), tried(seen.read_byte)],
            [b"before", ord("b")],
        )
    expect.equal("a body at the receiver", array_of(carried(link, message)), b"before")
