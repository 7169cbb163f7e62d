"""Plans of workloads as values: producers, consumers, browsers, faults. Imports the table of versions only."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from tck.catalogue.versions import ASYNCHRONOUS_SENDS, DELIVERY_DELAYS, SHARED_SUBSCRIPTIONS, SINCE

Amount = tuple[int, int]
LONGEST: Final = 604_800
"""The longest duration, in seconds: a week. The schema of plans says the same."""
SHORTEST: Final = 0.001
"""The shortest duration, in seconds."""
MOST: Final = 1_000_000_000
"""The highest bound on sends."""


@dataclasses.dataclass(frozen=True, slots=True)
class DestinationPlan:
    """A group of destinations: `count` of them, `name-1`, `name-2`..., or just `name`."""

    name: str
    kind: str
    count: int = 1


@dataclasses.dataclass(frozen=True, slots=True)
class MessagePlan:
    """A kind of messages. Sizes in bytes, times in milliseconds, each as a range."""

    name: str = "plain"
    share: float = 1
    properties: Mapping[str, str | int | bool | float] = dataclasses.field(default_factory=dict)
    body: str = "text"
    size: Amount = (100, 100)
    mode: str = "persistent"
    priority: tuple[int, ...] = (4,)
    ttl: Amount = (0, 0)
    delay: Amount = (0, 0)


@dataclasses.dataclass(frozen=True, slots=True)
class ProducerPlan:
    """A group of equal producers. `rate` in messages a second each, `think` in milliseconds after each batch."""

    name: str
    to: tuple[str, ...]
    count: int = 1
    messages: tuple[str, ...] = ()
    session: str = "auto"
    batch: Amount = (1, 1)
    rollback: float = 0
    asynchronous: bool = False
    api: str = "classic"
    rate: float = 0
    think: float = 0
    lifetime: Amount = (0, 0)
    closes: str = "connection"


@dataclasses.dataclass(frozen=True, slots=True)
class ConsumerPlan:
    """A group of equal consumers; docs/workload.md describes each key."""

    name: str
    source: str
    count: int = 1
    subscription: str = "nondurable"
    subscriptions: int = 1
    session: str = "auto"
    how: str = "receive"
    selector: str = ""
    accepts: tuple[str, ...] = ()
    no_local: bool = False
    batch: Amount = (1, 1)
    rollback: float = 0
    fail: float = 0
    forward: str = ""
    forward_share: float = 1
    lifetime: Amount = (0, 0)
    unsubscribe: float = 0
    pause: float = 0
    per_session: int = 1
    think: float = 0
    trespass: bool = False
    rival: bool = False
    together: bool = False

    @property
    def actors(self) -> int:
        """The number of sessions that its consumers are divided among."""
        return -(-self.count // self.per_session)


@dataclasses.dataclass(frozen=True, slots=True)
class BrowserPlan:
    """A group of browsers. `think` in milliseconds between two browsings, `limit` the most messages of one."""

    name: str
    source: str
    count: int = 1
    think: float = 100
    limit: int = 1000
    after: str = ""


@dataclasses.dataclass(frozen=True, slots=True)
class FaultPlan:
    """A fault: at given seconds, at regular intervals, or at random with a mean interval, in seconds."""

    kind: str
    at: tuple[float, ...] = ()
    every: float = 0
    random: float = 0
    of: tuple[str, ...] = ()


@dataclasses.dataclass(frozen=True, slots=True)
class Plan:
    """A workload. `duration` in seconds; `messages`: sends of all producers (forwarded ones not counted), 0 for no bound; `drain` in seconds."""

    name: str
    title: str
    duration: float
    messages: int
    drain: float
    destinations: tuple[DestinationPlan, ...]
    messages_of: tuple[MessagePlan, ...]
    producers: tuple[ProducerPlan, ...]
    consumers: tuple[ConsumerPlan, ...]
    browsers: tuple[BrowserPlan, ...]
    faults: tuple[FaultPlan, ...]
    file: Path

    def to_json(self) -> dict[str, Any]:
        """Return the plan with all defaults filled in."""
        content = dataclasses.asdict(self)
        return {**content, "file": self.file.name}

    def counts(self) -> list[int]:
        """Return the number of actors of each group."""
        groups = [each.count for each in self.producers], [each.count for each in self.consumers]
        return [*groups[0], *groups[1], *(each.count for each in self.browsers)]

    def hooks(self) -> frozenset[str]:
        """Return the hooks that its faults need."""
        return frozenset(each.kind for each in self.faults)

    def needs(self) -> dict[str, str]:
        """Return its needs beyond version 1.1, each with the version or feature."""
        found = {}
        if any(each.subscription.startswith("shared") for each in self.consumers):
            found[SHARED_SUBSCRIPTIONS] = SINCE[SHARED_SUBSCRIPTIONS]
        if any(each.asynchronous for each in self.producers):
            found[ASYNCHRONOUS_SENDS] = SINCE[ASYNCHRONOUS_SENDS]
        if any(each.api == "simplified" for each in self.producers):
            found["the simplified API"] = SINCE["simplified"]
        if any(max(each.delay) for each in self.messages_of):
            found[DELIVERY_DELAYS] = SINCE[DELIVERY_DELAYS]
        sessions = {*(each.session for each in self.producers), *(each.session for each in self.consumers)}
        if "xa" in sessions:
            found["XA sessions"] = "xa"
        return found


def expanded(plan: DestinationPlan) -> Iterator[str]:
    """Yield the name of each destination of a group."""
    if plan.count == 1:
        yield plan.name
    else:
        yield from (f"{plan.name}-{number}" for number in range(1, plan.count + 1))
