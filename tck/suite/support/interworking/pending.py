"""A model of what is pending on a connection with acknowledgment, and a channel with what programs on such connections need."""

from __future__ import annotations

import random
from typing import Any, Final

from tck.interworking import EVENT_RELIABILITY, PERSISTENT, StructuredEvent, event
from tck.interworking import acknowledgment as ack
from tck.interworking.clients import Batch
from tck.interworking.qos import CONNECTION_RELIABILITY
from tck.suite.support import expect
from tck.suite.support.case import Case
from tck.suite.support.interworking.acknowledging import INTERVAL, Push, Reliable, number_in, with_number
from tck.suite.support.interworking.crossing import numbered

_ROUNDS: Final = 24
_FEW: Final = 5
LASTING: Final = {CONNECTION_RELIABILITY: PERSISTENT}
"""Quality of service of a connection that outlives a crash."""
PATIENT: Final = 1_000
"""Retries that no program uses up."""


def dice(case: Case) -> random.Random:
    """Return the choices of a case, the same in each run with its seed."""
    return random.Random(case.name("seed").rpartition(".")[2])  # noqa: S311 - which steps is no secret


def rounds(case: Case) -> int:
    """Return how many steps a program has."""
    return _ROUNDS if case.provider.clock.virtual else _FEW


class Programmed(Reliable):
    """A channel with persistent events whose suppliers leave numbers in any event.

    Args:
        case: The case.
    """

    def __init__(self, case: Case) -> None:
        super().__init__(case)
        self.channel.set_qos({EVENT_RELIABILITY: PERSISTENT})
        self.rng = dice(case)
        self.published: list[str] = []
        self.crashes: list[int] = []
        self._supply()

    def _supply(self) -> None:
        self.feed, self.batches = self.supplier(), self.supplier_of_batches()
        for each in (self.feed, self.batches):
            each.set_qos({ack.DELIVERY_RELIABILITY: ack.NONE})  # so that numbers they leave mean nothing

    def some(self) -> None:
        """Publish up to seven events, alone or as a batch; some have a number of an earlier hop."""
        count = self.rng.randint(1, 7)
        names = [str(len(self.published) + each) for each in range(count)]
        events = [self._left(numbered(int(each) + 1)[-1]) for each in names]
        if self.rng.random() < 0.5:
            self.batches.push_structured_events(tuple(events))
        else:
            for each in events:
                self.feed.push_structured_event(each)
        self.published += names

    def _left(self, event: StructuredEvent) -> StructuredEvent:
        return with_number(event, self.rng.choice((0, 3, 77, ack.LAST_NUMBER))) if self.rng.random() < 0.6 else event

    def crash(self) -> None:
        """Crash the channel and start it again, if its factory can."""
        hook = self.channels.hook(ack.Crashes)
        if hook is None:
            return
        channel = self.channels.plain(self.channel)
        hook.crash(channel)
        self.crashes.append(self.case.now())
        hook.restart(channel)
        self._supply()


class Pending:
    """What one connection has given and has been told: the model.

    Attributes:
        known: The names under each number, in the order in which the numbers came first.
        acknowledged: When each number was acknowledged, ms since the epoch.
        held: Numbers that are acknowledged at the end only.
    """

    def __init__(self, on: Programmed, maximum: int) -> None:
        self.on, self._maximum = on, maximum
        self.known: dict[int, list[str]] = {}
        self.times: dict[int, list[int]] = {}
        self.acknowledged: dict[int, int] = {}
        self.held: set[int] = set()
        self._seen = 0
        self.wrong: dict[str, list[object]] = {"renamed": [], "again": [], "carried": [], "size": []}

    def look(self, pushes: list[Push]) -> None:
        """Learn what came since the last look."""
        for each in pushes[self._seen :]:
            number = each.known
            if number not in self.known and self.on.rng.random() < 0.3:
                self.held.add(number)
            self.times.setdefault(number, []).append(each.at)
            if self.known.setdefault(number, each.names) != each.names:
                self.wrong["renamed"].append((number, self.known[number], each.names))
            if number in self.acknowledged and each.at > self.acknowledged[number] + INTERVAL // 2:
                self.wrong["again"].append((number, each.names))
            items = [
                sum(item.name == "SequenceNumber" for item in event.header.variable_header) for event in each.events
            ]
            if items != [1] + [0] * (len(items) - 1):
                self.wrong["carried"].append((number, items, [number_in(event) for event in each.events]))
            if len(each.events) > self._maximum:
                self.wrong["size"].append((number, each.names))
        self._seen = len(pushes)

    @property
    def pending(self) -> list[int]:
        """The numbers that have come and are not acknowledged."""
        return [each for each in self.known if each not in self.acknowledged]

    def names(self) -> list[str]:
        """Return the names of all that came, by the order of their first coming."""
        return [name for names in self.known.values() for name in names]

    def acknowledge(self, proxy: Any) -> None:  # noqa: ANN401 - whatever has acknowledge
        """Acknowledge some of what is pending, in any order, some of it again, in one call or in several."""
        rng = self.on.rng
        free = [each for each in self.pending if each not in self.held]
        chosen = rng.sample(free, rng.randint(0, len(free)))
        late = rng.sample(list(self.acknowledged), min(len(self.acknowledged), rng.randint(0, 2)))
        calls = [(*chosen, *late)] if rng.random() < 0.6 else [(each,) for each in (*chosen, *late)]
        for numbers in filter(None, calls):
            self.on.calls("acknowledge", lambda numbers=numbers: proxy.acknowledge(numbers))  # type: ignore[misc]
        for each in chosen:
            self.acknowledged[each] = self.on.case.now()

    def rest(self, proxy: Any) -> None:  # noqa: ANN401 - whatever has acknowledge
        """Acknowledge all that is pending, in one call."""
        if left := tuple(reversed(self.pending)):
            self.on.calls("acknowledge", lambda: proxy.acknowledge(left))
            self.acknowledged |= dict.fromkeys(left, self.on.case.now())

    def judge(self, *, ordered: bool = True) -> None:
        """Demand what holds for numbers whatever the program was; the order of events, and numbers after a crash, if told to."""
        numbers = list(self.known)
        expect.equal("numbers that came again with other events", self.wrong["renamed"], [])
        with expect.for_row("iw-4.2.6-1"):
            expect.equal("what came again after its acknowledgment", self.wrong["again"], [])
            expect.equal("events that did not come", sorted({*self.on.published} - {*self.names()}), [])
        with expect.for_row("iw-4.2.5-3"):
            expect.equal("events of batches that have a number, or none at the top", self.wrong["carried"], [])
        with expect.for_row("iw-4.2.5-7"):
            expect.equal("the numbers", numbers, list(range(len(numbers))))
        if ordered and self.on.crashes:
            with expect.for_row("iw-4.2.5.1-3"):
                expect.equal("the numbers", numbers, list(range(len(numbers))))
        with expect.for_row("iw-4.2.5.2-1"):
            expect.equal("events that have two numbers", len(self.names()) - len(set(self.names())), 0)
        if ordered:
            with expect.for_row("iw-2.6.1-3"):
                expect.equal("the events in order", self.names(), self.on.published)


class Text(Push):
    """A pull of events that were text messages: its names are their texts."""

    @property
    def names(self) -> list[str]:
        """The texts."""
        return [str(each.remainder_of_body.value) for each in self.events]


def item(number: int, size: int) -> Batch:
    """Return an event, or a batch of at most three, with a number; its names are the number and a letter."""
    first, *rest = (event("d", "t", f"{number}{'abc'[at]}") for at in range(size))
    return (with_number(first, number), *rest)


def names_in(items: list[Batch]) -> list[str]:
    """Return the names of the events of batches."""
    return [each.header.fixed_header.event_name for batch in items for each in batch]
