"""What was told about work, and the verdict on what is found afterwards.

Work consists of steps. A step is told before its call (what it will add and take) and after it (what it took). A stream
is where messages lie: a queue or a subscription; the pseudo-streams BRANCHES and SUBSCRIPTIONS hold prepared branches
and durable subscriptions, which come and go by the same rules. Knows nothing of the provider.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

BRANCHES = "branches"
SUBSCRIPTIONS = "subscriptions"


class Mark(NamedTuple):
    """Something that lies somewhere: the message `key` in `stream`."""

    stream: str
    key: str


class Key(NamedTuple):
    """What the key of a message says: who sent it as its how manyth, and how urgent; `plain` ones keep their order."""

    producer: str
    number: int
    priority: int
    plain: bool = True

    def __str__(self) -> str:
        return f"{self.producer}/{self.number}/{self.priority}/{'plain' if self.plain else 'late'}"

    @classmethod
    def parse(cls, text: str) -> Key:
        """Read the text form."""
        producer, number, priority, order = text.rsplit("/", 3)
        return cls(producer, int(number), int(priority), order == "plain")


class Begin(NamedTuple):
    """A call is about to be made. `fleeting`: what it adds may be lost in a crash. `takes_one_of`: what it will take is known afterwards."""

    step: str
    adds: tuple[Mark, ...] = ()
    takes: tuple[Mark, ...] = ()
    takes_one_of: str | None = None
    fleeting: bool = False


class End(NamedTuple):
    """The call has returned, and taken this beside what was told."""

    step: str
    takes: tuple[Mark, ...] = ()


class Seen(NamedTuple):
    """A consumer was given a message; `owed` if a crash from now on has to mark it redelivered."""

    consumer: str
    mark: Mark
    redelivered: bool
    owed: bool


class Prepared(NamedTuple):
    """What a branch, which is about to be prepared, adds and takes when it is committed."""

    branch: str
    adds: tuple[Mark, ...]
    takes: tuple[Mark, ...]


Fact = Begin | End | Seen | Prepared


@dataclass(slots=True)
class Step:
    """One call and how far it came."""

    name: str
    adds: tuple[Mark, ...]
    takes: tuple[Mark, ...]
    takes_one_of: str | None = None
    fleeting: bool = False
    ended: bool = False


class Found(NamedTuple):
    """A message found in a stream."""

    key: str
    redelivered: bool = False


@dataclass(slots=True)
class Story:
    """All that was told so far."""

    steps: dict[str, Step] = field(default_factory=dict)
    seen: list[Seen] = field(default_factory=list)
    prepared: dict[str, Prepared] = field(default_factory=dict)

    def tell(self, fact: Fact) -> None:
        """Add a fact."""
        match fact:
            case Begin(name, adds, takes, takes_one_of, fleeting):
                self.steps[name] = Step(name, adds, takes, takes_one_of, fleeting)
            case End(name, takes):
                step = self.steps[name]
                step.takes += takes
                step.takes_one_of = None
                step.ended = True
            case Seen():
                self.seen.append(fact)
            case Prepared():
                self.prepared[fact.branch] = fact

    def begin_again(self, found: Mapping[str, Sequence[Found]]) -> None:
        """Let the next chapter start with what was found, all of it certain."""
        present = tuple(Mark(stream, one.key) for stream, many in found.items() for one in many)
        self.steps = {"found": Step("found", present, (), ended=True)}
        self.seen = []
        self.prepared = {}


class Account:
    """The sums over some steps: what is certain and what is in doubt."""

    def __init__(self, steps: Iterable[Step]) -> None:
        self.added: set[Mark] = set()
        self.fleeting: set[Mark] = set()
        self.taken: set[Mark] = set()
        self.maybe_added: set[Mark] = set()
        self.maybe_taken: set[Mark] = set()
        self.takers: Counter[str] = Counter()  # per stream: calls in doubt that may have taken one message
        self.doubtful: list[Step] = []
        for step in steps:
            if step.fleeting:
                self.fleeting.update(step.adds)
            if step.ended:
                self.added.update(step.adds)
                self.taken.update(step.takes)
            else:
                self.doubtful.append(step)
                self.maybe_added.update(step.adds)
                self.maybe_taken.update(step.takes)
                if step.takes_one_of is not None:
                    self.takers[step.takes_one_of] += 1

    def verdict(self, present: set[Mark]) -> Iterator[str]:
        """Yield what is wrong with what is present."""
        yield from self._lost(present)
        for mark in sorted(present & self.taken):
            yield f"second copy: {mark.key} was acknowledged and is in {mark.stream} again"
        for mark in sorted(present - self.added - self.maybe_added):
            yield f"phantom: {mark.key} in {mark.stream} was never sent there"
        for step in self.doubtful:
            yield from self._torn(step, present)

    def _lost(self, present: set[Mark]) -> Iterator[str]:
        missing = self.added - self.taken - self.maybe_taken - self.fleeting - present
        allowed = Counter(self.takers)
        for mark in sorted(missing):
            if allowed[mark.stream] > 0:
                allowed[mark.stream] -= 1
            else:
                yield f"lost: {mark.key} was sent to {mark.stream} and not acknowledged"

    def _torn(self, step: Step, present: set[Mark]) -> Iterator[str]:
        """Hold each trace of a step in doubt against the others: all of it happened, or nothing."""
        done, undone = set(), set()
        for mark in step.adds:
            if mark in present or mark in self.taken:
                done.add(mark)
            elif mark not in self.maybe_taken and not self.takers[mark.stream] and not step.fleeting:
                undone.add(mark)
        for mark in step.takes:
            if mark in present:
                undone.add(mark)
            elif mark in self.added and not self.takers[mark.stream] and mark not in self.fleeting:
                done.add(mark)
        if done and undone:
            yield f"torn: of {step.name}, {_names(done)} happened and {_names(undone)} did not"


def judge(steps: Iterable[Step], found: Mapping[str, Sequence[Found]]) -> list[str]:
    """Hold what was found against what was told; give what is wrong."""
    present = [Mark(stream, one.key) for stream, many in found.items() for one in many]
    twice = [mark for mark, count in Counter(present).items() if count > 1]
    problems = [f"twice: {mark.key} is in {mark.stream} more than once" for mark in twice]
    return problems + list(Account(steps).verdict(set(present)))


def judge_order(found: Mapping[str, Sequence[Found]]) -> list[str]:
    """Check the order in which messages came out of streams: by urgency, then as each producer sent them."""
    problems = []
    for stream, many in found.items():
        keys = [Key.parse(one.key) for one in many if stream not in {BRANCHES, SUBSCRIPTIONS}]
        plain = [key for key in keys if key.plain]
        for before, after in itertools.pairwise(plain):
            if before.priority < after.priority:
                problems.append(f"order: {after} came out of {stream} after the less urgent {before}")
        problems += _out_of_turn(plain, f"out of {stream}")
    return problems


def judge_sight(seen: Sequence[Seen]) -> list[str]:
    """Check the order in which consumers were given messages for the first time."""
    by_consumer: dict[tuple[str, str], list[Key]] = {}
    for one in seen:
        key = Key.parse(one.mark.key)
        if key.plain and not one.redelivered:
            by_consumer.setdefault((one.consumer, one.mark.stream), []).append(key)
    problems = []
    for (consumer, stream), keys in by_consumer.items():
        problems += _out_of_turn(keys, f"to {consumer} from {stream}")
    return problems


def judge_redelivered(seen: Sequence[Seen], found: Mapping[str, Sequence[Found]]) -> list[str]:
    """Check that what was in a client's hands before a crash comes again marked as redelivered."""
    owed = {one.mark for one in seen if one.owed}
    return [
        f"not marked: {one.key} from {stream} was delivered before and comes without JMSRedelivered"
        for stream, many in found.items()
        for one in many
        if Mark(stream, one.key) in owed and not one.redelivered
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


def _names(marks: set[Mark]) -> str:
    return ", ".join(f"{mark.key} of {mark.stream}" for mark in sorted(marks))
