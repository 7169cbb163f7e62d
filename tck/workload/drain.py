"""The end of a workload: shows what every queue and subscription still held, by consumers of its own that wait in vain.

Queues and durable subscriptions are emptied by fresh consumers, alone. What cannot be taken over (subscriptions that end
with their consumer, temporary destinations) is watched until nothing comes any more. May import consumers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tck.check import Margins
from tck.check.columns import NONE
from tck.workload.actors import Actor
from tck.workload.consumer_link import Intake
from tck.workload.consumers import Consumer
from tck.workload.links import Link
from tck.workload.model import ConsumerPlan
from tck.workload.shared_state import Place, Subscription, World

_LOOK_MS = 100
_SLACK_MS = 200
ATTEMPTS = 5
"""How often a drain begins anew when its link breaks."""


@dataclass(frozen=True, slots=True)
class Well:
    """What one drain empties."""

    place: Place
    plan: ConsumerPlan
    subscription: Subscription | None = None


class Drain(Actor):
    """Empties one queue or durable subscription, and waits in vain once."""

    def __init__(self, world: World, number: int, well: Well, quiet: int, deadline: int) -> None:
        super().__init__(world, "drain", number)
        self.well = well
        self.quiet = quiet
        self.deadline = deadline
        self.over = False
        self._attempts = 0

    def wanted(self) -> bool:
        """Whether it is not yet shown to be empty."""
        return not self.over and not self.world.out_of_patience() and self._attempts < ATTEMPTS

    def connect(self) -> Link:
        """Make a link with the only consumer."""
        self._attempts += 1
        found = self.well.subscription
        client = found.client if found is not None else None
        link = self.link = Link(self.world, self.label, "auto", client)
        name = found.name if found is not None else self.label
        self.intake = Intake(self.world, link, self.well.place, self.well.plan, name, client)
        link.start()
        return link

    def work(self, link: Link) -> None:  # noqa: ARG002 - of every actor
        """Receive until nothing comes."""
        while not self.world.out_of_patience() and self.recorder.now() < self.deadline:
            began = self.recorder.now()
            message, _ = self.intake.receive(self.quiet)
            if message is None:
                self.intake.drained(began, self.recorder.now())
                break
            self.counts.delivered += 1
        self.over = True


def wells_of(world: World) -> list[Well]:
    """List what fresh consumers can empty."""
    queues = [place for listed in world.places.values() for place in listed if place.kind == "queue"]
    found = [Well(place, ConsumerPlan("drain", place.name)) for place in queues]
    return found + [Well(each.place, each.plan, each) for each in world.durables()]


def quiet_ms(margins: Margins) -> int:
    """How long nothing must come, milliseconds: also what is kept back before it is delivered again had the time."""
    return round(max(margins.patience, margins.redelivery)) + _SLACK_MS


def watch(world: World, consumers: Sequence[Consumer], quiet: int, deadline: int) -> None:
    """Wait until nothing comes to those who stay, and note it for each of their endpoints.

    Args:
        world: The workload.
        consumers: Those that go on.
        quiet: How long nothing must come, milliseconds.
        deadline: When to give up, on the recorder's clock.
    """
    began = world.recorder.now()
    waiting = list(consumers)
    while waiting and world.recorder.now() < deadline and not world.out_of_patience():
        world.wait(_LOOK_MS)
        together: dict[int, list[Consumer]] = {}
        for consumer in consumers:
            for intake in consumer.intakes:
                together.setdefault(intake.end, []).append(consumer)
        for consumer in list(waiting):
            if _shown(world, consumer, together, began, quiet):
                waiting.remove(consumer)


def _shown(world: World, consumer: Consumer, together: dict[int, list[Consumer]], began: int, quiet: int) -> bool:
    """Note the endpoints of a consumer as drained if all who share them have been quiet for long enough."""
    now = world.recorder.now()
    for intake in list(consumer.intakes):
        since = [each.quiet_since() for each in together.get(intake.end, ())]
        known = [each for each in since if each is not None]
        if not known or len(known) < len(since):
            return False
        start = max(began, *known)
        if now - start < quiet * 1_000_000:
            return False
    for intake in list(consumer.intakes):
        last = max(began, *(each.quiet_since() or began for each in together[intake.end]))
        if intake.link.alive() and intake.end != NONE:
            intake.drained(last, now)
    return True
