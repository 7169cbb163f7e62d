"""4.2.7 TemporaryTopic."""

from __future__ import annotations

from functools import partial
from typing import cast

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.client import Client
from tck.suite.support.clients.subscriptions import SubscriptionKind, subscription, working_kinds
from tck.suite.support.clients.temporary_destinations import name_of, passing_uses, reached
from tck.suite.support.values.seen import body


def _passing_kinds(case: Case, client: Client) -> list[SubscriptionKind]:
    """Return the kinds that are not durable: a temporary topic has no others."""
    return [kind for kind in working_kinds(case, client) if kind in {"unshared", "shared"}]


@asserts("4.2.7-1")
def test_each_temporary_topic_is_unique(case: Case) -> None:
    """No two temporary topics of any session or connection have one name, and none gets what was sent to another."""
    clients = [case.client(), case.client()]
    clients += [client.peer() for client in clients]
    topics = [(client, client.temporary()) for client in clients for _ in range(5)]
    expect.distinct("topic_name", [name_of(topic) for _, topic in topics])
    first, *others = [case.link(client=client, destination=topic) for client, topic in topics[::5]]
    first.send("x")
    expect.only(first, ["x"])
    for other in others:
        expect.only(other, [])


@asserts("4.2.7-2", "6.2.2-2")
def test_it_outlives_the_session_that_made_it(case: Case) -> None:
    """After the session that made a temporary topic is closed, another one of the connection publishes and subscribes."""
    owner = case.client()
    maker = owner.peer()
    topic = maker.temporary()
    case.link(client=maker, destination=topic, consumes=False).send("to nobody")
    maker.close_session()
    expect.equal("what the other session got", reached(owner, topic, lives=True), "still there")


@asserts("4.2.7-3", "6.2.2-8")
def test_it_ends_with_its_connection(case: Case) -> None:
    """Once the connection is closed, nothing can be published to its temporary topic and received from it."""
    owner = case.client()
    topic = owner.temporary()
    link = case.link(client=owner, destination=topic)
    link.send("while it lived")  # by its owner: whether others are let in is 4.2.7-6
    link.receive()
    owner.close()
    expect.equal("what came from the temporary topic after the end", reached(case.client(), topic), None)


@asserts("4.2.7-4", "6.2.2-4")
def test_only_its_own_connection_subscribes(case: Case) -> None:
    """Another connection is refused a subscriber of the temporary topic, and the owner goes on receiving."""
    owner, other = case.client(), case.client()
    link = case.link(client=owner, destination=owner.temporary())
    link.send("before")
    link.receive()
    expect.raises(case.thrown(api.JMSException), lambda: other.consumer(link.destination), what="another's subscriber")
    expect.only(link, [])


@asserts("4.2.7-4", "6.2.2-4", api=("classic", "simplified"), variant="shared")
def test_only_its_own_connection_shares_it(case: Case) -> None:
    """Another connection is refused a consumer of the temporary topic, a shared one too, where its owner may have one."""
    owner, other = case.client(), case.client()
    for kind in _passing_kinds(case, other):
        topic = cast("api.Topic", owner.temporary())
        link = subscription(case, kind, topic).open(client=owner)
        link.send("before")
        expect.arrives(link, ["before"])
        stranger = subscription(case, kind, topic)
        expect.raises(
            case.thrown(api.JMSException),
            lambda stranger=stranger: stranger.open(client=other),  # type: ignore[misc]
            what=f"another's {kind} consumer",
        )
        expect.only(link, [])


@asserts("4.2.7-5")
def test_any_session_of_its_connection_subscribes(case: Case) -> None:
    """Every session of the connection that made a temporary topic may subscribe to it."""
    owner = case.client()
    peer = owner.peer()
    topic = owner.temporary()
    own = case.link(client=owner, destination=topic)
    link = expect.works("subscribing by another session", lambda: case.link(client=peer, destination=topic))
    own.send("x")
    own.receive()
    expect.equal("what the other session got", body(link.poll()), "x")


@asserts("4.2.7-6", "2.16-3", "6.2.2-5")
def test_clients_of_other_connections_publish_to_it(case: Case) -> None:
    """A client of another connection replies to the temporary topic named in JMSReplyTo, and the owner gets the reply."""
    owner = case.client()
    topic = owner.temporary()
    requests = case.link()
    request = requests.text("request")
    request.jms_reply_to = topic
    replies = owner.consumer(topic)
    reply_to = expect.present("JMSReplyTo at the receiver", requests.carry(request).jms_reply_to)
    expect.works("a reply", lambda: requests.client.sender(reply_to).send(requests.text("reply")))
    expect.equal("what the owner got", body(replies.receive(int(case.timing.deadline))), "reply")


@asserts("4.2.7-6", "6.2.2-5", ack=("auto", "client", "transacted"), variant="company")
def test_clients_of_other_connections_publish_to_it_whatever_was_before(case: Case) -> None:
    """Clients that are there, and new ones, publish to a temporary topic after refused and ended uses of it; the owner gets it all."""
    owner, there = case.client(), case.client()
    link = case.link(client=owner, destination=owner.temporary())
    acts = passing_uses(owner, link.destination)
    for _ in range(2):
        link.receive()
    with expect.all_of():
        for what, act in acts.items():
            act()
            for which, client in (("one that is there", there), ("a new one", case.client())):
                sender = expect.works(f"a producer of {which} once {what}", partial(client.sender, link.destination))
                expect.works(f"a send of {which} once {what}", partial(sender.send, client.text("x")))
                client.settle()
                expect.equal(f"what came from {which} once {what}", body(link.receive()), "x")


@asserts("4.2.7-8")
def test_delete_removes_it(case: Case) -> None:
    """After delete() nothing can be published to the temporary topic and received, though its connection is open."""
    owner = case.client()
    topic = owner.temporary()
    link = case.link(client=owner, destination=topic)
    link.send("x")
    link.receive()
    link.consumer.close()
    expect.works("delete()", topic.delete)
    expect.equal("what came from the temporary topic after delete()", reached(owner, topic), None)


@asserts("4.2.7-8", variant="without-its-session")
def test_delete_works_once_the_session_that_made_it_is_closed(case: Case) -> None:
    """delete() works after the close of the session that made the topic, and had a message in its subscription."""
    owner = case.client()
    maker = owner.peer()
    topic = maker.temporary()
    link = case.link(client=maker, destination=topic)
    link.carry(link.text("while it lived"))
    link.put("left behind")
    maker.close_session()
    expect.works("delete() of a topic that a closed session had made", topic.delete)
    expect.equal("what came from the temporary topic after delete()", reached(owner, topic), None)


@asserts("4.2.7-9")
def test_delete_is_refused_while_it_is_in_use(case: Case) -> None:
    """delete() raises JMSException while a subscriber is open, which goes on receiving, and succeeds after its close."""
    owner = case.client()
    topic = owner.temporary()
    link = case.link(client=owner, destination=topic)
    link.send("x")
    link.receive()
    expect.raises(api.JMSException, topic.delete, what="delete() with an open subscriber")
    expect.works("publishing after the refusal", lambda: link.send("y"))
    expect.equal("what the subscriber got", body(link.poll()), "y")
    link.consumer.close()
    expect.works("delete() after the close of the subscriber", topic.delete)


@asserts("4.2.7-9", variant="others")
def test_delete_is_refused_while_another_session_uses_it(case: Case) -> None:
    """delete() raises JMSException while a subscriber of a sister session is open, unshared or shared, and succeeds after its close."""
    owner = case.client()
    peer = owner.peer()
    for kind in _passing_kinds(case, peer):
        topic = owner.temporary()
        link = subscription(case, kind, topic).open(client=peer)  # type: ignore[arg-type]  # a topic
        link.send("x")
        expect.arrives(link, ["x"])
        expect.raises(api.JMSException, topic.delete, what=f"delete() with an open consumer of a {kind} subscription")
        link.consumer.close()
        expect.works(f"delete() after the close of the consumer of a {kind} subscription", topic.delete)
