"""8.8 Closing one of several consumers of a destination."""

from __future__ import annotations

from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.messages import send_coloured
from tck.suite.support.lifecycle.stopping import sender_to
from tck.suite.support.values.seen import tried

MODES = ("auto", "client", "dups_ok", "transacted")
COLOURS = ("red", "blue", "green", "white")
"""One for each consumer: two of a session, one of another session of the connection, one of another connection."""


def _choosing(case: Case) -> dict[str, Link]:
    """Open consumers of one destination, each of which chooses a colour."""
    first = case.link(consumes=False)
    clients = (first.client, first.client, first.client.peer(), case.client())
    return {
        colour: case.link(client=client, destination=first.destination, selector=f"colour = '{colour}'")
        for colour, client in zip(COLOURS, clients, strict=True)
    }


@asserts("8.8-1", ack=MODES, variant="same-destination")
def test_the_close_of_a_consumer_leaves_those_of_its_destination(case: Case) -> None:
    """Whichever of four consumers of a destination is closed, once or twice, the others get what their selectors choose."""
    with expect.all_of():
        for order in (COLOURS, COLOURS[::-1], ("blue", "white", "red", "green")):
            links = _choosing(case)
            sender = sender_to(links["red"])
            for turn, closing in enumerate(order):
                send_coloured(sender, [f"{colour} {turn}" for colour in COLOURS])
                for colour, link in links.items():
                    expect.arrives(link, [f"{colour} {turn}"])
                closed = links.pop(closing)
                expect.works(f"close() of the {closing} one", closed.consumer.close)
                tried(closed.consumer.close)
