"""8.1 Consumers: the destination they are bound to, and the selector they are created with."""

from __future__ import annotations

import itertools
from functools import partial
from typing import Any

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.client import Client, Consumer
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.listeners import CollectingListener
from tck.suite.support.clients.members import Rows, every_call
from tck.suite.support.clients.subscriptions import NAMED, subscription, working_kinds
from tck.suite.support.values.kinds import Kind

MODES = ("auto", "client", "dups_ok", "transacted")
DELIVERY_MODES = (api.DeliveryMode.PERSISTENT, api.DeliveryMode.NON_PERSISTENT)
SELECTORS = ("n = 1", "n  =  1 OR  m = 'It''s'", "JMSPriority > 0 AND ( n IS NULL )")
MALFORMED = ("=TEST 'test'", "n = = 1", "n = 'a", "(n = 1", "n BETWEEN 1")


def _creations(case: Case, client: Client, destination: api.Destination, selector: str | None) -> Rows:
    """Return the calls that create a consumer of a destination with a selector, by their Java signatures."""
    only = {
        "Session": ("createConsumer(Destination, String)", "createConsumer(Destination, String, boolean)"),
        "JMSContext": ("createConsumer(Destination, String)", "createConsumer(Destination, String, boolean)"),
        "QueueSession": ("createReceiver(Queue, String)",),
        "TopicSession": ("createSubscriber(Topic, String, boolean)",),
    }
    interface = {"classic": "Session", "simplified": "JMSContext"}.get(case.api) or (
        "QueueSession" if case.domain == "queue" else "TopicSession"
    )
    given: dict[str, Any] = dict.fromkeys(("destination", "queue", "topic"), destination)
    session = client.session
    return every_call(
        case, interface, lambda: session, only=only[interface], message_selector=selector, no_local=False, **given
    )


def _link(case: Case, selector: str | None, number: int) -> Link:
    """Open a link whose consumer is created by the call of this number, with a selector, even a null or empty one."""
    link = case.link(consumes=False)
    what, call = list(_creations(case, link.client, link.destination, selector).items())[number]
    consumer: Consumer = expect.works(f"{what} with the selector {selector!r}", call)  # type: ignore[assignment]  # a consumer
    link.use(consumer)
    return link


def _calls(case: Case) -> range:
    """Return the numbers of the calls that create a consumer with a selector."""
    return range(1 if case.api == "domain-specific" else 2)


def _spread(case: Case, links: list[Link]) -> list[Link]:
    """Send messages to the destinations of links, in turn, by a sender for each, which has its own delivery mode; return them."""
    senders = [case.link("auto", destination=link.destination, consumes=False) for link in links]
    for text in ("one", "two", "three"):
        for number, sender in enumerate(senders):
            sender.put(f"{text} to {number}", mode=DELIVERY_MODES[number % 2])
    return senders


def _name(place: Any) -> str:
    """Return the name of a queue or topic."""
    return str(place.queue_name if isinstance(place, api.Queue) else place.topic_name)


def _own(number: int) -> list[str]:
    """Return what was sent to the destination of a number."""
    return [f"{text} to {number}" for text in ("one", "two", "three")]


@asserts("8.1-1", ack=MODES)
def test_a_consumer_receives_from_its_destination_alone(case: Case) -> None:
    """Consumers of destinations in one session and in others, and of subscriptions named like these, each receive what was sent there."""
    client = case.client()
    links = [*(case.link(client=client) for _ in range(3)), case.link(client=client.peer())]
    kinds = working_kinds(case, case.client(domain="topic", client_id=case.name("c")))
    for link, kind in zip(tuple(links), NAMED, strict=False):
        if kind in kinds:
            links.append(subscription(case, kind, name=_name(link.destination)).open())
    _spread(case, links)
    with expect.all_of():
        for number, link in reversed(list(enumerate(links))):
            with expect.all_of():
                expect.arrives(link, _own(number))
                expect.only(link)


@asserts("8.1-1", ack=("client", "transacted"), variant="returned")
def test_returned_messages_come_to_a_consumer_of_their_destination(case: Case) -> None:
    """What a session has received from two destinations is redelivered, after a rollback or recover(), where it came from."""
    client = case.client()
    links = [case.link(client=client), case.link(client=client)]
    _spread(case, links)
    for number, link in enumerate(links):
        expect.arrives(link, _own(number), settle=False)
    client.return_all()
    with expect.all_of():
        for number, link in enumerate(links):
            with expect.all_of():
                expect.arrives(link, _own(number), settle=False)


@asserts("8.1-1", ack=MODES, variant="listener")
def test_a_listener_gets_messages_of_its_destination_alone(case: Case) -> None:
    """Listeners of three consumers of a session are each called with what was sent to their destination."""
    client = case.client()
    links = [case.link(client=client) for _ in range(3)]
    listeners = [CollectingListener(case) for _ in links]
    for link, listener in zip(links, listeners, strict=True):
        link.consumer.message_listener = listener
    senders = _spread(case, links)
    with expect.all_of():
        for number, listener in enumerate(listeners):
            expect.equal(f"what listener {number} got", listener.after(len(_own(number))), _own(number))
        # each message has been routed, so these come behind any that went astray
        for number, sender in enumerate(senders):
            sender.put("fence", mode=DELIVERY_MODES[number % 2])
        seen = [listener.after(len(_own(number)) + 1) for number, listener in enumerate(listeners)]
        expect.equal("what the listeners got in all", seen, [[*_own(number), "fence"] for number in range(len(seen))])


def _receives_everything(case: Case, selector: str | None) -> None:
    """Demand that consumers created with a selector that filters nothing receive messages of all sorts."""
    with expect.all_of():
        for number, mode in itertools.product(_calls(case), DELIVERY_MODES):
            with expect.all_of():
                link = _link(case, selector, number)
                kinds: tuple[Kind, ...] = ("text", "map", "bytes")
                messages = [link.message(kind, kind) for kind in kinds]
                messages[1].set_int_property("n", 1)
                messages[2].set_string_property("s", "")
                for message in messages:
                    link.send(message, mode=mode)
                expect.arrives(link, kinds)


@asserts("8.1-4", ack=("auto", "transacted"))
def test_a_null_selector_filters_nothing(case: Case) -> None:
    """A consumer created with null as its selector, by each call, receives everything."""
    _receives_everything(case, None)


@asserts("8.1-5", ack=("auto", "transacted"))
def test_an_empty_selector_filters_nothing(case: Case) -> None:
    """A consumer created with the empty string as its selector, by each call, receives everything."""
    _receives_everything(case, "")


@asserts("8.1-6")
def test_a_consumer_returns_the_selector_it_was_created_with(case: Case) -> None:
    """getMessageSelector() returns the text given to each call, character by character, at once and after a message."""
    with expect.all_of():
        for number in _calls(case):
            for selector in SELECTORS:
                link = _link(case, selector, number)
                with expect.all_of():
                    expect.equal("getMessageSelector()", link.consumer.message_selector, selector)
                    message = link.text("x")
                    if "IS NULL" not in selector:
                        message.set_int_property("n", 1)
                    expect.delivers(link, message, f"a message for {selector!r}")
                    expect.equal("getMessageSelector() after a message", link.consumer.message_selector, selector)


def _has_none(case: Case, link: Link) -> None:
    """Demand that a consumer that receives has no selector, before a message and after it."""
    expect.delivers(link, link.text("x"), "a message without properties")
    expect.equal("getMessageSelector()", link.consumer.message_selector, None)
    selecting = case.link(selector="n = 1")
    expect.equal("getMessageSelector() of another consumer", selecting.consumer.message_selector, "n = 1")
    expect.equal("getMessageSelector() after that", link.consumer.message_selector, None)


@asserts("8.1-7")
def test_a_consumer_without_a_selector_returns_null(case: Case) -> None:
    """getMessageSelector() is null for consumers created without a selector, and with null by each call."""
    with expect.all_of():
        for link in (case.link(), *(_link(case, None, number) for number in _calls(case))):
            with expect.all_of():
                _has_none(case, link)


@asserts("8.1-8")
def test_a_consumer_with_an_empty_selector_returns_null(case: Case) -> None:
    """getMessageSelector() is null for consumers created with the empty string by each call."""
    with expect.all_of():
        for number in _calls(case):
            with expect.all_of():
                _has_none(case, _link(case, "", number))


@asserts("8.1-9", ack=("auto", "transacted"))
def test_a_consumer_needs_a_destination(case: Case) -> None:
    """createConsumer() of null raises InvalidDestinationException in each overload, and the session goes on."""
    link = case.link()
    session = link.client.session
    interface = "JMSContext" if case.api == "simplified" else "Session"
    calls = partial(every_call, case, interface, lambda: session, only=["createConsumer"], no_local=False)
    refused = calls(destination=None)
    expect.all_raise(
        case.thrown(api.InvalidDestinationException), refused, though_work=calls(destination=case.destination())
    )
    expect.delivers(link, link.text("x"), "a message after that")


@asserts("8.1-10", ack=("auto", "transacted"))
def test_a_malformed_selector_is_refused(case: Case) -> None:
    """createConsumer() with a malformed selector raises InvalidSelectorException in each overload, and the session goes on."""
    link = case.link()
    invalid = case.thrown(api.InvalidSelectorException)
    table = partial(_creations, case, link.client)
    with expect.all_of():
        for selector in MALFORMED:
            works = table(case.destination(), "n = 1")
            expect.all_raise(invalid, table(link.destination, selector), though_work=works)
        expect.delivers(link, link.text("x"), "a message after that")
