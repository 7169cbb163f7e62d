"""3.11 Message bodies: bytes and stream messages, when they are written and read, and from which position."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.messages import both_ends, carried, fresh, tries
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
    ways = {**_reads("bytes"), "body_length": lambda message: message.body_length}
    ways["read_bytes of a length"] = lambda message: message.read_bytes(bytearray(4), 2)
    expect.equal("reads of a new bytes message", tries(data, ways), dict.fromkeys(ways, UNREADABLE))
    expect.equal("reads of a new stream", tries(items, _reads("stream")), dict.fromkeys(_reads("stream"), UNREADABLE))
    data.write_long(1)
    items.write_long(1)
    expect.equal("reads of bytes being written", tries(data, ways), dict.fromkeys(ways, UNREADABLE))
    seen = tries(items, _reads("stream"))
    expect.equal("reads of a stream being written", seen, dict.fromkeys(_reads("stream"), UNREADABLE))


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
        refused = tried(lambda: message.write_long(9))
        message.reset()
        seen = [first, refused, tried(message.read_long), tried(message.read_long)]
        expect.equal(f"a {kind} message, read, written, reset and read twice", seen, [7, READ_ONLY, 7, 8])


@asserts("3.11-11")
def test_a_received_message_stands_at_its_beginning(case: Case) -> None:
    """The first read of a received bytes or stream message gives the first value, and so after a reset()."""
    link = case.link()
    for kind in ("bytes", "stream"):
        message = fresh(link, kind)
        message.write_long(7)
        received = carried(link, message)
        expect.equal(f"the first value of a received {kind} message", tried(received.read_long), 7)
        received.reset()
        expect.equal(f"the first value of a {kind} message that was reset", tried(received.read_long), 7)


def _after(seen: Any, first: str, ways: Mapping[str, Callable[[Any], object]]) -> Mapping[str, object]:
    """Show each read behind some first reads from the beginning: only a wrong format has to leave the position (3.11.3)."""

    def read(way: Callable[[Any], object]) -> object:
        seen.reset()
        for name in first.split():
            getattr(seen, name)()
        return way(seen)

    return {name: tried(lambda: read(way)) for name, way in ways.items()}  # noqa: B023 - called at once


@asserts("3.11-12", "10.3-27", "10.3-28")
def test_reading_beyond_the_end(case: Case) -> None:
    """Reading beyond the last value raises MessageEOFException, and so does a read of more bytes than are left."""
    link = case.link()
    items, data = fresh(link, "stream"), fresh(link, "bytes")
    items.write_string("x")
    items.write_string("last")
    data.write_byte(1)
    data.write_byte(0)
    every = {name: way for name, way in _reads("bytes").items() if name != "read_bytes"}
    single = {"read_boolean", "read_byte", "read_unsigned_byte"}
    wide = {name: way for name, way in every.items() if name not in single}
    for end, seen in both_ends(link, items):
        expect.equal(f"the items of a stream {end}", objects(seen, 2), ["x", "last"])
        found = _after(seen, "read_string read_string", _reads("stream"))
        expect.equal(f"reads behind them {end}", found, dict.fromkeys(_reads("stream"), AT_END))
    for end, seen in both_ends(link, data):
        expect.equal(f"the bytes {end}", [seen.read_byte(), tried(seen.read_byte)], [1, 0])
        found = _after(seen, "read_byte", wide)
        expect.equal(f"reads of more than the last byte {end}", found, dict.fromkeys(wide, AT_END))
        found = _after(seen, "read_byte read_byte", every)
        expect.equal(f"reads behind the last byte {end}", found, dict.fromkeys(every, AT_END))
