"""3.4.12 Overriding of header fields by an administrator. Needs the administer hook."""

from __future__ import annotations

from tck.api import DeliveryMode
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.timed_send import timed_send

HOUR = 3_600_000
DAY = 24 * HOUR
OPTIONS = (
    (DeliveryMode.NON_PERSISTENT, 2, 2 * HOUR),
    (DeliveryMode.PERSISTENT, 0, 0),
    (DeliveryMode.PERSISTENT, 9, 30 * DAY),
)
"""What an administrator prescribes: mode, priority and time to live (ms)."""


@asserts("3.4.12-2")
def test_overridden_options_show_in_the_header(case: Case) -> None:
    """With mode, priority and time-to-live overridden, the headers at both ends show the administrator's values, 0 among them."""
    for mode, priority, ttl in OPTIONS:
        link = case.link()
        case.administer(
            "override", destination=link.destination, delivery_mode=mode, priority=priority, time_to_live=ttl
        )
        message = link.text("x")
        link.sender.set(mode=3 - mode, priority=5, ttl=HOUR)
        sending = timed_send(link, message)
        received = expect.arrival(link)
        low, high = (sending.called + ttl, sending.returned + ttl) if ttl else (0, 0)
        for end, seen in (("after the send", message), ("at the receiver", received)):
            expect.equal(f"JMSDeliveryMode {end}", seen.jms_delivery_mode, mode)
            expect.equal(f"JMSPriority {end}", seen.jms_priority, priority)
            expect.between(f"JMSExpiration {end}", seen.jms_expiration, low, high)


@asserts("3.4.12-3")
def test_an_overridden_delay_shows_in_the_header(case: Case) -> None:
    """With the delivery delay overridden, JMSDeliveryTime at both ends shows the administrator's value, 0 too."""
    for delay, clients in ((case.timing.delay, 0), (0, case.timing.delay)):
        link = case.link()
        case.administer("override", destination=link.destination, delivery_delay=delay)
        link.sender.set(delay=clients)
        message = link.text("x")
        sending = timed_send(link, message)
        received = expect.arrival(link)
        low, high = sending.called + delay, sending.returned + delay
        for end, seen in (("after the send", message), ("at the receiver", received)):
            expect.between(f"JMSDeliveryTime {end}", seen.jms_delivery_time, low, high)
