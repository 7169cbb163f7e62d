"""2.9 The interfaces specific to queues and to topics."""

from __future__ import annotations

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.client import Client
from tck.suite.support.clients.gathering import numbered
from tck.suite.support.clients.messages import send_coloured
from tck.suite.support.clients.subscriptions import publisher, subscription
from tck.suite.support.values.colours import RED
from tck.suite.support.values.seen import body


@asserts("2.9-1")
def test_the_interfaces_for_queues_work_together(case: Case) -> None:
    """QueueConnectionFactory, QueueConnection, QueueSession, QueueSender and QueueReceiver carry messages."""
    link = expect.works("connecting", case.link)
    link.send_all(numbered(3))
    expect.only(link, numbered(3))


@asserts("2.9-2")
def test_the_interfaces_for_topics_work_together(case: Case) -> None:
    """TopicConnectionFactory, TopicConnection, TopicSession, TopicPublisher and TopicSubscriber carry messages."""
    link = expect.works("connecting", case.link)
    link.send_all(numbered(3))
    expect.only(link, numbered(3))


def _third_session_serves(case: Case, client: Client) -> None:
    second = expect.works("a second session", client.peer)
    third = expect.works("a third session", client.peer)
    link = case.link(client=second)
    third.sender(link.destination).send(third.text("x"))
    expect.arrives(link, ["x"])


@asserts("2.9-3", "6.1-8")
def test_a_topic_connection_has_several_sessions(case: Case) -> None:
    """One TopicConnection has three TopicSessions; what one publishes another one receives."""
    _third_session_serves(case, case.client())


@asserts("2.9-4", "6.1-8")
def test_a_queue_connection_has_several_sessions(case: Case) -> None:
    """One QueueConnection has three QueueSessions; what one sends another one receives."""
    _third_session_serves(case, case.client())


@asserts("2.9-5")
def test_a_publisher_publishes_on_a_topic(case: Case) -> None:
    """publish(message) and publish(topic, message) each reach a subscriber once."""
    link = case.link()
    link.send("to its own topic")
    client = case.client()
    client.sender(None).send(client.text("to a named topic"), to=link.destination)
    expect.only(link, ["to its own topic", "to a named topic"])


@asserts("2.9-6")
def test_a_queue_session_makes_what_queues_need(case: Case) -> None:
    """Receivers, senders, browsers and temporary queues of a QueueSession work."""
    link = case.link(consumes=False)
    send_coloured(link, ["red 1"])
    session = link.client.session
    browser = expect.works("createBrowser", lambda: session.create_browser(link.destination, RED))
    expect.equal("what the browser shows", [body(message) for message in browser.get_enumeration()], ["red 1"])
    receiver = expect.works("createReceiver", lambda: session.create_receiver(link.destination))
    expect.equal("what the receiver gets", body(receiver.receive(int(case.timing.deadline))), "red 1")
    place = expect.works("createTemporaryQueue", session.create_temporary_queue)
    temporary = case.link(client=link.client, destination=place)
    temporary.send("x")
    expect.only(temporary, ["x"])


@asserts("2.9-7")
def test_a_topic_session_makes_what_topics_need(case: Case) -> None:
    """Publishers, subscribers, durable ones and temporary topics of a TopicSession work, and it deletes subscriptions."""
    watched = subscription(case, "durable")
    link = expect.works("createDurableSubscriber", watched.open)
    place = expect.works("createTemporaryTopic", link.client.session.create_temporary_topic)
    temporary = case.link(client=link.client, destination=place)
    temporary.send("x")
    expect.only(temporary, ["x"])
    link.send("received")
    expect.arrives(link, ["received"])
    link.send("left behind")
    link.consumer.close()
    expect.works("unsubscribe", lambda: link.client.session.unsubscribe(watched.name))
    link.send("without a subscription")
    again = watched.open(client=link.client)
    expect.nothing_before(again, "marker", lambda: again.send("marker"))


@asserts("2.9-8", "6.2-12", ack=("client",))
def test_the_end_of_a_queue_session_gives_messages_back(case: Case) -> None:
    """What a QueueSession had received and not acknowledged when it was closed comes to the next receiver."""
    link = case.link()
    link.send("one", mode=api.DeliveryMode.PERSISTENT)
    link.send("two", mode=api.DeliveryMode.NON_PERSISTENT)
    expect.arrives(link, ["one", "two"], settle=False)
    link.client.close_session()
    link = case.link(destination=link.destination)
    expect.arrives(link, ["one", "two"], ordered=False, settle=False)
    link.consumer.close()
    link.client.close_session()
    expect.arrives(case.link(destination=link.destination), ["one", "two"], ordered=False)


@asserts("2.9-9", "6.2-13", ack=("client",))
def test_the_end_of_a_topic_session_keeps_messages_of_a_durable_subscription(case: Case) -> None:
    """What a durable subscriber had received and not acknowledged when its TopicSession was closed is redelivered."""
    watched = subscription(case, "durable")
    link = watched.open()
    publisher(case, watched.topic).send_all(["one", "two"])
    expect.arrives(link, ["one", "two"], settle=False)
    peer = link.client.peer()
    link.client.close_session()
    expect.arrives(watched.open(client=peer), ["one", "two"], ordered=False)
