"""4.2.8 Recovery and redelivery to topic subscribers."""

from __future__ import annotations

from tck.api import DeliveryMode
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.gathering import numbered
from tck.suite.support.clients.subscriptions import publisher, subscription


def _comes_again(case: Case) -> None:
    link = case.link()
    link.send_all(numbered(3))
    expect.arrives(link, numbered(3), settle=False)
    link.client.return_all()
    messages = expect.arrives(link, numbered(3))
    expect.equal("JMSRedelivered of each", [message.jms_redelivered for message in messages], [True] * 3)


@asserts("4.2.8-1", "6.2.10-22", ack=("client",))
def test_a_living_nondurable_subscriber_recovers(case: Case) -> None:
    """What a living non-durable subscriber received and did not acknowledge is redelivered by recover(), in order, marked."""
    _comes_again(case)
    expect.trace("repeat-is-flagged")


@asserts("4.2.8-1", "6.2.7-8", ack=("transacted",))
def test_a_living_nondurable_subscriber_rolls_back(case: Case) -> None:
    """What a living non-durable subscriber received in a transaction is redelivered by rollback(), in order, marked."""
    _comes_again(case)
    expect.trace("repeat-is-flagged")


@asserts("4.2.8-3", ack=("client",))
def test_a_durable_subscription_recovers_what_was_not_acknowledged(case: Case) -> None:
    """Messages received and not acknowledged are redelivered to the durable subscription on another connection."""
    watched = subscription(case, "durable")
    link = watched.open()
    link.send_all(numbered(3))
    expect.arrives(link, numbered(3), settle=False)
    link.client.close()
    expect.arrives(watched.open(), numbered(3))


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
