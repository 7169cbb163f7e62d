"""4.2.11 Reliability: how often a message comes, by delivery mode and kind of subscription."""

from __future__ import annotations

from tck.api import DeliveryMode
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.gathering import all_of, numbered, shared_out
from tck.suite.support.clients.subscriptions import publish_missed, publisher, subscription


@asserts("4.2.11-2")
def test_nonpersistent_comes_to_a_nondurable_subscriber_at_most_once(case: Case) -> None:
    """NON_PERSISTENT messages come at most once to an open non-durable subscriber, and not at all to a closed one."""
    link = case.link()
    sender = publisher(case, link.destination).sender.set(mode=DeliveryMode.NON_PERSISTENT)
    for text in numbered(10):
        sender.send(link.text(text))
    expect.distinct("bodies of what came", shared_out([link], 10)[0])
    other = case.link("auto", destination=link.destination)
    link.client.close()
    publish_missed(other, other, "while closed", mode=DeliveryMode.NON_PERSISTENT)
    again = case.link(destination=link.destination)
    expect.nothing_before(again, "marker", lambda: sender.send(again.text("marker")))


@asserts("4.2.11-3")
def test_nonpersistent_comes_to_a_durable_subscriber_at_most_once(case: Case) -> None:
    """NON_PERSISTENT messages come at most once to a durable subscriber, over a reconnect."""
    watched = subscription(case, "durable")
    link = watched.open()
    sender = publisher(case, watched.topic)
    sender.sender.set(mode=DeliveryMode.NON_PERSISTENT)
    sender.send_all(numbered(4))
    came = shared_out([link], 4)
    link.client.close()
    sender.send_all(numbered(8)[4:])
    again = watched.open()
    sender.send("marker")
    came += shared_out([again], 5)
    expect.distinct("bodies of what came", [body for share in came for body in share])


@asserts("4.2.11-4")
def test_persistent_comes_to_a_nondurable_subscriber_once(case: Case) -> None:
    """Each PERSISTENT message comes just once to an open non-durable subscriber, and none to a closed one."""
    link = case.link()
    sender = publisher(case, link.destination)
    sender.send_all(numbered(40))
    expect.equal("what came", all_of(shared_out([link], 40)), numbered(40))
    link.client.close()
    sender.send("while closed")
    again = case.link(destination=link.destination)
    expect.nothing_before(again, "marker", lambda: sender.send("marker"))


@asserts("4.2.11-5", plain=True)
def test_persistent_comes_to_a_durable_subscriber_once(case: Case) -> None:
    """Each PERSISTENT message comes just once to a durable subscriber, whether it was there or came back for it."""
    watched = subscription(case, "durable")
    sender = publisher(case, watched.topic)
    link = watched.open()
    sender.send_all(numbered(6))
    expect.arrives(link, numbered(3))
    link.client.close()
    sender.send_all(numbered(9)[6:])
    again = watched.open()
    expect.equal("what came after the reconnect", all_of(shared_out([again], 6)), numbered(9)[3:])
    expect.trace("durable-complete", "settled-stays-settled")
