"""7.10 Calls of a JMSProducer can be chained."""

from __future__ import annotations

from typing import Any

from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.members import every_call

BODIES = ("text", {"entry": 1}, b"bytes", ["object"])
"""A body of each kind that a JMSProducer sends directly."""


def _chained(case: Case, only: tuple[str, ...], **given: Any) -> None:
    """Demand that each call returns the JMSProducer itself."""
    link = case.link()
    producer: Any = link.sender.producer
    calls = every_call(case, "JMSProducer", lambda: producer, only=only, **given)
    with expect.all_of():
        for name, call in calls.items():
            expect.true(f"{name} returns the same JMSProducer", call() is producer, "it returned another object")
    expect.equal("a message sent afterwards", link.carry(link.text("x")).get_body(str), "x")


@asserts("7.10-1")
def test_option_setters_return_the_producer(case: Case) -> None:
    """The setters of the options return the same JMSProducer."""
    settings = ("setDeliveryMode", "setPriority", "setTimeToLive", "setDisableMessageID", "setDisableMessageTimestamp")
    _chained(case, settings)


@asserts("7.10-1", variant="delay")
def test_the_setter_of_the_delay_returns_the_producer(case: Case) -> None:
    """The setter of the delivery delay returns the same JMSProducer."""
    _chained(case, ("setDeliveryDelay",))


@asserts("7.10-1", variant="asynchronous")
def test_the_setter_of_the_completion_listener_returns_the_producer(case: Case) -> None:
    """The setter of the completion listener returns the same JMSProducer."""
    _chained(case, ("setAsync",), completion_listener=None)


@asserts("7.10-2")
def test_property_setters_return_the_producer(case: Case) -> None:
    """The setters of properties, and clearProperties, return the same JMSProducer."""
    _chained(case, ("setProperty", "clearProperties"), name="p")


@asserts("7.10-3")
def test_header_setters_return_the_producer(case: Case) -> None:
    """The setters of the headers return the same JMSProducer."""
    _chained(case, ("setJMSCorrelationID", "setJMSType", "setJMSReplyTo"))


@asserts("7.10-4")
def test_sends_return_the_producer(case: Case) -> None:
    """Each send of a message or a body returns the same JMSProducer."""
    link = case.link()
    producer: Any = link.sender.producer
    with expect.all_of():
        for body in (link.text("x"), *BODIES):
            sent = producer.send(link.destination, body)
            expect.true(
                f"send of {body!r} returns the same JMSProducer", sent is producer, "it returned another object"
            )
            expect.arrival(link)
