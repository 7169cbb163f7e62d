"""The end of a workload: drains show, by receives that time out, that queues and subscriptions are empty.

Queues and durable subscriptions are emptied by fresh consumers, alone. Others (subscriptions that end with their consumer,
temporary destinations) are watched until no message arrives any more. May import consumers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tck.check import Margins
from tck.check.columns import NONE
from tck.workload.actors.actor import Actor
from tck.workload.actors.consumers import Consumer
from tck.workload.consumer_link import ConsumerLink
from tck.workload.links import Link
from tck.workload.model import ConsumerPlan
from tck.workload.shared_state import OpenDestination, SharedState, Subscription

_LOOK_MS = 100
_SLACK_MS = 200
ATTEMPTS = 5
"""How often a drain restarts when its link breaks."""


@dataclass(frozen=True, slots=True)
class DrainSource:
    """One queue or durable subscription to empty."""

    destination: OpenDestination
    plan: ConsumerPlan
    subscription: Subscription | None = None


class Drain(Actor):
    """Empties one queue or durable subscription, until a receive times out."""

    def __init__(self, shared: SharedState, number: int, source: DrainSource, quiet: int, deadline: int) -> None:
        super().__init__(shared, "drain", number)
        self.source = source
        self.quiet = quiet
        self.deadline = deadline
        self.over = False
        self._attempts = 0

    def has_work(self) -> bool:
        """Whether it is not yet shown to be empty."""
        return not self.over and not self.shared.out_of_patience() and self._attempts < ATTEMPTS

    def connect(self) -> Link:
        """Make a link with the only consumer."""
        self._attempts += 1
        found = self.source.subscription
        client = found.client if found is not None else None
        link = self.link = Link(self.shared, self.label, "auto", client)
        name = found.name if found is not None else self.label
        self.consumer_link = ConsumerLink(self.shared, link, self.source.destination, self.source.plan, name, client)
        link.start()
        return link

    def work(self, link: Link) -> None:  # noqa: ARG002 - of every actor
        """Receive until a receive times out."""
        while not self.shared.out_of_patience() and self.recorder.now() < self.deadline:
            began = self.recorder.now()
            message, _ = self.consumer_link.receive(self.quiet)
            if message is None:
                self.consumer_link.drained(began, self.recorder.now())
                break
            self.counts.delivered += 1
        self.over = True


def drain_sources(shared: SharedState) -> list[DrainSource]:
    """List the queues and durable subscriptions."""
    queues = [
        destination for listed in shared.destinations.values() for destination in listed if destination.kind == "queue"
    ]
    found = [DrainSource(destination, ConsumerPlan("drain", destination.name)) for destination in queues]
    return found + [DrainSource(each.destination, each.plan, each) for each in shared.durable_subscriptions()]


def quiet_ms(margins: Margins) -> int:
    """Return the required time without messages, milliseconds; long enough for the redelivery of a delayed message."""
    return round(max(margins.patience, margins.redelivery)) + _SLACK_MS


def watch(
    shared: SharedState, consumers: Sequence[Consumer], quiet: int, deadline: int, check: Callable[[], None]
) -> None:
    """Wait until no message arrives at the remaining consumers, and record it for each of their endpoints.

    Args:
        shared: The shared state.
        consumers: The consumers that continue.
        quiet: The required time without messages, milliseconds.
        deadline: When to give up, on the recorder's clock.
        check: Called at every look; it raises an interrupt that came.
    """
    began = shared.recorder.now()
    waiting = list(consumers)
    while waiting and shared.recorder.now() < deadline and not shared.out_of_patience():
        shared.wait(_LOOK_MS)
        check()
        together: dict[int, list[Consumer]] = {}
        for consumer in consumers:
            for consumer_link in consumer.consumer_links:
                together.setdefault(consumer_link.end, []).append(consumer)
        for consumer in list(waiting):
            if _shown(shared, consumer, together, began, quiet):
                waiting.remove(consumer)


def _shown(
    shared: SharedState, consumer: Consumer, together: dict[int, list[Consumer]], began: int, quiet: int
) -> bool:
    """Record the endpoints of a consumer as drained if all consumers of them have been quiet for long enough."""
    now = shared.recorder.now()
    for consumer_link in list(consumer.consumer_links):
        since = [each.quiet_since() for each in together.get(consumer_link.end, ())]
        known = [each for each in since if each is not None]
        if not known or len(known) < len(since):
            return False
        start = max(began, *known)
        if now - start < quiet * 1_000_000:
            return False
    for consumer_link in list(consumer.consumer_links):
        last = max(began, *(each.quiet_since() or began for each in together[consumer_link.end]))
        if consumer_link.link.alive() and consumer_link.end != NONE:
            consumer_link.drained(last, now)
    return True
