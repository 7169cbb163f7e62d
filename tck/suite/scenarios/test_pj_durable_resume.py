"""A durable subscription: left and resumed, changed, refused to a second consumer, and deleted."""

from __future__ import annotations

from tck import api
from tck.suite.support import Case, expect, scenario
from tck.suite.support.clients.client import Client
from tck.suite.support.clients.gathering import drained, numbered
from tck.suite.support.clients.link import Link
from tck.suite.support.values.seen import body

FIRST, MEANWHILE = numbered(10)[:5], numbered(10)[5:]
EVERY_MESSAGE = "JMSPriority >= 0"


@scenario("pj-durable-resume", domain=("topic",))
def test_durable_subscription(case: Case) -> None:
    """A durable subscription keeps its backlog until it is changed or deleted, for each client by itself."""
    publisher, topic, elsewhere, name = Publisher(case), case.topic(), case.topic(), case.name("s")
    one, two = (case.client(client_id=case.name("c")) for _ in range(2))
    subscribed = case.link(client=one, destination=topic, durable=name)
    publisher.say(topic, *FIRST)
    before = drained(subscribed, 5)
    subscribed.consumer.close()
    publisher.say(topic, *MEANWHILE[:3])
    publisher.say(topic, "expired", ttl=case.timing.delay)
    publisher.say(topic, *MEANWHILE[3:])
    case.pass_time(2 * case.timing.delay, "a message expires while the subscription is inactive")
    resumed = case.link(client=one, destination=topic, durable=name)
    after = drained(resumed, 5)
    resumed.consumer.close()
    publisher.say(topic, "before the selector")
    filtered = case.link(client=one, destination=topic, durable=name, selector=EVERY_MESSAGE)
    publisher.say(topic, "with the selector")
    selected = drained(filtered, 1)
    filtered.consumer.close()
    publisher.say(topic, "before the other topic")
    moved = case.link(client=one, destination=elsewhere, durable=name)
    case.link(client=two, destination=elsewhere, durable=name).consumer.close()
    publisher.say(topic, "on the old topic")
    publisher.say(elsewhere, "on the new topic")
    on_new_topic = drained(moved, 1)

    with expect.for_row("pj-durable-resume-1"):
        expect.equal("the messages of the first consumer", before, FIRST)
        expect.equal("the messages published meanwhile", [each for each in after if each != "expired"], MEANWHILE)
    with expect.for_row("pj-durable-resume-2"):
        case.witness("messages published meanwhile came")
        expect.equal("the number of expired messages that came", after.count("expired"), 0)
    with expect.for_row("pj-durable-resume-3"):
        expect.equal("the messages after a change of the selector", selected, ["with the selector"])
        expect.equal("the messages after a change of the topic", on_new_topic, ["on the new topic"])
    peer = one.peer()
    with expect.for_row("pj-durable-resume-4"):
        second = case.spawn("the second subscriber", lambda: peer.durable(elsewhere, name))
        expect.raises(case.thrown(api.JMSException), second.result, what="a second consumer of the subscription")
    with expect.for_row("pj-durable-resume-5"):
        expect.record(f"unsubscribe with an open consumer is {unsubscribed_while_active(case, two)}")
    peer.close_session()
    moved.consumer.close()
    with expect.for_row("pj-durable-resume-6"):
        delete, unknown = (lambda: one.session.unsubscribe(name)), case.thrown(api.InvalidDestinationException)
        expect.raises(unknown, delete, what="unsubscribe of a deleted name", though_works=delete)
    publisher.say(elsewhere, "later")
    with expect.for_row("pj-durable-resume-7"):
        others = told(case.link(client=two, destination=elsewhere, durable=name), 2)
        expect.equal("the messages of the other client", others, ["later", "on the new topic"])


def told(link: Link, count: int) -> list[str]:
    """Take messages until `count` have come, markers of other consumers apart; return them sorted."""
    texts: list[str] = []
    while len(texts) < count and (message := link.poll()) is not None:
        texts += [text for text in [str(body(message))] if not text.startswith("marker")]
    return sorted(texts)


def unsubscribed_while_active(case: Case, client: Client) -> str:
    """Unsubscribe a subscription with an open consumer; return how that went."""
    name = case.name("s")
    client.durable(case.topic(), name)
    try:
        client.session.unsubscribe(name)
    except (api.JMSException, api.JMSRuntimeException):
        return "refused"
    return "accepted"


class Publisher:
    """Publishes texts on a connection of its own."""

    def __init__(self, case: Case) -> None:
        self._client = case.client()
        self._sender = self._client.sender()

    def say(self, topic: api.Topic, *texts: str, ttl: int = 0) -> None:
        """Publish texts, which expire after `ttl` ms unless it is 0."""
        for text in texts:
            self._sender.send(self._client.text(text), to=topic, ttl=ttl or None)
