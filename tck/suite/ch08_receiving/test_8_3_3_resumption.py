"""8.3.3 Unshared durable subscriptions: what is kept, for whom, and what a resumption with other terms does."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.client import Consumer
from tck.suite.support.clients.gathering import numbered
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.listeners import CollectingListener
from tck.suite.support.clients.messages import send_coloured
from tck.suite.support.clients.subscriptions import Subscription, kinds, publisher, subscription
from tck.suite.support.values.colours import BLUE, RED


def _left(watched: Subscription, link: Link, way: str) -> Link:
    """End a consumer in one way; return a client of the subscription without consumer."""
    if way == "its consumer is closed":
        link.consumer.close()
        return link
    if way == "its session is closed":
        peer = link.client.peer()
        link.client.close_session()
        return Link(peer, watched.topic, consumes=False)
    link.client.close()
    return Link(watched.client(), watched.topic, consumes=False)


WAYS = ("its consumer is closed", "its session is closed", "its connection is closed")


@asserts("8.3.3-6", ack=("client", "transacted"))
def test_what_was_not_acknowledged_is_kept(case: Case) -> None:
    """What was delivered and not acknowledged when a session or connection ended is redelivered, with all behind it."""
    for way in WAYS[1:]:
        watched = subscription(case, "durable")
        link = watched.open()
        link.send_all(numbered(6))
        expect.arrives(link, numbered(2))
        expect.arrives(link, numbered(6)[2:5], settle=False)
        again = _left(watched, link, way)
        link = watched.open(client=again.client)
        expect.arrives(link, numbered(6)[2:], ordered=False, settle=False)
        link = watched.open(client=_left(watched, link, way).client)
        expect.arrives(link, numbered(6)[2:], ordered=False)
        expect.only(link)


@asserts("8.3.3-6", ack=("auto", "dups_ok"), variant="unread")
def test_what_was_only_prefetched_is_kept(case: Case) -> None:
    """What a consumer had not received when it, its session or its connection was closed comes to the next one."""
    for way in WAYS:
        watched = subscription(case, "durable")
        link = watched.open()
        publisher(case, watched.topic).send_all(numbered(6))
        expect.arrives(link, numbered(2))
        again = watched.open(client=_left(watched, link, way).client)
        expect.arrives(again, numbered(6)[2:])


@asserts("8.3.3-7", ack=("auto", "client", "dups_ok", "transacted"))
def test_what_was_acknowledged_does_not_come_again(case: Case) -> None:
    """Settled messages come to no later consumer, however the earlier one ended and however often it is resumed."""
    watched = subscription(case, "durable")
    link, sender = watched.open(), publisher(case, watched.topic)
    for turn in range(2):
        for way in WAYS:
            sender.send_all([f"{turn} {way} {text}" for text in numbered(3)])
            expect.arrives(link, [f"{turn} {way} {text}" for text in numbered(3)])
            link = watched.open(client=_left(watched, link, way).client)
    expect.only(link)


@asserts("8.3.3-7", variant="listener")
def test_what_a_listener_got_does_not_come_again(case: Case) -> None:
    """Messages that a listener got before its consumer and session were closed come to no later consumer."""
    for way in WAYS:
        watched = subscription(case, "durable")
        link, listener = watched.open(), CollectingListener(case)
        link.consumer.message_listener = listener
        publisher(case, watched.topic).send_all(numbered(4))
        expect.equal("what the listener got", listener.after(4), numbered(4))
        expect.only(watched.open(client=_left(watched, link, way).client))


@asserts("8.3.3-8")
def test_an_expired_message_does_not_come(case: Case) -> None:
    """Messages that expire while nobody consumes are not delivered; those around them are."""
    long = case.long_delay() + 20 * case.timing.delay
    for mode in (api.DeliveryMode.PERSISTENT, api.DeliveryMode.NON_PERSISTENT):
        for selector in (None, RED):
            watched = subscription(case, "durable", selector=selector)
            watched.open().client.close()
            sender = publisher(case, watched.topic)
            for text, ttl in (("red expires", case.timing.delay), ("red stays", 0), ("red lives on", long)):
                sender.sender.set(mode=mode, ttl=ttl)
                send_coloured(sender, [text])
            sender.sender.set(ttl=0)
            case.pass_time(2 * case.timing.delay, "the message must expire")
            send_coloured(sender, ["red last"])
            expect.arrives(watched.open(), ["red stays", "red lives on", "red last"])


@asserts("8.3.3-9")
def test_a_subscription_survives_a_restart(case: Case) -> None:
    """With and without terms, with and without messages, it is there after restarts and has what it must keep."""
    terms = ((None, False), (RED, False), (None, True))
    every = [subscription(case, "durable", selector=selector, no_local=no_local) for selector, no_local in terms]
    empty = subscription(case, "durable", selector=RED)
    for watched in (*every, empty):
        link = watched.open()
        if watched is not empty:
            send_coloured(publisher(case, watched.topic), ["red 1", "blue 2", "red 3"])
            expect.arrives(link, ["red 1"])
        link.client.close()
    case.provider.restart()
    for watched in (*every, empty):
        send_coloured(publisher(case, watched.topic), ["red 4", "blue 5"])
    case.provider.restart()
    with expect.all_of():
        for watched in (*every, empty):
            kept = [] if watched is empty else ["red 3"] if watched.selector else ["blue 2", "red 3"]
            came = ["red 4"] if watched.selector else ["red 4", "blue 5"]
            expect.arrives(watched.open(), kept + came)


@asserts("8.3.3-9", ack=("client", "transacted"), variant="killed")
def test_a_subscription_survives_a_kill(case: Case) -> None:
    """After the provider was killed under an open consumer, what was settled is gone and the rest comes."""
    case.needs(api.Hook.KILL)
    watched = subscription(case, "durable")
    link = watched.open()
    publisher(case, watched.topic).send_all(numbered(6))
    expect.arrives(link, numbered(2))
    expect.arrives(link, numbered(4)[2:], settle=False)
    case.provider.kill()
    expect.arrives(watched.open(), numbered(6)[2:], ordered=False)


@asserts("8.3.3-16")
def test_only_the_same_client_resumes(case: Case) -> None:
    """A backlog under one client identifier comes to no other one that opens the name, and then to its own."""
    for selector in (None, RED):
        watched = subscription(case, "durable", selector=selector)
        watched.open().client.close()
        sender = publisher(case, watched.topic)
        send_coloured(sender, ["red 1", "red 2"])
        owner = str(watched.client_id)
        others = (case.name("c"), f"{owner}x", f"x{owner}")
        for other in others:
            link = replace(watched, client_id=other).open()
            expect.nothing_before(link, f"red {other}", partial(send_coloured, sender, [f"red {other}"]))
            link.consumer.close()
            link.client.session.unsubscribe(watched.name)
            link.client.close()
        texts = [f"red {other}" for other in others]
        expect.arrives(watched.open(), ["red 1", "red 2", *texts])


def _publish(case: Case, own: Link, *subscriptions: Subscription) -> None:
    """Publish a red and a blue message through the own connection, and then through a foreign one, on each topic."""
    foreign = case.client(domain="topic")
    for topic in dict.fromkeys(one.topic for one in subscriptions):
        for client, words in ((own.client, "own"), (foreign, "foreign")):
            sender = case.link(client=client, destination=topic, consumes=False)
            send_coloured(sender, [f"{colour} {words} on {topic.topic_name}" for colour in ("red", "blue")])
    foreign.close()


def _wanted(terms: Subscription) -> list[str]:
    words = ["foreign"] if terms.no_local else ["own", "foreign"]
    colours = [colour for colour, selector in (("red", RED), ("blue", BLUE)) if terms.selector in (None, selector)]
    return [f"{colour} {word} on {terms.topic.topic_name}" for word in words for colour in colours]


def _replaced(case: Case, watched: Subscription, other: Subscription, way: str) -> None:
    """Leave a backlog, open with other terms, and demand an empty subscription of those terms; then the first ones again."""
    link = watched.open()
    _publish(case, link, watched)
    for terms in (other, watched, other):
        client = _left(watched, link, way).client
        link = expect.works(f"opening with other terms after {way}", partial(terms.open, client=client))
        _publish(case, link, watched, other)
        expect.arrives(link, _wanted(terms), ordered=False)
        _publish(case, link, watched, other)
    expect.arrives(link, _wanted(other), ordered=False)


@asserts("8.3.3-27")
def test_another_topic_replaces_the_subscription(case: Case) -> None:
    """Opened on another topic the name has nothing of the old one, gets nothing more from it, and all of the new one."""
    with expect.all_of():
        for way in WAYS:
            for selector, no_local in ((None, False), (RED, True)):
                with expect.all_of():
                    watched = subscription(case, "durable", selector=selector, no_local=no_local)
                    _replaced(case, watched, replace(watched, topic=case.topic()), way)


@asserts("8.3.3-28")
def test_another_selector_replaces_the_subscription(case: Case) -> None:
    """Opened with a selector, without one or with another, the name has nothing of before and what is selected now."""
    with expect.all_of():
        for way in WAYS:
            for before, after in ((None, RED), (RED, None), (RED, BLUE)):
                with expect.all_of():
                    watched = subscription(case, "durable", selector=before)
                    _replaced(case, watched, replace(watched, selector=after), way)


@asserts("8.3.3-28", variant="restarted")
def test_another_selector_replaces_the_subscription_after_a_restart(case: Case) -> None:
    """A selector that was changed before a restart, or after it, counts: nothing of before comes."""
    case.needs(api.Hook.RESTART)
    watched = subscription(case, "durable", selector=RED)
    sender = publisher(case, watched.topic)
    watched.open().client.close()
    send_coloured(sender, ["red 1", "blue 1"])
    case.provider.restart()
    blue = replace(watched, selector=BLUE)
    expect.works("opening with another selector after a restart", blue.open).client.close()
    sender = publisher(case, watched.topic)
    send_coloured(sender, ["red 2", "blue 2"])
    case.provider.restart()
    send_coloured(publisher(case, watched.topic), ["red 3", "blue 3"])
    expect.arrives(blue.open(), ["blue 2", "blue 3"])


@asserts("8.3.3-29")
def test_another_no_local_replaces_the_subscription(case: Case) -> None:
    """Opened with the other noLocal the name has nothing of before, and the own messages as it is said now."""
    with expect.all_of():
        for way in WAYS:
            for selector, before in ((None, False), (None, True), (RED, False), (RED, True)):
                with expect.all_of():
                    watched = subscription(case, "durable", selector=selector, no_local=before)
                    _replaced(case, watched, replace(watched, no_local=not before), way)


@asserts("8.3.3-30")
def test_equal_terms_keep_the_backlog(case: Case) -> None:
    """With the same selector and noLocal, given as new objects, a backlog is kept, over two resumptions without receiving."""
    with expect.all_of():
        for way in WAYS:
            for selector, no_local in ((None, False), (RED, False), (None, True), (RED, True)):
                with expect.all_of():
                    watched = subscription(case, "durable", selector=selector, no_local=no_local)
                    link = _left(watched, watched.open(), way)
                    send_coloured(publisher(case, watched.topic), ["red 1", "red 2", "red 3"])
                    same = replace(watched, selector=selector and selector[:4] + selector[4:])
                    link = _left(same, same.open(client=link.client), way)
                    expect.arrives(same.open(client=link.client), ["red 1", "red 2", "red 3"])


@asserts("8.3.3-31")
def test_no_selector_in_any_form_keeps_the_backlog(case: Case) -> None:
    """null, the empty text and the overload without selector mean the same: a change between them replaces nothing."""
    client = case.client(client_id=case.name("c"))
    creators = ["create_durable_consumer"] if "shared" in kinds(case) and case.api != "domain-specific" else []
    creators += ["create_durable_subscriber"] if case.api != "simplified" else []
    for creator in creators:
        for no_local in (False, True):
            forms: list[tuple[object, ...]] = [(None, no_local), ("", no_local), *([] if no_local else [()])]
            name, link = case.name("s"), case.link(client=client, destination=case.topic(), consumes=False)
            sender = publisher(case, link.destination)
            for turn, terms in enumerate((*forms, *forms[::-1], *forms)):
                opened = partial(getattr(client.session, creator), link.destination, name, *terms)
                consumer: Consumer = expect.works(f"{creator}() with {terms or 'two arguments'}", opened)
                link.use(consumer)
                if turn:
                    expect.arrives(link, [f"backlog {turn - 1}"])
                link.consumer.close()
                sender.send(f"backlog {turn}")
