"""7.10 JMSProducers are light: they are made freely, and need no close."""

from __future__ import annotations

from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.gathering import numbered


@asserts("7.10-5")
def test_producers_of_a_context_can_be_made_freely(case: Case) -> None:
    """Twenty thousand JMSProducers of one context are made without a close, and those that send do; the first still works."""
    link = case.link()
    first = link.client.session.create_producer()
    texts = numbered(20)
    for text in texts:
        made = [expect.works("createProducer()", link.client.session.create_producer) for _ in range(1000)]
        made[-1].send(link.destination, text)
    first.send(link.destination, "by the first")
    expect.arrives(link, [*texts, "by the first"])
