"""3.8.1.1 Message selector syntax: having no selector."""

from __future__ import annotations

from dataclasses import replace

from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.client import Consumer
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.subscriptions import SHARED, SubscriptionKind, publisher, subscription, working_kinds
from tck.suite.support.selectors import Samples, make
from tck.suite.support.values.seen import body

SAMPLES: Samples = {"one": {"n": 1}, "flag": {"flag": False}, "plain": {}}


def _presented(link: Link, selector: str | None) -> Consumer:
    """Create a consumer on the link's destination with a selector, even a null one."""
    case = link.case
    name, others = {
        ("domain-specific", "queue"): ("create_receiver", ()),
        ("domain-specific", "topic"): ("create_subscriber", (False,)),
    }.get((case.api, case.domain), ("create_consumer", ()))
    consumer: Consumer = getattr(link.client.session, name)(link.destination, selector, *others)
    return consumer


def _put(link: Link) -> None:
    for name, sample in SAMPLES.items():
        message, _ = make(link, name, sample)
        link.send(message)


@asserts("3.8.1.1-1")
def test_empty_text_is_no_selector(case: Case) -> None:
    """A consumer made with the empty text as selector receives everything."""
    link = case.link(consumes=False)
    link.use(expect.works("a consumer with an empty selector", lambda: _presented(link, "")))
    _put(link)
    expect.arrives(link, list(SAMPLES))


@asserts("3.8.1.1-1", domain=("topic",), variant="durable")
def test_empty_text_is_no_selector_of_a_durable_subscription(case: Case) -> None:
    """A durable subscription made with the empty text as selector receives everything."""
    name = case.name("s")
    link = case.link(client=case.client(client_id=name), consumes=False)
    link.use(expect.works("a durable subscription", lambda: link.client.durable(link.destination, name, "")))  # type: ignore[arg-type]  # a topic
    _put(link)
    expect.arrives(link, list(SAMPLES))


@asserts("3.8.1.1-1", domain=("topic",), variant="resumed")
def test_empty_text_and_no_selector_are_the_same_terms(case: Case) -> None:
    """A durable subscription that is resumed with the empty text in place of no selector, or the reverse, keeps its messages."""
    works: list[SubscriptionKind] = ["durable"]
    works += [kind for kind in working_kinds(case, case.client()) if kind == "shared durable"]
    for kind in works:
        empty = subscription(case, kind, selector="")
        sender = publisher(case, empty.topic)
        empty.open().client.close()
        for turn, terms in enumerate((replace(empty, selector=None), empty, replace(empty, selector=None))):
            sender.send_all([f"{turn} first", f"{turn} second"])
            link = expect.works(f"resuming the {kind} subscription", terms.open)
            expect.arrives(link, [f"{turn} first", f"{turn} second"])
            link.client.close()


@asserts("3.8.1.1-1", domain=("queue",), variant="browser")
def test_empty_text_is_no_selector_of_a_browser(case: Case) -> None:
    """A browser made with the empty text as selector shows everything."""
    link = case.link(consumes=False)
    _put(link)
    session = link.client.session
    with expect.works("a browser", lambda: session.create_browser(link.destination, "")) as browser:
        seen = [body(message) for message in browser.get_enumeration()]
    expect.equal("what the browser shows", seen, list(SAMPLES))


@asserts("3.8.1.1-2")
def test_null_is_no_selector(case: Case) -> None:
    """A consumer made with null as selector receives everything."""
    link = case.link(consumes=False)
    link.use(expect.works("a consumer with null as selector", lambda: _presented(link, None)))
    _put(link)
    expect.arrives(link, list(SAMPLES))


@asserts("3.8.1.1-3")
def test_a_consumer_tells_its_selector(case: Case) -> None:
    """A consumer tells the selector it was made with, and null if it has none."""
    link = case.link()
    expect.equal("the selector of a consumer that has one", _presented(link, "n = 1").message_selector, "n = 1")
    none = {
        "not given": link.consumer.message_selector,
        "null": _presented(link, None).message_selector,
        "empty": _presented(link, "").message_selector,
    }
    expect.equal("the selector of consumers that have none", none, dict.fromkeys(none))


@asserts("3.8.1.1-3", domain=("topic",), variant="subscriptions")
def test_a_consumer_of_any_subscription_tells_its_selector(case: Case) -> None:
    """A consumer of each kind of subscription tells its selector, also the second one of a shared subscription, and null if none."""
    client = case.client(client_id=case.name("c"))
    with expect.all_of():
        for kind in working_kinds(case, client):
            for selector in ("n = 1", None):
                one = subscription(case, kind, client_id="-", selector=selector)
                consumers = [one.open(client=client).consumer for _ in range(2 if kind in SHARED else 1)]
                seen = [consumer.message_selector for consumer in consumers]
                expect.equal(f"the selector of the consumers of a {kind} subscription", seen, [selector] * len(seen))


@asserts("3.8.1.1-3", domain=("queue",), variant="browser")
def test_a_browser_tells_its_selector(case: Case) -> None:
    """A browser tells the selector it was made with, and null if it has none."""
    link = case.link(consumes=False)
    make_browser = link.client.session.create_browser
    with make_browser(link.destination, "n = 1") as browser:
        expect.equal("the selector of a browser that has one", browser.message_selector, "n = 1")
    none = {
        "not given": make_browser(link.destination).message_selector,
        "null": make_browser(link.destination, None).message_selector,
        "empty": make_browser(link.destination, "").message_selector,
    }
    expect.equal("the selector of browsers that have none", none, dict.fromkeys(none))
