"""7.8 Messages that never expire, among messages that do."""

from __future__ import annotations

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.lifecycle.stopping import sender_to

PATTERNS = ("L0L0L0", "00LL00", "LLL000", "000LLL0", "L00L0")
"""Orders of sending: L is a message with a limit, which expires, 0 one with time-to-live zero."""
OPTIONS = ((api.DeliveryMode.PERSISTENT, 4), (api.DeliveryMode.NON_PERSISTENT, 4), (api.DeliveryMode.PERSISTENT, 9))
"""Delivery modes and priorities."""


@asserts("7.8-3", ack=("auto", "client", "transacted"), variant="neighbours")
def test_messages_without_a_limit_outlast_their_neighbours(case: Case) -> None:
    """Before, between and behind messages that expire where nobody consumes, each with time-to-live zero is still there."""
    places = []
    for pattern in PATTERNS:
        for mode, priority in OPTIONS:
            name = case.name("s")
            absent = case.link(durable=name)
            absent.client.close()
            sender = sender_to(absent)
            texts = [f"{number} {kind}" for number, kind in enumerate(pattern)]
            for text in texts:
                limit = 0 if text.endswith("0") else int(case.timing.delay)
                sender.send(text, mode=mode, priority=priority, ttl=limit)
            places.append((sender, name, [text for text in texts if text.endswith("0")]))
    case.pass_time(2 * case.timing.delay, "the messages with a limit must expire")
    with expect.all_of():
        for sender, name, kept in places:
            link = case.link(destination=sender.destination, durable=name)
            expect.arrives(link, kept)
            link.client.close()
            sender.client.close()
