"""3.4.13 JMSDeliveryTime."""

from __future__ import annotations

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.timed_send import timed_send
from tck.suite.support.harness.time_zone import local_time_zone
from tck.suite.support.values.seen import body

HOUR = 3_600_000
DAY = 24 * HOUR


@asserts("3.4.13-1", "7.9-1", ack=("auto", "transacted"))
def test_it_is_the_send_time_plus_the_delay(case: Case) -> None:
    """After the send JMSDeliveryTime is the send time plus the producer's delivery delay."""
    link = case.link()
    for delay in (case.timing.delay, HOUR, 90_061_001, 2**31 - 1, 2**31, 2**32 + 1):
        link.sender.set(delay=delay)
        message = link.text("x")
        sending = timed_send(link, message)
        low, high = sending.called + delay, sending.returned + delay
        expect.between(f"JMSDeliveryTime with a delay of {delay}", message.jms_delivery_time, low, high)
    expect.trace("delivery-time-computed")


@asserts("3.4.13-2")
def test_without_a_delay_it_is_the_send_time(case: Case) -> None:
    """Without a delay JMSDeliveryTime is the send time."""
    link = case.link()
    message = link.text("x")
    sending = timed_send(link, message)
    expect.between("JMSDeliveryTime after the send", message.jms_delivery_time, sending.called, sending.returned)
    received = link.receive()
    expect.between("JMSDeliveryTime at the receiver", received.jms_delivery_time, sending.called, sending.returned)


@asserts("3.4.13-3", "7.9-2", ack=("transacted",))
def test_it_counts_from_the_send_and_not_from_the_commit(case: Case) -> None:
    """In a transaction the delay runs from the send, however late the commit."""
    link = case.link()
    delay = case.long_delay()
    link.sender.set(delay=delay)
    message = link.text("x")
    sending = timed_send(link, message, settle=False)
    case.pass_time(delay / 2, "the commit must come later than the send")
    link.client.commit()
    committed = case.now()
    low, high = sending.called + delay, sending.returned + delay
    expect.between("JMSDeliveryTime after the commit", message.jms_delivery_time, low, high)
    received = link.poll(case.timing.deadline + delay)
    arrived = case.now()
    expect.true("the message arrives", received is not None, "nothing arrived")
    expect.between("the time of arrival", arrived, low, case.latest(max(high, committed)))


@asserts("3.4.13-4")
def test_it_counts_milliseconds_since_the_epoch(case: Case) -> None:
    """JMSDeliveryTime is in milliseconds since the epoch, whatever the local time zone."""
    link = case.link()
    link.sender.set(delay=DAY)
    with local_time_zone("Asia/Kathmandu"):
        message = link.text("x")
        sending = timed_send(link, message)
    expect.between("JMSDeliveryTime", message.jms_delivery_time, sending.called + DAY, sending.returned + DAY)


@asserts("3.4.13-5")
def test_the_receiver_sees_the_senders_delivery_time(case: Case) -> None:
    """The delivery time that the sender got is the one the receiver sees."""
    link = case.link()
    link.sender.set(delay=case.timing.delay)
    sent = link.send("x")
    expect.differs("JMSDeliveryTime after the send", sent.jms_delivery_time, 0)
    expect.equal("JMSDeliveryTime at the receiver", link.receive().jms_delivery_time, sent.jms_delivery_time)


@asserts("3.4.13-6", "7.9-3", "7.9-4", ack=("auto", "client", "transacted"))
def test_a_delayed_message_is_not_received_early(case: Case) -> None:
    """A delayed message does not arrive before its delivery time, though one without delay comes behind it."""
    link = case.link()
    for mode in (api.DeliveryMode.PERSISTENT, api.DeliveryMode.NON_PERSISTENT):
        link.sender.set(delay=2 * case.timing.delay)
        delayed = link.send("delayed", mode=mode)
        link.sender.set(delay=0)
        link.send("at once", mode=mode)
        came = dict[object, int]()
        for _ in range(2):
            message = expect.arrival(link)
            came[body(message)] = case.now()
            link.client.settle(message)
        expect.equal("what arrives, in any order", sorted(map(str, came)), ["at once", "delayed"])
        due, arrived = delayed.jms_delivery_time - case.timing.tolerance, came["delayed"]
        expect.true(f"it does not arrive before {due}", arrived >= due, f"it arrived at {arrived}")
    expect.trace("not-before-delivery-time")


@asserts("3.4.13-7")
def test_a_delayed_message_is_not_visible_early(case: Case) -> None:
    """A browser shows a delayed message after its delivery time only, and others behind it meanwhile."""
    link = case.link(consumes=False)
    link.sender.set(delay=2 * case.timing.delay)
    link.send("delayed")
    link.sender.set(delay=0)
    link.send("at once")
    expect.equal("what a browser shows at first", link.client.browse(link.destination), ["at once"])
    case.pass_time(3 * case.timing.delay, "the message must become due")
    seen = sorted(map(str, link.client.browse_until(link.destination, 2)))
    expect.equal("what a browser shows later", seen, ["at once", "delayed"])
