"""3.11 Message bodies: the layout of bytes messages, and reads of several bytes."""

from __future__ import annotations

import struct

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
from tck.suite.support.values.names import FEW, VERY_MANY
from tck.suite.support.values.numbers import CHARS, LONG_ARRAY
from tck.suite.support.values.seen import tried
from tck.suite.support.values.texts import MEDIUM, SHORT

FORMS = {"byte": ">b", "short": ">h", "int": ">i", "long": ">q", "float": ">f", "double": ">d"}


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
        *(
            (name, value, struct.pack(form, value))
            for name, form in FORMS.items()
            for value in TYPES[name].values
            if str(value) != "nan"
        ),
        *(("char", value, struct.pack(">H", ord(value))) for value in CHARS),
    )
    message = fresh(link, "bytes")
    alone: dict[str, object] = {}
    for name, value, _ in layout:
        message.clear_body()
        TYPES[name].write(message, value)
        message.reset()
        alone[f"{name} {value!r}"] = array_of(message)
    expect.equal("the bytes of each", alone, {f"{name} {value!r}": meant for name, value, meant in layout})
    message = fresh(link, "bytes")
    layout = tuple(one for one in layout if one[1] == one[1])
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
    shorts = (0xFFFE, 0, 1, 0x7F, 0x80, 0xFF, 0x100, 0x7FFF, 0x8000, 0xFFFF, 0xFF00)
    message.write_bytes(bytes(range(256)) + struct.pack(f">{len(shorts)}H", *shorts))
    for end, seen in both_ends(link, message):
        read = [seen.read_unsigned_byte() for _ in range(256)]
        expect.equal(f"bytes without sign {end}", read, [*range(256)])
        expect.equal(f"shorts without sign {end}", [seen.read_unsigned_short() for _ in shorts], [*shorts])


@asserts("3.11-15")
def test_text_in_bytes_is_modified_utf(case: Case) -> None:
    """WriteUTF writes the length in two bytes and then modified UTF-8; readUTF reads it.

    The documentation of writeUTF says UTF-8, that of readUTF modified UTF-8: NUL may be one byte or two.
    """
    link = case.link()
    texts = {
        "plain": b"\x00\x05plain",
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
    message = fresh(link, "bytes")
    message.write_utf("\0")
    for end, seen in both_ends(link, message):
        expect.equal(f"the text NUL {end}", tried(seen.read_utf), "\0")
        seen.reset()
        nul: dict[object, str] = {
            b"\x00\x02\xc0\x80": "writeUTF writes NUL as two bytes",
            b"\x00\x01\x00": "writeUTF writes NUL as one byte",
        }
        expect.one_of(f"the bytes of NUL {end}", array_of(seen), nul)


@asserts("3.11-15", variant="texts")
def test_texts_of_all_sorts_in_bytes(case: Case) -> None:
    """Texts of all sorts, up to 65,535 bytes, are written with length and modified UTF-8 one after the other, and read."""
    link = case.link()
    longest = {
        "65,535 bytes": "x" * 65_535,
        "65,535 bytes of two each": "ü" * 32_767 + "x",
        "of three each": "東" * 21_845,
    }
    texts = {what: text for what, text in {**SHORT, **MEDIUM, **longest}.items() if "\0" not in text}
    message = fresh(link, "bytes")
    for text in texts.values():
        message.write_utf(text)
    meant = b"".join(_modified_utf(text) for text in texts.values())
    for end, seen in both_ends(link, message):
        read = {what: tried(seen.read_utf) == text for what, text in texts.items()}
        expect.equal(f"which texts changed {end}", [what for what, same in read.items() if not same], [])
        seen.reset()
        expect.true(f"all bytes are as wanted {end}", _whole(seen, len(meant)) == meant, "some were not")


def _whole(message: api.BytesMessage, size: int) -> bytes:
    buffer = bytearray(size)
    message.read_bytes(buffer)
    return bytes(buffer)


def _modified_utf(text: str) -> bytes:
    """Return the length in two bytes and the units of a text in modified UTF-8."""
    raw = text.encode("utf-16-be", "surrogatepass")
    units = [raw[at] << 8 | raw[at + 1] for at in range(0, len(raw), 2)]
    content = b"".join(b"\xc0\x80" if unit == 0 else chr(unit).encode("utf-8", "surrogatepass") for unit in units)
    return struct.pack(">H", len(content)) + content


@asserts("3.11-16")
def test_bytes_are_read_in_parts(case: Case) -> None:
    """ReadBytes fills the buffer as long as it can, then gives the rest, then -1."""
    link = case.link()
    message = fresh(link, "bytes")
    message.write_bytes(b"0123456789")
    for end, seen in both_ends(link, message):
        expect.equal(f"10 bytes read into a buffer of 4 {end}", counts(seen, 4, 5), [4, 4, 2, -1, -1])
    for size in (1, 9, 10, 11, 4096, 70_000):
        for length in (0, 1, 10, 4096, 4097, 65_537):
            message = fresh(link, "bytes")
            message.write_bytes(LONG_ARRAY[:length])
            message.reset()
            if length // size > 100:
                continue
            whole, rest = divmod(length, size)
            wanted = [size] * whole + ([rest] if rest else []) + [-1, -1]
            expect.equal(f"{length} bytes read into a buffer of {size}", counts(message, size, len(wanted)), wanted)
    message = fresh(link, "bytes")
    message.write_bytes(b"0123456789")
    for end, seen in both_ends(link, message):
        buffer = bytearray(b"________")
        read = [seen.read_bytes(buffer, 3), seen.read_bytes(buffer, 0), seen.read_bytes(buffer, 4)]
        expect.equal(f"parts of a buffer {end}", [*read, bytes(buffer)], [3, 0, 4, b"3456____"])
        expect.equal(f"the rest {end}", [seen.read_bytes(buffer, 8), bytes(buffer[:3])], [3, b"789"])


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


LENGTHS = [10, 10, 10, "raises MessageEOFException", 10, 10]


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
        lengths += [seen.body_length, tried(seen.read_byte), seen.body_length]
        seen.reset()
        expect.equal(f"lengths before, amid and after reading {end}", [*lengths, seen.body_length], LENGTHS)
    for size in (*FEW, VERY_MANY, 65_537):
        message = fresh(link, "bytes")
        message.write_bytes(LONG_ARRAY[:size])
        for end, seen in both_ends(link, message):
            expect.equal(f"the length of {size} bytes {end}", [seen.body_length, "read"], [size, "read"])
    for end, seen in both_ends(link, fresh(link, "bytes")):
        expect.equal(f"the length without a body {end}", seen.body_length, 0)
