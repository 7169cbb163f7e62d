"""8.2 Queue receivers of the domain-specific interface."""

from __future__ import annotations

from tck import api
from tck.suite.support import Case, asserts, expect


@asserts("8.2-6")
def test_a_receiver_tells_its_queue(case: Case) -> None:
    """getQueue() of a receiver gives the queue it receives from."""
    link = case.link()
    with case.client().session.create_receiver(link.destination) as receiver:
        expect.equal("the queue of a receiver", receiver.queue, link.destination)


@asserts("8.2-7")
def test_a_receiver_needs_a_queue(case: Case) -> None:
    """createReceiver() of null, with and without a selector, raises InvalidDestinationException."""
    session = case.client().session
    make, queue = session.create_receiver, case.queue()
    wrong = api.InvalidDestinationException
    expect.raises(wrong, lambda: make(None), what="createReceiver(null)", though_works=lambda: make(queue))
    selecting = "createReceiver(null, selector)"
    expect.raises(wrong, lambda: make(None, "a = 1"), what=selecting, though_works=lambda: make(queue, "a = 1"))
