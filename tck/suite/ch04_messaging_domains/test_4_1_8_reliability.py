"""4.1.8 Reliability of queues."""

from __future__ import annotations

from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.gathering import numbered


@asserts("4.1.8-1")
def test_a_queue_takes_messages_without_a_consumer(case: Case) -> None:
    """Messages sent while nobody consumes, by a client that is gone since, wait for the consumer that comes."""
    sender = case.link(consumes=False)
    sender.send_all(numbered(20))
    sender.client.close()
    link = case.link(destination=sender.destination)
    expect.arrives(link, numbered(20))
    link.consumer.close()
    again = case.link(destination=sender.destination, client=link.client, consumes=False)
    again.send("between two consumers")
    expect.arrives(case.link(destination=sender.destination, client=link.client), ["between two consumers"])
