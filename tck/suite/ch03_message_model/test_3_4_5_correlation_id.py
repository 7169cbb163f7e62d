"""3.4.5 JMSCorrelationID."""

from __future__ import annotations

from functools import partial

from tck.api import UnsupportedOperationException
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.subscriptions import fellow
from tck.suite.support.values.kinds import KINDS
from tck.suite.support.values.numbers import ARRAYS
from tck.suite.support.values.seen import taken, tried
from tck.suite.support.values.texts import MEDIUM, SHORT


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
    texts = {**SHORT, **MEDIUM}
    seen: dict[str, object] = {}
    for what, text in texts.items():
        message = link.text("x")
        message.jms_correlation_id = text
        received = expect.delivers(link, message, f"a message with a correlation id of {what}")
        seen[what] = [received.jms_correlation_id, message.jms_correlation_id]
    expect.equal("JMSCorrelationID at both ends", seen, {what: [text, text] for what, text in texts.items()})


@asserts("3.4.5-2", variant="changed")
def test_it_holds_the_last_string_that_was_set(case: Case) -> None:
    """A later string, be it empty, replaces what was set before."""
    link = case.link()
    message = link.text("x")
    seen = []
    for text in ("first", "second", "", "last"):
        message.jms_correlation_id = text
        seen.append(link.carry(message).jms_correlation_id)
    expect.equal("JMSCorrelationID at the receivers", seen, ["first", "second", "", "last"])


OTHERS = ("of another", "", None)
"""What others set on their own objects of a message."""


@asserts("3.4.5-2", domain=("queue",), ack=("auto", "client", "transacted"), variant="browsed")
def test_it_is_the_same_though_a_browsed_copy_has_another(case: Case) -> None:
    """The string arrives though the sender, and two clients that browsed the message, set another on their objects before."""
    sender = case.link(consumes=False)
    consumer = case.client()
    seen: dict[object, object] = {}
    for other in OTHERS:
        message = sender.text("x")
        message.jms_correlation_id = "mine"
        sender.send(message)
        message.jms_correlation_id = other
        for client in (sender.client, consumer):
            for browsed in client.browse_messages(sender.destination):
                browsed.jms_correlation_id = other
        link = Link(consumer, sender.destination)
        seen[other] = link.receive().jms_correlation_id
        link.consumer.close()
    expect.equal("JMSCorrelationID at the receiver, by what others set", seen, dict.fromkeys(OTHERS, "mine"))


@asserts("3.4.5-2", domain=("topic",), ack=("auto", "client", "transacted"), variant="copies")
def test_it_is_the_same_though_another_copy_has_another(case: Case) -> None:
    """The string arrives though the sender, and subscribers that got the message first, set another on their objects before."""
    first = case.link()
    links = [
        first,
        case.link(client=fellow(first.client), destination=first.destination),
        case.link(destination=first.destination),
    ]
    seen: dict[object, object] = {}
    for other in OTHERS:
        message = first.text("x")
        message.jms_correlation_id = "mine"
        first.send(message)
        message.jms_correlation_id = other
        came = []
        for link in links:
            received = link.take()
            came.append(received.jms_correlation_id)
            received.jms_correlation_id = other
            link.client.settle(received)
        seen[other] = came
    expect.equal("JMSCorrelationID at three subscribers, by what others set", seen, dict.fromkeys(OTHERS, ["mine"] * 3))


@asserts("3.4.5-3")
def test_unset_it_stays_null(case: Case) -> None:
    """A correlation id that was not set is null at the receiver."""
    link = case.link()
    for kind in KINDS:
        message = link.message(kind)
        for what in ("never set", "set, and then null"):
            received = link.carry(message)
            expect.equal(f"JMSCorrelationID of a {kind} message, {what}", received.jms_correlation_id, None)
            if taken(read := partial(getattr, received, "jms_correlation_id_as_bytes")):  # an error is 3.4.5-4's
                expect.equal(f"JMSCorrelationID of a {kind} message as bytes, {what}", read(), None)
            message.jms_correlation_id = "correlation"
            message.jms_correlation_id = None


@asserts("3.4.5-4")
def test_bytes_travel_or_are_refused(case: Case) -> None:
    """A byte array as correlation id reaches the receiver equal, or is refused as unsupported."""
    link = case.link()
    values = (bytes(range(16)), *(array for array in ARRAYS if array))
    seen: list[object] = []
    for value in values:
        message = link.text("x")
        refused = expect.works_or(
            UnsupportedOperationException, partial(setattr, message, "jms_correlation_id_as_bytes", value)
        )
        link.send(message)
        received = link.receive()
        seen.append("refused" if refused else bytes(received.jms_correlation_id_as_bytes or b""))
    expect.one_of(
        "the byte arrays at the receiver",
        tuple(seen),
        {values: "byte arrays as correlation id", ("refused",) * len(values): "no byte arrays as correlation id"},
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
