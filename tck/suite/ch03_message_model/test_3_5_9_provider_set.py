"""3.5.9 The JMSX properties that a provider sets, on send and on receipt."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.client import Login
from tck.suite.support.clients.gathering import numbered
from tck.suite.support.values.jmsx import SET_ON_RECEIPT, SET_ON_SEND

TRANSACTED = ("transacted",)
BOTH = ("auto", "transacted")
SEVERAL = 6
"""Messages of which one has an optional property that a provider sets in some messages only."""


def _of(message: api.Message, names: Iterable[str]) -> list[str]:
    """Return the names that a message has as properties."""
    return [name for name in names if message.property_exists(name)]


def _some(name: str, values: Sequence[object]) -> list[object]:
    """Return the values of an optional property where it is not missing; of several messages some have it if it is claimed (3.5.9-20)."""
    there = [value for value in values if value is not None]
    expect.true(f"of {len(values)} messages some have {name}", bool(there), "none of them has it")
    return there


def _value(message: api.Message, name: str) -> object:
    return message.get_object_property(name)


@asserts("3.5.9-9")
def test_the_user_is_the_sender(case: Case) -> None:
    """JMSXUserID names the sending user, at both ends; what a client sets in its place does not survive."""
    case.needs(api.Hook.ADMINISTER)
    sender, reader = Login("tck-sender", "secret-1"), Login("tck-reader", "secret-2")
    case.administer("users", **{one.user: one.password for one in (sender, reader)})
    link = case.link(client=case.client(login=reader))
    forward = case.link(destination=link.destination, client=case.client(login=sender), consumes=False)
    users = []
    for _ in range(SEVERAL):
        message = forward.text("x")
        message.set_string_property("JMSXUserID", "somebody else")
        forward.send(message)
        users.append([_value(one, "JMSXUserID") for one in (message, link.receive())])
    seen = _some("JMSXUserID", [pair if any(pair) else None for pair in users])
    expect.equal("JMSXUserID after the send and at the receiver", seen, [["tck-sender", "tck-sender"]] * len(seen))


@asserts("3.5.9-10")
def test_the_application_is_the_senders(case: Case) -> None:
    """JMSXAppID is a String, and the same at sender and receiver."""
    receiver = case.link()
    forward = case.link(destination=receiver.destination, consumes=False)
    sent = [forward.send(text) for text in numbered(SEVERAL)]
    received = receiver.take_all(SEVERAL)
    receiver.client.settle(received[-1])
    for each in _some("JMSXAppID after the send", [_value(one, "JMSXAppID") for one in sent]):
        expect.true("JMSXAppID is a String", isinstance(each, str), f"it was {each!r}")
    there = [_value(one, "JMSXAppID") for one in received]
    expect.equal("JMSXAppID at the receiver", there, [_value(one, "JMSXAppID") for one in sent])


@asserts("3.5.9-10", variant="sent-on")
def test_the_application_of_a_message_sent_on_is_its_last_senders(case: Case) -> None:
    """A received message that another connection sends on has the JMSXAppID of that connection's own messages."""
    one, other = (case.link(client=case.client(client_id=case.name("c"))) for _ in range(2))
    seen: dict[str, list[object]] = {"sent on": [], "its own": []}
    for turn in range(SEVERAL):
        one.send("sent on")
        each = one.receive()
        for _ in range(1 + turn % 2):  # so that a provider which leaves out each second one has either at times
            other.send(each)
            seen["sent on"].append(_value(other.receive(), "JMSXAppID"))
        other.send("its own")
        seen["its own"].append(_value(other.receive(), "JMSXAppID"))
    own = _some("JMSXAppID of its own message", seen["its own"])
    came = _some("JMSXAppID of a message that it sent on", seen["sent on"])
    expect.equal("JMSXAppID of the messages that it sent on", came, [own[0]] * len(came))


@asserts("3.5.9-11", ack=TRANSACTED)
def test_the_producers_transaction_is_told(case: Case) -> None:
    """JMSXProducerTXID is the same for messages of one transaction, and another for the next, also of an object sent again."""
    link = case.link("auto")
    forward = case.link(destination=link.destination, consumes=False)
    again = [forward.text("in all") for _ in range(SEVERAL)]
    seen = []
    for turn in range(3):
        for each in again[turn:]:  # in the second transaction another send of an object is an odd one
            forward.sender.send(each)
        forward.put("in one")
        forward.client.commit()
        values = [_value(link.receive(), "JMSXProducerTXID") for _ in range(len(again) - turn + 1)]
        ids = _some("JMSXProducerTXID in a transaction", values)
        expect.equal("JMSXProducerTXID of the messages of the same transaction", ids, [ids[0]] * len(ids))
        seen.append(ids[0])
    expect.distinct("JMSXProducerTXID of three transactions", seen)


@asserts("3.5.9-12", ack=TRANSACTED)
def test_the_consumers_transaction_is_told(case: Case) -> None:
    """JMSXConsumerTXID is the same for messages consumed in one transaction, and another for the next."""
    link = case.link()
    forward = case.link("auto", destination=link.destination, consumes=False)
    forward.send_all(numbered(2 * SEVERAL))
    seen = []
    for _ in range(2):
        values = [_value(one, "JMSXConsumerTXID") for one in link.take_all(SEVERAL)]
        ids = _some("JMSXConsumerTXID in a transaction", values)
        expect.equal("JMSXConsumerTXID of the messages of the same transaction", ids, [ids[0]] * len(ids))
        seen.append(ids[0])
        link.client.commit()
    expect.distinct("JMSXConsumerTXID of two transactions", seen)


@asserts("3.5.9-12", ack=TRANSACTED, variant="returned")
def test_the_consumers_transaction_of_a_returned_message_is_told(case: Case) -> None:
    """A message that is redelivered after rollback has the JMSXConsumerTXID of its new transaction, as new messages have that come with it."""
    link = case.link()
    forward = case.link("auto", destination=link.destination, consumes=False)
    forward.send_all(numbered(SEVERAL))
    seen = []
    for turn in range(3):
        values = [_value(one, "JMSXConsumerTXID") for one in link.take_all(SEVERAL + turn)]
        ids = _some("JMSXConsumerTXID in a transaction", values)
        expect.equal("JMSXConsumerTXID of the messages of the same transaction", ids, [ids[0]] * len(ids))
        seen.append(ids[0])
        link.client.rollback()
        forward.send("new")
    expect.distinct("JMSXConsumerTXID of three transactions, each rolled back", seen)


@asserts("3.5.9-13", ack=("auto", "client", "transacted"))
def test_the_time_of_receipt_is_told(case: Case) -> None:
    """JMSXRcvTimestamp is the time of the delivery, not that of the send, nor of a delivery before."""
    name = case.name("s")
    place = case.destination()
    case.link(destination=place, durable=name).client.close()
    case.link(destination=place, consumes=False).send_all(numbered(SEVERAL))
    case.pass_time(case.timing.delay, "the send and the delivery must be told apart")
    before = case.now()
    link = case.link(destination=place, durable=name)
    _some("JMSXRcvTimestamp", _received_since(case, before, link.take_all(SEVERAL)))
    if case.ack != "auto":
        case.pass_time(case.timing.delay, "the two deliveries must differ in time")
        before = case.now()
        _received_since(case, before, link.returned(SEVERAL))


def _received_since(case: Case, before: int, received: Sequence[api.Message]) -> list[object]:
    """Demand that each JMSXRcvTimestamp lies between `before` and now; return them, None where it is missing."""
    times = [_value(one, "JMSXRcvTimestamp") for one in received]
    for one, time in zip(received, times, strict=True):
        if time is not None:
            expect.between("JMSXRcvTimestamp", one.get_long_property("JMSXRcvTimestamp"), before, case.now())
    return times


@asserts("3.5.9-15", ack=TRANSACTED)
def test_both_sides_have_what_is_set_on_send(case: Case) -> None:
    """The JMSX properties that the provider sets on send are on the sender's message and on the received one."""
    link = case.link()
    seen = []
    for text in numbered(SEVERAL):
        message = link.send(text)
        seen.append((_of(message, SET_ON_SEND), _of(link.receive(), SET_ON_SEND)))
    expect.true(
        f"some are set on send of {SEVERAL} messages", any(map(any, seen)), "neither the sent nor the received have any"
    )
    expect.equal("those set on send, on the sender's messages", [one for one, _ in seen], [one for _, one in seen])


@asserts("3.5.9-16", ack=BOTH)
def test_the_producer_does_not_have_what_is_set_on_receipt(case: Case) -> None:
    """The JMSX properties that the provider sets on receipt are not on the sender's message, even after the receipt."""
    link = case.link()
    message = link.send("x")
    after_send = _of(message, SET_ON_RECEIPT)
    link.receive()
    expect.equal("those set on receipt, on the sender's message after the send", after_send, [])
    expect.equal("those set on receipt, on the sender's message after the receipt", _of(message, SET_ON_RECEIPT), [])
