"""Places where messages wait for a branch: a queue, or a subscription of each kind."""

from __future__ import annotations

from dataclasses import dataclass

from tck import api
from tck.suite.support.clients.branches import Branching, branching
from tck.suite.support.clients.client import Client
from tck.suite.support.clients.interfaces import connect
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.subscriptions import Subscription, subscription, working_kinds
from tck.suite.support.harness.running import RunningCase


@dataclass(frozen=True, slots=True)
class Place:
    """A queue, or a topic with a subscription; `lasting` places keep messages without a consumer."""

    case: RunningCase
    name: str
    destination: api.Destination
    subscription: Subscription | None
    selector: str | None = None

    @property
    def lasting(self) -> bool:
        """Whether messages stay when no consumer is open."""
        return self.subscription is None or "durable" in self.name

    def side(self) -> Branching:
        """Connect with an XA session that may consume here."""
        return branching(self.case, client_id=None if self.subscription is None else self.subscription.client_id)

    def open(self, client: Client | None = None) -> Link:
        """Open a consumer, on a connection of its own that acknowledges by itself unless a client is given."""
        if self.subscription is not None:
            return self.subscription.open("auto", client=client)
        return Link(client or connect(self.case, "auto", domain="queue"), self.destination, selector=self.selector)

    def reopened(self) -> Link:
        """Open a consumer after a failure: a refusal is tried again until the profile's deadline."""
        until = self.case.now() + self.case.timing.deadline
        while True:
            try:
                return self.open()
            except (api.JMSException, api.JMSRuntimeException):
                if self.case.now() >= until:
                    raise
            self.case.provider.clock.event().wait(self.case.timing.deadline / 50)

    def sender(self) -> Link:
        """Connect a sender to the place, which consumes nothing."""
        domain = "queue" if self.subscription is None else "topic"
        return Link(connect(self.case, "auto", domain=domain), self.destination, consumes=False)


def places(case: RunningCase, selector: str | None = None) -> list[Place]:
    """Return fresh places of the case's domain: a queue, or a topic for each kind of subscription that the provider opens."""
    if case.domain == "queue":
        return [Place(case, "queue", case.queue(), None, selector)]
    probing = connect(case, "auto", domain="topic", client_id=case.name("c"))
    found = [subscription(case, kind, selector=selector) for kind in working_kinds(case, probing)]
    probing.close()
    return [Place(case, f"{each.kind} subscription", each.topic, each, selector) for each in found]


def lasting(case: RunningCase) -> list[Place]:
    """Return fresh places that keep messages without a consumer."""
    return [place for place in places(case) if place.lasting]
