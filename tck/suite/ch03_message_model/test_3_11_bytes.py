"""3.11 Message bodies: the layout of bytes messages, and reads of several bytes."""

from __future__ import annotations

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.messages import both_ends, carried, fresh
from tck.suite.support.values.bodies import (
    TYPES,
    array_of,
    counts,
    typed,
    typed_items,
    write_items,
)
from tck.suite.support.values.seen import tried


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
        expect.equal(f"10 bytes read into a buffer of 4 {end}", counts(seen, 4, 5), [4, 4, 2, -1, -1])


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
