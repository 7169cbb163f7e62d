"""6.2.12 Duplicate production of messages: what was sent once is received once."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from functools import partial

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.completion import Completion
from tck.suite.support.clients.gathering import all_of, numbered, shared_out
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.listeners import Listener
from tck.suite.support.clients.messages import coloured, send_coloured
from tck.suite.support.clients.subscriptions import Subscription, publisher, subscription, working_kinds
from tck.suite.support.lifecycle.reconnecting import reconnected
from tck.suite.support.values.colours import BLUE, RED
from tck.suite.support.values.seen import body

ALL = ("auto", "client", "dups_ok", "transacted")
SENDERS = ("auto", "transacted")


@asserts("6.2.12-1", ack=ALL)
def test_competing_consumers_get_each_message_once(case: Case) -> None:
    """Of 24 messages each comes once to four consumers: two of one session, one of another, one of another connection."""
    first = case.link()
    others = [
        case.link(client=first.client, destination=first.destination),
        case.link(client=first.client.peer(), destination=first.destination),
        case.link(destination=first.destination),
    ]
    sender = case.link("auto", destination=first.destination, consumes=False)
    sender.send_all(numbered(24))
    expect.equal("what came to all of them", all_of(shared_out([first, *others], 24)), numbered(24))


@asserts("6.2.12-1", ack=ALL, variant="consumers-come-and-go")
def test_consumers_that_come_and_go_get_each_message_once(case: Case) -> None:
    """A consumer is closed, then a session, then a connection, each after two of twelve messages: each comes once in all."""
    first = case.link()
    first.send_all(numbered(12))
    came = [body(first.receive()) for _ in range(2)]
    first.consumer.close()
    second = case.link(client=first.client.peer(), destination=first.destination)
    came += [body(second.receive()) for _ in range(2)]
    second.client.close_session()
    third = case.link(destination=first.destination)
    came += [body(third.receive()) for _ in range(2)]
    third.client.close()
    fourth = case.link(destination=first.destination)
    came += [body(fourth.receive()) for _ in range(6)]
    expect.equal("what came in all", sorted(map(str, came)), numbered(12))
    expect.only(fourth, [])


def _stopped_and_closed(third: Link) -> None:
    third.client.stop()
    third.client.close()


ENDS: dict[str, Callable[[Link], object]] = {
    "closes its consumer": lambda third: third.consumer.close(),
    "closes its session": lambda third: third.client.close_session(),
    "closes its connection": lambda third: third.client.close(),
    "stops and closes its connection": _stopped_and_closed,
    "takes another message and closes its connection": lambda third: (third.take(), third.client.close()),
    "returns a message and settles it": lambda third: (third.take(), *map(third.client.settle, third.returned(1))),
}
"""What another consumer of a queue does that has settled one message; one more waits for it."""


def _held_beside(case: Case, end: Callable[[Link], object]) -> list[object]:
    """Hold messages of a queue while another consumer ends; return those of them that are redelivered before they are settled, and after."""
    holder = case.link(selector=RED)
    send_coloured(holder, ["red 1", "red 2", "blue 1", "blue 2"])
    in_hand = holder.take_all(2)
    third = case.link(destination=holder.destination, selector=BLUE)
    third.receive()
    end(third)
    came = []
    for _ in range(2):
        fresh = case.link(destination=holder.destination, selector="colour <> 'blue'")
        marker = coloured(fresh, "green")
        fresh.send(marker)
        while (text := body(fresh.receive())) != "green":
            came.append(text)
        fresh.client.close()
        holder.client.settle(in_hand[-1])
    holder.client.close()
    return came


@asserts("6.2.12-1", ack=("client", "transacted"), variant="company")
def test_what_a_client_holds_comes_once_whatever_others_do(case: Case) -> None:
    """Messages that a client holds, and settles later, come to nobody else though another consumer of the queue returns some or ends."""
    with expect.all_of():
        for what, end in ENDS.items():
            expect.equal(f"what came again when another {what}", _held_beside(case, end), [])


def _cut(third: Link, *, takes: int) -> None:
    third.take_all(takes)
    third.case.provider.sever(third.client.connection)


@asserts("6.2.12-1", ack=("client", "transacted"), variant="cut")
def test_what_a_client_holds_comes_once_though_another_is_cut(case: Case) -> None:
    """Messages that a client holds, and settles later, come to nobody else though the connection of another consumer is cut."""
    case.needs(api.Hook.SEVER)
    with expect.all_of():
        for takes in range(2):
            came = _held_beside(case, partial(_cut, takes=takes))
            expect.equal(f"what came again when another connection, holding {takes} messages, was cut", came, [])


def _subscriptions(case: Case, topic: api.Topic) -> list[Subscription]:
    """Describe two subscriptions of each kind that the provider has for this interface."""
    names = working_kinds(case, case.client(client_id=case.name("c")))
    return [subscription(case, kind, topic) for kind in names for _ in range(2)]


@asserts("6.2.12-2", ack=ALL)
def test_every_subscription_gets_each_message_once(case: Case) -> None:
    """Each of thirteen messages comes once, before the next one, through each of two subscriptions of every kind."""
    topic = case.topic()
    described = _subscriptions(case, topic)
    links = [each.open() for each in described]
    publisher(case, topic).send_all(numbered(13))
    with expect.all_of():
        for link, each in zip(links, described, strict=True):
            came = [body(link.receive()) for _ in range(13)]
            expect.equal(f"what a subscription got, {each.kind}", came, numbered(13))


@asserts("6.2.12-2", ack=ALL, variant="one-connection")
def test_the_subscribers_of_one_connection_get_each_message_once_each(case: Case) -> None:
    """Subscribers to a topic in two sessions of a connection, one of which subscribes to another topic too, get each message once."""
    one = case.link()
    two = case.link(client=one.client.peer(), destination=one.destination)
    other = case.link(client=one.client)
    sender = case.link("auto", destination=one.destination, consumes=False)
    sender.send_all(numbered(5))
    sender.send("marker")
    for link in (one, two):
        expect.arrives(link, [*numbered(5), "marker"])
    expect.only(other, [])


def _send_until_it_fails(link: Link, texts: Sequence[str]) -> int:
    """Send until a send or commit fails, by any exception; return how many returned."""
    done = 0
    with contextlib.suppress(Exception):
        for text in texts:
            link.send(text)
            done += 1
    return done


@asserts("6.2.12-3", ack=SENDERS)
def test_a_lost_link_does_not_double_messages(case: Case) -> None:
    """A link is lost while messages are sent and committed over it: each of them is received at most once."""
    texts = numbered(60)
    receiver = case.link("auto")
    bodies: list[object] = []
    for part in range(3):
        sender = case.link(destination=receiver.destination, consumes=False)
        mine = texts[20 * part : 20 * part + 20]
        sender.send_all(mine[:5])
        call = case.spawn("sending", partial(_send_until_it_fails, sender, mine[5:]))
        case.provider.sever(sender.client.connection)
        expect.returns(call, "sending over a link that is lost")
    marker = receiver.mark()
    while (text := body(receiver.receive())) != marker:
        bodies.append(text)
    expect.distinct("messages received", bodies)


@asserts("6.2.12-3", ack=("transacted",), variant="after-commit")
def test_a_link_lost_after_the_commit_does_not_double_messages(case: Case) -> None:
    """A link is lost after a commit returned: what it sent comes once, what was sent since does not come."""
    receiver = case.link("auto")
    sender = case.link(destination=receiver.destination, consumes=False)
    for text in ("one", "two"):
        sender.put(text)
    sender.client.commit()
    sender.put("three")
    case.provider.sever(sender.client.connection)
    expect.only(receiver, ["one", "two"])


def _failing_completion(case: Case, link: Link) -> list[str]:
    """Send asynchronously with completion listeners that fail, where the version has them; return the texts."""
    if not case.offers("asynchronous sends"):
        return []
    texts = ["completion 1", "completion 2"]
    for text in texts:
        _send_and_fail(case, link, text)
    return texts


def _send_and_fail(case: Case, link: Link, text: str) -> None:
    def fail(_message: api.Message) -> dict[str, object]:
        raise RuntimeError("the completion listener fails")

    done = case.provider.clock.event()
    listener = Completion(done, fail)
    producer = link.sender.producer
    if case.api == "simplified":
        producer.set_async(listener).send(link.destination, link.text(text))
        producer.set_async(None)
    else:
        producer.send(link.text(text), completion_listener=listener)
    expect.true("the completion listener is called", done.wait(case.timing.deadline), "it was not called")


def _reused(link: Link) -> list[str]:
    """Send one message object three times, changed in between, and once more after it was received."""
    message = link.text("reused 1")
    link.send(message)
    message.text = "reused 2"
    link.send(message)
    message.jms_redelivered = True
    message.jms_message_id = "ID:of the client"
    message.text = "reused 3"
    link.send(message)
    return ["reused 1", "reused 2", "reused 3"]


def _oddly_closed(case: Case, link: Link) -> list[str]:
    """Send through producers whose session or connection is closed first, and twice; return the texts that were sent."""
    client = case.client("auto")
    peer = client.peer("auto")
    producers = client.sender(link.destination), peer.sender(link.destination)
    producers[0].send(client.text("odd 1"))
    producers[1].send(peer.text("odd 2"))
    peer.close_session()
    _ignored(lambda: producers[1].send(client.text("after the close of the session")))
    _ignored(producers[1].close)
    client.close()
    _ignored(client.close)
    _ignored(lambda: producers[0].send(link.text("after the close of the connection")))
    return ["odd 1", "odd 2"]


def _ignored(call: Callable[[], object]) -> None:
    """Make a call that a provider may refuse."""
    with contextlib.suppress(api.JMSException, api.JMSRuntimeException):
        call()


@asserts("6.2.12-4", ack=("auto",))
def test_mistakes_of_senders_double_nothing(case: Case) -> None:
    """Reused message objects and calls on closed objects send nothing twice."""
    receiver = case.link()
    link = case.link(destination=receiver.destination, consumes=False)
    texts = [*_reused(link), *_oddly_closed(case, link)]
    expect.only(receiver, texts, ordered=False)


@asserts("6.2.12-4", ack=("auto",), variant="completion")
def test_failing_completion_listeners_double_nothing(case: Case) -> None:
    """A completion listener that fails does not make the provider send its message again."""
    receiver = case.link()
    link = case.link(destination=receiver.destination, consumes=False)
    link.send("first")
    expect.only(receiver, ["first", *_failing_completion(case, link)])


def _fail_each_once(case: Case, link: Link, count: int) -> list[object]:
    """Have a listener fail at each message once; return all bodies heard until `count` calls succeeded."""
    done = case.provider.clock.event()
    heard: list[object] = []
    good: list[object] = []

    def hear(message: api.Message, _ordinal: int) -> None:
        text = body(message)
        heard.append(text)
        if heard.count(text) == 1:
            raise RuntimeError("the listener fails at the first delivery")
        good.append(text)
        if len(good) == count:
            done.set()

    link.consumer.message_listener = Listener(hear)
    expect.true("the listener gets all messages again", done.wait(case.timing.deadline), f"it heard {heard!r}")
    return good


@asserts("6.2.12-4", ack=("auto",), variant="listener")
def test_failing_listeners_double_nothing(case: Case) -> None:
    """What a listener failed at once and then handled is not received again by the next client."""
    name = case.name("s")
    link = case.link(durable=name)
    sender = case.link("auto", destination=link.destination, consumes=False)
    sender.send_all(numbered(4))
    expect.equal("messages handled", sorted(map(str, _fail_each_once(case, link, 4))), numbered(4))
    link.client.close()
    expect.only(reconnected(case, link.destination, durable=name), [])
