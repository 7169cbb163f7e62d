"""8.2 Queue receivers of the domain-specific interface."""

from __future__ import annotations

from functools import partial

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.members import every_call


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
    calls = partial(every_call, case, "QueueSession", lambda: session, only=["createReceiver"])
    expect.all_raise(api.InvalidDestinationException, calls(queue=None), though_work=calls())
