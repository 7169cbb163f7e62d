"""4.2.2 Topic semantics: what identifies a subscription, how long it lives, how many consumers it has."""

from __future__ import annotations

from itertools import product
from typing import Any

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.gathering import all_of, numbered, shared_out
from tck.suite.support.clients.messages import send_coloured
from tck.suite.support.clients.subscriptions import (
    SHARED,
    kinds,
    publish_missed,
    publisher,
    subscription,
    working_kinds,
)
from tck.suite.support.values.colours import RED
from tck.suite.support.values.seen import body, tried


@asserts("4.2.2-13", "8.3.1-9")
def test_a_nondurable_subscription_misses_what_comes_while_it_is_inactive(case: Case) -> None:
    """What is published while a non-durable subscriber is closed does not come when it is made again."""
    link = case.link()
    sender = publisher(case, link.destination)
    sender.send("while open")
    link.receive()
    other = case.link("auto", destination=link.destination)
    link.consumer.close()
    publish_missed(sender, other, "while closed")
    again = case.link(client=link.client, destination=link.destination)
    expect.nothing_before(again, "marker", lambda: sender.send("marker"))


@asserts("4.2.2-14")
def test_each_unshared_consumer_has_a_subscription_of_its_own(case: Case) -> None:
    """Two consumers made by the same call get every message each."""
    one = case.link()
    other = case.link(client=one.client.peer(), destination=one.destination)
    one.send_all(numbered(3))
    expect.arrives(one, numbered(3))
    expect.arrives(other, numbered(3))


@asserts("4.2.2-15", "8.3.1-10")
def test_an_unshared_subscription_ends_with_its_consumer(case: Case) -> None:
    """What a non-durable subscriber had not received when it was closed comes to no later one."""
    link = case.link()
    link.send_all(numbered(3))
    link.receive()
    link.consumer.close()
    again = case.link(client=link.client, destination=link.destination)
    expect.nothing_before(again, "marker", lambda: again.send("marker"))


@asserts("4.2.2-16", "8.3.2-8")
def test_a_shared_subscription_is_identified_by_name_and_client(case: Case) -> None:
    """Consumers of one name without client identifier share; under different client identifiers they do not."""
    topic, name = case.topic(), case.name("s")
    nameless = subscription(case, "shared", topic, name=name)
    sharing = [nameless.open(), nameless.open()]
    apart = [subscription(case, "shared", topic, name=name, client_id=case.name("c")).open() for _ in range(2)]
    publisher(case, topic).send_all(numbered(6))
    for link in apart:
        expect.arrives(link, numbered(6))
    expect.equal("what the consumers without client identifier got", all_of(shared_out(sharing, 6)), numbered(6))


@asserts("4.2.2-17", "8.3.2-5")
def test_a_shared_subscription_has_several_consumers(case: Case) -> None:
    """Consumers of one session, and of another connection, are open on a shared subscription together."""
    watched = subscription(case, "shared")
    first = watched.open()
    second = expect.works("a second consumer of the session", lambda: watched.open(client=first.client))
    third = expect.works("one of another connection", watched.open)
    publisher(case, watched.topic).send_all(numbered(6))
    expect.equal("what they got", all_of(shared_out([first, second, third], 6)), numbered(6))


@asserts("4.2.2-18")
def test_a_shared_subscription_begins_with_its_first_consumer(case: Case) -> None:
    """What is published after the first consumer was made comes to the consumers that there are then."""
    watched = subscription(case, "shared")
    links = [watched.open()]
    publisher(case, watched.topic).send_all(numbered(4))
    early = body(links[0].receive())
    links.append(watched.open())
    expect.equal("what they got", all_of([[early], *shared_out(links, 3)]), numbered(4))


@asserts("4.2.2-19", "8.3.2-10", "8.3.2-13")
def test_a_shared_subscription_ends_with_its_last_consumer(case: Case) -> None:
    """It stays, with all its messages, while one consumer is open, and ends with the last one, messages and all."""
    watched = subscription(case, "shared")
    first, second = watched.open(), watched.open()
    sender = publisher(case, watched.topic)
    sender.send_all(["one", "two"])
    first.client.close()
    sender.send("three")
    expect.arrives(second, ["one", "two", "three"], ordered=False)
    sender.send("not received")
    other = case.link("auto", destination=watched.topic)
    second.client.close()
    publish_missed(sender, other, "while closed")
    again = watched.open()
    expect.nothing_before(again, "marker", lambda: sender.send("marker"))


@asserts("4.2.2-20", "4.2.11-1", "8.3.3-5")
def test_a_durable_subscription_collects_while_it_is_inactive(case: Case) -> None:
    """What is published, in either delivery mode, while no consumer is open comes to the next one, in order."""
    watched = subscription(case, "durable")
    watched.open().client.close()
    sender = publisher(case, watched.topic)
    for mode in (1, 2):
        for text in numbered(20):
            sender.send(f"mode {mode} {text}", mode=mode)
    link = watched.open()
    messages = [f"mode {mode} {text}" for mode in (1, 2) for text in numbered(20)]
    expect.arrives(link, messages, ordered=False)
    expect.trace("durable-complete", "order-per-stream")


@asserts("4.2.2-21", "8.3.3-17")
def test_a_durable_subscription_lives_until_it_is_deleted(case: Case) -> None:
    """It collects over reconnects, and after unsubscribe() one of the same name has nothing of before."""
    watched = subscription(case, "durable")
    watched.open().client.close()
    sender = publisher(case, watched.topic)
    sender.send("one")
    link = watched.open()
    expect.arrives(link, ["one"])
    link.client.close()
    sender.send("before the end")
    expect.works("unsubscribe()", watched.unsubscribe)
    sender.send("after the end")
    for turn in range(2):
        again = watched.open()
        expect.nothing_before(again, f"marker {turn}", lambda: sender.send(f"marker {turn}"))
        again.client.close()
        sender.send(f"collected {turn}")
        link = watched.open()
        expect.arrives(link, [f"collected {turn}"])
        sender.send("left behind")
        link.client.close()
        expect.works("unsubscribe() of the one made again", watched.unsubscribe)


@asserts("4.2.2-21", variant="beside-another")
def test_the_end_of_one_durable_subscription_leaves_another_alone(case: Case) -> None:
    """unsubscribe() leaves an inactive subscription of the topic with what it holds, of either durable kind and of one client or two."""
    durable = [
        kind
        for kind in working_kinds(case, case.client(client_id=case.name("c")))
        if kind in {"durable", "shared durable"}
    ]
    with expect.all_of():
        for ended_kind, kept_kind, one_client in product(durable, durable, (True, False)):
            ended = subscription(case, ended_kind, client_id=case.name("c") if one_client else None)
            client_id = ended.client_id if one_client else None
            kept = subscription(case, kept_kind, ended.topic, client_id=client_id)
            for each in (ended, kept):
                each.open().client.close()
            publisher(case, ended.topic).send("x", mode=api.DeliveryMode.PERSISTENT)
            expect.works(f"unsubscribe() of a {ended_kind} subscription", ended.unsubscribe)
            link = kept.open()
            expect.equal(f"what another {kept_kind} subscription gives then", body(link.poll()), "x")
            link.client.close()


@asserts("4.2.2-22", "8.3.3-4", ack=("auto", "client", "dups_ok", "transacted"))
def test_a_durable_subscription_is_resumed_as_it_was_left(case: Case) -> None:
    """What was acknowledged before the close is not redelivered, and what was not received then comes now."""
    watched = subscription(case, "durable")
    link = watched.open()
    link.send_all(numbered(10))
    expect.arrives(link, numbered(5))
    link.client.close()
    expect.only(watched.open(), numbered(10)[5:])


@asserts("4.2.2-22", "8.3.3-4", variant="terms")
def test_a_durable_subscription_with_terms_is_resumed_as_it_was_left(case: Case) -> None:
    """With a selector, with noLocal and with both, called again with the same arguments it continues, again and again."""
    for selector, no_local in ((RED, False), (None, True), (RED, True)):
        watched = subscription(case, "durable", selector=selector, no_local=no_local)
        sender = publisher(case, watched.topic)
        watched.open().client.close()
        for turn in range(3):
            send_coloured(sender, [f"red {turn} a", f"red {turn} b"])
            link = watched.open()
            expect.arrives(link, [*([f"red {turn - 1} b"] if turn else []), f"red {turn} a"])
            link.client.close()


@asserts("4.2.2-22", "8.3.3-4", api=("simplified",), variant="bodies")
def test_a_durable_subscription_is_resumed_behind_received_bodies(case: Case) -> None:
    """What receiveBody took before the close is not redelivered; where it is refused, which breaks other rows, what receive took."""
    watched = subscription(case, "durable")
    link = watched.open()
    link.send_all(numbered(4))
    consumer: Any = link.consumer
    first = tried(lambda: consumer.receive_body(str, case.timing.deadline))
    works = not str(first).startswith("raises ")
    seen = (
        [first, consumer.receive_body(str, case.timing.deadline)] if works else [body(link.receive()) for _ in range(2)]
    )
    expect.equal("the bodies", seen, numbered(4)[:2])
    link.client.close()
    expect.only(watched.open(), numbered(4)[2:])


@asserts("4.2.2-23")
def test_a_durable_subscription_keeps_its_messages(case: Case) -> None:
    """Messages without a time to live are still there after a long time without a consumer."""
    watched = subscription(case, "durable")
    watched.open().client.close()
    publisher(case, watched.topic).send_all(numbered(5))
    case.pass_time(case.long_delay(), "an inactive durable subscription must keep its messages")
    expect.arrives(watched.open(), numbered(5))


@asserts("4.2.2-24", "6.1.2-18", "8.3.3-13")
def test_an_unshared_durable_subscription_needs_a_client_identifier(case: Case) -> None:
    """Without a client identifier an unshared durable subscription is refused; with one it is made."""
    watched = subscription(case, "durable")
    link = watched.open()
    link.send("x")
    link.receive()
    anonymous = case.client()
    expect.raises(
        case.thrown(api.JMSException),
        lambda: anonymous.durable(watched.topic, case.name("s")),
        what="a durable subscription without client identifier",
    )


@asserts("4.2.2-25", "8.3.3-15")
def test_an_unshared_durable_subscription_is_identified_by_name_and_client(case: Case) -> None:
    """Equal names under two client identifiers are two subscriptions: copies for each, and each is deleted alone."""
    topic, name = case.topic(), case.name("s")
    one, other = (subscription(case, "durable", topic, name=name) for _ in range(2))
    links = [one.open(), expect.works("the same name under another client identifier", other.open)]
    sender = publisher(case, topic)
    sender.send("x")
    for link in links:
        expect.arrives(link, ["x"])
        link.client.close()
    one.unsubscribe()
    sender.send("y")
    expect.arrives(other.open(), ["y"])


@asserts("4.2.2-25", "8.3.3-15", variant="joined")
def test_client_identifier_and_name_are_not_joined(case: Case) -> None:
    """A client identifier and a name that read like another pair when they are joined are another subscription."""
    topic, client, name = case.topic(), case.name("c"), case.name("s")
    sender = publisher(case, topic)
    for joint in (".", "_", "-"):
        one = subscription(case, "durable", topic, name=f"x{joint}{name}", client_id=f"{client}{joint}a")
        other = subscription(case, "durable", topic, name=f"a{joint}x{joint}{name}", client_id=client)
        links = [one.open(), expect.works(f"a subscription that joined by {joint} reads like another", other.open)]
        sender.send("x")
        for link in links:
            expect.arrives(link, ["x"])
            link.client.close()
        one.unsubscribe()
        sender.send("y")
        left = other.open()
        expect.arrives(left, ["y"])
        left.client.close()
        other.unsubscribe()


@asserts("4.2.2-26", "8.3.3-10")
def test_an_unshared_durable_subscription_has_one_consumer(case: Case) -> None:
    """A second consumer is refused while the first is open, and accepted after its close."""
    watched = subscription(case, "durable")
    first = watched.open()
    first.send("x")
    first.receive()
    peer = first.client.peer()
    expect.raises(case.thrown(api.JMSException), lambda: watched.open(client=peer), what="a second consumer")
    first.consumer.close()
    second = expect.works("a consumer after the close of the first", lambda: watched.open(client=peer))
    expect.only(second, [])


@asserts("4.2.2-27", "6.1.2-19", "8.3.4-8")
def test_a_shared_durable_subscription_needs_no_client_identifier(case: Case) -> None:
    """It is resumed by its name alone from another connection; with client identifiers name and client count."""
    topic, name = case.topic(), case.name("s")
    nameless = subscription(case, "shared durable", topic, name=name)
    apart = [subscription(case, "shared durable", topic, name=name, client_id=case.name("c")) for _ in range(2)]
    for watched in (nameless, *apart):
        expect.works("creating the subscription", watched.open).client.close()
    publisher(case, topic).send_all(numbered(3))
    for watched in (nameless, *apart):
        expect.arrives(expect.works("resuming it", watched.open), numbered(3))


@asserts("4.2.2-28", "8.3.4-5")
def test_a_shared_durable_subscription_has_several_consumers(case: Case) -> None:
    """Consumers of one session, and of another connection, are open on it together and share its messages."""
    watched = subscription(case, "shared durable")
    first = watched.open()
    second = expect.works("a second consumer of the session", lambda: watched.open(client=first.client))
    third = expect.works("one of another connection", watched.open)
    publisher(case, watched.topic).send_all(numbered(6))
    expect.equal("what they got", all_of(shared_out([first, second, third], 6)), numbered(6))


@asserts("4.2.2-29")
def test_no_local_leaves_out_messages_of_the_own_connection(case: Case) -> None:
    """With noLocal an unshared subscription, durable or not, misses what its own connection publishes; without, not."""
    for kind in kinds(case)[:2]:
        topic = case.topic()
        deaf, hearing = (subscription(case, kind, topic, no_local=flag).open() for flag in (True, False))
        sender = publisher(case, topic)
        for link in (deaf, hearing, sender):
            link.send("own" if link is deaf else "other")
        expect.arrives(deaf, ["other", "other"], ordered=False)
        expect.arrives(hearing, ["own", "other", "other"], ordered=False)
    expect.trace("no-local-honoured")


@asserts("4.2.2-30", "8.3.2-21", "8.3.4-27")
def test_shared_subscriptions_get_messages_of_the_own_connection(case: Case) -> None:
    """A consumer of a shared subscription, durable or not, gets what its own connection publishes."""
    for kind in SHARED:
        link = subscription(case, kind).open()
        link.send_all(numbered(3))
        expect.arrives(link, numbered(3))
