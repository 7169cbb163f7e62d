"""3.11 Message bodies: bytes and stream messages, when they are written and read, and from which position."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.body_calls import body_reads, body_writes
from tck.suite.support.clients.messages import both_ends, carried, fresh
from tck.suite.support.values.bodies import (
    objects,
)
from tck.suite.support.values.kinds import Kind
from tck.suite.support.values.seen import tried

UNREADABLE = "raises MessageNotReadableException"


READ_ONLY = "raises MessageNotWriteableException"


AT_END = "raises MessageEOFException"


def _reads(kind: Kind) -> Mapping[str, Callable[[Any], object]]:
    """Return every way to read from a bytes or stream message, each as a call on it."""
    names = ["boolean", "byte", "short", "char", "int", "long", "float", "double"]
    names += ["unsigned_byte", "unsigned_short", "utf"] if kind == "bytes" else ["string", "object"]
    methods = {f"read_{name}": lambda message, name=name: getattr(message, f"read_{name}")() for name in names}
    return {**methods, "read_bytes": lambda message: message.read_bytes(bytearray(4))}


@asserts("3.11-9", "10.3-39", "10.3-40")
def test_a_new_message_is_write_only(case: Case) -> None:
    """Reading a new bytes or stream message raises MessageNotReadableException, whether or not something was written."""
    link = case.link()
    data, items = fresh(link, "bytes"), fresh(link, "stream")
    _unreadable(case, "of a new message", data, items)
    data.write_long(1)
    items.write_long(1)
    _unreadable(case, "of a message being written", data, items)
    for end, seen in (*both_ends(link, data), *both_ends(link, items)):
        seen.clear_body()
        _unreadable(case, f"of a cleared message {end}", seen)
        seen.write_byte(1)
        _unreadable(case, f"of a cleared message, written, {end}", seen)


def _unreadable(case: Case, what: str, *messages: Any) -> None:
    """Demand that every read of bytes and stream messages is refused."""
    for message in messages:
        kind: Kind = "bytes" if isinstance(message, api.BytesMessage) else "stream"
        seen = {name: tried(call) for name, call in body_reads(case, kind, message).items()}
        expect.equal(f"reads {what}, {kind}", seen, dict.fromkeys(seen, UNREADABLE))


@asserts("3.11-10")
def test_reset_makes_readable(case: Case) -> None:
    """reset() makes the body read-only and goes to its beginning, as often as it is called."""
    link = case.link()
    for kind in ("bytes", "stream"):
        message = fresh(link, kind)
        message.write_long(7)
        message.write_long(8)
        message.reset()
        first = message.read_long()
        refused = {name: tried(call) for name, call in body_writes(case, kind, message).items()}
        expect.equal(f"writes into a {kind} message that was reset", refused, dict.fromkeys(refused, READ_ONLY))
        seen = [first, tried(message.read_long)]
        message.reset()
        message.reset()
        seen += [tried(message.read_long), tried(message.read_long)]
        expect.equal(f"a {kind} message, read, reset twice and read", seen, [7, 8, 7, 8])


@asserts("3.11-10", variant="arrays")
def test_reset_goes_to_the_beginning_of_an_array(case: Case) -> None:
    """An array that was read, whole or in part, is read again after reset(), in bytes and in streams."""
    link = case.link()
    for kind in ("bytes", "stream"):
        message = fresh(link, kind)
        message.write_bytes(b"0123456789")
        for end, seen in both_ends(link, message):
            read: list[object] = []
            for size in (10, 4, 12, 4):
                seen.reset()
                buffer = bytearray(size)
                read.append([tried(lambda: seen.read_bytes(buffer)), bytes(buffer[:10])])
            wanted = [[10, b"0123456789"], [4, b"0123"]] * 2
            expect.equal(f"an array of a {kind} message read after each reset {end}", read, wanted)


@asserts("3.11-11")
def test_a_received_message_stands_at_its_beginning(case: Case) -> None:
    """The first read of a received bytes or stream message gives the first value, wherever the sender's one was."""
    link = case.link()
    for kind in ("bytes", "stream"):
        message = fresh(link, kind)
        message.write_long(7)
        received = carried(link, message)
        expect.equal(f"the first value of a received {kind} message", tried(received.read_long), 7)
        received.reset()
        expect.equal(f"the first value of a {kind} message that was reset", tried(received.read_long), 7)
        again = carried(link, received)
        expect.equal(f"the first value of a {kind} message sent on at its end", tried(again.read_long), 7)
        message.clear_body()
        message.write_long(7)
        message.write_long(8)
        message.reset()
        expect.equal("the first value of the sender's", tried(message.read_long), 7)
        amid = carried(link, message)
        expect.equal(
            f"the values of a {kind} message sent amid reading", [tried(amid.read_long) for _ in range(2)], [7, 8]
        )


def _after(seen: Any, first: str, ways: Mapping[str, Callable[[Any], object]]) -> Mapping[str, object]:
    """Show each read behind some first reads from the beginning: only a wrong format has to leave the position (3.11.3)."""

    def read(way: Callable[[Any], object]) -> object:
        seen.reset()
        for name in first.split():
            getattr(seen, name)()
        return way(seen)

    return {name: tried(lambda: read(way)) for name, way in ways.items()}


@asserts("3.11-12", "10.3-27")
def test_reading_beyond_the_items_of_a_stream(case: Case) -> None:
    """A read behind the last item raises MessageEOFException."""
    link = case.link()
    items = fresh(link, "stream")
    items.write_string("x")
    items.write_string("last")
    for end, seen in both_ends(link, items):
        expect.equal(f"the items of a stream {end}", objects(seen, 2), ["x", "last"])
        found = _after(seen, "read_string read_string", _reads("stream"))
        expect.equal(f"reads behind them {end}", found, dict.fromkeys(_reads("stream"), AT_END))


@asserts("3.11-12", "10.3-28", variant="bytes")
def test_reading_beyond_the_last_byte(case: Case) -> None:
    """A read behind the last byte raises MessageEOFException, and so does a read of more bytes than are left."""
    link = case.link()
    data = fresh(link, "bytes")
    data.write_byte(1)
    data.write_byte(0)
    every = {name: way for name, way in _reads("bytes").items() if name != "read_bytes"}
    wide = {name: way for name, way in every.items() if name not in {"read_boolean", "read_byte", "read_unsigned_byte"}}
    for end, seen in both_ends(link, data):
        expect.equal(f"the bytes {end}", [seen.read_byte(), tried(seen.read_byte)], [1, 0])
        found = _after(seen, "read_byte", wide)
        expect.equal(f"reads of more than the last byte {end}", found, dict.fromkeys(wide, AT_END))
        found = _after(seen, "read_byte read_byte", every)
        expect.equal(f"reads behind the last byte {end}", found, dict.fromkeys(every, AT_END))


@asserts("3.11-12", "10.3-28", variant="short-text")
def test_reading_a_text_that_is_not_all_there(case: Case) -> None:
    """readUTF() raises MessageEOFException where fewer bytes are left than its length says, and reads a text that is whole."""
    link = case.link()
    whole = b"\x00\x05whole"
    for announced, there in ((1, b""), (4, b"abc"), (300, b"abc"), (65535, b"abc" * 100)):
        data = fresh(link, "bytes")
        data.write_bytes(whole + announced.to_bytes(2, "big") + there)
        for end, seen in both_ends(link, data):
            read = [tried(seen.read_utf), tried(seen.read_utf)]
            expect.equal(
                f"a whole text, and one of {announced} bytes with {len(there)} left, {end}", read, ["whole", AT_END]
            )


@asserts("3.11-12", "10.3-27", variant="empty-stream")
def test_reading_an_empty_stream(case: Case) -> None:
    """Each read of an empty stream raises MessageEOFException: of a new message, of one that was cleared, and of a received one."""
    _empty(case, "stream", _reads("stream"))


@asserts("3.11-12", "10.3-28", variant="empty-bytes")
def test_reading_empty_bytes(case: Case) -> None:
    """Each read of empty bytes raises MessageEOFException: of a new message, of one that was cleared, and of a received one."""
    _empty(case, "bytes", {name: way for name, way in _reads("bytes").items() if name != "read_bytes"})


def _empty(case: Case, kind: Kind, ways: Mapping[str, Callable[[Any], object]]) -> None:
    link = case.link()
    cleared = link.message(kind, "cleared")
    cleared.clear_body()
    with expect.all_of():
        for words, message in (("new", fresh(link, kind)), ("cleared", cleared)):
            for end, seen in both_ends(link, message):
                what = f"reads of a {words} {kind} message {end}"
                expect.equal(what, _after(seen, "", ways), dict.fromkeys(ways, AT_END))
