"""8.3.2 Shared non-durable subscriptions: opening, sharing and their end."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.gathering import all_of, numbered, shared_out
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.listeners import CollectingListener
from tck.suite.support.clients.messages import send_coloured
from tck.suite.support.clients.subscriptions import publisher, subscription
from tck.suite.support.lifecycle.held_messages import stay_with_their_holder
from tck.suite.support.server.judgement import together
from tck.suite.support.values.colours import RED
from tck.suite.support.values.seen import body

ALL = ("auto", "client", "dups_ok", "transacted")
BOTH_MODES = (api.DeliveryMode.PERSISTENT, api.DeliveryMode.NON_PERSISTENT)
RED_IN_ANOTHER_FORM = "colour IN ('red', 'crimson')"
TERMS: tuple[tuple[object, ...], ...] = ((), (None,), ("",), (RED,), (RED_IN_ANOTHER_FORM,))
"""Selectors: none, none in two other forms, and two that choose red messages."""


def _created(case: Case, kind: type) -> None:
    """Judge each overload: it makes a subscription that begins now and collects by its terms."""
    for client_id in (None, case.name("c")):
        client = case.client(client_id=client_id)
        with expect.all_of():
            for terms in TERMS:
                with expect.all_of():
                    topic, name = case.topic(), case.name("s")
                    call = partial(client.session.create_shared_consumer, topic, name, *terms)
                    link, sender = case.link(client=client, destination=topic, consumes=False), publisher(case, topic)
                    sender.send("red 0")
                    what = f"createSharedConsumer() with {terms or 'two arguments'}"
                    link.use(expect.works(what, call))
                    expect.true(f"{what} makes a {kind.__name__}", isinstance(link.consumer, kind), repr(link.consumer))
                    send_coloured(sender, ["red 1", "blue 2", "red 3"])
                    selective = bool(terms and terms[0])
                    expect.arrives(link, ["red 1", "red 3"] if selective else ["red 1", "blue 2", "red 3"])


@asserts("8.3.2-1")
def test_a_session_makes_a_shared_subscription(case: Case) -> None:
    """Each Session.createSharedConsumer(), with client identifier and without, makes one and returns a MessageConsumer."""
    _created(case, api.MessageConsumer)


@asserts("8.3.2-2")
def test_a_context_makes_a_shared_subscription(case: Case) -> None:
    """Each JMSContext.createSharedConsumer(), with client identifier and without, makes one and returns a JMSConsumer."""
    _created(case, api.JMSConsumer)


@asserts("8.3.2-3")
def test_a_topic_session_makes_a_shared_subscription(case: Case) -> None:
    """Each createSharedConsumer() that a TopicSession inherits works there, with client identifier and without."""
    _created(case, api.MessageConsumer)


@asserts("8.3.2-4")
def test_the_same_call_joins(case: Case) -> None:
    """In the session and in another, with a backlog and without, it attaches to what there is: nothing is doubled or lost."""
    for selector in (None, RED):
        for client_id in (None, case.name("c")):
            watched = subscription(case, "shared", selector=selector, client_id=client_id)
            sender = publisher(case, watched.topic)
            first = watched.open()
            send_coloured(sender, [f"red {text}" for text in numbered(4)])
            expect.arrives(first, ["red 001"])
            second = expect.works("a second one in another session", partial(watched.open, client=first.client.peer()))
            third = expect.works("a third one in the session", partial(watched.open, client=first.client))
            send_coloured(sender, [f"red {text}" for text in numbered(8)[4:]])
            wanted = [f"red {text}" for text in numbered(8)[1:]]
            expect.equal("what the three got", all_of(shared_out([first, second, third], 7)), wanted)
            first.client.close()


@asserts("8.3.2-7", ack=ALL)
def test_consumers_of_several_connections_share(case: Case) -> None:
    """Each message, in either mode, comes to one of three consumers on connections without client identifier, and to no other."""
    for selector in (None, RED):
        watched = subscription(case, "shared", selector=selector)
        links = [watched.open() for _ in range(3)]
        sender = publisher(case, watched.topic)
        for mode in BOTH_MODES:
            sender.sender.set(mode=mode)
            send_coloured(sender, [f"red {mode} {text}" for text in numbered(6)])
        wanted = [f"red {mode} {text}" for mode in sorted(BOTH_MODES) for text in numbered(6)]
        expect.equal("what the three got", all_of(shared_out(links, 12)), wanted)
        for link in links[:2]:
            link.client.close()
        later = watched.open()
        wanted = [f"red later {text}" for text in numbered(4)]
        send_coloured(sender, wanted)
        expect.equal("what the two left got", all_of(shared_out([links[2], later], 4)), wanted)


@asserts("8.3.2-7", ack=ALL, variant="listeners")
def test_listeners_of_several_connections_share(case: Case) -> None:
    """Each message comes to one of three listeners on connections without client identifier, and to no other."""
    watched = subscription(case, "shared")
    listeners = [CollectingListener(case) for _ in range(3)]
    for listener in listeners:
        watched.open().consumer.message_listener = listener
    alone = subscription(case, "unshared", watched.topic).open()
    sender = publisher(case, watched.topic)
    sender.send_all(numbered(12))
    expect.arrives(alone, numbered(12))
    together(case, [partial(getattr, listener, "bodies") for listener in listeners], numbered(12), sender=sender)


@asserts("8.3.2-9")
def test_only_the_same_client_identifier_joins(case: Case) -> None:
    """Two sessions under an identifier share; each consumer of the name under none or another identifier has a copy of its own."""
    watched = subscription(case, "shared", client_id=case.name("c"))
    owner = str(watched.client_id)
    first = watched.open()
    links = [first, watched.open(client=first.client.peer())]
    others = [replace(watched, client_id=each).open() for each in (None, f"{owner}x", f"x{owner}", case.name("c"))]
    sender = publisher(case, watched.topic)
    sender.send_all(numbered(4))
    for other in others:
        expect.arrives(other, numbered(4))
    expect.equal("what the two under the identifier got", all_of(shared_out(links, 4)), numbered(4))
    for closed in others[:2]:
        closed.client.close()
    sender.send_all(numbered(2))
    for other in others[2:]:
        expect.arrives(other, numbered(2))
    expect.equal("what the two under the identifier got then", all_of(shared_out(links, 2)), numbered(2))


@asserts("8.3.2-11", ack=ALL)
def test_the_close_of_one_consumer_loses_nothing(case: Case) -> None:
    """What had come to none when a consumer, session or connection was closed comes to those that are left."""
    for client_id in (None, case.name("c")):
        watched = subscription(case, "shared", client_id=client_id)
        first = watched.open()
        client = first.client
        links = [first, watched.open(client=client.peer() if client_id else None), watched.open(client=client)]
        links.append(watched.open(client=client.peer() if client_id else None))
        sender = publisher(case, watched.topic)
        sender.send_all(numbered(12))
        got: list[list[object]] = []
        for link, end in ((links[2], links[2].consumer.close), (links[1], links[1].client.close_session)):
            message = link.look()  # a provider may have given it none of them
            got.append([] if message is None else [body(message)])
            link.client.settle(message)
            end()
        sender.send("last")
        left = [links[0], links[3]]
        rest = shared_out(left, 13 - sum(map(len, got)))
        expect.equal("what all got", all_of([*got, *rest]), [*numbered(12), "last"])


def _end(links: list[Link], way: str) -> None:
    for link in links:
        if way == "consumer":
            link.consumer.close()
        elif way == "session":
            link.client.close_session()
        else:
            link.client.close()


@asserts("8.3.2-12", ack=ALL)
def test_nothing_is_collected_after_the_last_close(case: Case) -> None:
    """However one or two consumers were closed, with messages left or not, nothing of before or of in between comes later."""
    for way in ("consumer", "session", "connection"):
        for count in (1, 2):
            for mode in BOTH_MODES:
                watched = subscription(case, "shared", selector=RED if count == 1 else None)
                links = [watched.open() for _ in range(count)]
                sender = publisher(case, watched.topic)
                sender.sender.set(mode=mode)
                send_coloured(sender, ["red 1", "red 2"])
                expect.equal("what came at first", all_of(shared_out(links, 2)), ["red 1", "red 2"])
                send_coloured(sender, ["red left"])
                _end(links, way)
                send_coloured(sender, ["red in between"])
                again = watched.open()
                expect.nothing_before(again, "red marker", partial(send_coloured, sender, ["red marker"]))
                again.client.close()


def _after_an_end(case: Case, *, killed: bool) -> None:
    """Demand that nothing of shared subscriptions, with client identifier or without, outlives the provider."""
    every = [
        subscription(case, "shared", selector=selector, client_id=client_id)
        for selector in (None, RED)
        for client_id in (None, case.name("c"))
    ]
    for watched in every:
        link, other = watched.open(), watched.open() if watched.client_id is None else None
        sender = publisher(case, watched.topic)
        sender.sender.set(mode=api.DeliveryMode.PERSISTENT)
        send_coloured(sender, [f"red {text}" for text in numbered(4)])
        if other is None:
            expect.arrives(link, ["red 001"])
        else:
            expect.true("one of two gets a message", bool(link.poll() or other.poll()), "none came to either")
    (case.provider.kill if killed else case.provider.restart)()
    for watched in every:
        sender = publisher(case, watched.topic)
        sender.sender.set(mode=api.DeliveryMode.PERSISTENT)
        send_coloured(sender, ["red while closed"])
    with expect.all_of():
        for watched in every:
            again = watched.open()
            sender = publisher(case, watched.topic)
            expect.nothing_before(again, "red marker", partial(send_coloured, sender, ["red marker"]))


@asserts("8.3.2-14")
def test_it_does_not_survive_a_restart(case: Case) -> None:
    """With and without selector and client identifier, nothing that it had, and nothing sent meanwhile, comes after a restart."""
    _after_an_end(case, killed=False)


@asserts("8.3.2-14", variant="killed")
def test_it_does_not_survive_a_kill(case: Case) -> None:
    """With and without selector and client identifier, nothing that it had, and nothing sent meanwhile, comes after a kill."""
    case.needs(api.Hook.KILL)
    _after_an_end(case, killed=True)


@asserts("8.3.2-6", ack=("client", "transacted"), api=("classic", "simplified"), variant="held")
def test_what_one_consumer_holds_comes_to_no_other(case: Case) -> None:
    """What a session has received and not settled comes to no consumer, whatever ends another one of its connection."""
    with expect.all_of():
        stay_with_their_holder(case, "shared")
