"""Properties: names, modes, JMSX, clearing; headers beside them."""

import decimal

import pytest

from reference_provider.messages import (
    JMSX_PROPERTIES,
    KINDS,
    assign_send_properties,
    receipt_properties,
    send_properties,
    snapshot,
)
from tck.api import (
    Byte,
    Char,
    Double,
    Float,
    IllegalArgumentException,
    Int,
    Long,
    MessageFormatException,
    MessageNotWriteableException,
    Short,
)

SETTERS = {
    "boolean": True,
    "byte": 1,
    "short": 1,
    "int": 1,
    "long": 1,
    "float": 1.0,
    "double": 1.0,
    "string": "x",
    "object": "x",
}


def set_property(message, kind, name, value):
    getattr(message, f"set_{kind}_property")(name, value)


@pytest.mark.parametrize("kind", SETTERS)
@pytest.mark.parametrize("name", [None, ""])
def test_a_name_is_needed(shop, kind, name):
    message = shop.create("text")
    with pytest.raises(IllegalArgumentException):
        set_property(message, kind, name, SETTERS[kind])
    assert list(message.get_property_names()) == []


@pytest.mark.parametrize(
    "name", ["a", "_a", "$", "größe", "漢字", "हिन्दी", "a" * 1000, "a\u0301", "€", "ANDROID", "x1", "a\u200d", "JMS_x"]
)
def test_valid_names(shop, name):
    message = shop.create("text")
    message.set_string_property(name, "v")
    assert shop.deliver(message).get_string_property(name) == "v"


@pytest.mark.parametrize(
    "name",
    [
        "1a",
        "a-b",
        "a b",
        "a.b",
        " a",
        "²",
        "a\u2003",
        "\u0301a",
        "'",
        "JMSPriority",
        "JMSx",
        "JMSXother",
        "not",
        "NULL",
        "Between",
        "escape",
    ],
)
def test_invalid_names(shop, name):
    with pytest.raises(IllegalArgumentException):
        shop.create("text").set_string_property(name, "v")


def test_escape_is_a_name_in_version_1_0(make_shop):
    make_shop(version="1.0").create("text").set_string_property("ESCAPE", "v")


@pytest.mark.parametrize("value", [Char("x"), b"x", bytearray(b"x"), decimal.Decimal(1), [], {}, object(), 2**63, 1j])
def test_other_objects_are_refused(shop, value):
    message = shop.create("text")
    with pytest.raises(MessageFormatException):
        message.set_object_property("x", value)
    assert not message.property_exists("x")


@pytest.mark.parametrize("value", [True, Byte(1), Short(1), Int(1), 1, Float(1.0), 1.0, "x", None])
def test_objects_keep_their_class(shop, value):
    message = shop.create("text")
    message.set_object_property("x", value)
    for each in (message, shop.deliver(message)):
        assert each.get_object_property("x") == value
        assert type(each.get_object_property("x")) is type(value)
        assert each.property_exists("x")
        assert "x" in list(each.get_property_names())


def test_boxes_of_long_and_double_are_plain_numbers(shop):
    message = shop.create("text")
    message.set_object_property("l", Long(5))
    message.set_object_property("d", Double(5))
    assert type(message.get_object_property("l")) is int
    assert type(message.get_object_property("d")) is float


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("boolean", 1),
        ("byte", 128),
        ("short", 40000),
        ("int", 2**31),
        ("long", 2**63),
        ("long", True),
        ("int", "5"),
        ("float", "5"),
        ("string", 5),
    ],
)
def test_what_java_would_not_compile_is_refused(shop, kind, value):
    with pytest.raises((TypeError, ValueError)):
        set_property(shop.create("text"), kind, "x", value)


@pytest.mark.parametrize("kind", KINDS)
def test_received_properties_are_read_only_until_cleared(shop, kind):
    message = shop.create(kind)
    message.set_int_property("x", 5)
    received = shop.deliver(message)
    for setter, value in SETTERS.items():
        for name in ("x", "new"):
            with pytest.raises(MessageNotWriteableException):
                set_property(received, setter, name, value)
    with pytest.raises(MessageNotWriteableException):
        received.set_object_property("new", object())
    assert received.get_int_property("x") == 5
    received.clear_properties()
    assert list(received.get_property_names()) == []
    assert not received.property_exists("x")
    assert received.get_object_property("x") is None
    for setter, value in SETTERS.items():
        set_property(received, setter, setter, value)
    assert sorted(received.get_property_names()) == sorted(SETTERS)


def test_names_differ_by_case(shop):
    message = shop.create("text")
    message.set_int_property("Color", 1)
    message.set_int_property("color", 2)
    received = shop.deliver(message)
    assert (received.get_int_property("Color"), received.get_int_property("color")) == (1, 2)


def test_clearing_leaves_headers_and_body(shop):
    message = shop.create("text")
    message.text, message.jms_type, message.jms_correlation_id = "body", "type", "c"
    message.set_int_property("x", 5)
    received = shop.deliver(message)
    received.clear_properties()
    assert (received.text, received.jms_type, received.jms_correlation_id, received.jms_priority) == (
        "body",
        "type",
        "c",
        9,
    )
    with pytest.raises(MessageNotWriteableException):
        received.text = "other"


def test_clearing_the_body_leaves_headers_and_properties(shop):
    message = shop.create("text")
    message.text, message.jms_type = "body", "type"
    message.set_int_property("x", 5)
    received = shop.deliver(message)
    received.clear_body()
    received.text = "other"
    assert (received.text, received.jms_type, received.get_int_property("x")) == ("other", "type", 5)
    with pytest.raises(MessageNotWriteableException):
        received.set_int_property("x", 6)


def test_jmsx_types(shop):
    message = shop.create("text")
    message.set_string_property("JMSXGroupID", "g")
    message.set_int_property("JMSXGroupSeq", 1)
    with pytest.raises(MessageFormatException):
        message.set_long_property("JMSXGroupSeq", 1)
    with pytest.raises(MessageFormatException):
        message.set_int_property("JMSXGroupID", 1)
    received = shop.deliver(message)
    assert received.get_object_property("JMSXGroupID") == "g"
    assert received.get_object_property("JMSXGroupSeq") == Int(1)


def test_properties_set_on_receipt_belong_to_the_receiver(shop):
    message = shop.create("text")
    received = shop.deliver(message)
    assert received.get_object_property("JMSXDeliveryCount") == Int(2)
    assert "JMSXDeliveryCount" in list(received.get_property_names())
    assert received.property_exists("JMSXDeliveryCount")
    assert not message.property_exists("JMSXDeliveryCount")
    assert snapshot(received, shop.model).properties == {}
    received.clear_properties()
    assert not received.property_exists("JMSXDeliveryCount")


def test_properties_set_on_send_reach_sender_and_receiver(shop):
    message = shop.create("text")
    message.set_string_property("JMSXUserID", "forged")
    message.set_int_property("JMSXDeliveryCount", 99)
    message.set_string_property("own", "x")
    assert snapshot(message, shop.model).properties == {"own": "x"}
    assign_send_properties(message, send_properties(user="ann", transaction="t1"))
    received = shop.deliver(message)
    for each in (message, received):
        assert each.get_string_property("JMSXUserID") == "ann"
        assert each.get_string_property("JMSXProducerTXID") == "t1"
        assert not each.property_exists("JMSXAppID")
    assert not message.property_exists("JMSXDeliveryCount")
    assert sorted(message.get_property_names()) == ["JMSXProducerTXID", "JMSXUserID", "own"]
    assign_send_properties(message, send_properties(user="ann"))
    assert not message.property_exists("JMSXProducerTXID")


def test_a_received_message_sent_on_gets_the_new_senders_properties(shop):
    message = shop.create("text")
    message.set_string_property("own", "x")
    assign_send_properties(message, send_properties(user="ann"))
    received = shop.deliver(message)
    assign_send_properties(received, send_properties(user="bob"))
    assert received.get_string_property("JMSXUserID") == "bob"
    assert received.get_int_property("JMSXDeliveryCount") == 2
    assert snapshot(received, shop.model).properties == {"own": "x", "JMSXUserID": "bob"}


def test_receipt_properties():
    assert receipt_properties(3, timestamp=5, transaction="t") == {
        "JMSXDeliveryCount": Int(3),
        "JMSXRcvTimestamp": 5,
        "JMSXConsumerTXID": "t",
    }
    assert receipt_properties(None) == {}
    assert "JMSXState" not in JMSX_PROPERTIES


def test_a_copy_of_all_properties_can_be_made(shop):
    """Applications forward messages by copying what get_property_names gives."""
    message = shop.create("text")
    message.set_int_property("x", 5)
    received = shop.deliver(message)
    copy = shop.create("text")
    for name in received.get_property_names():
        copy.set_object_property(name, received.get_object_property(name))
    assert snapshot(copy, shop.model).properties == {"x": Int(5)}
