"""2.4 The two messaging domains."""

from __future__ import annotations

from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.deliveries import from_consumer
from tck.suite.support.clients.gathering import all_of, numbered, shared_out
from tck.suite.support.clients.messages import send_coloured
from tck.suite.support.clients.subscriptions import publisher, subscription, working_kinds
from tck.suite.support.values.colours import RED


@asserts("2.4-1", domain=("queue",))
def test_both_domains_are_there(case: Case) -> None:
    """A message goes through a queue and another one through a topic of the same provider."""
    for domain in ("queue", "topic"):
        link = expect.works(f"connecting to a {domain}", lambda: case.link(domain=domain))
        link.send(domain)
        expect.arrives(link, [domain])


@asserts("2.4-2", domain=("queue",))
def test_one_application_combines_both_domains(case: Case) -> None:
    """One session has consumers and producers of a queue and of a topic open together, and everything arrives."""
    client = case.client()
    queue, topic = case.link(client=client, domain="queue"), case.link(client=client, domain="topic")
    for text in numbered(3):
        expect.works("sending to the queue", lambda: queue.send(text))
        expect.works("publishing to the topic", lambda: topic.send(text))
    expect.arrives(queue, numbered(3))
    expect.arrives(topic, numbered(3))


@asserts("2.4-2", domain=("queue",), ack=("transacted",), variant="one-transaction")
def test_one_transaction_combines_both_domains(case: Case) -> None:
    """A transaction takes from a queue and publishes, or takes from a topic and sends to a queue: all of it takes effect."""
    queue, topic, client = case.queue(), case.topic(), case.client()
    sources = {"queue": case.link("auto", destination=queue, consumes=False), "topic": publisher(case, topic)}
    receivers = {
        "queue": [case.link("auto", destination=case.queue())],
        "topic": [
            subscription(case, kind).open("auto")
            for kind in dict.fromkeys(("durable", *working_kinds(case, case.client("auto"))))
        ],
    }
    takers = {"queue": client.consumer(queue), "topic": client.consumer(topic)}
    for taken_from, sent_to in (("queue", "topic"), ("topic", "queue"), ("queue", "topic")):
        for target in receivers[sent_to]:
            sources[taken_from].send("taken")
            from_consumer(case, takers[taken_from])
            out = client.sender(target.destination)
            for text in ("first", "second"):
                out.send(client.text(text))
            expect.works("commit()", client.commit)
            expect.arrives(target, ["first", "second"])


@asserts("2.4-3", ack=("auto", "transacted"))
def test_the_same_code_serves_both_domains(case: Case) -> None:
    """Whether handed a queue or a topic, the same calls send, select and receive."""
    link = case.link()
    link.send("x")
    expect.arrives(link, ["x"])
    link.consumer.close()
    picky = expect.works(
        "a consumer with a selector",
        lambda: case.link(client=link.client, destination=link.destination, selector=RED),
    )
    send_coloured(picky, ["blue 1", "red 1", "red 2"])
    expect.arrives(picky, ["red 1", "red 2"])


@asserts("2.4-4")
def test_the_destination_decides_who_gets_a_message(case: Case) -> None:
    """Two consumers made by the same code share the messages of a queue, and get all of a topic's each."""
    links = [case.link()]
    links.append(case.link(destination=links[0].destination))
    links[0].send_all(numbered(6))
    copies = {"queue": 1, "topic": 2}[case.domain]
    shares = shared_out(links, 6 * copies)
    expect.equal("what the two got together", all_of(shares), sorted(numbered(6) * copies))
