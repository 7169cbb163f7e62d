"""8.3.4 Consumers of a shared subscription: what one holds comes to no other when another one ends."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.gathering import numbered
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.subscriptions import SubscriptionKind, publisher, subscription
from tck.suite.support.harness.outcome import Undecided
from tck.suite.support.values.seen import body

ROWS: dict[SubscriptionKind, str] = {"shared durable": "8.3.4-6", "shared": "8.3.2-6"}
"""The row of each kind."""
MARKERS = 40
"""So many markers are sent until each of the consumers has had one: a provider need not give them out in turn."""


def _returned_and_closed(link: Link) -> None:
    link.client.return_all()
    link.consumer.close()


_ENDS: dict[str, Callable[[Link], object]] = {
    "the close of another consumer": lambda link: link.consumer.close(),
    "the close of its session": lambda link: link.client.close_session(),
    "recover() or rollback() of its session": _returned_and_closed,
}
"""What ends a consumer of another session of the connection, by the words for it."""


def _before_markers(links: Sequence[Link], sender: Link) -> list[object]:
    """Send markers until each consumer has had one, and return what else they got: a marker is a fence for who gets it."""
    case, other, fenced = sender.case, list[object](), set[Link]()
    for number in range(MARKERS):
        sender.send(f"marker {number}")
        for link in links:
            got = body(link.poll(case.timing.quiet)) if link not in fenced else None
            marked = str(got).startswith("marker")
            fenced |= {link} if marked else set()
            other += [] if got is None or marked else [got]
        if len(fenced) == len(links):
            return other
    raise Undecided(f"of {len(links)} consumers {len(fenced)} got one of {MARKERS} markers")


@asserts("8.3.4-6", "8.3.2-6", ack=("client", "transacted"), variant="held")
def test_what_one_consumer_holds_comes_to_no_other(case: Case) -> None:
    """What a session has received and not settled comes to no consumer, whatever ends another one of its connection."""
    with expect.all_of():
        for what, end in _ENDS.items():
            for kind, row in ROWS.items():
                with expect.for_row(row):
                    watched = subscription(case, kind)
                    sender, holder = publisher(case, watched.topic), watched.open()
                    sender.send_all(numbered(3))
                    expect.arrives(holder, numbered(3), settle=False)
                    rest, ending = (watched.open(client=holder.client.peer()) for _ in range(2))
                    end(ending)
                    expect.equal(f"what came again after {what}", _before_markers([holder, rest], sender), [])
                    holder.client.close()
