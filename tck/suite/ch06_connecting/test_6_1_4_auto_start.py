"""6.1.4 Auto-start: the first consumer of a JMSContext starts the connection, unless that is switched off."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from typing import Any

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.client import MODES
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.listeners import CollectingListener
from tck.suite.support.clients.subscriptions import SHARED, publisher, subscription
from tck.suite.support.lifecycle.unstarted import seen_at, sent_ahead, sent_to, silent_peer, unstarted
from tck.suite.support.values.seen import body

ALL = ("auto", "client", "dups_ok", "transacted")
SIMPLIFIED = ("simplified",)


def _received(link: Link) -> object:
    return body(link.poll())


@asserts("6.1.4-9", "8.4-5", "8.4-6", ack=ALL)
def test_a_shared_consumer_starts_its_context(case: Case) -> None:
    """The first consumer of a context starts it, if it is a shared or a shared durable one, with a selector and without."""
    with expect.all_of():
        for kind in SHARED:
            for selector in (None, "n = 1"):
                link = subscription(case, kind, selector=selector).open()
                forward = publisher(case, link.destination)
                message = forward.text("x")
                message.set_int_property("n", 1)
                forward.send(message)
                expect.equal(f"what came to the {kind} consumer, selector {selector}", _received(link), "x")


@asserts("6.1.4-9", "8.4-5", "8.4-6", variant="listener")
def test_a_listener_of_a_shared_consumer_is_called_without_start(case: Case) -> None:
    """A listener of a shared or a shared durable consumer gets messages although start() was never called."""
    with expect.all_of():
        for kind in SHARED:
            link = subscription(case, kind).open()
            listener = CollectingListener(case)
            link.consumer.message_listener = listener
            publisher(case, link.destination).send("x")
            expect.equal(f"what came to the listener of the {kind} consumer", listener.after(1), ["x"])


@asserts("6.1.4-10", "8.4-13", ack=ALL)
def test_a_consumer_of_a_sibling_starts_the_connection(case: Case) -> None:
    """The first consumer of a context starts all contexts of the connection: receivers, and listeners, of the others."""
    client = unstarted(case)
    link, listening = Link(client, case.destination()), Link(silent_peer(client), case.destination())
    listener = CollectingListener(case)
    listening.consumer.message_listener = listener
    sent_ahead(case, *((each.destination, "x") for each in (link, listening)))
    sibling = client.peer()
    sibling.consumer(case.destination())
    expect.equal("what the first context got", _received(link), "x")
    expect.equal("what the listener of another context got", listener.after(1), ["x"])


@asserts("6.1.4-11", ack=ALL)
def test_a_further_context_does_not_start_the_connection(case: Case) -> None:
    """createContext(mode), in each mode, and the sends of the new context deliver nothing to a consumer that waits."""
    link = Link(unstarted(case), case.destination())
    sent_to(case, link.destination, "x")
    siblings = [link.client.peer(mode) for mode in MODES]
    siblings[0].sender(case.destination()).send(siblings[0].text("elsewhere"))
    before = seen_at(link)
    link.client.start()
    expect.equal("what came before start() and after it", [before, _received(link)], [[], "x"])


Create = Callable[[Any, Any, str], Any]

_PLAIN: Mapping[str, Create] = {
    "createConsumer": lambda context, place, _: context.create_consumer(place),
    "createConsumer with a selector": lambda context, place, _: context.create_consumer(place, "n = 1"),
}
_OF_TOPICS: Mapping[str, Create] = {
    "createConsumer with noLocal": lambda context, topic, _: context.create_consumer(topic, None, True),
    "createDurableConsumer": lambda context, topic, name: context.create_durable_consumer(topic, name),
    "createDurableConsumer with a selector": lambda context, topic, name: context.create_durable_consumer(
        topic, name, "n = 1", False
    ),
    "createSharedConsumer": lambda context, topic, name: context.create_shared_consumer(topic, name),
    "createSharedConsumer with a selector": lambda context, topic, name: context.create_shared_consumer(
        topic, name, "n = 1"
    ),
    "createSharedDurableConsumer": lambda context, topic, name: context.create_shared_durable_consumer(topic, name),
    "createSharedDurableConsumer with a selector": lambda context, topic, name: context.create_shared_durable_consumer(
        topic, name, "n = 1"
    ),
}
_WAYS: Mapping[str, Mapping[str, Create]] = {"queue": _PLAIN, "topic": {**_PLAIN, **_OF_TOPICS}}
"""Each way to make a consumer of a destination of a domain."""


def _opened(case: Case) -> Mapping[str, Link]:
    """Open a consumer in each way, on a stopped context of its own; leave out the ways that the provider lacks."""
    links: dict[str, Link] = {}
    for way, create in _WAYS[case.domain].items():
        link = Link(unstarted(case, client_id=case.name("c")), case.destination(), consumes=False)
        with contextlib.suppress(api.UnsupportedOperationException):
            link.use(create(link.client.session, link.destination, case.name("s")))
            links[way] = link
    return links


@asserts("6.1.4-12", "8.4-9")
def test_no_consumer_starts_a_context_without_auto_start(case: Case) -> None:
    """With auto-start off no way to make a consumer starts the connection; start() does."""
    with expect.all_of():
        for way, link in _opened(case).items():
            sender = case.link(destination=link.destination, consumes=False)
            message = sender.text("x")
            message.set_int_property("n", 1)
            sender.send(message)
            before = seen_at(link)
            link.client.start()
            expect.equal(f"{way}: what came before start() and after it", [before, _received(link)], [[], "x"])


@asserts("6.1.4-12", "8.4-9", domain=("queue",), variant="browser")
def test_a_browser_does_not_start_a_context_without_auto_start(case: Case) -> None:
    """With auto-start off neither a browser nor a message listener starts the connection."""
    link = Link(unstarted(case), case.queue())
    listening = Link(silent_peer(link.client), case.queue())
    listener = CollectingListener(case)
    listening.consumer.message_listener = listener
    for each in (link, listening):
        sent_to(case, each.destination, "x")
    link.client.session.create_browser(link.destination)
    before = [seen_at(link), listener.bodies]
    link.client.start()
    after = [_received(link), listener.after(1)]
    expect.equal("what came before start() and after it", [*before, *after], [[], [], "x", ["x"]])


@asserts("6.1.4-13", "8.4-10", ack=ALL)
def test_start_begins_the_delivery_without_auto_start(case: Case) -> None:
    """With auto-start off start() begins delivery, and begins it again after stop(); consumers made later get theirs too."""
    link = Link(unstarted(case), case.destination())
    sent_ahead(case, (link.destination, "first"))
    link.client.start()
    expect.arrives(link, ["first"])
    later = Link(link.client, case.destination())
    sent_to(case, later.destination, "later")
    expect.arrives(later, ["later"])
    link.client.stop()
    sent_to(case, link.destination, "second")
    before = seen_at(link)
    link.client.start()
    expect.equal("what came after stop(), and after the next start()", [before, _received(link)], [[], "second"])


@asserts("6.1.4-13", "8.4-10", variant="listener")
def test_start_calls_listeners_without_auto_start(case: Case) -> None:
    """With auto-start off listeners are called once start() was, of sibling contexts too."""
    client = unstarted(case)
    links = [Link(each, case.destination()) for each in (client, silent_peer(client))]
    listeners = [CollectingListener(case) for _ in links]
    for link, listener in zip(links, listeners, strict=True):
        link.consumer.message_listener = listener
    sent_ahead(case, *((link.destination, "x") for link in links))
    links[1].client.start()
    expect.equal("what the listeners got", [listener.after(1) for listener in listeners], [["x"], ["x"]])


@asserts("6.1.4-14", "8.4-12", ack=ALL)
def test_set_auto_start_starts_nothing(case: Case) -> None:
    """setAutoStart(true), with a consumer there already, does not start the connection, nor does a second one of a sibling."""
    link = Link(unstarted(case), case.destination())
    sibling = silent_peer(link.client)
    sent_to(case, link.destination, "x")
    link.client.connection.auto_start = True
    sibling.connection.auto_start = True
    before = seen_at(link)
    link.client.start()
    expect.equal("what came before start() and after it", [before, _received(link)], [[], "x"])


@asserts("6.1.4-14", "8.4-12", ack=ALL, variant="stops-nothing")
def test_set_auto_start_stops_nothing(case: Case) -> None:
    """setAutoStart(false) on a context that delivers leaves it delivering, to receivers and listeners, to old and new consumers."""
    link = case.link()
    listening = Link(link.client.peer(), case.destination())
    listener = CollectingListener(case)
    listening.consumer.message_listener = listener
    link.client.connection.auto_start = False
    listening.client.connection.auto_start = False
    new = Link(link.client, case.destination())
    for each in (link, listening, new):
        sent_to(case, each.destination, "x")
    expect.equal("what came to the consumers", [_received(link), _received(new)], ["x", "x"])
    expect.equal("what came to the listener", listener.after(1), ["x"])


@asserts("6.1.4-15", "8.4-11", ack=ALL)
def test_auto_start_returns_the_value_last_set(case: Case) -> None:
    """A context has auto-start at first, and then as it was set last, whatever is created, started or stopped in between."""
    link = case.link()
    context = link.client.connection
    seen = [case.client().connection.auto_start, context.auto_start]
    for value in (False, True, True, False):
        context.auto_start = value
        link.client.consumer(case.destination())
        seen.append(context.auto_start)
    context.stop()
    seen.append(context.auto_start)
    context.start()
    seen.append(context.auto_start)
    expect.equal("getAutoStart()", seen, [True, True, False, True, True, False, False, False])
