"""The four kinds of subscription under one set of names, in the three interfaces."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from tck import api
from tck.catalogue.versions import SHARED_SUBSCRIPTIONS
from tck.suite.support.clients.client import Client, Consumer
from tck.suite.support.clients.interfaces import connect
from tck.suite.support.clients.link import Link
from tck.suite.support.harness.running import RunningCase
from tck.suite.support.values.seen import body, tried

SubscriptionKind: TypeAlias = Literal["unshared", "durable", "shared", "shared durable"]
"""The kinds of subscription."""

SHARED: tuple[SubscriptionKind, ...] = ("shared", "shared durable")
"""The kinds that several consumers share."""
NAMED: tuple[SubscriptionKind, ...] = ("durable", "shared", "shared durable")
"""The kinds that have a name."""


def kinds(case: RunningCase) -> tuple[SubscriptionKind, ...]:
    """Return the kinds of subscription that the case's version has: shared ones came with 2.0."""
    new = case.offers(SHARED_SUBSCRIPTIONS)
    return ("unshared", "durable", "shared", "shared durable") if new else ("unshared", "durable")


def working_kinds(case: RunningCase, client: Client) -> tuple[SubscriptionKind, ...]:
    """Return the kinds that the provider opens for this client with the plainest selector; to refuse one breaks its own rows."""
    every: tuple[SubscriptionKind, ...] = ("unshared", "durable") if case.api == "domain-specific" else kinds(case)
    return tuple(kind for kind in every if kind == "unshared" or _opens(case, kind, client))


def _opens(case: RunningCase, kind: SubscriptionKind, client: Client) -> bool:
    probe = subscription(case, kind, client_id="-", selector="n = 1")
    opened = tried(lambda: probe.open(client=client).consumer)
    if isinstance(opened, str):
        return False
    opened.close()  # type: ignore[attr-defined]  # a consumer
    return True


def fellow(client: Client) -> Client:
    """Return a client whose consumers get copies beside those of `client`: itself, where one session may have several.

    In the first version subscribers of one session share the messages of a topic (4.2.2-31): there it is another session.
    """
    return client.peer() if client.case.by_oldest else client


@dataclass(frozen=True, slots=True)
class Subscription:
    """The identity and options of a subscription; `open` creates, resumes or joins it."""

    case: RunningCase
    kind: SubscriptionKind
    topic: api.Topic
    name: str
    client_id: str | None
    selector: str | None = None
    no_local: bool = False

    def client(self, ack: str | None = None) -> Client:
        """Connect with the subscription's client identifier, if it has one."""
        return connect(self.case, ack, domain="topic", client_id=self.client_id)

    def open(self, ack: str | None = None, *, client: Client | None = None) -> Link:
        """Open a consumer, on a connection of its own unless a client is given."""
        return Subscriber(client or self.client(ack), self)

    def unsubscribe(self) -> None:
        """Delete the durable subscription, over a connection of its own."""
        client = self.client("auto")
        client.session.unsubscribe(self.name)
        client.close()


class Subscriber(Link):
    """A link whose consumer is on a subscription and whose producer is on the subscription's topic."""

    def __init__(self, client: Client, subscription: Subscription) -> None:
        super().__init__(client, subscription.topic, consumes=False)
        self._consumer = _consumer(client, subscription)


def _consumer(client: Client, subscription: Subscription) -> Consumer:
    if subscription.kind == "unshared":
        return client.consumer(subscription.topic, subscription.selector, no_local=subscription.no_local)
    simplified = client.case.api == "simplified"
    name = {
        "durable": "create_durable_consumer" if simplified else "create_durable_subscriber",
        "shared": "create_shared_consumer",
        "shared durable": "create_shared_durable_consumer",
    }[subscription.kind]
    options: list[Any] = [] if subscription.selector is None else [subscription.selector]
    if subscription.kind == "durable" and (options or subscription.no_local):  # no overload takes a selector alone
        options = [subscription.selector, subscription.no_local]
    consumer: Consumer = getattr(client.session, name)(subscription.topic, subscription.name, *options)
    return consumer


def subscription(
    case: RunningCase,
    kind: SubscriptionKind,
    topic: api.Topic | None = None,
    *,
    name: str | None = None,
    client_id: str | None = None,
    selector: str | None = None,
    no_local: bool = False,
) -> Subscription:
    """Describe a subscription with a fresh topic and name unless they are given.

    An unshared durable one gets a fresh client identifier unless one is given; the others have none unless one is given.
    """
    if kind == "durable":
        client_id = client_id or case.name("c")
    return Subscription(case, kind, topic or case.topic(), name or case.name("s"), client_id, selector, no_local)


def publisher(case: RunningCase, topic: api.Destination) -> Link:
    """Connect a publisher of a topic, which consumes nothing."""
    return Link(connect(case, "auto", domain="topic"), topic, consumes=False)


def publish_missed(sender: Link, other: Link, text: str, *, mode: int | None = None) -> None:
    """Publish a text that a closed subscriber must miss; return once it has come to another one, open since before the close.

    A new subscriber may get what was sent a moment before it, since the provider may hold it still (4.2.3-2). What has come to
    somebody else is distributed, and a subscriber made from then on must not get it (8.3.1-8).

    Raises:
        Undecided: it did not come within the profile's deadline.
    """
    sender.send(text, mode=mode)
    while body(other.receive()) != text:
        pass


def unattended(case: RunningCase) -> tuple[Link, str]:
    """Open a sender to a queue, or to a topic with an inactive durable subscription; return that one's name too.

    The name is the client identifier as well, as for `case.link(durable=name)`; a queue needs none.
    """
    name = case.name("s")
    if case.domain == "queue":
        return Link(connect(case, "auto"), case.destination(), consumes=False), name
    watched = subscription(case, "durable", name=name, client_id=name)
    watched.open("auto").client.close()
    return publisher(case, watched.topic), name
