"""3.4.1 JMSDestination."""

from __future__ import annotations

from tck.suite.support import Case, asserts, expect
from tck.suite.support.values.seen import shown


@asserts("3.4.1-1", ack=("auto", "client"))
def test_a_preset_destination_is_ignored(case: Case) -> None:
    """A destination set on the message before the send has no influence on where it goes, and is replaced."""
    named, used = case.link(), case.link()
    message = used.text("x")
    message.jms_destination = named.destination
    used.send(message)
    expect.equal("JMSDestination after the send", message.jms_destination, used.destination)
    expect.only(used, ["x"])
    expect.only(named, [])


@asserts("3.4.1-3")
def test_the_received_destination_is_equivalent(case: Case) -> None:
    """The receiver sees the same kind and name of destination, and reaches the same place with it."""
    link = case.link()
    link.send("x")
    received = link.receive().jms_destination
    expect.equal("JMSDestination at the receiver", received, link.destination)
    expect.true("JMSDestination names a destination", received is not None, "JMSDestination was null")
    link.consumer.close()
    again = case.link(destination=received)
    case.link(destination=link.destination, consumes=False).send("to where the first went")
    expect.arrives(again, ["to where the first went"])


@asserts("3.4.1-2")
def test_send_sets_the_destination(case: Case) -> None:
    """After the send JMSDestination is the producer's destination, or the one that the send was given."""
    bound, other = case.link(), case.link()
    sent = bound.send("to the producer's own")
    expect.equal("JMSDestination after a send without argument", sent.jms_destination, bound.destination)
    message = bound.text("to the argument")
    bound.client.sender(None).send(message, to=other.destination)
    bound.client.settle()
    expect.equal("JMSDestination after a send to an argument", shown(message.jms_destination), shown(other.destination))
