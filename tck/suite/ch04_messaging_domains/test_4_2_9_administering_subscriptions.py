"""4.2.9 Durable subscriptions are created and deleted by clients."""

from __future__ import annotations

from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.subscriptions import publisher, subscription


@asserts("4.2.9-1")
def test_clients_register_by_creating_objects(case: Case) -> None:
    """A publisher and a subscriber of a topic work as soon as they are created."""
    topic = case.topic()
    link = expect.works("a subscriber of a new topic", lambda: case.link(destination=topic))
    sender = expect.works("a publisher of it", lambda: publisher(case, topic))
    sender.send("x")
    expect.arrives(link, ["x"])


@asserts("4.2.9-2")
def test_durable_subscriptions_are_created_by_clients(case: Case) -> None:
    """A client creates a durable subscription by a name that nobody has prepared."""
    made = subscription(case, "durable")
    link = expect.works("creating a durable subscription", made.open)
    publisher(case, made.topic).send("x")
    expect.arrives(link, ["x"])


@asserts("4.2.9-3")
def test_durable_subscriptions_are_deleted_by_clients(case: Case) -> None:
    """unsubscribe() deletes a durable subscription, and one of the same name made later starts empty."""
    made = subscription(case, "durable")
    link = made.open()
    sender = publisher(case, made.topic)
    sender.send("before")
    link.receive()
    sender.send("left behind")
    link.client.close()
    expect.works("unsubscribe()", made.unsubscribe)
    again = made.open()
    expect.nothing_before(again, "marker", lambda: sender.send("marker"))
