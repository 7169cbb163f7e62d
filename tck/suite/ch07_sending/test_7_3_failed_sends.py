"""7.3 Asynchronous sends after others that threw."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.asynchronous import Callbacks, send_async, sent_async
from tck.suite.support.clients.gathering import numbered
from tck.suite.support.clients.link import Link
from tck.suite.support.values.seen import tried

MODES = ("auto", "client", "dups_ok", "transacted")


def _failing(link: Link) -> dict[str, Callable[[], object]]:
    """Return asynchronous sends that may throw, by the words for them; each has a completion listener of its own, or none."""
    temporary: Any = link.client.temporary()
    temporary.delete()
    sender, any_destination, message = link.sender, link.client.sender(), link.text("fails")
    listener, nothing = Callbacks(link.case), link.case.destination()
    return {
        "to a deleted destination": lambda: send_async(any_destination, message, listener, to=temporary),
        "of no message": lambda: send_async(sender, None, listener),  # type: ignore[arg-type]  # to be refused
        "to no destination": lambda: send_async(any_destination, message, listener),
        "with priority 10": lambda: send_async(any_destination, message, listener, to=nothing, priority=10),
        "with a negative time-to-live": lambda: send_async(any_destination, message, listener, to=nothing, ttl=-1),
        "without a listener": lambda: send_async(any_destination, message, None, to=nothing),
    }


@asserts("7.3-6", ack=MODES, variant="after-failed")
def test_each_asynchronous_send_after_failed_ones_has_one_callback(case: Case) -> None:
    """After one and after two asynchronous sends that threw, of each kind, each of the next ones has one callback."""
    link = case.link()
    with expect.all_of():
        for times in (1, 2):
            for what, call in _failing(link).items():
                outcomes = [tried(call) for _ in range(times)]  # thrown or not: other rows
                listener, fence = Callbacks(case), Callbacks(case)
                sent_async(link, numbered(3), listener)
                listener.after(3)
                sent_async(link, ["fence"], fence)
                fence.after(1)
                link.client.settle()
                words = f"the next three sends, after some {what} ({outcomes})"
                expect.equal(f"messages of {words} with a callback", sorted(map(str, listener.texts)), numbered(3))
