"""What all actors of a workload share: provider, recorder, destinations, sorts of messages, phase, and who failed.

May import the recorder and the content of messages; drives nothing itself.
"""

from __future__ import annotations

import random
import re
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import IntEnum
from typing import TYPE_CHECKING, Final

from tck import api
from tck.check.columns import NONE, Kind
from tck.workload.content import Asked, Known, Sort
from tck.workload.model import ConsumerPlan, Plan, expanded
from tck.workload.recorder import Recorder

if TYPE_CHECKING:
    from tck.workload.links import Link

_KINDS: Final = {
    "nondurable": Kind.NONDURABLE,
    "shared": Kind.NONDURABLE,
    "durable": Kind.DURABLE,
    "shared-durable": Kind.DURABLE,
}
GATE_MS: Final = 2
"""How often an actor looks whether a fault is over, milliseconds."""
MOST_FAILURES: Final = 40
"""Attempts to connect in a row after which an actor gives up."""


class Phase(IntEnum):
    """How far a workload is."""

    WORKING = 0
    WAITING = 1
    """No more sends; what is delayed may still come due."""
    DRAINING = 2
    """Consumers that a drain replaces are gone; the others go on until nothing comes any more."""
    OVER = 3


@dataclass(slots=True)
class Place:
    """A destination. `end` is the endpoint of a queue. A temporary one has a new object after each loss."""

    number: int
    name: str
    kind: str
    raw: api.Destination | None
    end: int = NONE

    @property
    def temporary(self) -> bool:
        """Whether it lives with a connection."""
        return self.kind.startswith("temporary")

    @property
    def is_queue(self) -> bool:
        """Whether it is a queue."""
        return self.kind.endswith("queue")


@dataclass(slots=True)
class Subscription:
    """A named subscription and its endpoint; `users` are the consumers of it that are open, `opened` how many ever were."""

    end: int
    name: str
    place: Place
    plan: ConsumerPlan
    client: str | None
    users: int = 0
    opened: int = 0


@dataclass(slots=True)
class Trouble:
    """What went wrong beside the messages."""

    failures: Counter[str] = field(default_factory=Counter)
    first: str = ""
    gave_up: dict[str, str] = field(default_factory=dict)
    """Actors that could not connect any more, each with the error."""
    lost: str = ""
    fault: BaseException | None = None


class World:
    """One workload under way.

    Args:
        provider: The provider under load.
        plan: What to do.
        recorder: Where everything is recorded.
        seed: Decides every choice, together with the name of the actor that makes it.
        run: Id of the run; begins the names of destinations.
        modern: The provider claims version 2.0 or later.
    """

    def __init__(
        self, provider: api.Provider, plan: Plan, recorder: Recorder, *, seed: int, run: str, modern: bool
    ) -> None:
        self.provider = provider
        self.plan = plan
        self.recorder = recorder
        self.seed = seed
        self.run = run
        self.modern = modern
        self.phase = Phase.WORKING
        self.trouble = Trouble()
        self.changed = provider.clock.event()
        """Set when the phase changes; made anew each time."""
        self.lane = recorder.name("session", conn=NONE, mode=NONE, label="the provider")
        self.asked: dict[int, list[Asked]] = {}
        self.places: dict[str, list[Place]] = {}
        self.by_name: dict[str, Place] = {}
        self.sorts: dict[str, Sort] = {}
        self.properties: list[Known] = []
        """The properties of each property class."""
        self.links: set[Link] = set()
        """Every link that is open; changed only by who holds it, read while nobody connects."""
        self.patience = float("inf")
        """When the end has taken too long, on the computer's own clock: that of a provider may stand still."""
        self.actors = 1
        """How many actors there are."""
        self.faulting = False
        self._unknown: list[int] = []
        self._subscriptions: dict[tuple[str, ...], Subscription] = {}
        self._lock = threading.RLock()  # guards the registries above and the trouble; taken alone
        self._gate = (
            threading.Lock()
        )  # held while somebody connects, or while a fault strikes; nothing is taken under it
        self._number_messages()
        self._number_selectors()

    # -- setting up ----------------------------------------------------------------------------------------------

    def _number_messages(self) -> None:
        for plan in self.plan.messages_of:
            klass = self.recorder.name("klass", label=plan.name, properties=dict(plan.properties))
            self.properties.append(Known(plan.properties))
            self.sorts[plan.name] = Sort(plan, klass, self.properties[-1])

    def _number_selectors(self) -> None:
        self.selectors: dict[tuple[str, tuple[str, ...]], int] = {}
        for consumer in self.plan.consumers:
            key = (consumer.selector, consumer.accepts)
            if not consumer.selector or key in self.selectors:
                continue
            number = self.selectors[key] = self.recorder.name("selector", text=consumer.selector)
            for sort in self.sorts.values() if consumer.accepts else ():
                accepted = int(sort.plan.name in consumer.accepts)
                self.recorder.name("match", selector=number, klass=sort.klass, answer=accepted)

    def create_destinations(self) -> None:
        """Create every destination of the plan that does not live with a connection."""
        for plan in self.plan.destinations:
            made = self.places[plan.name] = []
            for name in expanded(plan):
                raw: api.Destination | None = None
                if plan.kind == "queue":
                    raw = self.provider.create_queue(self.plain(name))
                elif plan.kind == "topic":
                    raw = self.provider.create_topic(self.plain(name))
                made.append(self._place(name, plan.kind, raw))

    def plain(self, name: str) -> str:
        """Give a name of this run that every provider takes: letters, digits and underscores."""
        return re.sub(r"\W", "_", f"tck_{self.run}_{name}")

    def _place(self, name: str, kind: str, raw: api.Destination | None) -> Place:
        place = Place(self.recorder.name("destination", label=f"{kind}:{name}"), name, kind, raw)
        if place.is_queue and raw is not None:
            place.end = self.endpoint(place, f"{kind} {name}", Kind.QUEUE)
        if raw is not None:
            self.by_name[name_of(raw)] = place
        return place

    def renew(self, place: Place, raw: api.Destination, conn: int) -> None:
        """Give a temporary destination the object that its new owner has made."""
        with self._lock:
            place.number = self.recorder.name("destination", label=f"{place.kind}:{place.name}")
            place.raw = raw
            if place.is_queue:
                place.end = self.endpoint(place, f"{place.kind} {place.name}", Kind.QUEUE, owner=conn)
            self.by_name[name_of(raw)] = Place(place.number, place.name, place.kind, raw, place.end)

    def drop_destinations(self) -> None:
        """Remove what was created, as far as the provider lets us."""
        for place in [each for listed in self.places.values() for each in listed]:
            if place.raw is not None and not place.temporary:
                self.provider.drop(place.raw)

    # -- subscriptions -------------------------------------------------------------------------------------------

    def endpoint(self, place: Place, label: str, kind: int, **facts: int | bool) -> int:
        """Number an endpoint."""
        given = {"shared": False, "selector": NONE, "nolocal": NONE, "owner": NONE, **facts}
        return self.recorder.name("endpoint", label=label, dest=place.number, type=kind, **given)

    def subscription(self, place: Place, plan: ConsumerPlan, name: str, client: str | None, conn: int) -> Subscription:
        """Give the subscription that a consumer is about to use: the one there is, or a new one.

        A shared non-durable one lives as long as it has users, a durable one until it is removed.
        """
        kind = _KINDS[plan.subscription]
        owner = conn if place.temporary else NONE
        facts: dict[str, int | bool] = {
            "shared": plan.subscription.startswith("shared"),
            "selector": self.selector(plan),
            "nolocal": conn if plan.no_local else NONE,
            "owner": owner,
        }
        label = f"{plan.subscription} subscription {name}"
        if plan.subscription == "nondurable":
            return Subscription(self.endpoint(place, label, kind, **facts), name, place, plan, None, 1)
        key = (plan.subscription, place.name, name, client or "")
        with self._lock:
            found = self._subscriptions.get(key)
            if found is None or (plan.subscription == "shared" and not found.users):
                end = self.endpoint(place, label, kind, **facts)
                found = self._subscriptions[key] = Subscription(end, name, place, plan, client)
            found.users += 1
            found.opened += 1
            return found

    def leave(self, subscription: Subscription) -> None:
        """Note that a consumer of a subscription is gone."""
        with self._lock:
            subscription.users -= 1

    def forget(self, subscription: Subscription, opened: int) -> bool:
        """Note that a subscription was removed; False if somebody opened it meanwhile, so that nobody can tell.

        Args:
            subscription: The subscription.
            opened: How often it had been opened before it was removed.
        """
        with self._lock:
            if subscription.opened != opened:
                return False
            for key, found in list(self._subscriptions.items()):
                if found is subscription:
                    del self._subscriptions[key]
            return True

    def end_shared(self) -> None:
        """Note that the provider lost every shared non-durable subscription."""
        with self._lock:
            for key in [key for key in self._subscriptions if key[0] == "shared"]:
                del self._subscriptions[key]

    def durables(self) -> list[Subscription]:
        """Give the durable subscriptions that exist."""
        with self._lock:
            return [each for each in self._subscriptions.values() if "durable" in each.plan.subscription]

    def selector(self, plan: ConsumerPlan) -> int:
        """Give the number of the selector of a consumer."""
        return self.selectors.get((plan.selector, plan.accepts), NONE)

    # -- messages ------------------------------------------------------------------------------------------------

    def stream(self, session: int, label: str) -> int:
        """Number a stream of messages."""
        stream = self.recorder.name("stream", session=session, label=label)
        self.asked[stream] = []
        return stream

    def ask_of(self, number: int) -> Asked | None:
        """Give what was asked of the send of a message; None if no such message was sent."""
        try:
            return self.asked[number >> 32][number & 0xFFFFFFFF]
        except (KeyError, IndexError):
            return None

    def unknown(self) -> int:
        """Give a number to a message that nobody sent."""
        with self._lock:
            if not self._unknown:
                self._unknown = [self.stream(self.lane, "somebody unknown"), 0]
            stream, position = self._unknown
            self._unknown[1] += 1
        return (stream << 32) | position

    def place_of(self, destination: object) -> int:
        """Number what a JMSDestination says."""
        name = name_of(destination)
        found = self.by_name.get(name)
        if found is None:
            with self._lock:
                found = self.by_name.get(name) or self._place(name, "an unknown destination", None)
                self.by_name[name] = found
        return found.number

    # -- phases and trouble --------------------------------------------------------------------------------------

    def enter(self, phase: Phase) -> None:
        """Go on to a phase and wake who waits; there is no way back, whoever asks for it late."""
        with self._lock:
            if phase <= self.phase:
                return
            self.phase = phase
            changed, self.changed = self.changed, self.provider.clock.event()
        changed.set()

    def wait(self, ms: float) -> None:
        """Wait on the provider's clock, no longer than the phase lasts."""
        self.changed.wait(ms)

    def choice(self, actor: str) -> random.Random:
        """Give the source of an actor's choices."""
        return random.Random(f"{self.seed}/{actor}")  # noqa: S311 - repeatable on purpose

    def fail(self, error: BaseException) -> None:
        """Count a call that failed."""
        with self._lock:
            name = type(error).__name__
            self.trouble.failures[name] += 1
            if not self.trouble.first and not self.faulting:
                self.trouble.first = f"{name}: {error}"

    def out_of_patience(self) -> bool:
        """Whether the end has taken too long."""
        return self.phase >= Phase.OVER or time.monotonic() > self.patience

    def give_up(self, actor: str, error: BaseException) -> None:
        """Note that an actor cannot connect any more; where half of them cannot, the provider is lost."""
        with self._lock:
            self.trouble.gave_up[actor] = f"{type(error).__name__}: {error}"
            many = len(self.trouble.gave_up) * 2 > self.actors
        if many:
            self.lose(error)

    def lose(self, error: BaseException, when: str = "") -> None:
        """Note that the provider cannot be reached any more, and when that was seen."""
        with self._lock:
            self.trouble.lost = self.trouble.lost or f"{when}{type(error).__name__}: {error}"
        self.enter(Phase.OVER)

    @contextmanager
    def gate(self) -> Iterator[None]:
        """Keep faults and connecting apart: who waits here lets the provider's clock go on."""
        while not self._gate.acquire(blocking=False):
            self.provider.clock.event().wait(GATE_MS)
        try:
            yield
        finally:
            self._gate.release()


def name_of(destination: object) -> str:
    """Give the name of a destination as the provider says it."""
    for name in ("queue_name", "topic_name"):
        try:
            found = getattr(destination, name, None)
        except Exception:  # noqa: BLE001, S112 - a provider may raise anything
            continue
        if isinstance(found, str):
            return f"{name}:{found}"
    return f"unnamed:{destination}"
