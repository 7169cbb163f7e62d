"""6.1.3 The order of setting up a client: connection, sessions, producers and consumers, start."""

from __future__ import annotations

from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.gathering import numbered
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.listeners import CollectingListener
from tck.suite.support.lifecycle.unstarted import silent_peer, unstarted

MODES = ("auto", "client", "dups_ok", "transacted")


@asserts("6.1.3-1", ack=MODES)
def test_a_client_is_set_up_before_its_start(case: Case) -> None:
    """A client makes its sessions, producers and consumers before start(), and then sends and receives through them."""
    link = Link(unstarted(case), case.destination())
    other = Link(silent_peer(link.client), case.destination())
    link.client.start()
    for each in (link, other):
        each.send_all(numbered(3))
        expect.arrives(each, numbered(3))


@asserts("6.1.3-1", variant="listener")
def test_a_listener_is_set_up_before_the_start(case: Case) -> None:
    """A client sets its listeners before start(), and they get what its own producers and those of others send after it."""
    client = unstarted(case)
    listening, sending = Link(client, case.destination()), silent_peer(client)
    listener = CollectingListener(case)
    listening.consumer.message_listener = listener
    own = sending.sender(listening.destination)
    client.start()
    own.send(sending.text("own"))
    first = listener.after(1)
    case.link(destination=listening.destination, consumes=False).send("another's")
    expect.equal(
        "what the listener got, at first and in the end", [first, listener.after(2)], [["own"], ["own", "another's"]]
    )
