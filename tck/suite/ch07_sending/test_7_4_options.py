"""7.4 Message delivery options: those of a producer, and those of a send that override them."""

from __future__ import annotations

from typing import Any

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.timed_send import timed_send

MODES = (api.DeliveryMode.NON_PERSISTENT, api.DeliveryMode.PERSISTENT)
LONG = 3_600_000
"""A time-to-live in ms that does not end during the case."""
OPTIONS = ("delivery_mode", "priority", "time_to_live")
NUMBER = 3
"""The number of sends under one setting: the first one may differ from the later ones."""


def _option(link: Link, name: str) -> Any:
    """Read an option of the link's producer."""
    producer: Any = link.sender.producer
    return getattr(producer, f"get_{name}")() if link.case.api == "simplified" else getattr(producer, name)


def _received(link: Link, header: str, count: int = NUMBER) -> list[object]:
    """Send several messages without options of their own; return a header of each received one."""
    return [getattr(link.carry(link.text(f"plain {at}")), header) for at in range(count)]


@asserts("7.4-1", ack=("auto", "transacted"))
def test_the_delivery_mode_of_a_producer(case: Case) -> None:
    """The delivery mode of a producer is on all messages that it sends, also after a change."""
    link = case.link()
    for mode in (*MODES, MODES[0]):
        link.sender.set(mode=mode)
        expect.equal(f"JMSDeliveryMode with mode {mode}", _received(link, "jms_delivery_mode"), [mode] * NUMBER)


@asserts("7.4-2", ack=("auto", "transacted"))
def test_the_priority_of_a_producer(case: Case) -> None:
    """The priority of a producer is on all messages that it sends, for each priority."""
    link = case.link()
    for priority in (9, *range(10)):
        link.sender.set(priority=priority)
        expect.equal(f"JMSPriority with priority {priority}", _received(link, "jms_priority", 2), [priority] * 2)


@asserts("7.4-3", ack=("auto", "transacted"))
def test_the_time_to_live_of_a_producer(case: Case) -> None:
    """The time-to-live of a producer counts for all messages that it sends, until it is set to 0."""
    link = case.link()
    link.sender.set(ttl=LONG)
    for at in range(NUMBER):
        message = link.text(f"limited {at}")
        sending = timed_send(link, message)
        seen = link.receive().jms_expiration
        expect.between(f"JMSExpiration of message {at}", seen, sending.called + LONG, sending.returned + LONG)
    link.sender.set(ttl=0)
    expect.equal("JMSExpiration with time-to-live 0", _received(link, "jms_expiration"), [0] * NUMBER)


@asserts("7.4-5", ack=("auto", "transacted"))
def test_a_send_overrides_the_delivery_mode(case: Case) -> None:
    """The delivery mode given in a send is on the message, whichever the producer has."""
    link = case.link()
    for own, given in (MODES, MODES[::-1]):
        link.sender.set(mode=own)
        link.send("x", mode=given)
        expect.equal(f"JMSDeliveryMode, producer {own}", link.receive().jms_delivery_mode, given)


@asserts("7.4-6", ack=("auto", "transacted"))
def test_a_send_overrides_the_priority(case: Case) -> None:
    """The priority given in a send is on the message, also if it is lower than the producer's or the default."""
    link = case.link()
    for own, given in ((2, 7), (7, 2), (2, 4), (9, 0)):
        link.sender.set(priority=own)
        link.send("x", priority=given)
        expect.equal(f"JMSPriority, producer {own}", link.receive().jms_priority, given)


@asserts("7.4-7", ack=("auto", "transacted"))
def test_a_send_overrides_the_time_to_live(case: Case) -> None:
    """The time-to-live given in a send counts for the message, also if it is 0."""
    link = case.link()
    link.sender.set(ttl=LONG)
    before = case.now()
    link.send("longer", ttl=2 * LONG)
    after = case.now()
    expect.between("JMSExpiration", link.receive().jms_expiration, before + 2 * LONG, after + 2 * LONG)
    link.send("forever", ttl=0)
    expect.equal("JMSExpiration of a send with time-to-live 0", link.receive().jms_expiration, 0)


@asserts("7.4-8")
def test_a_send_leaves_the_settings_of_the_producer(case: Case) -> None:
    """After a send with options of its own the producer has its settings, and the next message too."""
    link = case.link()
    link.sender.set(mode=MODES[0], priority=2, ttl=LONG)
    link.send("with options", mode=MODES[1], priority=7, ttl=0)
    expect.equal("JMSPriority of the send with options", link.receive().jms_priority, 7)
    with expect.all_of():
        expect.equal("the settings", [_option(link, name) for name in OPTIONS], [MODES[0], 2, LONG])
        message = link.carry(link.text("plain"))
        seen = [message.jms_delivery_mode, message.jms_priority]
        expect.equal("the headers of the next message", seen, [MODES[0], 2])
        expect.differs("JMSExpiration of the next message", message.jms_expiration, 0)


@asserts("7.4-11")
def test_the_getters_return_the_settings(case: Case) -> None:
    """Each getter of a producer returns the value set last, before and after a send."""
    link = case.link()
    names = (*OPTIONS, "disable_message_id", "disable_message_timestamp")
    for values in ((MODES[0], 9, LONG, True, False), (MODES[1], 0, 2 * LONG, False, True)):
        mode, priority, ttl, no_id, no_timestamp = values
        link.sender.set(mode=mode, priority=priority, ttl=ttl, disable_id=no_id, disable_timestamp=no_timestamp)
        expect.equal("the settings", [_option(link, name) for name in names], list(values))
        link.carry(link.text("x"))
        expect.equal("the settings after a send", [_option(link, name) for name in names], list(values))
