"""Headers, acknowledgement, snapshots: what travels, what is copied, what is read-only."""

import pytest

from reference_provider.messages import KINDS, Limits, from_snapshot, snapshot
from tck.api import DeliveryMode, MessageFormatException, ResourceAllocationException


@pytest.mark.parametrize("kind", KINDS)
def test_a_delivery_fills_all_headers(shop, kind, delivery, destinations):
    message = shop.create(kind)
    message.jms_type, message.jms_correlation_id = "type", "c"
    message.jms_reply_to = destinations["topic"]("answers")
    message.jms_redelivered, message.jms_priority, message.jms_message_id = False, 0, "mine"
    message.jms_expiration = message.jms_delivery_time = message.jms_timestamp = 99
    received = shop.deliver(message)
    seen = {name: getattr(received, name) for name in dir(received) if name.startswith("jms_")}
    assert seen == {
        "jms_message_id": "ID:7",
        "jms_timestamp": 11,
        "jms_destination": destinations["queue"]("q"),
        "jms_delivery_mode": DeliveryMode.NON_PERSISTENT,
        "jms_expiration": 12,
        "jms_delivery_time": 13,
        "jms_priority": 9,
        "jms_redelivered": True,
        "jms_type": "type",
        "jms_correlation_id": "c",
        "jms_correlation_id_as_bytes": b"c",
        "jms_reply_to": destinations["topic"]("answers"),
    }
    assert message.jms_message_id == "mine"


@pytest.mark.parametrize("kind", KINDS)
def test_headers_of_a_received_message_can_be_set(shop, kind, destinations):
    received = shop.deliver(shop.create(kind))
    values = {
        "jms_message_id": "x",
        "jms_timestamp": 1,
        "jms_destination": destinations["topic"]("t"),
        "jms_delivery_mode": 2,
        "jms_expiration": 2,
        "jms_delivery_time": 3,
        "jms_priority": 4,
        "jms_redelivered": False,
        "jms_type": "t",
        "jms_correlation_id": "c",
        "jms_reply_to": destinations["queue"]("r"),
    }
    for name, value in values.items():
        setattr(received, name, value)
    assert {name: getattr(received, name) for name in values} == values


def test_a_new_message(shop):
    message = shop.create("text")
    assert message.jms_message_id is None
    assert message.jms_correlation_id is None
    assert message.jms_correlation_id_as_bytes is None
    assert (message.jms_reply_to, message.jms_type, message.jms_destination) == (None, None, None)
    assert (message.jms_delivery_mode, message.jms_priority, message.jms_redelivered) == (2, 4, False)
    assert (message.jms_timestamp, message.jms_expiration, message.jms_delivery_time) == (0, 0, 0)


@pytest.mark.parametrize("kind", ["queue", "topic", "temporary-queue", "temporary-topic"])
def test_reply_to_keeps_kind_and_name(shop, destinations, kind):
    message = shop.create("message")
    message.jms_reply_to = destinations[kind]("answers")
    assert shop.deliver(message).jms_reply_to == destinations[kind]("answers")


def test_reply_to_that_is_no_destination_is_refused(shop):
    message = shop.create("message")
    message.jms_reply_to = "answers"
    with pytest.raises(MessageFormatException):
        snapshot(message, shop.model)


@pytest.mark.parametrize("text", ["ID:1", 'it\'s "quoted"', "ümläut 漢字 😀", "x" * 1000, "", "\ud800lone"])
def test_texts_in_headers_arrive_unchanged(shop, text):
    message = shop.create("message")
    message.jms_correlation_id = message.jms_type = text
    message.set_string_property("p", text)
    received = shop.deliver(message)
    assert (received.jms_correlation_id, received.jms_type, received.get_string_property("p")) == (text, text, text)


def test_correlation_id_as_bytes_is_copied_and_arrives(shop):
    message = shop.create("message")
    given = bytearray(b"\x00\xff\x80")
    message.jms_correlation_id_as_bytes = given
    given[0] = 7
    assert message.jms_correlation_id_as_bytes == b"\x00\xff\x80"
    assert shop.deliver(message).jms_correlation_id_as_bytes == b"\x00\xff\x80"
    message.jms_correlation_id = None
    assert message.jms_correlation_id_as_bytes is None


def test_acknowledge(shop, delivery):
    shop.create("text").acknowledge()
    one = delivery()
    received = shop.deliver(shop.create("text"), one)
    received.clear_body()
    received.clear_properties()
    received.acknowledge()
    assert one.acknowledged == [True]


def test_what_is_no_message_is_refused(shop):
    for other in (None, "text", object()):
        with pytest.raises(MessageFormatException):
            snapshot(other, shop.model)


@pytest.mark.parametrize(
    ("kind", "fill"),
    [
        ("text", lambda message: setattr(message, "text", "x" * 101)),
        ("bytes", lambda message: message.write_bytes(b"x" * 101)),
        ("map", lambda message: message.set_string("n", "x" * 101)),
        ("stream", lambda message: message.write_string("x" * 101)),
        ("object", lambda message: setattr(message, "object", ["x" * 101])),
        ("message", lambda message: message.set_string_property("p", "x" * 101)),
        ("message", lambda message: setattr(message, "jms_type", "x" * 101)),
        ("message", lambda message: setattr(message, "jms_correlation_id", "x" * 101)),
    ],
)
def test_limits(make_shop, kind, fill):
    message = make_shop().create(kind)
    fill(message)
    snapshot(message, make_shop(limits=Limits(300, 300)).model)
    with pytest.raises(ResourceAllocationException):
        snapshot(message, make_shop(limits=Limits(100, 100)).model)


def filled(shop, kind, value):
    message = shop.create(kind)
    match kind:
        case "text":
            message.text = value
        case "bytes":
            message.write_utf(value)
        case "map":
            message.set_string("x", value)
        case "stream":
            message.write_string(value)
        case "object":
            message.object = [value]
    return message


def content(message):
    match message.KIND:
        case "text":
            return message.text
        case "bytes":
            message.reset()
            return message.read_utf()
        case "map":
            return message.get_string("x")
        case "stream":
            message.reset()
            return message.read_string()
        case "object":
            return message.object[0]


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "message"])
def test_what_was_sent_is_independent_of_sender_and_receivers(shop, kind, delivery):
    message = filled(shop, kind, "sent")
    message.set_string_property("p", "sent")
    sent = snapshot(message, shop.model)
    message.clear_body()
    message.clear_properties()
    message.set_string_property("p", "changed")
    first = from_snapshot(sent, delivery(), shop.model)
    assert content(first) == "sent"
    first.clear_body()
    first.clear_properties()
    first.set_string_property("p", "changed")
    first.jms_type = "changed"
    second = from_snapshot(sent, delivery(), shop.model)
    assert content(second) == "sent"
    assert second.get_string_property("p") == "sent"
    assert second.jms_type is None


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "message"])
def test_the_sender_may_go_on_and_send_again(shop, kind):
    message = filled(shop, kind, "one")
    one = shop.deliver(message)
    if kind == "bytes":
        message.write_utf("two")
    elif kind == "stream":
        message.write_string("two")
    else:
        message.clear_body()
        message = filled(shop, kind, "two")
    two = shop.deliver(message)
    assert content(one) == "one"
    assert content(two) == ("one" if kind in ("bytes", "stream") else "two")
