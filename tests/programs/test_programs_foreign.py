"""Foreign messages hold values as they were set, and their bodies are written and read as the API asks."""

from types import SimpleNamespace

import pytest

from tck import api
from tck.programs.foreign import foreign_message
from tck.programs.operations.messages import set_header
from tck.suite.support.values.kinds import KINDS, kind_of

TYPED = [
    ("boolean", True, True),
    ("byte", -128, api.Byte(-128)),
    ("short", 258, api.Short(258)),
    ("int", 70000, api.Int(70000)),
    ("long", 2**53 + 1, 2**53 + 1),
    ("float", 0.5, api.Float(0.5)),
    ("double", 0.1, 0.1),
    ("string", "gr\xf6\xdfer", "gr\xf6\xdfer"),
]
ENTRIES = [*TYPED, ("char", "\ud83d", api.Char("\ud83d")), ("bytes", b"\x00\xff", b"\x00\xff")]
ITEMS = [each for each in ENTRIES if each[0] != "bytes"]


def exactly(value):
    return type(value), value


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_is_of_one_type_and_has_no_properties(kind):
    message = foreign_message(kind)
    assert (kind_of(message), list(message.get_property_names())) == (kind, [])


@pytest.mark.parametrize("kind", [each for each in KINDS if each != "stream"])
def test_a_new_message_has_no_body(kind):
    message = foreign_message(kind)
    assert (message.is_body_assignable_to(str), message.get_body(str)) == (True, None)


def test_an_unknown_kind_is_an_error():
    with pytest.raises(KeyError):
        foreign_message("letter")


@pytest.mark.parametrize("kind", KINDS)
def test_headers_that_a_send_sets_are_those_of_a_new_object(kind):
    message = foreign_message(kind)
    numbers = [
        message.jms_timestamp,
        message.jms_delivery_mode,
        message.jms_expiration,
        message.jms_delivery_time,
        message.jms_priority,
    ]
    assert numbers == [0] * 5
    assert message.jms_redelivered is False
    assert [message.jms_message_id, message.jms_destination, message.jms_type, message.jms_reply_to] == [None] * 4


@pytest.mark.parametrize("kind", KINDS)
def test_messages_share_no_state(kind):
    one, other = foreign_message(kind), foreign_message(kind)
    one.set_int_property("n", 1)
    one.jms_type = "car"
    assert (list(other.get_property_names()), other.jms_type) == ([], None)


@pytest.mark.parametrize(("type_", "value", "boxed"), TYPED)
def test_a_property_is_read_plain_by_its_type_and_boxed_as_an_object(type_, value, boxed):
    message = foreign_message("message")
    getattr(message, f"set_{type_}_property")("p", value)
    assert exactly(getattr(message, f"get_{type_}_property")("p")) == exactly(value)
    assert exactly(message.get_object_property("p")) == exactly(boxed)
    message.set_object_property("q", boxed)
    assert exactly(getattr(message, f"get_{type_}_property")("q")) == exactly(value)


def test_properties_exist_when_null_until_they_are_cleared():
    message = foreign_message("text")
    message.set_string_property("null", None)
    message.set_object_property("none", None)
    assert [message.property_exists(name) for name in ("null", "none", "never")] == [True, True, False]
    assert list(message.get_property_names()) == ["null", "none"]
    assert message.get_int_property("never") is None
    message.text = "kept"
    message.clear_properties()
    assert (list(message.get_property_names()), message.text) == ([], "kept")


def test_names_are_those_of_the_moment():
    message = foreign_message("map")
    message.set_int("a", 1)
    message.set_int_property("a", 1)
    entries, properties = message.get_map_names(), message.get_property_names()
    message.set_int("b", 2)
    message.set_int_property("b", 2)
    assert (list(entries), list(properties)) == (["a"], ["a"])


@pytest.mark.parametrize(("kind", "attribute"), [("text", "text"), ("object", "object")])
def test_a_text_or_object_is_held_until_it_is_cleared(kind, attribute):
    message = foreign_message(kind)
    setattr(message, attribute, "x")
    message.set_int_property("n", 1)
    assert getattr(message, attribute) == "x"
    message.clear_body()
    assert (getattr(message, attribute), message.get_int_property("n")) == (None, 1)


# -- maps --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("type_", "value", "boxed"), ENTRIES)
def test_an_entry_is_read_plain_by_its_type_and_boxed_as_an_object(type_, value, boxed):
    message = foreign_message("map")
    getattr(message, f"set_{type_}")("e", value)
    assert exactly(getattr(message, f"get_{type_}")("e")) == exactly(value)
    assert exactly(message.get_object("e")) == exactly(boxed)
    message.set_object("f", boxed)
    assert exactly(getattr(message, f"get_{type_}")("f")) == exactly(value)


def test_entries_exist_when_null_until_they_are_cleared():
    message = foreign_message("map")
    message.set_string("text", None)
    message.set_bytes("bytes", None)
    message.set_object("object", None)
    assert sorted(message.get_map_names()) == ["bytes", "object", "text"]
    assert (message.item_exists("bytes"), message.item_exists("never"), message.get_object("never")) == (
        True,
        False,
        None,
    )
    message.clear_body()
    assert not message.item_exists("bytes")


# -- arrays are copied -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["set_bytes", "set_object"])
def test_an_array_of_a_map_is_copied(method):
    message, given = foreign_message("map"), bytearray(b"abc")
    getattr(message, method)("e", given)
    given[0] = 0
    assert exactly(message.get_bytes("e")) == exactly(b"abc")


@pytest.mark.parametrize("method", ["write_bytes", "write_object"])
def test_an_array_of_a_stream_is_copied(method):
    message, given = foreign_message("stream"), bytearray(b"abc")
    getattr(message, method)(given)
    given[0] = 0
    message.reset()
    assert exactly(message.read_object()) == exactly(b"abc")


def test_a_part_of_an_array_is_taken_from_its_offset():
    entries, items, data = foreign_message("map"), foreign_message("stream"), foreign_message("bytes")
    entries.set_bytes("e", b"abcd", 1, 2)
    items.write_bytes(b"abcd", 1, 2)
    data.write_bytes(b"abcd", 1, 2)
    items.reset()
    assert (entries.get_bytes("e"), items.read_object(), data.get_body(bytes)) == (b"bc", b"bc", b"bc")


# -- streams -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("type_", "value", "boxed"), ITEMS)
def test_an_item_is_read_plain_by_its_type_and_boxed_as_an_object(type_, value, boxed):
    message = foreign_message("stream")
    getattr(message, f"write_{type_}")(value)
    message.write_object(boxed)
    message.reset()
    assert exactly(message.read_object()) == exactly(boxed)
    assert exactly(getattr(message, f"read_{type_}")()) == exactly(value)


def test_items_are_read_in_order_again_after_each_reset():
    message = foreign_message("stream")
    for item in ("a", None, "b"):
        message.write_string(item)
    for _ in range(2):
        message.reset()
        assert [message.read_string() for _ in range(3)] == ["a", None, "b"]
        with pytest.raises(api.MessageEOFException):
            message.read_object()


def arrays(*items):
    message = foreign_message("stream")
    for item in items:
        message.write_object(item)
    message.reset()
    return message


def parts(message, size, count):
    buffers = [bytearray(size) for _ in range(count)]
    return [(counted := message.read_bytes(each), bytes(each[: max(0, counted)])) for each in buffers]


@pytest.mark.parametrize(
    ("array", "read"),
    [
        (b"abcde", [(2, b"ab"), (2, b"cd"), (1, b"e")]),
        (b"abcd", [(2, b"ab"), (2, b"cd"), (-1, b"")]),
        (b"", [(0, b"")]),
        (None, [(-1, b"")]),
    ],
)
def test_an_array_is_read_in_parts_of_the_buffer(array, read):
    message = arrays(array, "next")
    assert parts(message, 2, len(read)) == read
    assert message.read_string() == "next"


def test_an_array_read_in_part_is_read_on_before_other_items():
    message = arrays(b"abc", "next")
    assert parts(message, 2, 1) == [(2, b"ab")]
    with pytest.raises(api.MessageFormatException):
        message.read_object()
    assert parts(message, 2, 1) == [(1, b"c")]
    assert message.read_object() == "next"


def test_a_reset_begins_an_array_again():
    message = arrays(b"abc")
    parts(message, 2, 1)
    message.reset()
    assert message.read_object() == b"abc"


def test_what_is_no_array_is_not_read_as_one_and_stays_the_next_item():
    message = arrays("text")
    with pytest.raises(api.MessageFormatException):
        message.read_bytes(bytearray(2))
    assert message.read_string() == "text"


# -- bytes -------------------------------------------------------------------------------------------------------------


def test_a_foreign_message_holds_the_destination_of_the_provider_itself():
    recorded, own = object(), object()
    env = SimpleNamespace(target=lambda args, key: {"q1": recorded}[args[key]], bare={recorded: own}.get)
    for made, held in ((foreign_message("text"), own), (SimpleNamespace(), recorded)):
        set_header(env, made, "reply_to", "q1")
        assert made.jms_reply_to is held
