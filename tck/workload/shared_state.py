"""The state that all actors of a workload share: provider, recorder, destinations, message kinds, phase, failures.

May import the recorder and the content of messages; drives nothing itself.
"""

from __future__ import annotations

import random
import re
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Final, Protocol

from tck import api
from tck.check.columns import NONE, Kind
from tck.workload.content import KnownProperties, MessageKind, SendOptions
from tck.workload.meeting import Meeting, Turn
from tck.workload.model import ConsumerPlan, Plan, expanded
from tck.workload.recorder import Recorder

_KINDS: Final = {
    "nondurable": Kind.NONDURABLE,
    "shared": Kind.NONDURABLE,
    "durable": Kind.DURABLE,
    "shared-durable": Kind.DURABLE,
}
GATE_MS: Final = 2
"""Interval at which an actor checks whether a fault is over, milliseconds."""
MOST_FAILURES: Final = 40
"""Failed attempts to connect in a row after which an actor gives up."""


class Phase(IntEnum):
    """The phases of a workload."""

    WORKING = 0
    WAITING = 1
    """No more sends; delayed messages may still become due."""
    DRAINING = 2
    """Consumers that a drain replaces are closed; the others continue until no message arrives any more."""
    OVER = 3


@dataclass(slots=True)
class OpenDestination:
    """A destination of the run. `end` is the endpoint of a queue. A temporary one gets a new object after each loss."""

    number: int
    name: str
    kind: str
    raw: api.Destination | None
    end: int = NONE

    @property
    def temporary(self) -> bool:
        """Whether it ends with a connection."""
        return self.kind.startswith("temporary")

    @property
    def is_queue(self) -> bool:
        """Whether it is a queue."""
        return self.kind.endswith("queue")


@dataclass(slots=True)
class Subscription:
    """A named subscription and its endpoint; `users` counts its open consumers, `opened` all consumers so far."""

    end: int
    name: str
    destination: OpenDestination
    plan: ConsumerPlan
    client: str | None
    users: int = 0
    opened: int = 0


@dataclass(slots=True)
class Trouble:
    """Failures of calls, actors and the provider."""

    failures: Counter[str] = field(default_factory=Counter)
    first: str = ""
    gave_up: dict[str, str] = field(default_factory=dict)
    """Actors that could not connect any more, each with the error."""
    lost: str = ""
    fault: BaseException | None = None


class OpenLink(Protocol):
    """The part of a link that a fault needs; the class is in `links`."""

    broken_at: int | None
    wake: api.Event


class SharedState:
    """One running workload.

    Args:
        provider: The provider under load.
        plan: The plan.
        recorder: The recorder.
        seed: Determines every choice, together with the name of the actor.
        run: Id of the run; the prefix of destination names.
        modern: The provider claims version 2.0 or later.
        shape: Returns a name that the provider takes for the one that would be chosen.
    """

    def __init__(
        self,
        provider: api.Provider,
        plan: Plan,
        recorder: Recorder,
        *,
        seed: int,
        run: str,
        modern: bool,
        shape: Callable[[str], str] = str,
    ) -> None:
        self.provider = provider
        self.plan = plan
        self.recorder = recorder
        self.seed = seed
        self.run = run
        self.modern = modern
        self._shape = shape
        self.phase = Phase.WORKING
        self.trouble = Trouble()
        self.changed = provider.clock.event()
        """Set when the phase changes, and replaced by a new one."""
        self.provider_session = recorder.register("session", conn=NONE, mode=NONE, label="the provider")
        self.options: dict[int, list[SendOptions]] = {}
        self.destinations: dict[str, list[OpenDestination]] = {}
        self.destinations_by_name: dict[str, OpenDestination] = {}
        self.message_kinds: dict[str, MessageKind] = {}
        self.properties: list[KnownProperties] = []
        """The properties of each property class."""
        self.links: set[OpenLink] = set()
        """Every open link; changed only under `between_faults`, by its owner."""
        self.patience = float("inf")
        """Deadline of the end, on the computer's own clock: the provider's may not advance."""
        self.actors = 1
        """The number of actors."""
        clock = provider.clock
        self.turns = {each.name: Turn(clock) for each in plan.producers}
        self.meetings = {each.name: Meeting(clock, each.actors) for each in plan.consumers if each.together}
        self.faulting = False
        self._unknown: list[int] = []
        self._subscriptions: dict[tuple[str, ...], Subscription] = {}
        self._lock = threading.RLock()  # guards the registries above and the trouble; taken alone
        self._fault_lock = (
            threading.Lock()
        )  # held while an actor connects, or while a fault is injected; nothing is taken under it
        self._number_messages()
        self._number_selectors()

    # -- setting up ----------------------------------------------------------------------------------------------

    def _number_messages(self) -> None:
        for plan in self.plan.messages_of:
            klass = self.recorder.register("klass", label=plan.name, properties=dict(plan.properties))
            self.properties.append(KnownProperties(plan.properties))
            self.message_kinds[plan.name] = MessageKind(plan, klass, self.properties[-1])

    def _number_selectors(self) -> None:
        self.selectors: dict[tuple[str, tuple[str, ...]], int] = {}
        for consumer in self.plan.consumers:
            key = (consumer.selector, consumer.accepts)
            if not consumer.selector or key in self.selectors:
                continue
            number = self.selectors[key] = self.recorder.register("selector", text=consumer.selector)
            for message_kind in self.message_kinds.values() if consumer.accepts else ():
                accepted = int(message_kind.plan.name in consumer.accepts)
                self.recorder.register("match", selector=number, klass=message_kind.klass, answer=accepted)

    def create_destinations(self) -> None:
        """Create every destination of the plan that is not temporary."""
        for plan in self.plan.destinations:
            made = self.destinations[plan.name] = []
            for name in expanded(plan):
                raw: api.Destination | None = None
                if plan.kind == "queue":
                    raw = self.provider.create_queue(self.provider_name(name))
                elif plan.kind == "topic":
                    raw = self.provider.create_topic(self.provider_name(name))
                made.append(self._open(name, plan.kind, raw))

    def lasting_destinations(self) -> list[api.Destination]:
        """Return the destinations of the plan that are not temporary."""
        listed = (each for group in self.destinations.values() for each in group)
        return [each.raw for each in listed if each.raw is not None and not each.temporary]

    def provider_name(self, name: str) -> str:
        """Return a name of this run that the provider takes: letters, digits and underscores, if the profile says no more."""
        return self._shape(re.sub(r"\W", "_", f"tck_{self.run}_{name}"))

    def _open(self, name: str, kind: str, raw: api.Destination | None) -> OpenDestination:
        destination = OpenDestination(self.recorder.register("destination", label=f"{kind}:{name}"), name, kind, raw)
        if destination.is_queue and raw is not None:
            destination.end = self.new_endpoint(destination, f"{kind} {name}", Kind.QUEUE)
        if raw is not None:
            self.destinations_by_name[name_of(raw)] = destination
        return destination

    def replace_temporary(self, destination: OpenDestination, raw: api.Destination, conn: int) -> None:
        """Set the object of a temporary destination that its new owner has created."""
        with self._lock:
            destination.number = self.recorder.register("destination", label=f"{destination.kind}:{destination.name}")
            destination.raw = raw
            if destination.is_queue:
                destination.end = self.new_endpoint(
                    destination, f"{destination.kind} {destination.name}", Kind.QUEUE, owner=conn
                )
            self.destinations_by_name[name_of(raw)] = OpenDestination(
                destination.number, destination.name, destination.kind, raw, destination.end
            )

    # -- subscriptions -------------------------------------------------------------------------------------------

    def new_endpoint(self, destination: OpenDestination, label: str, kind: int, **facts: int | bool) -> int:
        """Number an endpoint."""
        given = {"shared": False, "selector": NONE, "nolocal": NONE, "owner": NONE, **facts}
        return self.recorder.register("endpoint", label=label, dest=destination.number, type=kind, **given)

    def subscription(
        self, destination: OpenDestination, plan: ConsumerPlan, name: str, client: str | None, conn: int
    ) -> Subscription:
        """Return the subscription that a consumer is about to use: the existing one, or a new one.

        A shared non-durable one exists as long as it has users, a durable one until it is removed.
        """
        kind = _KINDS[plan.subscription]
        owner = conn if destination.temporary else NONE
        facts: dict[str, int | bool] = {
            "shared": plan.subscription.startswith("shared"),
            "selector": self.selector(plan),
            "nolocal": conn if plan.no_local else NONE,
            "owner": owner,
        }
        label = f"{plan.subscription} subscription {name}"
        if plan.subscription == "nondurable":
            return Subscription(self.new_endpoint(destination, label, kind, **facts), name, destination, plan, None, 1)
        key = (plan.subscription, destination.name, name, client or "")
        with self._lock:
            found = self._subscriptions.get(key)
            if found is None or (plan.subscription == "shared" and not found.users):
                end = self.new_endpoint(destination, label, kind, **facts)
                found = self._subscriptions[key] = Subscription(end, name, destination, plan, client)
            found.users += 1
            found.opened += 1
            return found

    def consumer_gone(self, subscription: Subscription) -> None:
        """Record that a consumer of a subscription is closed."""
        with self._lock:
            subscription.users -= 1

    def subscription_removed(self, subscription: Subscription, opened: int) -> bool:
        """Record that a subscription was removed; return False if it was opened meanwhile, so that its state is unknown.

        Args:
            subscription: The subscription.
            opened: Its value of `opened` before the removal.
        """
        with self._lock:
            if subscription.opened != opened:
                return False
            for key, found in list(self._subscriptions.items()):
                if found is subscription:
                    del self._subscriptions[key]
            return True

    def drop_shared_subscriptions(self) -> None:
        """Forget every shared non-durable subscription, which the provider has lost."""
        with self._lock:
            for key in [key for key in self._subscriptions if key[0] == "shared"]:
                del self._subscriptions[key]

    def durable_subscriptions(self) -> list[Subscription]:
        """Return the durable subscriptions that exist."""
        with self._lock:
            return [each for each in self._subscriptions.values() if "durable" in each.plan.subscription]

    def selector(self, plan: ConsumerPlan) -> int:
        """Return the number of a consumer's selector."""
        return self.selectors.get((plan.selector, plan.accepts), NONE)

    # -- messages ------------------------------------------------------------------------------------------------

    def new_stream(self, session: int, label: str) -> int:
        """Number a new stream of messages."""
        stream = self.recorder.register("stream", session=session, label=label)
        self.options[stream] = []
        return stream

    def options_of(self, number: int) -> SendOptions | None:
        """Return the options of the send of a message; None if no such message was sent."""
        try:
            return self.options[number >> 32][number & 0xFFFFFFFF]
        except (KeyError, IndexError):
            return None

    def number_unknown(self) -> int:
        """Number a message that no actor sent."""
        with self._lock:
            if not self._unknown:
                self._unknown = [self.new_stream(self.provider_session, "somebody unknown"), 0]
            stream, position = self._unknown
            self._unknown[1] += 1
        return (stream << 32) | position

    def destination_number(self, destination: object) -> int:
        """Return the number of the destination in a JMSDestination."""
        name = name_of(destination)
        found = self.destinations_by_name.get(name)
        if found is None:
            with self._lock:
                found = self.destinations_by_name.get(name) or self._open(name, "an unknown destination", None)
                self.destinations_by_name[name] = found
        return found.number

    # -- phases and trouble --------------------------------------------------------------------------------------

    def enter(self, phase: Phase) -> None:
        """Enter a phase and wake all waiting actors; an earlier phase is never entered again."""
        with self._lock:
            if phase <= self.phase:
                return
            self.phase = phase
            changed, self.changed = self.changed, self.provider.clock.event()
        changed.set()

    def wait(self, ms: float) -> None:
        """Wait on the provider's clock, at most until the phase ends."""
        self.changed.wait(ms)

    def choice(self, actor: str) -> random.Random:
        """Return the random source of an actor."""
        return random.Random(f"{self.seed}/{actor}")  # noqa: S311 - repeatable on purpose

    def count_failure(self, error: BaseException) -> None:
        """Count a failed call."""
        with self._lock:
            name = type(error).__name__
            self.trouble.failures[name] += 1
            if not self.trouble.first and not self.faulting:
                self.trouble.first = f"{name}: {error}"

    def out_of_patience(self) -> bool:
        """Whether the end has taken too long."""
        return self.phase >= Phase.OVER or time.monotonic() > self.patience

    def give_up(self, actor: str, error: BaseException) -> None:
        """Record that an actor cannot connect any more; if half of them cannot, the provider is lost."""
        with self._lock:
            self.trouble.gave_up[actor] = f"{type(error).__name__}: {error}"
            many = len(self.trouble.gave_up) * 2 > self.actors
        if many:
            self.provider_lost(error)

    def provider_lost(self, error: BaseException, when: str = "") -> None:
        """Record that the provider cannot be reached any more, and when that was noticed."""
        with self._lock:
            self.trouble.lost = self.trouble.lost or f"{when}{type(error).__name__}: {error}"
        self.enter(Phase.OVER)

    @contextmanager
    def between_faults(self) -> Iterator[None]:
        """Keep faults and connection attempts apart; while waiting here, the provider's clock may advance."""
        while not self._fault_lock.acquire(blocking=False):
            self.provider.clock.event().wait(GATE_MS)
        try:
            yield
        finally:
            self._fault_lock.release()


def name_of(destination: object) -> str:
    """Return the name of a destination as the provider reports it."""
    for name in ("queue_name", "topic_name"):
        try:
            found = getattr(destination, name, None)
        except Exception:  # noqa: BLE001, S112 - a provider may raise anything
            continue
        if isinstance(found, str):
            return f"{name}:{found}"
    return f"unnamed:{destination}"
