"""8.6 Receiving message bodies synchronously: what becomes of the message when a call fails."""

from __future__ import annotations

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.deliveries import counted, receive_body
from tck.suite.support.clients.gathering import numbered
from tck.suite.support.clients.link import Link
from tck.suite.support.harness.outcome import Undecided
from tck.suite.support.values.seen import body

CLIENT, TRANSACTED = ("client",), ("transacted",)


def _fail_on_the_first(link: Link) -> None:
    """Send `first` and `second`, and have a receiveBody fail on `first` since it asks for another type."""
    link.send("first")
    link.send("second")
    expect.equal("the body of a text as Integer", receive_body(link, api.Int), "raises MessageFormatRuntimeException")


def _next_of(link: Link) -> tuple[object, bool, int]:
    """Receive the next message without settling; return its body, JMSRedelivered and JMSXDeliveryCount."""
    message = expect.arrival(link)
    return (body(message), *counted(message))


def _again(link: Link) -> tuple[bool, int]:
    """Receive the message of the failed call once more; return its JMSRedelivered and JMSXDeliveryCount."""
    text, flag, count = _next_of(link)
    if text != "first":  # 8.6-21 reports it
        raise Undecided(f"the message of the failed call does not come next, but {text!r}")
    return flag, count


@asserts("8.6-21")
def test_auto_the_same_message_comes_next(case: Case) -> None:
    """With automatic acknowledgement the message of a failed call is the next to come, before later ones."""
    link = case.link()
    _fail_on_the_first(link)
    expect.arrives(link, ["first", "second"])


@asserts("8.6-22")
def test_auto_it_is_no_redelivery(case: Case) -> None:
    """With automatic acknowledgement the message that is redelivered does not say that it was redelivered."""
    link = case.link()
    _fail_on_the_first(link)
    expect.equal("JMSRedelivered", _again(link)[0], False)


@asserts("8.6-23")
def test_auto_it_is_not_counted(case: Case) -> None:
    """With automatic acknowledgement JMSXDeliveryCount of the message that is redelivered is 1."""
    link = case.link()
    _fail_on_the_first(link)
    expect.equal("JMSXDeliveryCount", _again(link)[1], 1)


@asserts("8.6-24", ack=("dups_ok",))
def test_dups_ok_is_like_auto(case: Case) -> None:
    """With lazy acknowledgement the message of a failed call is the next to come, neither flagged nor counted."""
    link = case.link()
    _fail_on_the_first(link)
    expect.equal("body, JMSRedelivered and JMSXDeliveryCount", _next_of(link), ("first", False, 1))


@asserts("8.6-25", ack=CLIENT)
def test_client_the_following_message_comes_next(case: Case) -> None:
    """With acknowledgement by the client a failed call was a delivery: the next call gets the message that follows."""
    link = case.link()
    _fail_on_the_first(link)
    expect.arrives(link, ["second"])


@asserts("8.6-26", ack=CLIENT)
def test_client_the_message_stays_unacknowledged(case: Case) -> None:
    """With acknowledgement by the client the message of a failed call comes to another client, unless it was acknowledged."""
    name = case.name("s")
    link = case.link(durable=name)
    _fail_on_the_first(link)
    link.client.close()
    again = case.link(destination=link.destination, durable=name)
    expect.arrives(again, ["first", "second"], ordered=False)
    _fail_on_the_first(again)
    expect.arrives(again, ["second"], settle=False)
    expect.works("acknowledge() of the context", again.client.session.acknowledge)
    again.client.close()
    expect.only(case.link(destination=link.destination, durable=name), [])


@asserts("8.6-27", ack=CLIENT)
def test_client_recover_brings_it_back_flagged(case: Case) -> None:
    """With acknowledgement by the client recover() brings the message of a failed call back, redelivered."""
    link = case.link()
    _fail_on_the_first(link)
    link.client.recover()
    expect.equal("body and JMSRedelivered", _next_of(link)[:2], ("first", True))


@asserts("8.6-28", ack=CLIENT)
def test_client_recover_counts_it(case: Case) -> None:
    """With acknowledgement by the client JMSXDeliveryCount of the message is 2 after recover()."""
    link = case.link()
    _fail_on_the_first(link)
    link.client.recover()
    text, _, count = _next_of(link)
    expect.equal("body and JMSXDeliveryCount", (text, count), ("first", 2))


@asserts("8.6-29", ack=TRANSACTED)
def test_transacted_the_following_message_comes_next(case: Case) -> None:
    """In a transaction a failed call was a delivery: the next call gets the message that follows."""
    link = case.link()
    _fail_on_the_first(link)
    expect.arrives(link, ["second"])


@asserts("8.6-30", ack=TRANSACTED)
def test_transacted_commit_consumes_it(case: Case) -> None:
    """A commit consumes the message of a failed call."""
    name = case.name("s")
    link = case.link(durable=name)
    _fail_on_the_first(link)
    link.client.commit()
    link.client.close()
    expect.only(case.link(destination=link.destination, durable=name), ["second"])


@asserts("8.6-31", ack=TRANSACTED)
def test_transacted_rollback_brings_it_back_flagged(case: Case) -> None:
    """A rollback brings the message of a failed call back, redelivered."""
    link = case.link()
    _fail_on_the_first(link)
    link.client.rollback()
    expect.equal("body and JMSRedelivered", _next_of(link)[:2], ("first", True))


@asserts("8.6-32", ack=TRANSACTED)
def test_transacted_rollback_counts_it(case: Case) -> None:
    """JMSXDeliveryCount of the message of a failed call is 2 after a rollback."""
    link = case.link()
    _fail_on_the_first(link)
    link.client.rollback()
    text, _, count = _next_of(link)
    expect.equal("body and JMSXDeliveryCount", (text, count), ("first", 2))


def _goes_to_the_next_consumer(case: Case) -> None:
    """Demand what calls failed on, after the close of the consumer, of another one of the session and of another connection."""
    for received, times, elsewhere in ((0, 1, False), (1, 2, False), (0, 2, True), (1, 1, True)):
        link = case.link()
        link.send_all(numbered(4))
        expect.arrives(link, numbered(received))
        seen = [receive_body(link, api.Int) for _ in range(times)]
        expect.equal("bodies of a text as Integer", seen, ["raises MessageFormatRuntimeException"] * times)
        link.consumer.close()
        again = case.link(client=None if elsewhere else link.client, destination=link.destination)
        expect.arrives(again, numbered(4)[received:])


@asserts("8.6-21", domain=("queue",), variant="closed")
def test_auto_the_message_goes_to_the_next_consumer(case: Case) -> None:
    """With automatic acknowledgement the message of failed calls comes to another consumer after the close of its own."""
    _goes_to_the_next_consumer(case)


@asserts("8.6-24", domain=("queue",), ack=("dups_ok",), variant="closed")
def test_dups_ok_the_message_goes_to_the_next_consumer(case: Case) -> None:
    """With lazy acknowledgement the message of failed calls comes to another consumer after the close of its own."""
    _goes_to_the_next_consumer(case)
