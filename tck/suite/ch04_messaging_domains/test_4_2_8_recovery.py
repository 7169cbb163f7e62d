"""4.2.8, 4.2.11 What topic subscribers get again, and what they get at all."""

from __future__ import annotations

from tck.api import DeliveryMode
from tck.suite.support import Case, asserts, expect
from tck.suite.support.gathering import all_of, numbered, shared_out
from tck.suite.support.subscriptions import publish, publisher, subscription


def _comes_again(case: Case) -> None:
    link = case.link()
    publish(link, numbered(3))
    expect.arrives(link, numbered(3), settle=False)
    link.client.return_all()
    messages = expect.arrives(link, numbered(3))
    expect.equal("JMSRedelivered of each", [message.jms_redelivered for message in messages], [True] * 3)


@asserts("4.2.8-1", "6.2.10-22", ack=("client",))
def test_a_living_nondurable_subscriber_recovers(case: Case) -> None:
    """What a living non-durable subscriber received and did not acknowledge comes again by recover(), in order, marked."""
    _comes_again(case)
    expect.trace("repeat-is-flagged")


@asserts("4.2.8-1", "6.2.7-8", ack=("transacted",))
def test_a_living_nondurable_subscriber_rolls_back(case: Case) -> None:
    """What a living non-durable subscriber received in a transaction comes again by rollback(), in order, marked."""
    _comes_again(case)
    expect.trace("repeat-is-flagged")


@asserts("4.2.8-3", ack=("client",))
def test_a_durable_subscription_recovers_what_was_not_acknowledged(case: Case) -> None:
    """Messages received and not acknowledged come again to the durable subscription on another connection, marked."""
    watched = subscription(case, "durable")
    link = watched.open()
    publish(link, numbered(3))
    expect.arrives(link, numbered(3), settle=False)
    link.client.close()
    messages = expect.arrives(watched.open(), numbered(3))
    expect.equal("JMSRedelivered of each", [message.jms_redelivered for message in messages], [True] * 3)


@asserts("4.2.8-4")
def test_persistence_does_not_help_a_closed_nondurable_subscriber(case: Case) -> None:
    """A PERSISTENT message that was published while a non-durable subscriber was closed does not come later."""
    link = case.link()
    sender = publisher(case, link.destination)
    sender.send("while open", mode=DeliveryMode.PERSISTENT)
    link.receive()
    link.consumer.close()
    sender.send("while closed", mode=DeliveryMode.PERSISTENT)
    again = case.link(client=link.client, destination=link.destination)
    expect.nothing_before(again, "marker", lambda: sender.send("marker", mode=DeliveryMode.PERSISTENT))


@asserts("4.2.11-2")
def test_nonpersistent_comes_to_a_nondurable_subscriber_at_most_once(case: Case) -> None:
    """NON_PERSISTENT messages come at most once to an open non-durable subscriber, and not at all to a closed one."""
    link = case.link()
    sender = publisher(case, link.destination).sender.set(mode=DeliveryMode.NON_PERSISTENT)
    for text in numbered(10):
        sender.send(link.text(text))
    expect.distinct("bodies of what came", shared_out([link], 10)[0])
    link.client.close()
    sender.send(case.client().text("while closed"))
    again = case.link(destination=link.destination)
    expect.nothing_before(again, "marker", lambda: sender.send(again.text("marker")))


@asserts("4.2.11-3")
def test_nonpersistent_comes_to_a_durable_subscriber_at_most_once(case: Case) -> None:
    """NON_PERSISTENT messages come at most once to a durable subscriber, over a reconnect."""
    watched = subscription(case, "durable")
    link = watched.open()
    sender = publisher(case, watched.topic)
    sender.sender.set(mode=DeliveryMode.NON_PERSISTENT)
    publish(sender, numbered(4))
    came = shared_out([link], 4)
    link.client.close()
    publish(sender, numbered(8)[4:])
    again = watched.open()
    sender.send("marker")
    came += shared_out([again], 5)
    expect.distinct("bodies of what came", [body for share in came for body in share])


@asserts("4.2.11-4")
def test_persistent_comes_to_a_nondurable_subscriber_once(case: Case) -> None:
    """Each PERSISTENT message comes just once to an open non-durable subscriber, and none to a closed one."""
    link = case.link()
    sender = publisher(case, link.destination)
    publish(sender, numbered(40))
    expect.equal("what came", all_of(shared_out([link], 40)), numbered(40))
    link.client.close()
    sender.send("while closed")
    again = case.link(destination=link.destination)
    expect.nothing_before(again, "marker", lambda: sender.send("marker"))


@asserts("4.2.11-5")
def test_persistent_comes_to_a_durable_subscriber_once(case: Case) -> None:
    """Each PERSISTENT message comes just once to a durable subscriber, whether it was there or came back for it."""
    watched = subscription(case, "durable")
    sender = publisher(case, watched.topic)
    link = watched.open()
    publish(sender, numbered(6))
    expect.arrives(link, numbered(3))
    link.client.close()
    publish(sender, numbered(9)[6:])
    again = watched.open()
    expect.equal("what came after the reconnect", all_of(shared_out([again], 6)), numbered(9)[3:])
    expect.trace("durable-complete", "settled-stays-settled")
