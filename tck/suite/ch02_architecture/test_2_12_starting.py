"""2.12 Developing an application: what starts the delivery of messages."""

from __future__ import annotations

from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.listeners import CollectingListener
from tck.suite.support.clients.raw import connection_of, consumer_on
from tck.suite.support.values.seen import body


@asserts("2.12.1-1", "6.1.4-1")
def test_a_fresh_connection_delivers_nothing(case: Case) -> None:
    """A consumer gets a waiting message only after start()."""
    connection = connection_of(case)
    sender = case.link(consumes=False)
    consumer = consumer_on(case, connection, sender.destination)
    sender.send("x")
    before = body(consumer.receive(int(case.timing.delay)))
    connection.start()
    after = body(consumer.receive(int(case.timing.deadline)))
    expect.equal("what came, before start() and after it", [before, after], [None, "x"])


@asserts("2.12.1-2", "6.1.4-5")
def test_start_begins_delivery(case: Case) -> None:
    """After start() what waits is delivered to a receive() and to a listener that were there before."""
    connection = connection_of(case)
    sender, other = case.link(consumes=False), case.link(consumes=False)
    consumer = consumer_on(case, connection, sender.destination)
    listening = consumer_on(case, connection, other.destination)
    gathering = CollectingListener(case)
    listening.message_listener = gathering
    sender.send("x")
    other.send("y")
    expect.works("start()", connection.start)
    expect.equal("what receive() gave", body(consumer.receive(int(case.timing.deadline))), "x")
    expect.equal("what the listener got", gathering.after(1), ["y"])


@asserts("2.12.1-3", "6.1.4-8", "8.4-3")
def test_a_context_starts_delivery_by_itself(case: Case) -> None:
    """A consumer of a JMSContext gets its messages without a call of start(), whatever the setting of the context that made it."""
    consumer = case.link()
    sender = case.link(destination=consumer.destination, consumes=False)
    sender.send("x")
    expect.equal("what the consumer got", body(consumer.poll()), "x")
    consumer.consumer.close()
    parent = case.client()
    parent.session.auto_start = False
    made = case.link(client=parent.peer(), destination=consumer.destination)
    sender.send("y")
    expect.equal("what a consumer of a created context got", body(made.poll()), "y")
