"""7.8 Messages that never expire, among messages that do."""

from __future__ import annotations

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.link import Link
from tck.suite.support.lifecycle.stopping import sender_to
from tck.suite.support.values.seen import body

PATTERNS = ("L0L0L0", "00LL00", "LLL000", "000LLL0", "L00L0")
"""Orders of sending: L is a message with a limit, which expires, 0 one with time-to-live zero."""
OPTIONS = ((api.DeliveryMode.PERSISTENT, 4), (api.DeliveryMode.NON_PERSISTENT, 4), (api.DeliveryMode.PERSISTENT, 9))
"""Delivery modes and priorities."""
MOST = 2 * max(map(len, PATTERNS))
"""More messages than there are with a limit."""


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
            _come(link, kept, 2 * len(kept) + MOST)
            link.client.close()
            sender.client.close()


def _come(link: Link, kept: list[str], most: int) -> None:
    """Demand the messages without a limit among the next `most`; the others should not come, and may (3.4.9-6)."""
    came = list[object]()
    while not {*kept} <= {*came} and len(came) < most and (message := link.poll()) is not None:
        came.append(body(message))
        link.client.settle(message)
    lost = [text for text in kept if text not in came]
    expect.true("each message without a limit comes", not lost, f"{lost!r} did not come")
