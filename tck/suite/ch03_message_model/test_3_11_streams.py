"""3.11 Message bodies: bytes and stream messages, their modes, positions and layout."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.messages import both_ends, carried, fresh, tries
from tck.suite.support.values.bodies import ONE_OF_EACH, TYPES, array_of, objects, typed, typed_items, write_items
from tck.suite.support.values.kinds import Kind
from tck.suite.support.values.properties import comparable
from tck.suite.support.values.seen import tried

UNREADABLE = "raises MessageNotReadableException"
READ_ONLY = "raises MessageNotWriteableException"
AT_END = "raises MessageEOFException"
PARTS = {"a part amid": (3, 4), "the first part": (0, 4), "the last part": (6, 4), "the whole as a part": (0, 10)}
"""Parts of an array of ten bytes: offset and length."""


def _counts(message: Any, size: int, times: int) -> Sequence[object]:
    """Read byte arrays into a buffer of `size` bytes so many times; gives the counts."""
    buffer = bytearray(size)
    return [tried(lambda: message.read_bytes(buffer)) for _ in range(times)]


def _reads(kind: Kind) -> Mapping[str, Callable[[Any], object]]:
    """Give every way to read from a bytes or stream message, each as a call on it."""
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


@asserts("3.11-12", "10.3-27", "10.3-28")
def test_reading_beyond_the_end(case: Case) -> None:
    """Reading beyond the last value raises MessageEOFException, and so does a read of more bytes than are left."""
    link = case.link()
    items, data = fresh(link, "stream"), fresh(link, "bytes")
    items.write_string("x")
    items.write_string("last")
    data.write_byte(1)
    data.write_byte(0)
    wide = {
        name: way
        for name, way in _reads("bytes").items()
        if name not in {"read_bytes", "read_boolean", "read_byte", "read_unsigned_byte"}
    }
    every = {name: way for name, way in _reads("bytes").items() if name != "read_bytes"}
    for end, seen in both_ends(link, items):
        expect.equal(f"the items of a stream {end}", objects(seen, 2), ["x", "last"])
        expect.equal(f"reads behind them {end}", tries(seen, _reads("stream")), dict.fromkeys(_reads("stream"), AT_END))
    for end, seen in both_ends(link, data):
        expect.equal(f"the first byte {end}", seen.read_byte(), 1)
        expect.equal(f"reads of more than one byte {end}", tries(seen, wide), dict.fromkeys(wide, AT_END))
        expect.equal(f"the last byte {end}", tried(seen.read_byte), 0)
        expect.equal(f"reads behind the last byte {end}", tries(seen, every), dict.fromkeys(every, AT_END))


@asserts("3.11-13")
def test_numbers_are_written_high_byte_first(case: Case) -> None:
    """Numbers and chars take their width in Java, the high byte first; a boolean takes one byte."""
    link = case.link()
    layout = (
        ("boolean", True, b"\x01"),
        ("boolean", False, b"\x00"),
        ("byte", -2, b"\xfe"),
        ("short", 0x0102, b"\x01\x02"),
        ("char", "東", b"\x67\x71"),
        ("int", -0x01020304, b"\xfe\xfd\xfc\xfc"),
        ("long", 0x0102030405060708, b"\x01\x02\x03\x04\x05\x06\x07\x08"),
        ("float", 1.5, b"\x3f\xc0\x00\x00"),
        ("double", -2.5, b"\xc0\x04\x00\x00\x00\x00\x00\x00"),
    )
    for name, value, meant in layout:
        message = fresh(link, "bytes")
        TYPES[name].write(message, value)
        message.reset()
        expect.equal(f"the bytes of {name} {value!r}", array_of(message), meant)
    message = fresh(link, "bytes")
    values = [(name, value) for name, value, _ in layout]
    write_items(message, values)
    received = carried(link, message)
    expect.equal(
        "the bytes of all of them at the receiver", array_of(received), b"".join(meant for _, _, meant in layout)
    )
    received.reset()
    expect.equal("the values read one by one", typed_items(received, values), typed(values))


@asserts("3.11-14")
def test_unsigned_reads(case: Case) -> None:
    """ReadUnsignedByte and readUnsignedShort take the next one or two bytes for a number without sign."""
    link = case.link()
    message = fresh(link, "bytes")
    message.write_bytes(b"\xff\xff\xfe\x01\x00\x01")
    for end, seen in both_ends(link, message):
        read = [
            seen.read_unsigned_byte(),
            seen.read_unsigned_short(),
            seen.read_unsigned_byte(),
            seen.read_unsigned_short(),
        ]
        expect.equal(f"numbers without sign {end}", read, [255, 0xFFFE, 1, 1])


@asserts("3.11-15")
def test_text_in_bytes_is_modified_utf(case: Case) -> None:
    """WriteUTF writes the length in two bytes and then modified UTF-8; readUTF reads it."""
    link = case.link()
    texts = {
        "plain": b"\x00\x05plain",
        "\0": b"\x00\x02\xc0\x80",
        "ß": b"\x00\x02\xc3\x9f",
        "東": b"\x00\x03\xe6\x9d\xb1",
        "\N{GRINNING FACE}": b"\x00\x06\xed\xa0\xbd\xed\xb8\x80",
    }
    for text, meant in texts.items():
        message = fresh(link, "bytes")
        message.write_utf(text)
        for end, seen in both_ends(link, message):
            expect.equal(f"the bytes of {text!r} {end}", array_of(seen), meant)
            seen.reset()
            expect.equal(f"the text {end}", tried(seen.read_utf), text)


@asserts("3.11-16")
def test_bytes_are_read_in_parts(case: Case) -> None:
    """ReadBytes fills the buffer as long as it can, then gives the rest, then -1."""
    link = case.link()
    message = fresh(link, "bytes")
    message.write_bytes(b"0123456789")
    for end, seen in both_ends(link, message):
        expect.equal(f"10 bytes read into a buffer of 4 {end}", _counts(seen, 4, 5), [4, 4, 2, -1, -1])


@asserts("3.11-17")
def test_a_length_beyond_the_buffer_is_refused(case: Case) -> None:
    """A length below zero or beyond the buffer raises IndexOutOfBoundsException, and nothing is read."""
    link = case.link()
    message = fresh(link, "bytes")
    message.write_bytes(b"\x07" * 10)
    message.reset()
    buffer = bytearray(4)
    within = [message.read_bytes(buffer, 2), tried(lambda: message.read_bytes(buffer, 0))]
    expect.equal("lengths within the buffer, and none", within, [2, 0])
    for length in (-1, 5):
        what = f"a length of {length} in a buffer of 4"
        expect.raises(api.IndexOutOfBoundsException, lambda: message.read_bytes(bytearray(4), length), what=what)
    expect.equal("what is left", array_of(message), b"\x07" * 8)


@asserts("3.11-18")
def test_the_length_of_the_body_stays(case: Case) -> None:
    """GetBodyLength gives the length of the whole body wherever the reading stands; 0 without a body."""
    link = case.link()
    message = fresh(link, "bytes")
    message.write_bytes(b"0123456789")
    for end, seen in both_ends(link, message):
        lengths = [seen.body_length]
        seen.read_long()
        lengths.append(seen.body_length)
        seen.read_short()
        expect.equal(f"lengths before, amid and after reading {end}", [*lengths, seen.body_length], [10, 10, 10])
    for end, seen in both_ends(link, fresh(link, "bytes")):
        expect.equal(f"the length without a body {end}", seen.body_length, 0)


@asserts("3.11-19")
def test_a_part_of_an_array_can_be_written(case: Case) -> None:
    """With an offset and a length just that part of the array is written, into bytes, streams and maps."""
    link = case.link()
    for what, (offset, length) in PARTS.items():
        data, items, entries = fresh(link, "bytes"), fresh(link, "stream"), fresh(link, "map")
        written = [
            tried(lambda: data.write_bytes(b"0123456789", offset, length)),
            tried(lambda: items.write_bytes(b"0123456789", offset, length)),
            tried(lambda: entries.set_bytes("part", b"0123456789", offset, length)),
        ]
        expect.equal(f"what writing {what} answers", written, [None] * 3)
        seen = {
            "bytes": array_of(carried(link, data)),
            "stream": array_of(carried(link, items)),
            "map": carried(link, entries).get_bytes("part"),
        }
        meant = b"0123456789"[offset : offset + length]
        expect.equal(f"{what} at the receiver", seen, dict.fromkeys(seen, meant))


@asserts("3.11-21")
def test_objects_have_the_type_that_was_written(case: Case) -> None:
    """ReadObject and getObject give the wrapper of the type written, and a byte array for a byte array."""
    link = case.link()
    items, entries = fresh(link, "stream"), fresh(link, "map")
    write_items(items, ONE_OF_EACH)
    for name, value in ONE_OF_EACH:
        TYPES[name].set(entries, name, value)
    meant = [comparable(TYPES[name].boxed(value)) for name, value in ONE_OF_EACH]
    for end, seen in both_ends(link, items):
        expect.equal(f"items as objects {end}", objects(seen, len(meant)), meant)
    for end, seen in both_ends(link, entries):
        expect.equal(f"entries as objects {end}", [comparable(seen.get_object(name)) for name, _ in ONE_OF_EACH], meant)


@asserts("3.11-22")
def test_an_array_in_a_stream_is_read_in_parts(case: Case) -> None:
    """ReadBytes gives an array part by part, until a part is shorter than the buffer, or -1 follows a part that filled it."""
    link = case.link()
    message = fresh(link, "stream")
    for _ in range(4):
        message.write_bytes(b"0123456789")
    message.write_string("next")
    for end, seen in both_ends(link, message):
        read = [_counts(seen, 4, 3), _counts(seen, 5, 3), _counts(seen, 10, 2), _counts(seen, 12, 1)]
        expect.equal(f"10 bytes in buffers of 4, 5, 10, 12 {end}", read, [[4, 4, 2], [5, 5, -1], [10, -1], [10]])
        expect.equal(f"what follows {end}", tried(seen.read_string), "next")


@asserts("3.11-23")
def test_null_and_empty_arrays_differ(case: Case) -> None:
    """ReadBytes gives -1 for a null array and 0 for an empty one."""
    link = case.link()
    message = fresh(link, "stream")
    message.write_bytes(None)
    message.write_bytes(b"")
    message.write_string("next")
    for end, seen in both_ends(link, message):
        read = [*_counts(seen, 4, 2), tried(seen.read_string)]
        expect.equal(f"null, empty, and what follows {end}", read, [-1, 0, "next"])


@asserts("3.11-24")
def test_an_array_is_read_to_its_end_first(case: Case) -> None:
    """While an array is read in parts, reading anything else raises MessageFormatException, and the array can be read on."""
    link = case.link()
    message = fresh(link, "stream")
    message.write_bytes(b"0123456789")
    message.write_int(7)
    for end, seen in both_ends(link, message):
        begun = _counts(seen, 8, 1)
        refused = [tried(seen.read_int), tried(seen.read_string), tried(seen.read_object)]
        rest = [*_counts(seen, 8, 1), tried(seen.read_int)]
        wrong = "raises MessageFormatException"
        expect.equal(
            f"a part, other reads, the rest, the next {end}", [begun, refused, rest], [[8], [wrong] * 3, [2, 7]]
        )
