"""8.7 Receiving messages asynchronously."""

from __future__ import annotations

from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.listeners import CollectingListener


@asserts("8.7-15")
def test_a_consumer_tells_its_listener(case: Case) -> None:
    """getMessageListener() gives the listener that was set last, and null when there is none."""
    link = case.link()
    before = link.consumer.message_listener
    listener = CollectingListener(case)
    link.consumer.message_listener = listener
    seen = link.consumer.message_listener
    expect.true("the listener is the one that was set", seen is listener, f"it was {seen!r}")
    link.send("x")
    expect.equal("what the listener got", listener.after(1), ["x"])
    link.consumer.message_listener = None
    expect.equal(
        "the listener before any was set, and after null", [before, link.consumer.message_listener], [None] * 2
    )
