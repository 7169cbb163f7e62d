"""3.4.12 Overriding of header fields by an administrator. Needs the administer hook."""

from __future__ import annotations

from tck.api import DeliveryMode
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.timed_send import timed_send

HOUR = 3_600_000


@asserts("3.4.12-2")
def test_overridden_options_show_in_the_header(case: Case) -> None:
    """With mode, priority and time-to-live overridden, the headers at both ends show the administrator's values."""
    link = case.link()
    case.provider.administer(
        "override",
        destination=link.destination,
        delivery_mode=DeliveryMode.NON_PERSISTENT,
        priority=2,
        time_to_live=2 * HOUR,
    )
    message = link.text("x")
    link.sender.set(mode=DeliveryMode.PERSISTENT, priority=8, ttl=HOUR)
    sending = timed_send(link, message)
    received = expect.arrival(link)
    low, high = sending.called + 2 * HOUR, sending.returned + 2 * HOUR
    for end, seen in (("after the send", message), ("at the receiver", received)):
        expect.equal(f"JMSDeliveryMode {end}", seen.jms_delivery_mode, DeliveryMode.NON_PERSISTENT)
        expect.equal(f"JMSPriority {end}", seen.jms_priority, 2)
        expect.between(f"JMSExpiration {end}", seen.jms_expiration, low, high)


@asserts("3.4.12-3")
def test_an_overridden_delay_shows_in_the_header(case: Case) -> None:
    """With the delivery delay overridden, JMSDeliveryTime at both ends shows the administrator's value."""
    link = case.link()
    delay = case.timing.delay
    case.provider.administer("override", destination=link.destination, delivery_delay=delay)
    message = link.text("x")
    sending = timed_send(link, message)
    received = expect.arrival(link)
    for end, seen in (("after the send", message), ("at the receiver", received)):
        expect.between(
            f"JMSDeliveryTime {end}", seen.jms_delivery_time, sending.called + delay, sending.returned + delay
        )
