"""Bodies of foreign messages: bytes in their forms, positions, buffers, and bodies as types."""

import pytest

from tck import api
from tck.programs.foreign import foreign_message
from tck.suite.support.values.foreign import foreign
from tck.suite.support.values.kinds import KINDS, kind_of


def exactly(value):
    return type(value), value


BYTES = [
    ("boolean", True, b"\x01"),
    ("byte", -2, b"\xfe"),
    ("short", 258, b"\x01\x02"),
    ("int", 16909060, b"\x01\x02\x03\x04"),
    ("long", 72623859790382856, b"\x01\x02\x03\x04\x05\x06\x07\x08"),
    ("float", 0.5, b"\x3f\x00\x00\x00"),
    ("double", 0.5, b"\x3f\xe0\x00\x00\x00\x00\x00\x00"),
    ("char", "\ud83d", b"\xd8\x3d"),
    ("utf", "gr\xf6\xdf", b"\x00\x06gr\xc3\xb6\xc3\x9f"),
    ("utf", "", b"\x00\x00"),
    ("utf", "a\0b", b"\x00\x04a\xc0\x80b"),
    ("utf", "\U0001f600", b"\x00\x06\xed\xa0\xbd\xed\xb8\x80"),
    ("utf", "\ud83d", b"\x00\x03\xed\xa0\xbd"),
    ("utf", "\u6771", b"\x00\x03\xe6\x9d\xb1"),
]


@pytest.mark.parametrize(("type_", "value", "form"), BYTES)
def test_a_value_is_written_in_its_form_and_read_again(type_, value, form):
    message = foreign_message("bytes")
    getattr(message, f"write_{type_}")(value)
    message.reset()
    assert message.body_length == len(form)
    assert exactly(getattr(message, f"read_{type_}")()) == exactly(value)
    assert message.get_body(bytes) == form


@pytest.mark.parametrize(("type_", "value"), [("unsigned_byte", 254), ("unsigned_short", 65534)])
def test_numbers_without_a_sign_are_read(type_, value):
    message = foreign_message("bytes")
    message.write_long(-2)
    message.reset()
    while message.body_length - message.position > {"unsigned_byte": 1, "unsigned_short": 2}[type_]:
        message.read_byte()
    assert getattr(message, f"read_{type_}")() == value


@pytest.mark.parametrize(
    ("value", "form"),
    [
        (True, b"\x01"),
        (api.Byte(1), b"\x01"),
        (api.Short(1), b"\x00\x01"),
        (api.Int(1), b"\x00\x00\x00\x01"),
        (1, b"\x00\x00\x00\x00\x00\x00\x00\x01"),
        (api.Long(1), b"\x00\x00\x00\x00\x00\x00\x00\x01"),
        (api.Float(0.5), b"\x3f\x00\x00\x00"),
        (0.5, b"\x3f\xe0\x00\x00\x00\x00\x00\x00"),
        (api.Double(0.5), b"\x3f\xe0\x00\x00\x00\x00\x00\x00"),
        (api.Char("x"), b"\x00x"),
        ("x", b"\x00\x01x"),
        (b"x", b"x"),
        (bytearray(b"x"), b"x"),
    ],
)
def test_an_object_is_written_to_bytes_by_its_type(value, form):
    message = foreign_message("bytes")
    message.write_object(value)
    assert message.get_body(bytes) == form


@pytest.mark.parametrize(("value", "error"), [(None, api.NullPointerException), ([1], api.MessageFormatException)])
def test_an_object_of_no_type_is_not_written_to_bytes(value, error):
    message = foreign_message("bytes")
    with pytest.raises(error):
        message.write_object(value)
    message.reset()
    assert message.body_length == 0


@pytest.mark.parametrize(("type_", "value"), [("byte", 128), ("short", 2**15), ("int", 2**31), ("long", 2**63)])
@pytest.mark.parametrize("kind", ["bytes", "stream", "map"])
def test_a_number_out_of_range_is_not_written(kind, type_, value):
    message = foreign_message(kind)
    with pytest.raises(ValueError, match=str(value)):
        getattr(message, f"set_{type_}")("e", value) if kind == "map" else getattr(message, f"write_{type_}")(value)


def test_a_text_longer_than_its_length_can_tell_is_not_written():
    message = foreign_message("bytes")
    with pytest.raises(ValueError, match="65536"):
        message.write_utf("x" * 65536)
    assert message.get_body(bytes) is None


@pytest.mark.parametrize(("kind", "read"), [("bytes", "read_int"), ("bytes", "read_utf"), ("stream", "read_object")])
def test_a_read_past_the_end_leaves_the_position(kind, read):
    message = foreign_message(kind)
    if kind == "bytes":
        message.write_bytes(b"\x00\x05x")
    message.reset()
    with pytest.raises(api.MessageEOFException):
        getattr(message, read)()
    assert message.position == 0


def test_a_buffer_is_filled_with_what_there_is():
    message = foreign_message("bytes")
    message.write_bytes(b"abcde")
    message.reset()
    buffer = bytearray(3)
    assert (message.read_bytes(buffer, 2), bytes(buffer)) == (2, b"ab\0")
    assert (message.read_bytes(buffer), bytes(buffer)) == (3, b"cde")
    assert (message.read_bytes(bytearray(0)), message.read_bytes(buffer), len(buffer)) == (0, -1, 3)


@pytest.mark.parametrize("length", [-1, 4])
def test_a_length_beyond_the_buffer_is_refused(length):
    message = foreign_message("bytes")
    message.write_bytes(b"abcde")
    message.reset()
    with pytest.raises(api.IndexOutOfBoundsException):
        message.read_bytes(bytearray(3), length)
    assert message.read_byte() == ord("a")


# -- written first, read after a reset ---------------------------------------------------------------------------------

READS = [
    ("bytes", lambda message: message.read_byte()),
    ("bytes", lambda message: message.read_bytes(bytearray(1))),
    ("bytes", lambda message: message.read_utf()),
    ("bytes", lambda message: message.body_length),
    ("stream", lambda message: message.read_object()),
    ("stream", lambda message: message.read_bytes(bytearray(1))),
]


@pytest.mark.parametrize(("kind", "read"), READS)
def test_a_body_is_not_read_before_a_reset(kind, read):
    message = foreign(kind)
    with pytest.raises(api.MessageNotReadableException):
        read(message)


@pytest.mark.parametrize("kind", ["bytes", "stream"])
def test_a_body_is_not_written_after_a_reset_until_it_is_cleared(kind):
    message = foreign(kind, "before")
    message.reset()
    for write in (lambda: message.write_int(1), lambda: message.write_bytes(b"x")):
        with pytest.raises(api.MessageNotWriteableException):
            write()
    message.clear_body()
    message.write_byte(7)
    message.reset()
    assert message.read_byte() == 7
    with pytest.raises(api.MessageEOFException):
        message.read_byte()


# -- the body as one value ---------------------------------------------------------------------------------------------

BODIES = [
    ("text", str, "x", int),
    ("text", api.CHAR_SEQUENCE, "x", api.NUMBER),
    ("object", api.SERIALIZABLE, "x", bytes),
    ("object", str, "x", dict),
    ("map", dict, {"body": "x"}, api.SERIALIZABLE),
    ("bytes", bytes, b"\x00\x01x", str),
]


@pytest.mark.parametrize(("kind", "type_", "body", "other"), BODIES)
def test_a_body_is_returned_as_its_type_or_object(kind, type_, body, other):
    message = foreign(kind)
    assert message.get_body(type_) == message.get_body(api.OBJECT) == body
    assert [message.is_body_assignable_to(each) for each in (type_, api.OBJECT, other)] == [True, True, False]
    with pytest.raises(api.MessageFormatException):
        message.get_body(other)
    message.clear_body()
    assert (message.get_body(other), message.is_body_assignable_to(other)) == (None, True)


def test_a_stream_is_not_returned_as_one_value():
    message = foreign("stream")
    assert not message.is_body_assignable_to(api.OBJECT)
    with pytest.raises(api.MessageFormatException):
        message.get_body(api.OBJECT)


# -- those of the suite ------------------------------------------------------------------------------------------------


def test_the_suite_fills_a_message_of_each_kind():
    messages = {kind: foreign(kind, "content") for kind in KINDS}
    for kind in ("bytes", "stream"):
        messages[kind].reset()
    seen = [
        messages["text"].text,
        messages["object"].object,
        messages["map"].get_string("body"),
        messages["stream"].read_string(),
        messages["bytes"].read_utf(),
    ]
    assert seen == ["content"] * 5
    assert kind_of(messages["message"]) == "message"
