"""Interworking 2.7 and 3.2: generated programs of routing transactions of a bridge: groups, decisions, crashes, and properties in between.

A program carries groups of items with different headers; each of its routes is rolled back a few times, asked or after all have prepared, or the
channel crashes at a point of its commit. What comes, and what routes carried, is compared with what was given.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from tck.interworking import BEST_EFFORT, EVENT_RELIABILITY, PERSISTENT, TIMEOUT, Any_, Kind, StructuredEvent, event
from tck.interworking.qos import MAXIMUM_BATCH_SIZE
from tck.interworking.transactions import (
    TRANSACTION_EVENT_SEQUENCES,
    TRANSACTION_EVENTS,
    TRANSACTION_TIMEOUT,
    Resource,
    Vote,
)
from tck.suite.support import Case, asserts, expect
from tck.suite.support.interworking.coordinator import Did, Point
from tck.suite.support.interworking.crossing import GROUPS, SEQUENCE
from tck.suite.support.interworking.pending import dice
from tck.suite.support.interworking.transacting import CHANNEL, CLIENT, Routing, names, seen

ROUNDS, FEW = 8, 2
"""How many groups cross: on a virtual clock, and where each new attempt takes seconds."""
HOUR = 36_000_000_000
"""A Timeout in units of 100 ns."""


class Refusing(Resource):
    """Takes part after all others, and votes against the commit they have prepared for."""

    def prepare(self) -> Vote:
        """Refuse."""
        return Vote.ROLLBACK

    def commit(self) -> None:
        """Is not called."""

    def rollback(self) -> None:
        """Nothing to undo."""


class Program:
    """Routes of one bridge, and what is to become of each.

    Args:
        case: The case.
        rng: Its choices.
        routing: The crossing.
    """

    def __init__(self, case: Case, rng: random.Random, routing: Routing) -> None:
        self.case, self.rng, self.routing = case, rng, routing
        self.count = 0
        self._decisions: list[tuple[str, Point | None]] = []

    def _decision(self) -> tuple[str, Point | None]:
        """Return what becomes of the next route: each of six ways before any comes again."""
        if not self._decisions:
            self._decisions = [("commit", None), ("asked", None), ("prepared", None)]
            self._decisions += [("crash", each) for each in Point]
            self.rng.shuffle(self._decisions)
        return self._decisions.pop()

    def events(self, count: int) -> list[StructuredEvent]:
        """Return new events of one priority, whose headers say different things of reliability and life."""
        made = []
        for _ in range(count):
            header = {}
            if self.rng.random() < 0.7:
                header[EVENT_RELIABILITY] = Any_.of(Kind.SHORT, self.rng.choice((BEST_EFFORT, PERSISTENT)))
            if self.rng.random() < 0.3:
                header[TIMEOUT] = Any_.of(Kind.ULONGLONG, HOUR)
            made.append(event("d", "t", str(self.count), header=header))
            self.count += 1
        return made

    def decide(self, send: Callable[[], object]) -> None:
        """Send items whose first routes are rolled back or meet a crash, or are left alone."""
        what, point = self._decision()
        times = self.rng.randint(1, 3 if self.case.provider.clock.virtual else 1)
        if what == "asked":
            self.routing.fail(times)
        elif what == "prepared":
            service = self.routing.service
            self.routing.at(Point.ASKED, lambda number: service.join(number, CLIENT, Refusing()), times)
        if point is None:
            send()
        else:
            self.routing.crash_at(point, send)


def rounds(case: Case) -> int:
    """Return how many groups cross."""
    return ROUNDS if case.provider.clock.virtual else FEW


@asserts(
    "iw-2.7.1-4", "iw-2.7.1-9", "iw-2.7.3-4", "iw-2.7.3.1-3", "iw-2.7.3.1-4", "iw-2.7.4-6", "iw-2.7.5.1-2",
    "iw-2.7.5.1-3", "iw-2.5.6-1", plain=True, variant="program"
)  # fmt: skip
def test_programs_to_jms(case: Case) -> None:
    """Groups of events with any headers come once and in order, whatever becomes of their routes; a rollback takes all of a route back."""
    rng = dice(case)
    with expect.all_of():
        for type_ in GROUPS:
            routing = Routing(case)
            size = rng.randint(2, 3)
            bridge = routing.managed(routing.offered(routing.to_jms(type_)))
            if type_ == SEQUENCE:
                for each in routing.own_proxies():
                    each.set_qos({MAXIMUM_BATCH_SIZE: 2})
            routing.calls("enable_transaction", lambda: bridge.enable_transaction(size, 0))
            program, supplier = Program(case, rng, routing), routing.lasting_supplier()
            came: list[object] = []
            for _ in range(rounds(case)):
                group = size * (_batch(routing) if type_ == SEQUENCE else 1)
                events = program.events(group * rng.randint(1, 3))
                program.decide(lambda: _gathered(routing, supplier, events))
                _routed(routing, events)
                came += [seen(each) for each in routing.received(len(events))]
            routing.sender.send("marker")
            while (found := seen(routing.received(1)[0])) != "marker":
                came.append(found)
            _judge_forth(routing, program, came)


def _batch(routing: Routing) -> int:
    """Return how many events a batch of the bridge has."""
    return max(1, *(int(each.get_qos().get(MAXIMUM_BATCH_SIZE, 1)) for each in routing.own_proxies()), 1)


def _gathered(routing: Routing, supplier: Any, events: list[StructuredEvent]) -> None:
    """Push events that wait for the bridge together."""
    with routing.gathered():
        for each in events:
            supplier.push_structured_event(each)


def _routed(routing: Routing, events: list[StructuredEvent]) -> None:
    """Wait until routes with these events have been committed: a channel tries again when it likes."""
    wanted = set(names(events))
    routing.until(
        lambda: wanted <= {name for each in routing.routes() if each.committed for name in names(each.events)},
        f"the events {sorted(wanted)} are routed",
    )


def _judge_forth(routing: Routing, program: Program, came: list[object]) -> None:
    """Demand each event once, and in order; in one committed route."""
    wanted = [str(each) for each in range(program.count)]
    twice = sorted({str(each) for each in came if came.count(each) > 1})
    for row in ("iw-2.7.1-9", "iw-2.7.3-4", "iw-2.7.3.1-3", "iw-2.7.4-6", "iw-2.7.5.1-2", "iw-2.7.5.1-3"):
        with expect.for_row(row):
            expect.equal("events that came twice", twice, [])
    for row in ("iw-2.7.1-9", "iw-2.7.3.1-4", "iw-2.7.5.1-3"):
        with expect.for_row(row):
            expect.equal("events that did not come", sorted({*wanted} - {str(each) for each in came}), [])
    with expect.for_row("iw-2.5.6-1"):
        expect.equal("the events in order", list(dict.fromkeys(came)), wanted)
    expect.equal("what came", came, wanted)
    carried = [name for each in routing.committed() for name in names(each.events)]
    with expect.for_row("iw-2.7.3.1-3"):
        expect.equal("events of two committed routes", sorted({x for x in carried if carried.count(x) > 1}), [])


HOME = (
    "iw-2.7.3.2-4",
    "iw-2.7.3-4",
    "iw-2.7.3.2-3",
    "iw-2.7.1-9",
    "iw-2.7.5.2-2",
    "iw-2.7.5.2-3",
)


@asserts(
    "iw-2.7.3.2-4",
    "iw-2.7.3-4",
    "iw-2.7.3.2-3",
    "iw-2.7.1-9",
    "iw-2.7.5.2-2",
    "iw-2.7.5.2-3",
    plain=True,
    variant="program",
)
def test_programs_from_jms(case: Case) -> None:
    """Messages come to the channel once, whatever becomes of the routes that pull them; of a route that is rolled back nothing is seen."""
    rng = dice(case)
    with expect.all_of():
        for type_ in GROUPS:
            routing = Routing(case)
            consumer = routing.lasting_consumer()
            routing.routed(routing.back(type_), events=rng.randint(1, 3))
            program = Program(case, rng, routing)
            came: list[object] = []
            for _ in range(rounds(case)):
                texts = [str(program.count + each) for each in range(rng.randint(1, 4))]
                program.count += len(texts)
                program.decide(lambda: _sent(routing, texts))
                came += [each.remainder_of_body.value for each in routing.pulled(consumer, len(texts))]
                routing.committed()
            routing.sender.send("marker")
            while (found := routing.pulled(consumer, 1)[0].remainder_of_body.value) != "marker":
                came.append(found)
            wanted = {str(each) for each in range(program.count)}
            for row in HOME:
                with expect.for_row(row):
                    expect.equal("messages that came twice", sorted({str(x) for x in came if came.count(x) > 1}), [])
                    expect.equal("messages that did not come", sorted(wanted - {str(each) for each in came}), [])


def _sent(routing: Routing, texts: list[str]) -> None:
    for each in texts:
        routing.sender.send(each)


@asserts(
    "iw-3.2.1.1-7",
    "iw-3.2.1.1-4",
    "iw-3.2.1.1-5",
    "iw-2.7.6.2-4",
    "iw-2.7.6.2-5",
    "iw-3.2.1.2-1",
    plain=True,
    variant="program",
)
def test_each_enabling_has_its_arguments(case: Case) -> None:
    """Routes are enabled and disabled again and again, with other numbers and timeouts: what holds is what was given last."""
    rng = dice(case)
    with expect.all_of():
        for type_ in GROUPS:
            routing = Routing(case)
            bridge = routing.managed(routing.offered(routing.to_jms(type_)))
            program, supplier = Program(case, rng, routing), routing.supplier()
            counted = TRANSACTION_EVENT_SEQUENCES if type_ == SEQUENCE else TRANSACTION_EVENTS
            for _ in range(5 if case.provider.clock.virtual else 3):
                events, timeout = rng.randint(1, 4), rng.choice((0, 1, 5, 7, 30, 86_400))
                routing.calls("enable_transaction", lambda: bridge.enable_transaction(events, timeout))
                admin = routing.channel.get_admin()
                with expect.for_row("iw-3.2.1.1-7"):
                    expect.equal(TRANSACTION_TIMEOUT, admin.get(TRANSACTION_TIMEOUT), timeout)
                with expect.for_row("iw-3.2.1.1-5" if type_ == SEQUENCE else "iw-3.2.1.1-4"):
                    expect.equal(counted, admin.get(counted), events)
                before = len(routing.service.log())
                _carried(routing, program, supplier, events * (_batch(routing) if type_ == SEQUENCE else 1))
                since = [each for each in routing.service.log()[before:] if each.party == CHANNEL]
                with expect.for_row("iw-2.7.6.2-4"):
                    begun = [each.transaction for each in since if each.did == Did.BEGIN]
                    held = routing.timeouts()
                    expect.true("transactions are begun", bool(begun), "none was")
                    expect.equal("their timeouts", [held[each] for each in begun if held[each] != timeout], [])
                    expect.equal("events of the last one", len(routing.committed()[-1].events) % events, 0)
                routing.calls("disable_transaction", bridge.disable_transaction)
                before = len(routing.service.log())
                _carried(routing, program, supplier, 2)
                for row in ("iw-2.7.6.2-5", "iw-3.2.1.2-1"):
                    with expect.for_row(row):
                        expect.equal("steps while disabled", len(routing.service.log()) - before, 0)


def _carried(routing: Routing, program: Program, supplier: Any, count: int) -> None:
    """Carry events to the destination."""
    events = program.events(count)
    _gathered(routing, supplier, events)
    routing.arrive(names(events))
    routing.committed()
