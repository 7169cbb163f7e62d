"""6.1.5 Stopped connections: what their sessions do and how they end starts nothing."""

from __future__ import annotations

from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.gathering import numbered
from tck.suite.support.clients.listeners import CollectingListener
from tck.suite.support.lifecycle.siblings import sibling_calls
from tck.suite.support.lifecycle.stopping import sender_to, stop
from tck.suite.support.values.seen import body


def _stays_stopped(case: Case) -> None:
    """Demand that no call of a session starts the others: one with a consumer, and one with a message listener."""
    link = case.link()
    heard = case.link(client=link.client.peer())
    heard.consumer.message_listener = listener = CollectingListener(case)
    senders = [sender_to(each) for each in (link, heard)]
    senders[0].send_all(numbered(2))
    senders[1].send("before")
    expect.arrives(link, ["001"])
    expect.equal("what the listener got before stop()", listener.after(1), ["before"])
    calls = sibling_calls(link.client)
    stop(link.client)
    senders[1].send("while stopped")
    with expect.all_of():
        for what, call in calls.items():
            call()
            seen = body(link.consumer.receive_no_wait())
            expect.equal(f"what receiveNoWait() returned after {what} while stopped", seen, None)
        expect.equal("what the listener got while stopped", listener.bodies, ["before"])
        link.client.start()
        expect.arrives(link, ["002"])
        expect.equal("what the listener got after start()", listener.after(2), ["before", "while stopped"])


@asserts("6.1.5-4", ack=("auto", "client", "transacted"), variant="siblings")
def test_a_session_starts_no_other_session(case: Case) -> None:
    """Whatever one session of a stopped connection does, and however it ends, the others deliver nothing until start()."""
    _stays_stopped(case)


@asserts("6.1.5-5", ack=("auto", "client", "transacted"), variant="siblings")
def test_a_context_starts_no_sibling(case: Case) -> None:
    """Whatever one context of a stopped connection does, and however it ends, its siblings deliver nothing until start()."""
    _stays_stopped(case)
