"""8.3.4 Shared durable subscriptions: opening, sharing and keeping."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.gathering import all_of, numbered, shared_out
from tck.suite.support.clients.messages import send_coloured
from tck.suite.support.clients.subscriptions import publisher, subscription
from tck.suite.support.values.colours import RED
from tck.suite.support.values.seen import body

BOTH_MODES = (api.DeliveryMode.PERSISTENT, api.DeliveryMode.NON_PERSISTENT)
RED_IN_ANOTHER_FORM = "colour IN ('red', 'crimson')"
TERMS: tuple[tuple[object, ...], ...] = ((), (None,), ("",), (RED,), (RED_IN_ANOTHER_FORM,))
"""Selectors: none, none in two other forms, and two that choose red messages."""


def _created(case: Case, kind: type) -> None:
    """Judge each overload: it makes a subscription, which begins now, collects by its terms, and is resumed by the same call."""
    for client_id in (None, case.name("c")):
        client = case.client(client_id=client_id)
        with expect.all_of():
            for terms in TERMS:
                with expect.all_of():
                    topic, name = case.topic(), case.name("s")
                    call = partial(client.session.create_shared_durable_consumer, topic, name, *terms)
                    link, sender = case.link(client=client, destination=topic, consumes=False), publisher(case, topic)
                    sender.send("red 0")
                    what = f"createSharedDurableConsumer() with {terms or 'two arguments'}"
                    link.use(expect.works(what, call))
                    expect.true(f"{what} makes a {kind.__name__}", isinstance(link.consumer, kind), repr(link.consumer))
                    send_coloured(sender, ["red 1", "blue 2", "red 3"])
                    selective = bool(terms and terms[0])
                    expect.arrives(link, ["red 1", "red 3"] if selective else ["red 1", "blue 2", "red 3"])
                    link.consumer.close()
                    send_coloured(sender, ["red 4"])
                    link.use(expect.works(f"{what} again", call))
                    expect.arrives(link, ["red 4"])


@asserts("8.3.4-1")
def test_a_session_makes_a_shared_durable_subscription(case: Case) -> None:
    """Each Session.createSharedDurableConsumer(), with client identifier and without, makes one and returns a MessageConsumer."""
    _created(case, api.MessageConsumer)


@asserts("8.3.4-2")
def test_a_context_makes_a_shared_durable_subscription(case: Case) -> None:
    """Each JMSContext.createSharedDurableConsumer(), with client identifier and without, makes one and returns a JMSConsumer."""
    _created(case, api.JMSConsumer)


@asserts("8.3.4-3")
def test_a_topic_session_makes_a_shared_durable_subscription(case: Case) -> None:
    """Each createSharedDurableConsumer() that a TopicSession inherits works there, with client identifier and without."""
    _created(case, api.MessageConsumer)


@asserts("8.3.4-4")
def test_the_same_call_joins(case: Case) -> None:
    """Called again while others are open, and while none is, it attaches to what there is: nothing is doubled or lost."""
    for selector in (None, RED):
        for client_id in (None, case.name("c")):
            watched = subscription(case, "shared durable", selector=selector, client_id=client_id)
            sender = publisher(case, watched.topic)
            link = watched.open()
            send_coloured(sender, [f"red {text}" for text in numbered(8)])
            expect.arrives(link, ["red 001", "red 002"])
            link.consumer.close()
            first = expect.works("a later consumer", partial(watched.open, client=link.client))
            expect.arrives(first, ["red 003"])
            second = expect.works("a second one", partial(watched.open, client=link.client.peer()))
            send_coloured(sender, ["red 009", "red 010"])
            wanted = [f"red {text}" for text in numbered(10)[3:]]
            expect.equal("what the two got", all_of(shared_out([first, second], 7)), wanted)


@asserts("8.3.4-4", variant="restarted")
def test_the_same_call_joins_after_a_restart(case: Case) -> None:
    """Called again after a restart, with and without a client identifier and a selector, it attaches to what there is, with its messages."""
    case.needs(api.Hook.RESTART)
    watched = [
        subscription(case, "shared durable", selector=selector, client_id=client_id)
        for selector in (None, RED)
        for client_id in (None, case.name("c"))
    ]
    for one in watched:
        link = one.open()
        send_coloured(publisher(case, one.topic), [f"red {text}" for text in numbered(3)])
        expect.arrives(link, ["red 001"])
        link.client.close()
    case.provider.restart()
    with expect.all_of():
        for one in watched:
            link = one.open()
            send_coloured(publisher(case, one.topic), ["red 004"])
            expect.arrives(link, [f"red {text}" for text in numbered(4)[1:]], ordered=False)


@asserts("8.3.4-7", ack=("auto", "client", "dups_ok", "transacted"))
def test_consumers_of_several_connections_share(case: Case) -> None:
    """Each message, in either mode, comes to one of three consumers on connections without client identifier, and to no other."""
    watched = subscription(case, "shared durable")
    links = [watched.open() for _ in range(3)]
    sender = publisher(case, watched.topic)
    for mode in BOTH_MODES:
        sender.sender.set(mode=mode)
        sender.send_all([f"{mode} {text}" for text in numbered(6)])
    wanted = [f"{mode} {text}" for mode in sorted(BOTH_MODES) for text in numbered(6)]
    expect.equal("what the three got", all_of(shared_out(links, 12)), wanted)
    for link in links[:2]:
        link.client.close()
    later = watched.open()
    sender.send_all(numbered(4))
    expect.equal("what the two left got", all_of(shared_out([links[2], later], 4)), numbered(4))


@asserts("8.3.4-9")
def test_the_client_identifier_is_part_of_the_identity(case: Case) -> None:
    """One name, opened first with an identifier and then without, and the other way round, is two subscriptions."""
    for first in (None, case.name("c")):
        one = subscription(case, "shared durable", client_id=first)
        other = replace(one, client_id=case.name("c") if first is None else None)
        third = replace(one, client_id=case.name("c"))
        links = [expect.works("opening", each.open) for each in (one, other, third)]
        sender = publisher(case, one.topic)
        sender.send_all(numbered(2))
        for link in links:
            expect.arrives(link, numbered(2))
        links[0].client.close()
        one.unsubscribe()
        sender.send("after the deletion of one")
        for link in links[1:]:
            expect.arrives(link, ["after the deletion of one"])


@asserts("8.3.4-10")
def test_only_the_same_client_identifier_joins(case: Case) -> None:
    """A backlog under an identifier comes to no consumer of the name without it or under another one, and then to its own."""
    watched = subscription(case, "shared durable", client_id=case.name("c"))
    owner = str(watched.client_id)
    watched.open().client.close()
    sender = publisher(case, watched.topic)
    sender.send_all(numbered(2))
    others = (None, case.name("c"), f"{owner}x", f"x{owner}")
    for other in others:
        link = replace(watched, client_id=other).open()
        expect.nothing_before(link, f"for {other}", partial(sender.send, f"for {other}"))
        link.client.close()
    expect.arrives(watched.open(), [*numbered(2), *(f"for {other}" for other in others)])


@asserts("8.3.4-11")
def test_it_collects_while_no_consumer_is_open(case: Case) -> None:
    """What is published, in either mode, while all consumers and connections are closed comes later, time after time."""
    for client_id in (None, case.name("c")):
        watched = subscription(case, "shared durable", client_id=client_id)
        sender = publisher(case, watched.topic)
        link = watched.open()
        for turn in range(3):
            link.client.close()
            for mode in BOTH_MODES:
                sender.sender.set(mode=mode)
                sender.send_all([f"{turn} {mode} {text}" for text in numbered(2)])
            link = watched.open()
            wanted = [f"{turn} {mode} {text}" for mode in BOTH_MODES for text in numbered(2)]
            expect.arrives(link, wanted, ordered=False)


@asserts("8.3.4-12", ack=("client", "transacted"))
def test_what_was_not_acknowledged_is_kept(case: Case) -> None:
    """What a consumer had and did not settle when its session ended comes to another, open already or opened later."""
    for early in (True, False):
        for session_only in (True, False):
            watched = subscription(case, "shared durable")
            holder = watched.open()
            publisher(case, watched.topic).send_all(numbered(3))
            expect.arrives(holder, numbered(3), settle=False)
            other = watched.open() if early else None
            if session_only:
                holder.client.close_session()
            else:
                holder.client.close()
            other = other or watched.open()
            expect.arrives(other, numbered(3), ordered=False)  # whether they come once more is another row's


@asserts("8.3.4-13", ack=("auto", "client", "dups_ok", "transacted"))
def test_what_was_acknowledged_comes_to_no_other(case: Case) -> None:
    """What one consumer settled comes to none that was open then, none that is opened later, and not to itself again."""
    watched = subscription(case, "shared durable")
    sender = publisher(case, watched.topic)
    first = watched.open()
    sender.send_all(numbered(5))
    expect.arrives(first, numbered(5))
    second = watched.open()
    sender.send("marker")
    expect.equal("what both get then", all_of(shared_out([first, second], 1)), ["marker"])
    first.client.close()
    expect.only(second)
    second.client.close()
    expect.only(watched.open())


@asserts("8.3.4-14")
def test_an_expired_message_does_not_come(case: Case) -> None:
    """Messages that expire while nobody consumes are not delivered; those around them are."""
    long = case.long_delay() + 20 * case.timing.delay
    for mode in BOTH_MODES:
        for selector in (None, RED):
            watched = subscription(case, "shared durable", selector=selector)
            watched.open().client.close()
            sender = publisher(case, watched.topic)
            for text, ttl in (("red expires", case.timing.delay), ("red stays", 0), ("red lives on", long)):
                sender.sender.set(mode=mode, ttl=ttl)
                send_coloured(sender, [text])
            sender.sender.set(ttl=0)
            case.pass_time(2 * case.timing.delay, "the message must expire")
            send_coloured(sender, ["red last"])
            expect.arrives(watched.open(), ["red stays", "red lives on", "red last"])


@asserts("8.3.4-15")
def test_it_survives_a_restart(case: Case) -> None:
    """With and without selector and client identifier it is there after restarts and has what it must keep."""
    every = [
        subscription(case, "shared durable", selector=selector, client_id=client_id)
        for selector in (None, RED)
        for client_id in (None, case.name("c"))
    ]
    for watched in every:
        link = watched.open()
        send_coloured(publisher(case, watched.topic), ["red 1", "blue 2", "red 3"])
        expect.arrives(link, ["red 1"])
        link.client.close()
    case.provider.restart()
    for watched in every:
        send_coloured(publisher(case, watched.topic), ["red 4", "blue 5"])
    case.provider.restart()
    with expect.all_of():
        for watched in every:
            wanted = ["red 3", "red 4"] if watched.selector else ["blue 2", "red 3", "red 4", "blue 5"]
            expect.arrives(watched.open(), wanted)


@asserts("8.3.4-15", ack=("client", "transacted"), variant="killed")
def test_it_survives_a_kill(case: Case) -> None:
    """After the provider was killed under two open consumers, what was settled is gone and the rest comes."""
    case.needs(api.Hook.KILL)
    watched = subscription(case, "shared durable")
    link = watched.open()
    publisher(case, watched.topic).send_all(numbered(6))
    expect.arrives(link, numbered(2))
    expect.arrives(link, numbered(4)[2:], settle=False)
    watched.open()
    case.provider.kill()
    links = [watched.open(), watched.open()]
    expect.equal("what two consumers got then", all_of(shared_out(links, 4)), numbered(6)[2:])


@asserts("8.3.4-16", ack=("auto", "client", "dups_ok", "transacted"))
def test_the_close_of_one_consumer_loses_nothing(case: Case) -> None:
    """What had come to none when a consumer closed comes to those that are left, and after the last close to a later one."""
    watched = subscription(case, "shared durable")
    links = [watched.open() for _ in range(3)]
    sender = publisher(case, watched.topic)
    sender.send_all(numbered(9))
    got: list[list[object]] = []
    for link, end in ((links[0], links[0].consumer.close), (links[1], links[1].client.close)):
        message = link.look()  # a provider may have given it none of them
        got.append([] if message is None else [body(message)])
        link.client.settle(message)
        end()
    sender.send("between")
    links[2].client.close()
    sender.send("last")
    later = [watched.open(), watched.open()]
    rest = shared_out(later, 11 - sum(map(len, got)))
    expect.equal("what all got", all_of([*got, *rest]), [*numbered(9), "between", "last"])
