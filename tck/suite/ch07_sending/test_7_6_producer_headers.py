"""7.6 Headers set on a JMSProducer."""

from __future__ import annotations

from typing import Any

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.messages import carried
from tck.suite.support.values.seen import shown

BODIES = ("text", {"entry": 1}, b"bytes", ["object"])
"""A body of each kind that a JMSProducer sends directly."""


def _dressed(link: Link) -> api.TextMessage:
    """Create a text message with the three headers that a JMSProducer can set too."""
    message = link.text("x")
    message.jms_correlation_id, message.jms_type = "the message's", "the message's type"
    message.jms_reply_to = link.destination
    return message


def _three(message: api.Message) -> list[object]:
    return [message.jms_correlation_id, message.jms_type, shown(message.jms_reply_to)]


@asserts("7.6-2")
def test_the_correlation_identifier_of_the_producer(case: Case) -> None:
    """JMSCorrelationID of a JMSProducer replaces the message's, on each send."""
    link = case.link()
    producer: Any = link.sender.producer
    producer.set_jms_correlation_id("the producer's")
    for _ in range(2):
        seen = carried(link, _dressed(link)).jms_correlation_id
        expect.equal("JMSCorrelationID", seen, "the producer's")


@asserts("7.6-3")
def test_the_type_of_the_producer(case: Case) -> None:
    """JMSType of a JMSProducer replaces the message's, on each send, for a consumer that selects by it too."""
    for selector in (None, "JMSType = 'the producer''s'"):
        link = case.link(selector=selector)
        producer: Any = link.sender.producer
        producer.set_jms_type("the producer's")
        for _ in range(2):
            expect.equal("JMSType", carried(link, _dressed(link)).jms_type, "the producer's")


@asserts("7.6-4")
def test_the_reply_destination_of_the_producer(case: Case) -> None:
    """JMSReplyTo of a JMSProducer replaces the message's, for a queue and a topic."""
    link = case.link()
    producer: Any = link.sender.producer
    for reply in (case.queue(), case.topic()):
        producer.set_jms_reply_to(reply)
        expect.equal("JMSReplyTo", shown(carried(link, _dressed(link)).jms_reply_to), shown(reply))


@asserts("7.6-8")
def test_headers_on_messages_made_of_a_body(case: Case) -> None:
    """The headers of a JMSProducer are on messages whose body was given directly."""
    link = case.link()
    producer: Any = link.sender.producer
    producer.set_jms_correlation_id("c").set_jms_type("t").set_jms_reply_to(link.destination)
    with expect.all_of():
        for body in BODIES:
            producer.send(link.destination, body)
            seen = _three(link.receive())
            expect.equal(f"headers with the body {body!r}", seen, ["c", "t", shown(link.destination)])


@asserts("7.6-9")
def test_headers_that_the_producer_does_not_set(case: Case) -> None:
    """A header that is not set on the JMSProducer stays as the message has it."""
    link = case.link()
    producer: Any = link.client.session.create_producer()
    producer.set_jms_type("the producer's")
    producer.send(link.destination, _dressed(link))
    expect.equal("headers", _three(link.receive()), ["the message's", "the producer's", shown(link.destination)])
    producer = link.client.session.create_producer()
    producer.set_jms_correlation_id("the producer's")
    producer.send(link.destination, _dressed(link))
    expect.equal("headers", _three(link.receive()), ["the producer's", "the message's type", shown(link.destination)])


@asserts("7.6-10")
def test_the_header_getters(case: Case) -> None:
    """The header getters of a JMSProducer return the values set, also after a message with others was sent."""
    link = case.link()
    producer: Any = link.sender.producer
    reply = case.topic()
    producer.set_jms_correlation_id("c").set_jms_type("t").set_jms_reply_to(reply)
    for _ in range(2):
        seen = [producer.get_jms_correlation_id(), producer.get_jms_type(), shown(producer.get_jms_reply_to())]
        expect.equal("the headers of the producer", seen, ["c", "t", shown(reply)])
        link.carry(_dressed(link))


@asserts("7.6-10", variant="properties-cleared")
def test_the_headers_outlive_the_properties(case: Case) -> None:
    """clearProperties() of a JMSProducer leaves its headers, which messages go on to get; so do options that are set later."""
    link = case.link()
    producer: Any = link.sender.producer
    reply = case.topic()
    producer.set_jms_correlation_id("c").set_jms_type("t").set_jms_reply_to(reply).set_property("own", "x")
    for change in (
        producer.clear_properties,
        lambda: producer.set_property("own", "y"),
        lambda: producer.set_priority(7),
        producer.clear_properties,
    ):
        change()
        seen = [producer.get_jms_correlation_id(), producer.get_jms_type(), shown(producer.get_jms_reply_to())]
        expect.equal("the headers of the producer", seen, ["c", "t", shown(reply)])
        received = link.carry(link.text("x"))
        got = [received.jms_correlation_id, received.jms_type, shown(received.jms_reply_to)]
        expect.equal("the headers of its message", got, ["c", "t", shown(reply)])
