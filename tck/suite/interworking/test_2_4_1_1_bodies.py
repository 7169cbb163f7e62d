"""Interworking 2.4.1.1: the body of a message as the rest of an event."""

from __future__ import annotations

from collections.abc import Mapping

from tck import api
from tck.interworking import NULL, OCTET_SEQ, Any_, StructuredEvent
from tck.suite.support import Case, asserts, expect
from tck.suite.support.interworking.bridging import Bridged, seen

OBJECT: Mapping[str, object] = {"text": "größer", "numbers": [1, 2.5, True, None]}


def _body(bridged: Bridged, message: api.Message) -> Any_:
    """Send a message, and return the body of the event that it becomes."""
    made: StructuredEvent = bridged.event(message)
    id_ = made.data("JMSMessageID")
    expect.equal("the event's JMSMessageID", id_ and id_.value, message.jms_message_id)
    return made.remainder_of_body


@asserts("iw-2.4.1.1.1-2", plain=True)
def test_a_null_text_is_recorded(case: Case) -> None:
    """What a null text becomes is left open: no value, or an empty string."""
    bridged = Bridged(case)
    message = bridged.link.text("x")
    message.text = None
    body = _body(bridged, message)
    expect.one_of("the value of the body", body.value, {None: "no value", "": "an empty string"})


def _object(bridged: Bridged) -> Any_:
    message: api.ObjectMessage = bridged.link.client.session.create_object_message(dict(OBJECT))
    return _body(bridged, message)


@asserts("iw-2.4.1.1.5-1", plain=True)
def test_an_object_is_octets(case: Case) -> None:
    """The body of an ObjectMessage is a sequence of octets, and not an empty one."""
    body = _object(Bridged(case))
    expect.equal("the type of the body", str(body.type.plain), str(OCTET_SEQ))
    expect.true("the body has octets", bool(body.value), repr(body.value))


@asserts("iw-2.4-5", plain=True)
def test_what_comes_of_an_event_that_was_a_message_is_recorded(case: Case) -> None:
    """An event that was a text message becomes a message of some type with its text; whether of the first one is left open."""
    bridged = Bridged(case)
    message = bridged.link.text("hello")
    message.set_int_property("severity", 3)
    again = bridged.message(bridged.event(message))
    is_text = isinstance(again, api.TextMessage)
    expect.true(
        "the message has a body", is_text or isinstance(again, api.BytesMessage | api.StreamMessage), repr(again)
    )
    expect.record("the first type again" if is_text else f"a {type(again).__name__}")


@asserts("iw-2.4.1-9", variant="body", plain=True)
def test_a_message_without_body_has_no_body_as_an_event(case: Case) -> None:
    """The rest of an event that was a message without body is empty."""
    bridged = Bridged(case)
    body = _body(bridged, bridged.link.client.session.create_message())
    expect.equal("the body", seen(body), seen(NULL))
    expect.record("an empty body")
