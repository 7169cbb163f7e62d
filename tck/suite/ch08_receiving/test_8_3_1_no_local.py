"""8.3.1 noLocal of unshared non-durable subscriptions."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.gathering import numbered
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.messages import coloured, send_coloured
from tck.suite.support.clients.subscriptions import SubscriptionKind, fellow, publisher, subscription
from tck.suite.support.values.colours import RED

BOTH_MODES = (api.DeliveryMode.PERSISTENT, api.DeliveryMode.NON_PERSISTENT)
ALL = ("auto", "client", "dups_ok", "transacted")


def _put(link: Link, texts: Sequence[str], mode: int) -> None:
    link.sender.set(mode=mode)
    send_coloured(link, list(texts))


def _pair(case: Case, selector: str | None, client_id: str | None) -> tuple[Link, Link]:
    """Open a consumer with noLocal, and one without it on the same connection and topic."""
    client = case.client(client_id=client_id)
    deaf = case.link(client=client, destination=case.topic(), consumes=False)
    deaf.use(client.consumer(deaf.destination, selector, no_local=True))
    return deaf, case.link(client=client.peer(), destination=deaf.destination)


def _left_out(case: Case, *, own_session: bool) -> None:
    """Demand that what the session, or others of its connection, publish comes to the consumer without noLocal only."""
    for selector in (None, RED):
        for client_id in (None, case.name("c")):
            deaf, hearing = _pair(case, selector, client_id)
            others = [case.link(client=deaf.client.peer(), destination=deaf.destination, consumes=False)]
            senders = [deaf] if own_session else [hearing, *others]
            foreign = publisher(case, deaf.destination)
            for mode in BOTH_MODES:
                for sender in senders:
                    _put(sender, [f"red {text} local" for text in numbered(3)], mode)
                    expect.arrives(hearing, [f"red {text} local" for text in numbered(3)])
                _put(foreign, ["red foreign"], mode)
                expect.arrives(hearing, ["red foreign"])
                expect.arrives(deaf, ["red foreign"])
            for sender in senders:
                _put(sender, ["red last local"], api.DeliveryMode.PERSISTENT)
            expect.nothing_before(deaf, "red end", partial(send_coloured, foreign, ["red end"]))
            deaf.client.close()


@asserts("8.3.1-13", ack=ALL)
def test_no_local_leaves_out_the_own_session(case: Case) -> None:
    """With noLocal nothing comes that its own session publishes, in either mode, with selector or client identifier or without."""
    _left_out(case, own_session=True)


@asserts("8.3.1-14", ack=ALL)
def test_no_local_leaves_out_the_own_connection(case: Case) -> None:
    """With noLocal nothing comes that two other sessions or contexts of its connection publish, in either mode."""
    _left_out(case, own_session=False)


@asserts("8.3.1-15", ack=ALL)
def test_no_local_delivers_what_others_publish(case: Case) -> None:
    """With noLocal everything of other connections comes, in either mode, with client identifier or without."""
    for selector in (None, RED):
        for client_id in (None, case.name("c")):
            deaf, _ = _pair(case, selector, client_id)
            identified = case.client("auto", client_id=case.name("c"))
            senders = [publisher(case, deaf.destination), publisher(case, deaf.destination)]
            senders.append(case.link(client=identified, destination=deaf.destination, consumes=False))
            for mode in BOTH_MODES:
                for sender in senders:
                    _put(sender, [f"red {text} {mode}" for text in numbered(3)], mode)
                    expect.arrives(deaf, [f"red {text} {mode}" for text in numbered(3)])
            deaf.client.close()


@asserts("8.3.1-15", variant="sent-on")
def test_no_local_delivers_what_others_send_on(case: Case) -> None:
    """A message of its own connection that another connection receives and publishes again comes to it."""
    deaf, hearing = _pair(case, None, None)
    other = case.link("auto", destination=deaf.destination)
    elsewhere = case.link("auto", destination=case.topic())
    deaf.client.sender(elsewhere.destination).send(coloured(deaf, "red on another topic"))
    deaf.client.sender(deaf.destination).send(coloured(deaf, "red on this topic"))
    messages = expect.arrives(elsewhere, ["red on another topic"]) + expect.arrives(other, ["red on this topic"])
    expect.arrives(hearing, ["red on this topic"])
    for link, message in zip((elsewhere, other), messages, strict=True):
        link.client.sender(deaf.destination).send(message)
    expect.arrives(deaf, ["red on another topic", "red on this topic"], ordered=False)


@asserts("8.3.1-16", ack=ALL)
def test_without_no_local_the_own_connection_is_heard(case: Case) -> None:
    """In each overload, with noLocal left out and with false, what its own session and another of its connection publish comes."""
    methods: dict[str, Sequence[tuple[object, ...]]] = {}
    if case.offers("classic"):
        methods["create_consumer"] = ((), (None,), (RED,), (None, False), (RED, False))
    if case.api == "domain-specific":
        methods["create_subscriber"] = ((), (None, False), (RED, False))
    with expect.all_of():
        for method, forms in methods.items():
            for terms in forms:
                with expect.all_of():
                    client: Any = case.client()
                    link = case.link(client=client, destination=case.topic(), consumes=False)
                    link.use(getattr(client.session, method)(link.destination, *terms))
                    peer = case.link(client=client.peer(), destination=link.destination, consumes=False)
                    for mode in BOTH_MODES:
                        for sender in (link, peer):
                            _put(sender, [f"red {mode}"], mode)
                            expect.arrives(link, [f"red {mode}"])
                    client.close()


def _heard(links: Sequence[Link], sender: Link, text: str) -> None:
    """Publish a text, and demand that each consumer gets it."""
    sender.send(text)
    for link in links:
        expect.arrives(link, [text])


def _deaf(case: Case, client: Any, topic: Any, *, durable: bool) -> Link:
    """Open a consumer with noLocal, on a durable subscription or an unshared one."""
    kind: SubscriptionKind = "durable" if durable else "unshared"
    return subscription(case, kind, topic, client_id=case.name("c"), no_local=True).open(client=client)


@asserts("8.3.1-16", ack=ALL, variant="beside")
def test_no_local_of_others_is_not_that_of_a_consumer(case: Case) -> None:
    """Made before, beside and after consumers with noLocal, of its session or another, a consumer without hears its connection."""
    with expect.all_of():
        for elsewhere in (False, True):
            for durable in (False, True):
                with expect.all_of():
                    client: Any = case.client(client_id=case.name("c"))
                    topic = case.topic()
                    sender = case.link(client=client, destination=topic, consumes=False)

                    def opened(client: Any = client, topic: Any = topic) -> Link:
                        link = case.link(client=fellow(client), destination=topic, consumes=False)
                        link.use(link.client.consumer(topic))
                        return link

                    links = [opened()]
                    deaf = _deaf(case, client.peer() if elsewhere else fellow(client), topic, durable=durable)
                    links.append(opened())
                    _heard(links, sender, "beside it")
                    deaf.consumer.close()
                    links.append(opened())
                    _heard(links, sender, "after its close")
                    client.close()
