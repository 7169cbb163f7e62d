"""3.4 Message header fields: the header as a whole."""

from __future__ import annotations

from functools import partial

from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.messages import dressed
from tck.suite.support.clients.subscriptions import fellow
from tck.suite.support.values.seen import headers


@asserts("3.4-1", ack=("auto", "transacted"), domain=("queue",))
def test_the_whole_header_reaches_browser_and_receiver(case: Case) -> None:
    """A browser and a queue consumer see every header as the sender does after the send."""
    link, read = case.link(consumes=False), partial(headers, delays=case.offers("delivery delays"))
    sent = link.send(dressed(link), ttl=3_600_000, priority=7)
    browsed = link.client.browse_messages(link.destination)
    expect.equal("the number of messages that the browser shows", len(browsed), 1)
    expect.equal("headers at the browser", read(browsed[0]), read(sent))
    received = expect.arrival(case.link("auto", destination=link.destination))
    expect.equal("headers at the receiver", read(received), read(sent))


@asserts("3.4-1", ack=("auto", "transacted"), domain=("topic",))
def test_the_whole_header_reaches_every_subscriber(case: Case) -> None:
    """Each subscriber, of the same session or another connection, sees every header as the sender does after the send."""
    link, read = case.link(), partial(headers, delays=case.offers("delivery delays"))
    same_session = case.link(client=fellow(link.client), destination=link.destination)
    elsewhere = case.link(destination=link.destination)
    sent = link.send(dressed(link), ttl=3_600_000, priority=7)
    for subscriber in (link, same_session, elsewhere):
        expect.equal("headers at a subscriber", read(expect.arrival(subscriber)), read(sent))
