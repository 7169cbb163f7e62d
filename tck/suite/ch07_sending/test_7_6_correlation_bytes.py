"""7.6 JMSCorrelationID set as bytes on a JMSProducer."""

from __future__ import annotations

from functools import partial
from typing import Any

from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.messages import carried
from tck.suite.support.values.kinds import KINDS
from tck.suite.support.values.seen import tried

BODIES = ("text", {"entry": 1}, b"bytes", ["object"])
"""A body of each kind that a JMSProducer sends directly."""
ARRAYS = (b"x", b"\x00\x01\x00", bytes(range(256)), b"\xff\xfe\x80", "größer".encode())
"""Byte arrays, most of them no text."""


def _bytes_of(holder: Any) -> object:
    """Read JMSCorrelationID as bytes from a message."""
    return tried(lambda: bytes(holder.jms_correlation_id_as_bytes or b""))


def _own_bytes(producer: Any) -> object:
    """Read JMSCorrelationID as bytes from a producer."""
    return tried(lambda: bytes(producer.get_jms_correlation_id_as_bytes() or b""))


def _set(link: Link, array: bytes | bytearray) -> None:
    producer: Any = link.sender.producer
    call = partial(producer.set_jms_correlation_id_as_bytes, array)
    expect.works("setting JMSCorrelationID as bytes on the producer", call)


@asserts("7.6-5", ack=("auto", "transacted"))
def test_bytes_of_the_producer_replace_those_of_the_message(case: Case) -> None:
    """The bytes set on a JMSProducer are on messages of each kind, whether these have a text, bytes or none, on each send."""
    link = case.link()
    for at, array in enumerate(ARRAYS):
        _set(link, array)
        for kind in KINDS:
            textual, native, bare = (link.message(kind) for _ in range(3))
            textual.jms_correlation_id = f"the message's {at}"
            native.jms_correlation_id_as_bytes = b"the message's"
            seen = [_bytes_of(carried(link, message)) for message in (textual, native, bare)]
            expect.equal(f"JMSCorrelationID of three {kind} messages, as bytes", seen, [array] * 3)


@asserts("7.6-5", variant="bodies")
def test_bytes_of_the_producer_are_on_messages_made_of_a_body(case: Case) -> None:
    """The bytes set on a JMSProducer are on messages whose body was given directly."""
    link = case.link()
    producer: Any = link.sender.producer
    for array in ARRAYS[:2]:
        _set(link, array)
        for body in BODIES:
            producer.send(link.destination, body)
            expect.equal(f"JMSCorrelationID as bytes, with the body {body!r}", _bytes_of(link.receive()), array)


@asserts("7.6-7")
def test_bytes_are_copied_when_they_are_set(case: Case) -> None:
    """A change of the array after the call changes neither the producer's JMSCorrelationID nor that of messages sent later."""
    link = case.link()
    producer: Any = link.sender.producer
    array = bytearray(b"before")
    _set(link, array)
    array[:] = b"after!"
    expect.equal("JMSCorrelationID of the producer", _own_bytes(producer), b"before")
    expect.equal("JMSCorrelationID received", _bytes_of(carried(link, link.text("x"))), b"before")
    array[:] = b"later!"
    expect.equal("JMSCorrelationID of the producer after a send", _own_bytes(producer), b"before")
    expect.equal("JMSCorrelationID received second", _bytes_of(carried(link, link.text("y"))), b"before")
    producer.send(link.destination, "direct")
    expect.equal("JMSCorrelationID of a message made of a text", _bytes_of(link.receive()), b"before")
