"""3.4.9 JMSExpiration."""

from __future__ import annotations

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.timed_send import timed_send
from tck.suite.support.harness.time_zone import local_time_zone
from tck.suite.support.values.seen import body

HOUR = 3_600_000
DAY = 24 * HOUR
TTLS = (1, 999, HOUR, 90_061_001, 2**31 - 1, 2**31, 2**32 + 1, 100 * 365 * DAY)
"""The least, both sides of an int with sign, beyond one without, and a century."""


@asserts("3.4.9-1", "7.8-1", ack=("auto", "transacted"))
def test_it_is_the_send_time_plus_the_time_to_live(case: Case) -> None:
    """After the send JMSExpiration is the send time plus the time-to-live, given by argument or by the producer."""
    link = case.link()
    for ttl in TTLS:
        by_argument = link.text("by argument")
        sending = timed_send(link, by_argument, ttl=ttl)
        low, high = sending.called + ttl, sending.returned + ttl
        expect.between("JMSExpiration after a send with an argument", by_argument.jms_expiration, low, high)
        by_default = link.text("by default")
        link.sender.set(ttl=ttl)
        sending = timed_send(link, by_default)
        low, high = sending.called + ttl, sending.returned + ttl
        expect.between("JMSExpiration after a plain send", by_default.jms_expiration, low, high)
        link.sender.set(ttl=0)
    expect.trace("expiration-computed")


@asserts("3.4.9-1", "7.8-1", ack=("auto", "transacted"), variant="other-options")
def test_other_options_do_not_change_it(case: Case) -> None:
    """JMSExpiration is the send time plus the time-to-live with another priority, and without persistence too."""
    _expires_in_an_hour(case.link())


@asserts("3.4.9-1", "7.8-1", ack=("auto", "transacted"), variant="with-delay")
def test_a_delay_does_not_change_it(case: Case) -> None:
    """JMSExpiration is the send time plus the time-to-live with a delivery delay too."""
    link = case.link()
    link.sender.set(delay=HOUR // 2 if case.offers("delivery delays") else None)
    _expires_in_an_hour(link)


def _expires_in_an_hour(link: Link) -> None:
    for mode in (api.DeliveryMode.PERSISTENT, api.DeliveryMode.NON_PERSISTENT):
        link.sender.set(mode=mode, priority=9, ttl=HOUR)
        message = link.text("with other options")
        sending = timed_send(link, message)
        low, high = sending.called + HOUR, sending.returned + HOUR
        expect.between(f"JMSExpiration after a send with mode {mode}", message.jms_expiration, low, high)


@asserts("3.4.9-2", "7.8-2", ack=("transacted",))
def test_it_counts_from_the_send_and_not_from_the_commit(case: Case) -> None:
    """In a transaction JMSExpiration counts from the send, however late the commit."""
    link = case.link()
    message = link.text("x")
    sending = timed_send(link, message, ttl=HOUR, settle=False)
    case.pass_time(case.timing.delay, "the commit must come later than the send")
    link.client.commit()
    low, high = sending.called + HOUR, sending.returned + HOUR
    expect.between("JMSExpiration after the commit", message.jms_expiration, low, high)
    expect.between("JMSExpiration at the receiver", link.receive().jms_expiration, low, high)


@asserts("3.4.9-3")
def test_it_counts_milliseconds_since_the_epoch(case: Case) -> None:
    """JMSExpiration is in milliseconds since the epoch, whatever the local time zone."""
    link = case.link()
    with local_time_zone("Asia/Kathmandu"):
        message = link.text("x")
        sending = timed_send(link, message, ttl=DAY)
    expect.between("JMSExpiration", message.jms_expiration, sending.called + DAY, sending.returned + DAY)


@asserts("3.4.9-4")
def test_the_receiver_sees_the_senders_expiration(case: Case) -> None:
    """The expiration that the sender got is the one the receiver sees."""
    link = case.link()
    sent = [link.send("x", ttl=ttl).jms_expiration for ttl in TTLS[2:]]
    case.pass_time(case.timing.delay, "an expiration computed at the receiver must differ")
    expect.differs("JMSExpiration after the send", sent[0], 0)
    expect.equal("JMSExpiration at the receiver", [link.receive().jms_expiration for _ in sent], sent)


@asserts("3.4.9-5", "7.8-3", ack=("auto", "transacted"))
def test_zero_time_to_live_means_zero(case: Case) -> None:
    """With time-to-live zero, by default or as an argument, JMSExpiration is zero and the message stays."""
    link = case.link()
    by_default = link.send("by default")
    by_argument = link.send("by argument", ttl=0)
    case.pass_time(case.long_delay(), "a message without expiration must not expire")
    received = expect.arrives(link, ["by default", "by argument"])
    for end, messages in (("after the send", [by_default, by_argument]), ("at the receiver", received)):
        expect.equal(f"JMSExpiration {end}", [message.jms_expiration for message in messages], [0, 0])


@asserts("3.4.9-6", domain=("queue",))
def test_an_expired_message_is_destroyed(case: Case) -> None:
    """A queue message that was not delivered in time is neither browsed nor received."""
    link = case.link(consumes=False)
    link.send("expires", ttl=case.timing.delay)
    link.send("stays")
    case.pass_time(2 * case.timing.delay, "the message must expire")
    expect.equal("what a browser shows", link.client.browse(link.destination), ["stays"])
    expect.only(case.link("auto", destination=link.destination), ["stays"])


@asserts("3.4.9-6", domain=("queue",), variant="browser")
def test_a_browser_that_selects_shows_nothing_expired(case: Case) -> None:
    """A browser with a selector, and a second enumeration of one that was open before, show what has not expired."""
    for mode in (api.DeliveryMode.PERSISTENT, api.DeliveryMode.NON_PERSISTENT):
        link = case.link(consumes=False)
        browser = link.client.session.create_browser(link.destination)
        for text, ttl in (("stays", 0), ("expires", case.timing.delay), ("lives on", HOUR)):
            link.send(text, mode=mode, priority=7, ttl=ttl)
        list(browser.get_enumeration())
        case.pass_time(2 * case.timing.delay, "the message must expire")
        selected = link.client.browse_messages(link.destination, "JMSPriority = 7")
        expect.equal("what a new browser shows", [body(message) for message in selected], ["stays", "lives on"])
        again = [body(message) for message in browser.get_enumeration()]
        expect.equal("the next enumeration of the other", again, ["stays", "lives on"])
        browser.close()


@asserts("3.4.9-6", domain=("topic",))
def test_an_expired_message_leaves_a_durable_subscription(case: Case) -> None:
    """A message that expires while its durable subscription is inactive is not delivered later."""
    name = case.name("s")
    link = case.link(durable=name)
    link.client.close()
    publisher = case.link("auto", destination=link.destination, consumes=False)
    publisher.send("expires", ttl=case.timing.delay)
    publisher.send("stays")
    case.pass_time(2 * case.timing.delay, "the message must expire")
    expect.only(case.link("auto", destination=link.destination, durable=name), ["stays"])


@asserts("3.4.9-7", "7.8-7", ack=("auto", "client", "transacted"))
def test_an_expired_message_is_not_received(case: Case) -> None:
    """A message that expires while it waits at a started consumer is not received."""
    link = case.link()
    link.send("first")
    link.receive()
    link.send("expires", ttl=case.timing.delay)
    link.send("stays")
    case.pass_time(2 * case.timing.delay, "the message must expire")
    expect.only(link, ["stays"])


@asserts("3.4.9-7", "7.8-7", variant="just-expired")
def test_a_message_that_has_just_expired_is_not_received(case: Case) -> None:
    """A message is not received as soon as the time is later than its expiration, give or take the clock's tolerance."""
    link = case.link()
    before = case.now()
    sent = link.send("expires", ttl=case.timing.delay)
    link.send("stays")
    expect.between("JMSExpiration", sent.jms_expiration, before + case.timing.delay, case.now() + case.timing.delay)
    left = sent.jms_expiration + 1 + case.timing.tolerance - case.now()
    case.pass_time(max(left, 0), "the message must expire")
    expect.only(link, ["stays"])
