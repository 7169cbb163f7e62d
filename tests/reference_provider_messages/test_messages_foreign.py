"""Messages of another implementation: everything through the public getters."""

import pytest

from reference_provider.messages import KINDS, send_properties, snapshot
from tck.api import (
    Byte,
    Char,
    Float,
    Int,
    MessageFormatException,
    NullPointerException,
    Short,
    UnsupportedOperationException,
)

EVERY = [True, Byte(1), Short(2), Int(3), 4, Float(0.5), 0.25, "text", None]


def filled(shop, kind):
    message = shop.create(kind)
    match kind:
        case "text":
            message.text = "body"
        case "bytes":
            message.write_bytes(bytes(range(256)))
        case "map":
            for number, value in enumerate([*EVERY, Char("x"), b"x"]):
                message.set_object(f"n{number}", value)
        case "stream":
            for value in [*EVERY, Char("x"), b"x", b""]:
                message.write_object(value)
        case "object":
            message.object = {"a": [1, 2]}
    for number, value in enumerate(EVERY):
        message.set_object_property(f"p{number}", value)
    message.jms_type, message.jms_correlation_id = "type", "c"
    return message


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("empty", [False, True])
def test_a_foreign_message_travels_as_an_own_one_does(shop, foreign, destinations, kind, empty):
    message = shop.create(kind) if empty else filled(shop, kind)
    message.jms_reply_to = destinations["queue"]("answers")
    wanted = snapshot(message, shop.model)
    assert snapshot(foreign(message), shop.model) == wanted


@pytest.mark.parametrize("kind", ["bytes", "stream"])
def test_a_foreign_body_half_read_travels_whole_and_is_left_reset(shop, foreign, kind):
    message = filled(shop, kind)
    wanted = snapshot(message, shop.model)
    message.reset()
    message.read_boolean()
    assert snapshot(foreign(message), shop.model) == wanted
    assert message.read_boolean() in (True, False)


@pytest.mark.parametrize("size", [0, 1, 65_535, 65_536, 65_537, 200_000])
def test_a_foreign_bytes_message_without_a_body_length_travels_whole(shop, foreign, size):
    message = shop.create("bytes")
    content = bytes(number % 251 for number in range(size))
    message.write_bytes(content)

    def refuse(_):
        raise UnsupportedOperationException("it came with 1.1")

    older = type("Older", (type(foreign(message)),), {"body_length": property(refuse)})
    frozen = snapshot(older(message), shop.model)
    assert frozen == snapshot(message, shop.model)
    assert frozen.body == content


def test_a_correlation_id_that_is_bytes_only(shop, foreign):
    message = shop.create("message")
    other = foreign(message)
    kind = type(other)
    bytes_only = type("BytesOnly", (kind,), {"jms_correlation_id": None, "jms_correlation_id_as_bytes": b"\xff"})
    assert snapshot(bytes_only(message), shop.model).correlation == b"\xff"

    def refuse(_):
        raise UnsupportedOperationException("no bytes")

    neither = type("Neither", (kind,), {"jms_correlation_id_as_bytes": property(refuse)})
    assert snapshot(neither(message), shop.model).correlation is None


def test_properties_of_another_provider_stay_behind(shop, foreign):
    message = shop.create("message")
    message.set_int_property("JMSXDeliveryCount", 5)
    message.set_string_property("JMSXUserID", "them")
    message.set_string_property("JMSXGroupID", "g")
    message.set_string_property("JMS_other", "x")
    frozen = snapshot(foreign(message), shop.model, send_properties(user="us"))
    assert frozen.properties == {"JMSXGroupID": "g", "JMS_other": "x", "JMSXUserID": "us"}


@pytest.mark.parametrize(
    ("names", "value"),
    [(["a b"], "x"), (["JMSwhat"], "x"), ([""], "x"), (["a"], [1]), (["a"], object()), (["JMSXGroupSeq"], "x")],
)
def test_properties_no_message_may_have(shop, foreign, names, value):
    other = foreign(shop.create("message"))
    odd = type(
        "Odd",
        (type(other),),
        {"get_property_names": lambda _: iter(names), "get_object_property": lambda _, __: value},
    )
    with pytest.raises(MessageFormatException):
        snapshot(odd(other.wrapped), shop.model)


def test_objects_that_may_not_travel(shop, foreign):
    other = foreign(shop.create("object"))
    odd = type("Odd", (type(other),), {"object": property(lambda _: object())})
    with pytest.raises(MessageFormatException):
        snapshot(odd(other.wrapped), shop.model)


def test_what_a_foreign_message_raises_goes_to_the_sender(shop, foreign):
    def refuse(_):
        raise NullPointerException("broken")

    other = foreign(shop.create("text"))
    odd = type("Odd", (type(other),), {"text": property(refuse)})
    with pytest.raises(NullPointerException):
        snapshot(odd(other.wrapped), shop.model)
