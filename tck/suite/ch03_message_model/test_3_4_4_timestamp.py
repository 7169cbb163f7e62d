"""3.4.4 JMSTimestamp."""

from __future__ import annotations

from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.timed_send import Sending, timed_send


@asserts("3.4.4-1")
def test_a_preset_timestamp_is_ignored(case: Case) -> None:
    """A timestamp set on the message before the send is replaced by the time of the send."""
    link = case.link()
    message = link.text("x")
    message.jms_timestamp = 1
    sending = timed_send(link, message)
    expect.between("JMSTimestamp after the send", message.jms_timestamp, sending.called, sending.returned)
    expect.between("JMSTimestamp at the receiver", link.receive().jms_timestamp, sending.called, sending.returned)


@asserts("3.4.4-2", ack=("auto", "transacted"))
def test_the_timestamp_lies_within_the_send(case: Case) -> None:
    """JMSTimestamp lies between the call of the send and its return, in milliseconds since the epoch."""
    link = case.link()
    for number in range(3):
        message = link.text(f"message {number}")
        sending = timed_send(link, message)
        expect.between("JMSTimestamp after the send", message.jms_timestamp, sending.called, sending.returned)
        case.pass_time(case.timing.delay, "the next send must have another time")
    expect.trace("timestamp-within-send")


@asserts("3.4.4-3", ack=("transacted",))
def test_the_timestamp_is_of_the_send_and_not_of_the_commit(case: Case) -> None:
    """In a transaction JMSTimestamp is the time of the send, however late the commit."""
    link = case.link()
    message = link.text("x")
    sending = timed_send(link, message, settle=False)
    case.pass_time(case.timing.delay, "the commit must come later than the send")
    link.client.commit()
    expect.between("JMSTimestamp after the commit", message.jms_timestamp, sending.called, sending.returned)
    expect.between("JMSTimestamp at the receiver", link.receive().jms_timestamp, sending.called, sending.returned)


@asserts("3.4.4-4")
def test_the_receiver_sees_the_senders_timestamp(case: Case) -> None:
    """The timestamp that the sender got is the one the receiver sees."""
    link = case.link()
    sent = link.send("x")
    case.pass_time(case.timing.delay, "a timestamp taken at the receiver must differ")
    expect.differs("JMSTimestamp after the send", sent.jms_timestamp, 0)
    expect.equal("JMSTimestamp at the receiver", link.receive().jms_timestamp, sent.jms_timestamp)


@asserts("3.4.4-5")
def test_a_disabled_timestamp_is_zero_or_normal(case: Case) -> None:
    """With the hint to disable timestamps, a timestamp is zero or the time of the send, and both ends agree."""
    link = case.link()
    link.sender.set(disable_timestamp=True)
    message = link.text("x")
    sending = timed_send(link, message)
    received = link.receive()
    seen = message.jms_timestamp
    expect.true(
        "JMSTimestamp is zero or the time of the send",
        seen == 0 or sending.holds(seen),
        f"it was {seen}, sent {sending}",
    )
    expect.equal("JMSTimestamp at the receiver", received.jms_timestamp, seen)
    expect.record("timestamps can be disabled" if seen == 0 else "the hint to disable timestamps is ignored")


@asserts("3.4.4-5", variant="sent-before")
def test_a_disabled_timestamp_is_none_of_an_earlier_send(case: Case) -> None:
    """With the hint, a message that was sent before, or received, has at its next send a zero or the time of that send."""
    link = case.link()
    sent = link.send("sent before")
    received = link.receive()
    for what, message in (("sent before", sent), ("received before", received)):
        case.pass_time(case.timing.delay, "the next send must have another time")
        link.sender.set(disable_timestamp=True)
        sending = timed_send(link, message)
        came = link.receive()
        for end, seen in (("at the sender", message.jms_timestamp), ("at the receiver", came.jms_timestamp)):
            right = seen == 0 or sending.holds(seen)
            expect.true(f"JMSTimestamp {end} of a message {what}", right, f"it was {seen}, sent {sending}")


@asserts("3.4.4-6")
def test_timestamps_that_are_not_disabled_are_normal(case: Case) -> None:
    """With the hint to disable timestamps, those that are there all the same are times of their sends."""
    link = case.link()
    link.sender.set(disable_timestamp=True)
    seen: list[tuple[Sending, int]] = []
    for number in range(3):
        message = link.text(f"message {number}")
        sending = timed_send(link, message)
        seen.append((sending, message.jms_timestamp))
        case.pass_time(case.timing.delay, "the next send must have another time")
    expect.arrives(link, ["message 0", "message 1", "message 2"])
    normal = [(sending, stamp) for sending, stamp in seen if stamp != 0]
    wrong = [f"{stamp}, sent {sending}" for sending, stamp in normal if not sending.holds(stamp)]
    expect.true("each timestamp that is there is the time of its send", not wrong, "; ".join(wrong))
    expect.record("the hint to disable timestamps is ignored" if normal else "timestamps can be disabled")


@asserts("3.4.4-8")
def test_a_disabled_timestamp_is_null_to_selectors(case: Case) -> None:
    """In version 1.0 a message without a timestamp has a null one: JMSTimestamp IS NULL selects it."""
    nulls = case.link(selector="JMSTimestamp IS NULL")
    stamped = case.link(destination=nulls.destination, selector="JMSTimestamp IS NOT NULL")
    nulls.sender.set(disable_timestamp=True)
    message = nulls.text("x")
    sending = timed_send(nulls, message)
    ignored = sending.holds(message.jms_timestamp)
    expect.arrives(stamped if ignored else nulls, ["x"])
    expect.record(
        "the hint to disable timestamps is ignored" if ignored else f"a null timestamp reads {message.jms_timestamp}"
    )
