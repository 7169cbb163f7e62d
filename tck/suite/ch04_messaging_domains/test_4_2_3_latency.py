"""4.2.3 Latency: what an established subscriber gets."""

from __future__ import annotations

from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.gathering import numbered


@asserts("4.2.3-3")
def test_nothing_is_lost_once_the_subscriber_is_established(case: Case) -> None:
    """After a first message has come every later one comes, though other subscribers join meanwhile."""
    link = case.link()
    sender = case.link(destination=link.destination, consumes=False)
    sender.send("probe")
    link.receive()
    sender.send_all(numbered(30))
    case.link(destination=link.destination)
    sender.send_all(numbered(60)[30:])
    expect.arrives(link, numbered(60))
