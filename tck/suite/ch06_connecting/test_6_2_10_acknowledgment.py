"""6.2.10 Message acknowledgment: what acknowledge() covers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.client import Client
from tck.suite.support.clients.gathering import numbered
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.listeners import CollectingListener, Listener
from tck.suite.support.clients.subscriptions import SHARED, publisher, subscription, working_kinds
from tck.suite.support.harness.outcome import Undecided
from tck.suite.support.lifecycle.reconnecting import reconnected
from tck.suite.support.values.seen import body

CLIENT = ("client",)
THREE = ["001", "002", "003"]


@asserts("6.2.10-9", ack=CLIENT)
def test_acknowledging_a_message_covers_all_before_it(case: Case) -> None:
    """acknowledge() of a message covers what its session delivered before, and nothing that comes after."""
    link = case.link()
    link.send_all(("one", "two", "three"))
    link.take()
    expect.works("acknowledge() of the second message", link.take().acknowledge)
    link.take()
    link.client.recover()
    expect.only(link, ["three"])


@asserts("6.2.10-14", ack=CLIENT)
def test_a_context_acknowledges_all_that_it_delivered(case: Case) -> None:
    """acknowledge() of a JMSContext covers everything its session has delivered so far."""
    link = case.link()
    link.send_all(("one", "two", "three"))
    link.take_all(2)
    expect.works("acknowledge() of the context", link.client.session.acknowledge)
    link.take()
    link.client.recover()
    expect.only(link, ["three"])


@asserts("6.2.10-14", ack=CLIENT, variant="in-vain")
def test_a_context_acknowledges_after_a_receive_in_vain(case: Case) -> None:
    """acknowledge() of a JMSContext covers what its session has delivered though a receive found nothing since."""
    link = case.link()
    for receive in (partial(link.consumer.receive, 1), link.consumer.receive_no_wait):
        link.send("x")
        link.take()
        expect.equal("what a receive found then", receive(), None)
        expect.works("acknowledge() of the context", link.client.session.acknowledge)
        link.client.recover()
        expect.only(link, [])


@asserts("6.2.10-14", ack=CLIENT, variant="consumers")
def test_a_context_acknowledges_for_all_its_consumers(case: Case) -> None:
    """acknowledge() of a JMSContext covers what its other consumers got, in both domains, and those that were closed since."""
    name = case.name("s")
    client = case.client(client_id=name)
    places = [case.queue(), case.topic(), case.queue()]
    links = [case.link(client=client, destination=place, durable=name) for place in places]
    for link in links:
        link.send_all(numbered(3))
        link.take_all(2)
    for link in links[:2]:
        link.consumer.close()
    expect.works("acknowledge() of the context", client.session.acknowledge)
    client.close()
    for place in places:
        again = reconnected(case, place, durable=name)
        expect.only(again, ["003"])
        again.client.close()


@asserts("6.2.10-15", api=("simplified",), ack=("auto", "dups_ok"))
def test_acknowledge_of_a_context_is_ignored_where_it_is_automatic(case: Case) -> None:
    """Where acknowledgment is automatic, acknowledge of the JMSContext raises nothing and changes nothing."""
    link = case.link()
    expect.works("acknowledge() before anything came", link.client.session.acknowledge)
    link.send("first")
    link.send("second")
    link.take()
    expect.works("acknowledge() after the first message", link.client.session.acknowledge)
    expect.arrives(link, ["second"])
    expect.only(link, [])


@asserts("6.2.10-5", variant="severed")
def test_a_running_listener_has_not_acknowledged(case: Case) -> None:
    """A message whose listener still runs when the client dies comes to another consumer; one handled before it does not."""
    name = case.name("s")
    link = case.link(durable=name)
    sender = case.link("auto", destination=link.destination, consumes=False)
    entered, released = case.provider.clock.event(), case.provider.clock.event()

    def hear(_message: api.Message, ordinal: int) -> None:
        if ordinal == 2:
            entered.set()
            released.wait(4 * case.timing.deadline)

    link.consumer.message_listener = Listener(hear)
    sender.send_all(THREE)
    expect.true("a listener gets the second message", entered.wait(case.timing.deadline), "it does not")
    case.provider.sever(link.client.connection)
    again = reconnected(case, link.destination, durable=name)
    expect.only(again, THREE[1:])
    released.set()


@asserts("6.2.10-6", ack=CLIENT, variant="receive")
def test_nothing_received_is_acknowledged_by_itself(case: Case) -> None:
    """What receive returned is redelivered by recover(), and again when the session ends, until acknowledge() is called."""
    name = case.name("s")
    link = case.link(durable=name)
    link.send_all(numbered(3))
    expect.arrives(link, numbered(3), settle=False)
    link.client.recover()
    expect.arrives(link, numbered(3), ordered=False, settle=False)
    link.client.close()
    expect.only(reconnected(case, link.destination, durable=name), THREE, ordered=False)


@asserts("6.2.10-6", ack=CLIENT, variant="listener")
def test_the_return_of_a_listener_does_not_acknowledge(case: Case) -> None:
    """What listeners handled without acknowledge() comes to the next client of the queue or durable subscription."""
    name = case.name("s")
    link = case.link(durable=name)
    sender = case.link("auto", destination=link.destination, consumes=False)
    heard = CollectingListener(case)
    link.consumer.message_listener = heard
    sender.send_all(numbered(3))
    expect.equal("messages of the listener", heard.after(3), THREE)
    link.client.close()
    expect.only(reconnected(case, link.destination, durable=name), THREE, ordered=False)


@asserts("6.2.10-10", ack=CLIENT)
def test_acknowledging_an_early_message_covers_the_later_ones(case: Case) -> None:
    """acknowledge() of the first of five messages covers all five: none is redelivered."""
    link = case.link()
    link.send_all(numbered(5))
    first = link.take()
    link.take_all(4)
    expect.works("acknowledge() of the first message", first.acknowledge)
    link.client.recover()
    expect.only(link, [])


@asserts("6.2.10-10", ack=CLIENT, variant="after-recover")
def test_acknowledging_an_early_message_covers_what_came_again(case: Case) -> None:
    """After recover(), acknowledge() of the object of a first delivery or of the first redelivery covers all messages."""
    name = case.name("s")
    link = case.link(durable=name)
    link.send_all(numbered(4))
    link.take_all(2)
    first = link.returned(4)[0]
    expect.works("acknowledge() of the first redelivered message", first.acknowledge)
    link.client.recover()
    link.client.close()
    expect.only(reconnected(case, link.destination, durable=name), [])


def _two_domains(case: Case) -> tuple[Link, Link]:
    """Return two links of one session: on a queue and a topic, or on two of one kind where the interface knows only one."""
    one = case.link()
    domain = case.domain if case.api == "domain-specific" else case.other_domain
    return one, case.link(client=one.client, destination=case.destination(domain))


@asserts("6.2.10-11", ack=CLIENT)
def test_acknowledging_covers_the_consumers_of_all_destinations(case: Case) -> None:
    """acknowledge() of one message covers what every consumer of the session got, of a queue and of a topic."""
    one, other = _two_domains(case)
    for link in (one, other, one, other):
        link.send("x")
    one.take_all(2)
    expect.works("acknowledge() of a message of one consumer", other.take_all(2)[-1].acknowledge)
    one.client.recover()
    expect.only(one, [])
    expect.only(other, [])


@asserts("6.2.10-10", "6.2.10-11", ack=CLIENT, variant="several-consumers")
def test_acknowledging_the_earliest_message_covers_all_consumers(case: Case) -> None:
    """acknowledge() of the first message that a session got covers the later ones of this consumer and of the other."""
    one, other = _two_domains(case)
    for link in (one, other):
        link.send_all(numbered(3))
    first = one.take()
    other.take_all(2)
    one.take_all(2)
    other.take()
    expect.works("acknowledge() of the first message", first.acknowledge)
    one.client.recover()
    expect.only(one, [])
    expect.only(other, [])


@asserts("6.2.10-11", ack=CLIENT, variant="closed-consumer")
def test_acknowledging_covers_a_consumer_that_was_closed(case: Case) -> None:
    """acknowledge() covers what a consumer got that was closed since, though the message is another consumer's."""
    names = case.name("s"), case.name("s")
    one = case.link(durable=names[0])
    other = case.link(client=one.client, destination=case.destination(), durable=names[1])
    for link in (one, other):
        link.send_all(numbered(3))
    one.take_all(2)
    one.consumer.close()
    expect.works("acknowledge() of a message of the open consumer", other.take().acknowledge)
    one.client.close()
    expect.only(reconnected(case, one.destination, durable=names[0]), ["003"])


def _two_sessions(case: Case, one: Client, other: Client, place: api.Destination) -> tuple[Link, Link]:
    """Return links of both sessions with a message each: on destinations of their own, or on the same queue."""
    links = case.link(client=one, destination=place), case.link(client=other)
    for link in links:
        link.send_all(numbered(2))
    return links


@asserts("6.2.10-12", ack=CLIENT, variant="sharing")
def test_acknowledging_what_consumers_share_stays_in_its_session(case: Case) -> None:
    """acknowledge() of a later message of a queue, or of a topic by each kind of subscription, leaves the earlier of another session."""
    for what, opened, other, sender in _shared_places(case):
        first = opened()
        sender.send("001")
        kept = [body(first.take())]
        second, later = other(), None
        for text in numbered(8)[1:]:
            sender.send(text)
            later = second.look()
            if later is not None:
                break
            kept.append(body(first.take()))
        if later is None:  # which consumer gets a message is the provider's choice
            raise Undecided(f"the second consumer of {what} got no message")
        expect.works("acknowledge() in a session", later.acknowledge)
        second.client.close()
        first.client.recover()
        expect.arrives(first, kept, ordered=False)


def _shared_places(case: Case) -> Iterator[tuple[str, Callable[[], Link], Callable[[], Link], Link]]:
    """Yield words for a place, calls that open a first and another consumer of it on connections of their own, and a sender.

    Consumers of subscriptions that are not shared get a copy each.
    """
    if case.domain == "queue":
        queue = case.queue()
        opened = partial(case.link, destination=queue)
        yield "a queue", opened, opened, case.link("auto", destination=queue, consumes=False)
        return
    for kind in working_kinds(case, case.client(client_id=case.name("c"))):
        watched = subscription(case, kind)
        other = watched if kind in SHARED else subscription(case, kind, watched.topic)
        yield f"a {kind} subscription", watched.open, other.open, publisher(case, watched.topic)


@asserts("6.2.10-12", ack=CLIENT, variant="one-connection")
def test_acknowledging_stays_in_its_session(case: Case) -> None:
    """acknowledge() in one session leaves what another session of the connection got unacknowledged, whichever began."""
    client = case.client()
    for one, other in ((client, client.peer()), (client.peer(), client)):
        mine, theirs = _two_sessions(case, one, other, case.destination())
        mine.take()
        theirs.take()
        expect.works("acknowledge() in a session", mine.take().acknowledge)
        theirs.take()
        other.recover()
        expect.only(theirs, ["001", "002"], ordered=False)
        one.recover()
        expect.only(mine, [])


@asserts("6.2.10-12", ack=CLIENT, domain=("queue",), variant="one-queue")
def test_acknowledging_leaves_the_other_consumers_of_the_queue(case: Case) -> None:
    """Two sessions share a queue; the end of one brings its message back, though the other acknowledged its own."""
    one = case.link(selector="JMSType = 'a'")
    other = case.link(client=one.client.peer(), destination=one.destination, selector="JMSType = 'b'")
    for text in ("a", "b"):
        message = one.text(text)
        message.jms_type = text
        one.send(message)
    one.take()
    expect.works("acknowledge() in the other session", other.take().acknowledge)
    one.client.close_session()
    expect.only(case.link("auto", destination=one.destination), ["a"])


@asserts("6.2.10-13", ack=CLIENT, variant="closed-connection")
def test_acknowledging_leaves_what_was_not_delivered(case: Case) -> None:
    """Of ten messages three are received and acknowledged: the other seven come to the next client."""
    name = case.name("s")
    link = case.link(durable=name)
    link.send_all(numbered(10))
    expect.works("acknowledge() of the third message", link.take_all(3)[-1].acknowledge)
    link.client.close()
    expect.only(reconnected(case, link.destination, durable=name), numbered(10)[3:], ordered=False)


@asserts("6.2.10-13", ack=CLIENT, variant="two-consumers")
def test_acknowledging_leaves_what_two_consumers_had_not_delivered(case: Case) -> None:
    """Two consumers deliver three and one of ten messages each, which are acknowledged: all others come to the next clients."""
    names = case.name("s"), case.name("s")
    one = case.link(durable=names[0])
    other = case.link(client=one.client, destination=case.destination(), durable=names[1])
    for link in (one, other):
        link.send_all(numbered(10))
    one.take_all(3)
    expect.works("acknowledge() of the other consumer's first message", other.take().acknowledge)
    one.client.close()
    again = reconnected(case, one.destination, durable=names[0])
    expect.only(again, numbered(10)[3:], ordered=False)
    rest = case.link(client=again.client, destination=other.destination, durable=names[1])
    expect.only(rest, numbered(10)[1:], ordered=False)


def _came(link: Link) -> list[object]:
    """Return what comes before a marker that is sent now, in good order: nothing of it is left behind."""
    marker = link.mark()
    came: list[object] = []
    while (text := body(link.receive())) != marker:
        came.append(text)
    return came


@asserts("6.2.10-17", ack=("dups_ok",))
def test_lazily_acknowledged_messages_come_to_an_end(case: Case) -> None:
    """Of 200 messages consumed and closed in good order not all are redelivered, and at last none is."""
    name = case.name("s")
    link = case.link(durable=name)
    link.send_all(numbered(200))
    expect.arrives(link, numbered(200))
    rounds = []
    for _ in range(3):
        link.client.close()
        link = reconnected(case, link.destination, durable=name, ack=case.ack)
        rounds.append(_came(link))
    expect.true("not all 200 messages come again", len(rounds[0]) < 200, "all of them did")
    expect.equal("what came to the third client", rounds[-1], [])
