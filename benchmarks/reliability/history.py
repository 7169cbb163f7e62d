"""The history of some work, and the verdict on the messages found afterwards.

Work consists of steps. A step is reported before its call (what it will add and take) and after it (what it took). A stream
contains messages: a queue or a subscription. The pseudo-streams BRANCHES and SUBSCRIPTIONS contain prepared branches and
durable subscriptions, which follow the same rules. Knows nothing of the provider.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

BRANCHES = "branches"
SUBSCRIPTIONS = "subscriptions"


class Item(NamedTuple):
    """A message, branch or subscription by its `key`, in a `stream`."""

    stream: str
    key: str


class Key(NamedTuple):
    """The content of a message's key: sender, sequence number and priority; `plain` messages keep their order."""

    producer: str
    number: int
    priority: int
    plain: bool = True

    def __str__(self) -> str:
        return f"{self.producer}/{self.number}/{self.priority}/{'plain' if self.plain else 'late'}"

    @classmethod
    def parse(cls, text: str) -> Key:
        """Parse the text form."""
        producer, number, priority, order = text.rsplit("/", 3)
        return cls(producer, int(number), int(priority), order == "plain")


class Begin(NamedTuple):
    """A call is about to start. `may_be_lost`: a crash may lose what it adds. `takes_one_of`: it takes one message of this stream."""

    step: str
    adds: tuple[Item, ...] = ()
    takes: tuple[Item, ...] = ()
    takes_one_of: str | None = None
    may_be_lost: bool = False


class End(NamedTuple):
    """The call has returned; `takes`: what it took in addition."""

    step: str
    takes: tuple[Item, ...] = ()


class Seen(NamedTuple):
    """A consumer received a message; `unacknowledged`: a crash from now on requires redelivery with the redelivered flag."""

    consumer: str
    item: Item
    redelivered: bool
    unacknowledged: bool


class Prepared(NamedTuple):
    """What a branch, about to be prepared, adds and takes when it is committed."""

    branch: str
    adds: tuple[Item, ...]
    takes: tuple[Item, ...]


Event = Begin | End | Seen | Prepared


@dataclass(slots=True)
class Step:
    """One call and its progress."""

    name: str
    adds: tuple[Item, ...]
    takes: tuple[Item, ...]
    takes_one_of: str | None = None
    may_be_lost: bool = False
    ended: bool = False


class Found(NamedTuple):
    """A message found in a stream."""

    key: str
    redelivered: bool = False


@dataclass(slots=True)
class History:
    """All events so far."""

    steps: dict[str, Step] = field(default_factory=dict)
    seen: list[Seen] = field(default_factory=list)
    prepared: dict[str, Prepared] = field(default_factory=dict)

    def add(self, event: Event) -> None:
        """Add an event."""
        match event:
            case Begin(name, adds, takes, takes_one_of, may_be_lost):
                self.steps[name] = Step(name, adds, takes, takes_one_of, may_be_lost)
            case End(name, takes):
                step = self.steps[name]
                step.takes += takes
                step.takes_one_of = None
                step.ended = True
            case Seen():
                self.seen.append(event)
            case Prepared():
                self.prepared[event.branch] = event

    def restart_from(self, found: Mapping[str, Sequence[Found]]) -> None:
        """Restart with the messages found, all of them certain."""
        present = tuple(Item(stream, one.key) for stream, many in found.items() for one in many)
        self.steps = {"found": Step("found", present, (), ended=True)}
        self.seen = []
        self.prepared = {}


class Account:
    """The sums over some steps: certain items and items in doubt."""

    def __init__(self, steps: Iterable[Step]) -> None:
        self.added: set[Item] = set()
        self.may_be_lost: set[Item] = set()
        self.taken: set[Item] = set()
        self.maybe_added: set[Item] = set()
        self.maybe_taken: set[Item] = set()
        self.takers: Counter[str] = Counter()  # per stream: calls in doubt that may have taken one message
        self.doubtful: list[Step] = []
        for step in steps:
            if step.may_be_lost:
                self.may_be_lost.update(step.adds)
            if step.ended:
                self.added.update(step.adds)
                self.taken.update(step.takes)
            else:
                self.doubtful.append(step)
                self.maybe_added.update(step.adds)
                self.maybe_taken.update(step.takes)
                if step.takes_one_of is not None:
                    self.takers[step.takes_one_of] += 1

    def verdict(self, present: set[Item]) -> Iterator[str]:
        """Yield the faults among the items present."""
        yield from self._lost(present)
        for item in sorted(present & self.taken):
            yield f"second copy: {item.key} was acknowledged and is in {item.stream} again"
        for item in sorted(present - self.added - self.maybe_added):
            yield f"phantom: {item.key} in {item.stream} was never sent there"
        for step in self.doubtful:
            yield from self._torn(step, present)

    def _lost(self, present: set[Item]) -> Iterator[str]:
        missing = self.added - self.taken - self.maybe_taken - self.may_be_lost - present
        allowed = Counter(self.takers)
        for item in sorted(missing):
            if allowed[item.stream] > 0:
                allowed[item.stream] -= 1
            else:
                yield f"lost: {item.key} was sent to {item.stream} and not acknowledged"

    def _torn(self, step: Step, present: set[Item]) -> Iterator[str]:
        """Compare the items of a step in doubt: either all of it happened, or nothing."""
        done, undone = set(), set()
        for item in step.adds:
            if item in present or item in self.taken:
                done.add(item)
            elif item not in self.maybe_taken and not self.takers[item.stream] and not step.may_be_lost:
                undone.add(item)
        for item in step.takes:
            if item in present:
                undone.add(item)
            elif item in self.added and not self.takers[item.stream] and item not in self.may_be_lost:
                done.add(item)
        if done and undone:
            yield f"torn: of {step.name}, {_names(done)} happened and {_names(undone)} did not"


def judge(steps: Iterable[Step], found: Mapping[str, Sequence[Found]]) -> list[str]:
    """Compare the messages found with the steps; return the faults."""
    present = [Item(stream, one.key) for stream, many in found.items() for one in many]
    twice = [item for item, count in Counter(present).items() if count > 1]
    problems = [f"twice: {item.key} is in {item.stream} more than once" for item in twice]
    return problems + list(Account(steps).verdict(set(present)))


def judge_order(found: Mapping[str, Sequence[Found]]) -> list[str]:
    """Check the order in which messages left the streams: by priority, then in each producer's order."""
    problems = []
    for stream, many in found.items():
        keys = [Key.parse(one.key) for one in many if stream not in {BRANCHES, SUBSCRIPTIONS}]
        plain = [key for key in keys if key.plain]
        for before, after in itertools.pairwise(plain):
            if before.priority < after.priority:
                problems.append(f"order: {after} came out of {stream} after {before} of lower priority")
        problems += _out_of_turn(plain, f"out of {stream}")
    return problems


def judge_deliveries(seen: Sequence[Seen]) -> list[str]:
    """Check the order of first deliveries to consumers."""
    by_consumer: dict[tuple[str, str], list[Key]] = {}
    for one in seen:
        key = Key.parse(one.item.key)
        if key.plain and not one.redelivered:
            by_consumer.setdefault((one.consumer, one.item.stream), []).append(key)
    problems = []
    for (consumer, stream), keys in by_consumer.items():
        problems += _out_of_turn(keys, f"to {consumer} from {stream}")
    return problems


def judge_redelivered(seen: Sequence[Seen], found: Mapping[str, Sequence[Found]]) -> list[str]:
    """Check that unacknowledged messages are flagged as redelivered after a crash."""
    unacknowledged = {one.item for one in seen if one.unacknowledged}
    return [
        f"not marked: {one.key} from {stream} was delivered before and comes without JMSRedelivered"
        for stream, many in found.items()
        for one in many
        if Item(stream, one.key) in unacknowledged and not one.redelivered
    ]


def _out_of_turn(keys: Sequence[Key], where: str) -> list[str]:
    last: dict[tuple[str, int], Key] = {}
    problems = []
    for key in keys:
        before = last.get((key.producer, key.priority))
        if before is not None and before.number > key.number:
            problems.append(f"order: {key} came {where} after {before}")
        last[key.producer, key.priority] = key
    return problems


def _names(items: set[Item]) -> str:
    return ", ".join(f"{item.key} of {item.stream}" for item in sorted(items))
