"""6.2.9.1 Order of message receipt: the serial order of a session, and the order of what each sender sent."""

from __future__ import annotations

from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.gathering import numbered
from tck.suite.support.values.seen import body


@asserts("6.2.9.1-1", ack=("client",))
def test_acknowledging_covers_what_all_consumers_of_a_session_got(case: Case) -> None:
    """What a session's consumers get is one sequence: acknowledging covers all of it so far, and nothing that comes later."""
    one = case.link()
    other = case.link(client=one.client)
    for link in (one, other):
        link.send_all(numbered(2))
    one.take()
    other.take()
    one.take().acknowledge()
    other.take()
    one.client.recover()
    expect.only(one, [])
    expect.only(other, ["002"])


@asserts("6.2.9.1-2", variant="two-senders")
def test_a_queue_keeps_the_order_of_each_of_two_senders(case: Case) -> None:
    """When two clients send to a queue in turn, what each of them sent is received in its order."""
    links = [case.link()]
    links.append(case.link(destination=links[0].destination, consumes=False))
    for text in numbered(8):
        for name, link in zip("ab", links, strict=True):
            link.send(f"{name} {text}")
    came = [str(body(links[0].receive())) for _ in range(16)]
    wanted = [[f"{name} {text}" for text in numbered(8)] for name in "ab"]
    expect.equal("what came from each sender", [[text for text in came if text[0] == name] for name in "ab"], wanted)


@asserts("6.2.9.1-3")
def test_a_topic_keeps_the_order_of_each_of_two_senders(case: Case) -> None:
    """Each of two subscribers gets what each of two clients sent in its order."""
    links = [case.link()]
    links.append(case.link(destination=links[0].destination))
    for text in numbered(8):
        for name, link in zip("ab", links, strict=True):
            link.send(f"{name} {text}")
    wanted = [[f"{name} {text}" for text in numbered(8)] for name in "ab"]
    for link in links:
        came = [str(body(link.receive())) for _ in range(16)]
        seen = [[text for text in came if text[0] == name] for name in "ab"]
        expect.equal("what a subscriber got from each sender", seen, wanted)


@asserts("6.2.9.1-4")
def test_a_durable_subscription_keeps_the_order_while_it_is_inactive(case: Case) -> None:
    """What came before, during and after a time without a consumer is received in the order of sending."""
    name = case.name("s")
    early = case.link(durable=name)
    publisher = case.link("auto", destination=early.destination, consumes=False)
    publisher.send_all(numbered(12)[:4])
    expect.arrives(early, numbered(2))
    early.client.close()
    publisher.send_all(numbered(12)[4:8])
    late = case.link(destination=early.destination, durable=name)
    publisher.send_all(numbered(12)[8:])
    expect.arrives(late, numbered(12)[2:])
