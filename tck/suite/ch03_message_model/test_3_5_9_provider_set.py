"""3.5.9 The JMSX properties that a provider sets, on send and on receipt."""

from __future__ import annotations

from collections.abc import Iterable

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.client import Login
from tck.suite.support.values.jmsx import SET_ON_RECEIPT, SET_ON_SEND

TRANSACTED = ("transacted",)
BOTH = ("auto", "transacted")


def _of(message: api.Message, names: Iterable[str]) -> list[str]:
    """Return the names that a message has as properties."""
    return [name for name in names if message.property_exists(name)]


@asserts("3.5.9-9")
def test_the_user_is_the_sender(case: Case) -> None:
    """JMSXUserID names the sending user, at both ends; what a client sets in its place does not survive."""
    case.needs(api.Hook.ADMINISTER)
    sender, reader = Login("tck-sender", "secret-1"), Login("tck-reader", "secret-2")
    case.provider.administer("users", **{one.user: one.password for one in (sender, reader)})
    link = case.link(client=case.client(login=reader))
    forward = case.link(destination=link.destination, client=case.client(login=sender), consumes=False)
    message = forward.text("x")
    message.set_string_property("JMSXUserID", "somebody else")
    forward.send(message)
    users = [seen.get_object_property("JMSXUserID") for seen in (message, link.receive())]
    expect.equal("JMSXUserID after the send and at the receiver", users, ["tck-sender", "tck-sender"])


@asserts("3.5.9-10")
def test_the_application_is_the_senders(case: Case) -> None:
    """JMSXAppID is a String, and the same at sender and receiver."""
    receiver = case.link()
    forward = case.link(destination=receiver.destination, consumes=False)
    message = forward.send("x")
    received = receiver.receive()
    expect.differs("JMSXAppID after the send", message.get_object_property("JMSXAppID"), None)
    expect.equal(
        "JMSXAppID at the receiver", received.get_object_property("JMSXAppID"), message.get_string_property("JMSXAppID")
    )


@asserts("3.5.9-10", variant="sent-on")
def test_the_application_of_a_message_sent_on_is_its_last_senders(case: Case) -> None:
    """A received message that another connection sends on has the JMSXAppID of that connection's own messages."""
    one, other = (case.link(client=case.client(client_id=case.name("c"))) for _ in range(2))
    one.send("sent on")
    message = one.receive()
    for each in (message, "its own"):
        other.send(each)
    came, own = (other.receive().get_object_property("JMSXAppID") for _ in range(2))
    expect.differs("JMSXAppID of its own message", own, None)
    expect.equal("JMSXAppID of the message that it sent on", came, own)


@asserts("3.5.9-11", ack=TRANSACTED)
def test_the_producers_transaction_is_told(case: Case) -> None:
    """JMSXProducerTXID is the same for messages of one transaction, and another for the next, also of an object sent again."""
    link = case.link("auto")
    forward = case.link(destination=link.destination, consumes=False)
    again = forward.text("in both")
    forward.put("first of the first")
    forward.sender.send(again)
    forward.client.commit()
    forward.sender.send(again)
    forward.put("second of the second")
    forward.client.commit()
    seen = [link.receive().get_object_property("JMSXProducerTXID") for _ in range(4)]
    expect.equal("JMSXProducerTXID of a message of the same transaction", [seen[1], seen[3]], [seen[0], seen[2]])
    expect.distinct("JMSXProducerTXID of two transactions", [seen[0], seen[2]])


@asserts("3.5.9-12", ack=TRANSACTED)
def test_the_consumers_transaction_is_told(case: Case) -> None:
    """JMSXConsumerTXID is the same for messages consumed in one transaction, and another for the next."""
    link = case.link()
    forward = case.link("auto", destination=link.destination, consumes=False)
    for number in range(3):
        forward.send(f"message {number}")
    first, second = (link.take().get_object_property("JMSXConsumerTXID") for _ in range(2))
    link.client.commit()
    third = link.take().get_object_property("JMSXConsumerTXID")
    expect.equal("JMSXConsumerTXID of a message of the same transaction", second, first)
    expect.distinct("JMSXConsumerTXID of two transactions", [first, third])


@asserts("3.5.9-13")
def test_the_time_of_receipt_is_told(case: Case) -> None:
    """JMSXRcvTimestamp is the time of the delivery, not that of the send."""
    name = case.name("s")
    place = case.destination()
    case.link(destination=place, durable=name).client.close()
    case.link(destination=place, consumes=False).send("x")
    case.pass_time(case.timing.delay, "the send and the delivery must be told apart")
    before = case.now()
    received = case.link(destination=place, durable=name).receive()
    stamp = received.get_long_property("JMSXRcvTimestamp")
    expect.between("JMSXRcvTimestamp", stamp, before, case.now())


@asserts("3.5.9-15", ack=TRANSACTED)
def test_both_sides_have_what_is_set_on_send(case: Case) -> None:
    """The JMSX properties that the provider sets on send are on the sender's message and on the received one."""
    link = case.link()
    message = link.send("x")
    received = link.receive()
    names = _of(received, SET_ON_SEND)
    expect.true("some are set on send", names or _of(message, SET_ON_SEND), "the received message had none of them")
    expect.equal("those set on send, on the sender's message", _of(message, SET_ON_SEND), names)


@asserts("3.5.9-16", ack=BOTH)
def test_the_producer_does_not_have_what_is_set_on_receipt(case: Case) -> None:
    """The JMSX properties that the provider sets on receipt are not on the sender's message, even after the receipt."""
    link = case.link()
    message = link.send("x")
    after_send = _of(message, SET_ON_RECEIPT)
    link.receive()
    expect.equal("those set on receipt, on the sender's message after the send", after_send, [])
    expect.equal("those set on receipt, on the sender's message after the receipt", _of(message, SET_ON_RECEIPT), [])
