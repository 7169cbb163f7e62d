"""3.4.5 JMSCorrelationID."""

from __future__ import annotations

from functools import partial

from tck.api import UnsupportedOperationException
from tck.suite.support import Case, asserts, expect
from tck.suite.support.values.seen import tried

TEXTS = ("with spaces", 'it\'s "quoted"', "größer, 東京, \N{GRINNING FACE}", "x" * 1000)


@asserts("3.4.5-1")
def test_it_holds_a_message_id(case: Case) -> None:
    """The id of another message travels in JMSCorrelationID unchanged."""
    link = case.link()
    request = link.send("request").jms_message_id
    link.receive()
    reply = link.text("reply")
    reply.jms_correlation_id = request
    link.send(reply)
    expect.differs("JMSMessageID of the request", request, "")
    expect.equal("JMSCorrelationID at the receiver", link.receive().jms_correlation_id, request)


@asserts("3.4.5-2")
def test_it_holds_any_string(case: Case) -> None:
    """A string of the application travels in JMSCorrelationID unchanged, whatever its signs and length."""
    link = case.link()
    for text in TEXTS:
        message = link.text("x")
        message.jms_correlation_id = text
        expect.works(f"sending a correlation id of {len(text)} characters", partial(link.send, message))
        expect.equal("JMSCorrelationID at the receiver", link.receive().jms_correlation_id, text)


@asserts("3.4.5-3")
def test_unset_it_stays_null(case: Case) -> None:
    """A correlation id that was not set is null at the receiver."""
    link = case.link()
    link.send("x")
    expect.equal("JMSCorrelationID at the receiver", link.receive().jms_correlation_id, None)


@asserts("3.4.5-4")
def test_bytes_travel_or_are_refused(case: Case) -> None:
    """A byte array as correlation id reaches the receiver equal, or is refused as unsupported."""
    link = case.link()
    value = bytes(range(16))
    message = link.text("x")
    refused = expect.works_or(
        UnsupportedOperationException, lambda: setattr(message, "jms_correlation_id_as_bytes", value)
    )
    link.send(message)
    received = link.receive()
    seen = "refused" if refused else bytes(received.jms_correlation_id_as_bytes or b"")
    expect.one_of(
        "the byte array at the receiver",
        seen,
        {value: "byte arrays as correlation id", "refused": "no byte arrays as correlation id"},
    )


@asserts("3.4.5-6")
def test_bytes_are_copied_when_set(case: Case) -> None:
    """Changing the array after it was set does not change the header."""
    link = case.link()
    array = bytearray(b"before")
    message = link.text("x")
    expect.works(
        "setting a byte array as correlation id", lambda: setattr(message, "jms_correlation_id_as_bytes", array)
    )
    array[:] = b"after!"
    seen = tried(lambda: bytes(message.jms_correlation_id_as_bytes or b""))
    expect.equal("JMSCorrelationID as bytes", seen, b"before")
    link.send(message)
    expect.arrives(link, ["x"])
