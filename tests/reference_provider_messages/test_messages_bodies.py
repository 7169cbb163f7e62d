"""The five kinds of body: modes, reading and writing, copies, the end."""

import struct

import pytest

from tck.api import (
    Byte,
    Char,
    Float,
    IllegalArgumentException,
    IndexOutOfBoundsException,
    Int,
    MessageEOFException,
    MessageFormatException,
    MessageNotReadableException,
    MessageNotWriteableException,
    NullPointerException,
    Short,
)

BYTES_READS = [
    "boolean",
    "byte",
    "unsigned_byte",
    "short",
    "unsigned_short",
    "char",
    "int",
    "long",
    "float",
    "double",
    "utf",
]
STREAM_READS = ["boolean", "byte", "short", "char", "int", "long", "float", "double", "string", "object"]
WRITES = {
    "boolean": True,
    "byte": 1,
    "short": 1,
    "char": "x",
    "int": 1,
    "long": 1,
    "float": 1.0,
    "double": 1.0,
    "bytes": b"x",
    "object": "x",
}


def read(message, kind):
    return getattr(message, f"read_{kind}")()


def write(message, kind, value):
    getattr(message, f"write_{kind}")(value)


@pytest.mark.parametrize(("kind", "reads"), [("bytes", BYTES_READS), ("stream", STREAM_READS)])
def test_write_only_until_reset(shop, kind, reads):
    message = shop.create(kind)
    message.write_int(1)
    for each in reads:
        with pytest.raises(MessageNotReadableException):
            read(message, each)
    with pytest.raises(MessageNotReadableException):
        message.read_bytes(bytearray(1))
    message.reset()
    assert message.read_int() == 1


def test_body_length_is_write_only_too_and_counts_the_whole(shop):
    message = shop.create("bytes")
    with pytest.raises(MessageNotReadableException):
        _ = message.body_length
    message.write_long(1)
    message.reset()
    for _ in range(2):
        assert message.body_length == 8
        message.read_int()
    assert shop.deliver(shop.create("bytes")).body_length == 0


@pytest.mark.parametrize("kind", ["bytes", "stream"])
@pytest.mark.parametrize("side", ["reset", "received"])
def test_read_only_after_reset_and_receipt(shop, kind, side):
    message = shop.create(kind)
    message.write_int(1)
    if side == "reset":
        message.reset()
    else:
        message = shop.deliver(message)
    for each, value in {**WRITES, ("utf" if kind == "bytes" else "string"): "x"}.items():
        with pytest.raises(MessageNotWriteableException):
            write(message, each, value)
    with pytest.raises(MessageNotWriteableException):
        message.write_bytes(b"xy", 0, 1)
    with pytest.raises(MessageNotWriteableException):
        message.write_object(object())
    assert message.read_int() == 1
    message.reset()
    assert message.read_int() == 1
    message.clear_body()
    message.write_int(2)
    message.reset()
    assert message.read_int() == 2
    with pytest.raises(MessageEOFException):
        message.read_int()


@pytest.mark.parametrize(("kind", "reads"), [("bytes", BYTES_READS), ("stream", STREAM_READS)])
def test_reading_past_the_end(shop, kind, reads):
    message = shop.deliver(shop.create(kind))
    for each in reads:
        with pytest.raises(MessageEOFException):
            read(message, each)


def test_stream_read_bytes_at_the_end(shop):
    with pytest.raises(MessageEOFException):
        shop.deliver(shop.create("stream")).read_bytes(bytearray(1))


def test_too_few_bytes(shop):
    message = shop.create("bytes")
    message.write_byte(1)
    message.reset()
    for each in ("short", "unsigned_short", "char", "int", "long", "float", "double", "utf"):
        with pytest.raises(MessageEOFException):
            read(message, each)
    assert message.read_byte() == 1


def test_layout_of_bytes(shop):
    message = shop.create("bytes")
    message.write_boolean(True)
    message.write_boolean(False)
    message.write_byte(-2)
    message.write_short(-2)
    message.write_char("\ud83d")
    message.write_int(-2)
    message.write_long(-2)
    message.write_float(0.1)
    message.write_double(0.1)
    message.write_utf("a\x00é漢😀")
    message.write_bytes(b"0123", 1, 2)
    wanted = b"\x01\x00\xfe" + struct.pack(">hHiqfd", -2, 0xD83D, -2, -2, 0.1, 0.1)
    wanted += b"\x00\x0e" + b"a\xc0\x80\xc3\xa9\xe6\xbc\xa2\xed\xa0\xbd\xed\xb8\x80" + b"12"
    assert shop.deliver(message).get_body(bytes) == wanted
    received = shop.deliver(message)
    assert [received.read_boolean(), received.read_boolean(), received.read_byte()] == [True, False, -2]
    assert [received.read_short(), received.read_char(), received.read_int(), received.read_long()] == [
        -2,
        "\ud83d",
        -2,
        -2,
    ]
    assert received.read_float() == Float(0.1).value
    assert received.read_double() == 0.1
    assert received.read_utf() == "a\x00é漢😀"


def test_unsigned_reads_and_nonzero_booleans(shop):
    message = shop.create("bytes")
    message.write_bytes(b"\xff\xff\xff\x02")
    message.reset()
    assert (message.read_unsigned_byte(), message.read_unsigned_short(), message.read_boolean()) == (255, 65535, True)


def test_written_objects_are_written_by_their_type(shop):
    typed, objects = shop.create("bytes"), shop.create("bytes")
    for kind, value in (
        ("boolean", True),
        ("byte", -1),
        ("short", -1),
        ("char", "x"),
        ("int", -1),
        ("long", -1),
        ("float", 0.5),
        ("double", 0.5),
        ("utf", "é"),
        ("bytes", b"x"),
    ):
        write(typed, kind, value)
    for value in (True, Byte(-1), Short(-1), Char("x"), Int(-1), -1, Float(0.5), 0.5, "é", bytearray(b"x")):
        objects.write_object(value)
    assert typed.get_body(bytes) == objects.get_body(bytes)


@pytest.mark.parametrize("kind", ["bytes", "stream", "map"])
@pytest.mark.parametrize("value", [[], {}, (), object(), 1j, 2**63, set()])
def test_other_objects_are_refused(shop, kind, value):
    message = shop.create(kind)
    with pytest.raises(MessageFormatException) as caught:
        message.set_object("n", value) if kind == "map" else message.write_object(value)
    assert type(value).__name__ in caught.value.reason or "long" in caught.value.reason
    empty = shop.deliver(message)
    assert list(empty.get_map_names()) == [] if kind == "map" else kind == empty.KIND


def test_nothing_of_a_refused_write_remains(shop):
    message = shop.create("bytes")
    for call in (
        lambda: message.write_utf(None),
        lambda: message.write_bytes(None),
        lambda: message.write_object(None),
    ):
        with pytest.raises(NullPointerException):
            call()
    with pytest.raises(MessageFormatException):
        message.write_utf("x" * 65536)
    with pytest.raises(MessageFormatException):
        message.write_utf("\x00" * 32768)
    message.write_utf("x" * 65535)
    assert shop.deliver(message).body_length == 65537


def test_utf_that_is_malformed_or_cut_stays_to_be_read(shop):
    for data, error in (
        (b"\x00\x02a\xff", MessageFormatException),
        (b"\x00\x02\xc3a", MessageFormatException),
        (b"\x00\x01\xc3", MessageFormatException),
        (b"\x00\x05abcd", MessageEOFException),
    ):
        message = shop.create("bytes")
        message.write_bytes(data)
        message.reset()
        with pytest.raises(error):
            message.read_utf()
        buffer = bytearray(len(data))
        assert message.read_bytes(buffer) == len(data)
        assert buffer == data


def test_read_bytes_of_bytes(shop):
    message = shop.create("bytes")
    message.write_bytes(b"0123456789")
    message.reset()
    counts = []
    for _ in range(4):
        buffer = bytearray(b"....")
        counts.append(message.read_bytes(buffer))
    assert counts == [4, 4, 2, -1]
    message.reset()
    for _ in range(2):
        message.read_bytes(bytearray(4))
    buffer = bytearray(b"....")
    message.read_bytes(buffer)
    assert buffer == b"89.."
    message.reset()
    for length in (-1, 5):
        with pytest.raises(IndexOutOfBoundsException):
            message.read_bytes(bytearray(4), length)
    with pytest.raises(NullPointerException):
        message.read_bytes(None)
    assert message.read_bytes(bytearray(4), 2) == 2
    assert message.read_bytes(bytearray(0)) == 0
    assert message.read_byte() == ord("2")


@pytest.mark.parametrize(("size", "counts"), [(4, [4, 4, 2]), (5, [5, 5, -1]), (10, [10, -1]), (12, [10])])
def test_read_bytes_of_a_stream(shop, size, counts):
    message = shop.create("stream")
    message.write_bytes(b"0123456789")
    message.write_int(7)
    received = shop.deliver(message)
    seen, read_back = [], b""
    for _ in counts:
        buffer = bytearray(size)
        seen.append(received.read_bytes(buffer))
        read_back += bytes(buffer[: max(seen[-1], 0)])
    assert seen == counts
    assert read_back == b"0123456789"
    assert received.read_int() == 7


def test_an_array_begun_must_be_finished(shop):
    message = shop.create("stream")
    message.write_bytes(b"0123456789")
    message.write_int(7)
    message.reset()
    message.read_bytes(bytearray(4))
    for each in STREAM_READS:
        with pytest.raises(MessageFormatException):
            read(message, each)
    buffer = bytearray(10)
    assert message.read_bytes(buffer) == 6
    assert buffer[:6] == b"456789"
    assert message.read_int() == 7
    message.reset()
    message.read_bytes(bytearray(4))
    message.reset()
    assert message.read_object() == b"0123456789"


def test_empty_and_null_arrays(shop):
    message = shop.create("stream")
    for value in (None, b""):
        message.write_bytes(value)
    message.write_string("end")
    received = shop.deliver(message)
    assert [received.read_bytes(bytearray(4)), received.read_bytes(bytearray(4))] == [-1, 0]
    assert received.read_string() == "end"
    with pytest.raises(NullPointerException):
        message.write_bytes(None, 0, 0)


def test_null_items_keep_their_place(shop):
    message = shop.create("stream")
    for call in (
        lambda: message.write_string(None),
        lambda: message.write_object(None),
        lambda: message.write_bytes(None),
        lambda: message.write_int(5),
    ):
        call()
    received = shop.deliver(message)
    assert [received.read_object() for _ in range(4)] == [None, None, None, Int(5)]


@pytest.mark.parametrize(("offset", "length"), [(-1, 1), (0, 5), (3, 2), (5, 0), (0, -1)])
def test_parts_outside_the_array(shop, offset, length):
    for call in (
        lambda: shop.create("bytes").write_bytes(b"0123", offset, length),
        lambda: shop.create("stream").write_bytes(b"0123", offset, length),
        lambda: shop.create("map").set_bytes("n", b"0123", offset, length),
    ):
        with pytest.raises(IndexOutOfBoundsException):
            call()
    with pytest.raises(TypeError):
        shop.create("bytes").write_bytes(b"0123", 1)


def test_arrays_are_copied_in(shop):
    for write_it in (
        lambda message, value: message.write_bytes(value),
        lambda message, value: message.write_object(value),
        lambda message, value: message.write_bytes(value, 0, 3),
    ):
        for kind in ("bytes", "stream"):
            array = bytearray(b"abc")
            message = shop.create(kind)
            write_it(message, array)
            array[0] = 0
            message.reset()
            buffer = bytearray(3)
            message.read_bytes(buffer)
            assert buffer == b"abc"
    array = bytearray(b"abc")
    message = shop.create("map")
    message.set_bytes("a", array)
    message.set_object("b", array)
    message.set_bytes("c", array, 1, 2)
    array[:] = b"..."
    assert [message.get_bytes(name) for name in "abc"] == [b"abc", b"abc", b"bc"]
    assert type(message.get_object("a")) is bytes


def test_map_names_and_existence(shop):
    message = shop.create("map")
    for name in (None, ""):
        for kind, value in {**WRITES, "string": "x"}.items():
            with pytest.raises(IllegalArgumentException):
                getattr(message, f"set_{kind}")(name, value)
        with pytest.raises(IllegalArgumentException):
            message.set_bytes(name, b"x", 0, 1)
    message.set_string("null", None)
    message.set_object("not an identifier!", 5)
    for each in (message, shop.deliver(message)):
        assert sorted(each.get_map_names()) == ["not an identifier!", "null"]
        assert each.item_exists("null")
        assert not each.item_exists("other")
        assert each.get_bytes("null") is None
    message.clear_body()
    assert not message.item_exists("null")


def test_received_maps_are_read_only(shop):
    message = shop.create("map")
    message.set_int("n", 1)
    received = shop.deliver(message)
    for kind, value in {**WRITES, "string": "x"}.items():
        with pytest.raises(MessageNotWriteableException):
            getattr(received, f"set_{kind}")("n", value)
    with pytest.raises(MessageNotWriteableException):
        received.set_bytes("n", b"x", 0, 1)
    assert received.get_int("n") == 1
    received.clear_body()
    received.set_int("n", 2)
    assert received.get_int("n") == 2
    assert shop.deliver(message).get_int("n") == 1


def test_text(shop):
    message = shop.create("text")
    assert message.text is None
    assert shop.deliver(message).text is None
    for text in (
        "",
        "ASCII",
        "äöü",
        "漢字",
        "😀",
        "\x00\x01\x1f",
        '<?xml version="1.0"?>\n<a/>',
        "x" * 1_000_000,
        "\udfff",
        None,
    ):
        message.text = text
        received = shop.deliver(message)
        assert received.text == text
        with pytest.raises(MessageNotWriteableException):
            received.text = "other"
        assert received.text == text
    with pytest.raises(TypeError):
        message.text = 5


def test_clearing_gives_a_new_body(shop):
    for kind in ("text", "object", "map", "bytes", "stream"):
        received = shop.deliver(shop.create(kind))
        received.clear_body()
        received.clear_body()
        match kind:
            case "text":
                assert received.text is None
            case "object":
                assert received.object is None
            case "map":
                assert list(received.get_map_names()) == []
            case _:
                with pytest.raises(MessageNotReadableException):
                    received.read_byte()
                received.write_byte(1)
                received.reset()
                assert received.read_byte() == 1
