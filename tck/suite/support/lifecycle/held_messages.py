"""Sessions that hold messages of a shared subscription, while other consumers of it end."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tck.suite.support import expect
from tck.suite.support.clients.gathering import numbered
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.subscriptions import SubscriptionKind, publisher, subscription
from tck.suite.support.harness.outcome import Undecided
from tck.suite.support.harness.running import RunningCase
from tck.suite.support.values.seen import body

_MARKERS = 40
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
    for number in range(_MARKERS):
        sender.send(f"marker {number}")
        for link in links:
            got = body(link.poll(case.timing.deadline / _MARKERS)) if link not in fenced else None
            marked = str(got).startswith("marker")
            fenced |= {link} if marked else set()
            other += [] if got is None or marked else [got]
        if len(fenced) == len(links):
            return other
    raise Undecided(f"of {len(links)} consumers {len(fenced)} got one of {_MARKERS} markers")


def stay_with_their_holder(case: RunningCase, kind: SubscriptionKind) -> None:
    """Demand that what a session has received and not settled comes to no consumer when another one of its connection ends."""
    for what, end in _ENDS.items():
        with expect.all_of():
            watched = subscription(case, kind)
            sender, holder = publisher(case, watched.topic), watched.open()
            sender.send_all(numbered(3))
            expect.arrives(holder, numbered(3), settle=False)
            rest, ending = (watched.open(client=holder.client.peer()) for _ in range(2))
            end(ending)
            expect.equal(f"what came again after {what}", _before_markers([holder, rest], sender), [])
            holder.client.close()
