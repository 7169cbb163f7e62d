"""Subscribers that leave out the messages of their own connection, and others beside them."""

from __future__ import annotations

from typing import Any

from tck import api
from tck.suite.support import Case, expect, scenario
from tck.suite.support.clients.client import Client, Consumer
from tck.suite.support.clients.deliveries import from_consumer
from tck.suite.support.values.seen import body

RED = "colour = 'red'"
FIRST = ["red 1", "blue 1", "red 2", "red end of one"]
SECOND = ["red 3", "blue 2", "red 4", "red end of two"]


@scenario("pj-nolocal", domain=("topic",))
def test_no_local(case: Case) -> None:
    """A noLocal subscriber leaves out the messages of its own connection, or client identifier, and no others."""
    topic = case.topic()
    one, two = case.client(), case.client()
    own = one.consumer(topic, RED, no_local=True)
    plain = one.peer().consumer(topic, RED)
    foreign = two.consumer(topic, RED, no_local=True)
    publish(one.peer(), topic, FIRST)
    publish(two.peer(), topic, SECOND)
    red_of_one, red_of_two = reds(FIRST), reds(SECOND)
    by_own, by_foreign = until(case, own, red_of_two[-1:]), until(case, foreign, red_of_one[-1:])
    by_plain = until(case, plain, [red_of_one[-1], red_of_two[-1]])
    durable = Durable(case, topic)
    active, away = durable.told("own", "other 1"), durable.told_after("same identifier", "other 2")

    with expect.for_row("pj-nolocal-1"):
        case.witness("messages of the other connection came")
        expect.equal("its own connection's messages that a noLocal subscriber got", common(by_own, red_of_one), [])
        expect.equal("the other one's messages that it got", common(by_foreign, red_of_two), [])
    with expect.for_row("pj-nolocal-2"):
        expect.equal(
            "the messages that came to the plain subscriber", sorted(by_plain), sorted(red_of_one + red_of_two)
        )
        expect.equal(
            "the other connection's messages that came to a noLocal subscriber", common(by_foreign, FIRST), red_of_one
        )
    with expect.for_row("pj-nolocal-3"):
        for wanted, subscriber in topic_subscribers(case, topic):
            expect.equal("getNoLocal()", subscriber.no_local, wanted)
    with expect.for_row("pj-nolocal-4"):
        expect.equal("the messages of a durable noLocal subscriber", active, ["other 1"])
        expect.equal("the messages of a durable noLocal subscriber that came back", away, ["other 2"])


def publish(client: Client, topic: api.Topic, texts: list[str]) -> None:
    """Publish texts, the first word of each as its colour."""
    sender = client.sender(topic)
    for text in texts:
        message = client.text(text)
        message.set_string_property("colour", text.split(maxsplit=1)[0])
        sender.send(message)


def reds(texts: list[str]) -> list[str]:
    """Return the texts that the selector chooses."""
    return [text for text in texts if text.startswith("red")]


def common(texts: list[str], others: list[str]) -> list[str]:
    """Return the texts that are among others too."""
    return [text for text in texts if text in others]


def until(case: Case, consumer: Consumer, last: list[str]) -> list[str]:
    """Receive until each of the last texts has come."""
    seen: list[str] = []
    while not set(last) <= set(seen):
        seen.append(str(body(from_consumer(case, consumer))))
    return seen


def topic_subscribers(case: Case, topic: api.Topic) -> list[tuple[bool, Any]]:
    """Make a TopicSubscriber with noLocal and one without; the simplified interface shows them through its classic sibling."""
    client = case.client(api="classic" if case.api == "simplified" else None, client_id=case.name("c"))
    make = client.session.create_durable_subscriber
    return [(True, make(topic, case.name("s"), None, True)), (False, make(topic, case.name("s"), None, False))]


class Durable:
    """A client with a durable noLocal subscription, whose connections come and go."""

    def __init__(self, case: Case, topic: api.Topic) -> None:
        self._case, self._topic = case, topic
        self._identifier, self._name = case.name("c"), case.name("s")
        self._other = case.client()

    def _connect(self) -> Client:
        self._client = self._case.client(client_id=self._identifier)
        return self._client

    def _open(self, client: Client) -> Consumer:
        session = client.session
        make = session.create_durable_consumer if self._case.api == "simplified" else session.create_durable_subscriber
        consumer: Consumer = make(self._topic, self._name, None, True)
        return consumer

    def told(self, own: str, other: str) -> list[str]:
        """Subscribe, publish from the same connection and from another client, close; return the messages."""
        consumer = self._open(self._connect())
        publish(self._client, self._topic, [own])
        publish(self._other, self._topic, [other])
        came = until(self._case, consumer, [other])
        self._client.close()
        return came

    def told_after(self, own: str, other: str) -> list[str]:
        """Publish from a connection of this client, close it, publish from another client, resume; return the messages."""
        publish(self._connect(), self._topic, [own])
        self._client.close()
        publish(self._other, self._topic, [other])
        came = until(self._case, self._open(self._connect()), [other])
        self._client.close()
        return came
