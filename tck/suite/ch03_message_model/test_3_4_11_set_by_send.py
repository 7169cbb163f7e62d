"""3.4.11 Which header fields a send sets, and which it leaves to the client."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from tck.api import DeliveryMode, Message
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.client import Client
from tck.suite.support.clients.completion import seen_at_completion
from tck.suite.support.clients.timed_send import timed_send
from tck.suite.support.values.foreign import foreign
from tck.suite.support.values.kinds import KINDS
from tck.suite.support.values.seen import headers, shown, tried

HOUR = 3_600_000
SET_BY_SEND = (
    "jms_destination",
    "jms_delivery_mode",
    "jms_expiration",
    "jms_delivery_time",
    "jms_priority",
    "jms_message_id",
    "jms_timestamp",
)


@asserts("3.4.11-1")
def test_a_synchronous_send_leaves_its_fields_readable(case: Case) -> None:
    """When a synchronous send returns, all seven fields it sets are there on the sender's message."""
    link = case.link()
    link.sender.set(mode=DeliveryMode.NON_PERSISTENT, priority=6, ttl=HOUR)
    message = link.text("x")
    sending = timed_send(link, message)
    expect.equal("JMSDestination", message.jms_destination, link.destination)
    expect.equal("JMSDeliveryMode", message.jms_delivery_mode, DeliveryMode.NON_PERSISTENT)
    expect.equal("JMSPriority", message.jms_priority, 6)
    expect.differs("JMSMessageID", message.jms_message_id, "")
    expect.between("JMSTimestamp", message.jms_timestamp, sending.called, sending.returned)
    delivery_time = message.jms_delivery_time or sending.called  # 3.4.13-2 reports 0
    expect.between("JMSDeliveryTime", delivery_time, sending.called, sending.returned)
    expect.between("JMSExpiration", message.jms_expiration, sending.called + HOUR, sending.returned + HOUR)


@asserts("3.4.11-2", "7.3.6-1", api=("classic", "simplified"))
def test_an_asynchronous_send_has_set_its_fields_at_completion(case: Case) -> None:
    """When the completion listener is called, all seven fields are there, with the values that the receiver sees."""
    link = case.link()
    link.sender.set(mode=DeliveryMode.NON_PERSISTENT, priority=6, ttl=HOUR)
    seen = seen_at_completion(link, link.text("x"), lambda message: headers(message, names=SET_BY_SEND))
    received = headers(link.receive(), names=SET_BY_SEND)
    expect.equal("fields at the receiver, the priority", received["jms_priority"], 6)
    expect.equal("fields inside the completion callback", seen, received)


@asserts("3.4.11-3", "7.8-9")
def test_a_preset_expiration_is_overwritten(case: Case) -> None:
    """An expiration in the past, set by the client before a send without time-to-live, becomes zero and does not act."""
    link = case.link()
    message = link.text("x")
    message.jms_expiration = 1
    link.send(message)
    received = expect.arrives(link, ["x"])[0]
    seen = [message.jms_expiration, received.jms_expiration]
    expect.equal("JMSExpiration after the send and at the receiver", seen, [0, 0])


@asserts("3.4.11-4", "7.9-10", ack=("auto", "transacted"))
def test_a_preset_delivery_time_is_overwritten(case: Case) -> None:
    """A delivery time in the future, set by the client before a send without delay, is overwritten and does not act.

    With which time is 3.4.13-2.
    """
    link = case.link()
    message = link.text("x")
    message.jms_delivery_time = case.now() + HOUR
    sending = timed_send(link, message)
    received = expect.arrives(link, ["x"])[0]
    expect.between("JMSDeliveryTime after the send", message.jms_delivery_time, 0, sending.returned)
    expect.between("JMSDeliveryTime at the receiver", received.jms_delivery_time, 0, sending.returned)


@asserts("3.4.11-5", ack=("auto", "client", "transacted"))
def test_a_preset_redelivered_flag_does_not_travel(case: Case) -> None:
    """A redelivered flag set by the sender does not reach the receiver of the first delivery."""
    link = case.link()
    message = link.text("x")
    message.jms_redelivered = True
    link.send(message)
    expect.equal("JMSRedelivered at the receiver", link.receive().jms_redelivered, False)


@asserts("3.4.11-6", "7.6-1")
def test_the_clients_fields_survive_the_send(case: Case) -> None:
    """What the client set in JMSCorrelationID, JMSReplyTo and JMSType is still there after the send, at both ends."""
    link = case.link()
    reply_to = case.destination()
    message = link.text("x")
    message.jms_correlation_id, message.jms_reply_to, message.jms_type = "correlation", reply_to, "type"
    link.send(message)
    names = ("jms_correlation_id", "jms_reply_to", "jms_type")
    wanted = dict(zip(names, ("correlation", shown(reply_to), "type"), strict=True))
    expect.equal("the client's fields after the send", headers(message, names=names), wanted)
    expect.equal("the client's fields at the receiver", headers(expect.arrival(link), names=names), wanted)


CLIENTS_FIELDS = ("jms_correlation_id", "jms_reply_to", "jms_type")


def _failing_sends(case: Case, client: Client) -> dict[str, Callable[[Message], object]]:
    """Return sends of a message that fail, by what is wrong; a provider that accepts one of them loses nothing by it."""
    deleted, orphaned = client.temporary(), case.client()
    deleted.delete()
    gone = orphaned.temporary()
    orphaned.close()
    closed = client.peer()
    sender = closed.sender()
    closed.close_session()
    place, anywhere = case.destination(), client.sender()
    return {
        "to a deleted destination": lambda message: anywhere.send(message, to=deleted),
        "to a deleted destination, with options": lambda message: anywhere.send(
            message, to=deleted, priority=7, ttl=HOUR
        ),
        "to a destination of a closed connection": lambda message: anywhere.send(message, to=gone),
        "to null": lambda message: anywhere.producer.send(None, message),
        "with an invalid priority": lambda message: anywhere.send(message, to=place, priority=10),
        "with an invalid mode": lambda message: anywhere.send(message, to=place, mode=77),
        "by a closed session": lambda message: sender.send(message, to=place),
    }


@asserts("3.4.11-6", "7.6-1", ack=("auto", "client", "transacted"), variant="failed")
def test_the_clients_fields_survive_a_failed_send(case: Case) -> None:
    """What the client set in the three fields is still there after a send that fails, and at the receiver of the next send."""
    link = case.link()
    reply_to = case.destination()
    wanted = dict(zip(CLIENTS_FIELDS, ("correlation", shown(reply_to), "type"), strict=True))
    with expect.all_of():
        for kind in KINDS:
            for what, send in _failing_sends(case, link.client).items():
                message = link.message(kind)
                message.jms_correlation_id, message.jms_reply_to, message.jms_type = "correlation", reply_to, "type"
                tried(partial(send, message))
                if case.ack == "transacted":
                    link.client.rollback()  # a commit may be refused for the send that failed
                seen = headers(message, names=CLIENTS_FIELDS)
                expect.equal(f"the client's fields of a {kind} message after a send {what}", seen, wanted)
                received = headers(link.carry(message), names=CLIENTS_FIELDS)
                expect.equal(f"its fields at the receiver of the next send, after one {what}", received, wanted)


@asserts("3.4.11-7")
def test_delivery_options_are_taken_from_the_producer(case: Case) -> None:
    """Mode, priority, time-to-live and delay chosen on the producer show in the header and take effect."""
    link = case.link()
    delay = case.timing.delay
    link.sender.set(mode=DeliveryMode.NON_PERSISTENT, priority=7, ttl=HOUR, delay=delay)
    message = link.text("x")
    sending = timed_send(link, message)
    expect.equal("JMSDeliveryMode", message.jms_delivery_mode, DeliveryMode.NON_PERSISTENT)
    expect.equal("JMSPriority", message.jms_priority, 7)
    expect.between("JMSExpiration", message.jms_expiration, sending.called + HOUR, sending.returned + HOUR)
    expect.between("JMSDeliveryTime", message.jms_delivery_time, sending.called + delay, sending.returned + delay)
    expect.arrives(link, ["x"])
    arrived = case.now()
    expect.true(
        "it arrives after its delay", arrived >= message.jms_delivery_time - case.timing.tolerance, f"at {arrived}"
    )


@asserts("3.4.11-8", plain=True)
def test_delivery_options_are_not_taken_from_the_message(case: Case) -> None:
    """Mode, priority, expiration and delivery time set on the message have no effect: a plain producer's defaults hold."""
    link = case.link()
    message = link.text("x")
    message.jms_delivery_mode, message.jms_priority = DeliveryMode.NON_PERSISTENT, 9
    message.jms_expiration, message.jms_delivery_time = case.now() + HOUR, case.now() + HOUR
    sending = timed_send(link, message)
    received = expect.arrives(link, ["x"])[0]
    for end, seen in (("after the send", message), ("at the receiver", received)):
        expect.equal(f"JMSDeliveryMode {end}", seen.jms_delivery_mode, Message.DEFAULT_DELIVERY_MODE)
        expect.equal(f"JMSPriority {end}", seen.jms_priority, Message.DEFAULT_PRIORITY)
        expect.equal(f"JMSExpiration {end}", seen.jms_expiration, 0)
        expect.between(f"JMSDeliveryTime {end}", seen.jms_delivery_time, 0, sending.returned)  # 3.4.13-2 has the value


@asserts("3.4.11-9")
def test_fields_of_foreign_messages_are_set(case: Case) -> None:
    """On a message that the provider did not make, a send sets the seven fields through the public setters."""
    link = case.link()
    link.sender.set(mode=DeliveryMode.NON_PERSISTENT, priority=6, ttl=HOUR)
    for kind in KINDS:
        message = foreign(kind)
        link.send(message)
        received = headers(link.receive(), names=SET_BY_SEND)
        expect.equal(f"priority of a {kind} message at the receiver", received["jms_priority"], 6)
        expect.equal(f"fields of the sender's foreign {kind} message", headers(message, names=SET_BY_SEND), received)
