"""Interworking 2.7.6.1 and 2.7.1: generated programs on a channel that routes by transactions, with clients that are probes of the case.

Properties change between the events of one connection, on each level; headers of events and orders of delivery differ, and routes are rolled
back.
"""

from __future__ import annotations

import functools
import random
from collections.abc import Callable
from itertools import product
from typing import Any

from tck.interworking import PRIORITY, TIMEOUT, Any_, Kind, StructuredEvent, event
from tck.interworking.channel import ClientType
from tck.interworking.qos import DEADLINE_ORDER, FIFO_ORDER, ORDER_POLICY, PRIORITY_ORDER
from tck.interworking.transactions import (
    ENABLE_TRANSACTION,
    TRANSACTION_EVENT_SEQUENCES,
    TRANSACTION_EVENTS,
    TRANSACTION_TIMEOUT,
    TransactionRequired,
)
from tck.suite.support import Case, asserts, expect
from tck.suite.support.interworking.coordinator import Point
from tck.suite.support.interworking.crossing import PULL, PUSH, numbered
from tck.suite.support.interworking.pending import dice
from tck.suite.support.interworking.probing import Probe, of_client
from tck.suite.support.interworking.transacting import BATCHES, EVENTS, ON, Routing, accepted, administered

KINDS = tuple(product((EVENTS, BATCHES), (PUSH, PULL)))
"""The kinds of proxies that make the calls."""
SINGLE = {TRANSACTION_EVENTS: 1, TRANSACTION_EVENT_SEQUENCES: 1, TRANSACTION_TIMEOUT: 0}
SECOND = 10_000_000
"""A second in units of 100 ns."""


class Clients:
    """A channel, clients of each kind on it, and what makes events for them.

    Attributes:
        probes: Each with its proxy, kind and style.
        called: Proxies that are called: one that is pushed to, and one that is pulled.
    """

    def __init__(self, case: Case) -> None:
        self.routing = Routing(case, xa=False)
        administered(self.routing, SINGLE)
        self.channel = self.routing.channel
        made: Any = self.channel.new_for_suppliers()[0].obtain_notification_push_consumer(EVENTS)[0]
        self.feed = made
        made.connect_structured_push_supplier(None)
        self.probes: list[tuple[Probe, Any, ClientType, Any]] = []
        self.called: list[Any] = []
        self.feeds_within = False
        self._count = 0

    def connect(self, **qos: bool) -> None:
        """Connect one more client of each kind, and one to each kind of proxy that is called."""
        for kind, style in KINDS:
            probe = Probe(self.routing)
            self.probes.append((probe, of_client(self.routing, probe, kind, style, qos), kind, style))
        self.called += [self.routing.supplier(), self.routing.consumer()]
        for each in self.called[-2:]:
            accepted(each, qos)

    def publish(self, item: StructuredEvent) -> None:
        """Push an event into the channel, in a transaction where the proxy wants one."""
        current = self.routing.current
        if self.feeds_within:
            current.begin()
        self.routing.calls("a push", lambda: self.feed.push_structured_event(item))
        if self.feeds_within:
            self.routing.calls("commit of the supplier", current.commit)

    def carried(self) -> list[tuple[Probe, str]]:
        """Let each client carry an event; return the clients with its name."""
        self._count += 1
        name = f"pushed {self._count}"
        self.publish(event("d", "t", name))
        found = []
        for at, (probe, _, _, style) in enumerate(self.probes):
            own = name if style == PUSH else f"pulled {self._count} {at}"
            if style == PULL:
                probe.offer([event("d", "t", own)])
            found.append((probe, own))
        self.routing.until(
            lambda: all(own in probe.names for probe, own in found), f"all clients carry event {self._count}"
        )
        return found

    def require(self, *, on: bool) -> list[str]:
        """Call the proxies that are called without a transaction; return those that are wrong."""
        supplier, consumers = self.called[::2], self.called[1::2]
        calls: list[Callable[[], object]] = [
            functools.partial(each.push_structured_event, event("d", "t", "x")) for each in supplier
        ]
        calls += [each.try_pull_structured_event for each in consumers]
        wrong = []
        for at, call in enumerate(calls):
            try:
                call()
            except TransactionRequired:
                wrong += [] if on else [f"{at}: TransactionRequired"]
            else:
                wrong += [f"{at}: taken"] if on else []
        return wrong


@asserts("iw-2.7.6.1-8", "iw-2.7.6.1-9", "iw-2.7.6.1-1", "iw-2.7.6.1-3", "iw-2.7.6.1-6", plain=True, variant="program")
def test_enabling_holds_at_once_on_each_level(case: Case) -> None:
    """EnableTransaction is set and taken back on proxies, admins or the channel: it holds for connections of before and of later."""
    rng = dice(case)
    with expect.all_of():
        for level, row in (("admin", "iw-2.7.6.1-8"), ("channel", "iw-2.7.6.1-9"), ("proxy", "iw-2.7.6.1-1")):
            clients = Clients(case)
            clients.connect()
            states = [True, False, True] + [rng.random() < 0.5 for _ in range(2 if case.provider.clock.virtual else 0)]
            for on in states:
                _set(clients, level, on=on)
                clients.feeds_within = on and level == "channel"
                clients.connect(**({ENABLE_TRANSACTION: on} if level == "proxy" else {}))
                _judge(clients, row, on=on)


def _set(clients: Clients, level: str, *, on: bool) -> None:
    """Set EnableTransaction on a level."""
    channel = clients.channel
    proxies = [proxy for _, proxy, _, _ in clients.probes] + clients.called
    targets = {
        "proxy": proxies,
        "admin": [channel.default_consumer_admin, channel.default_supplier_admin],
        "channel": [channel],
    }[level]
    for each in targets:
        accepted(each, {ENABLE_TRANSACTION: on})
    clients.routing.case.pass_time(20, "a call that has begun before ends")


def _judge(clients: Clients, row: str, *, on: bool) -> None:
    """Demand that all clients are called within transactions, or none."""
    shown = [proxy.get_qos().get(ENABLE_TRANSACTION) for _, proxy, _, _ in clients.probes]
    within = [probe.within(name) is not None for probe, name in clients.carried()]
    wrong = clients.require(on=on)
    for each in (row, "iw-2.7.6.1-3"):
        with expect.for_row(each):
            expect.equal("EnableTransaction of the proxies", shown, [on] * len(shown))
            expect.equal("whether clients were called within transactions", within, [on] * len(within))
    for each in (row, "iw-2.7.6.1-6"):
        with expect.for_row(each):
            expect.equal("calls without a transaction that were answered otherwise", wrong, [])


@asserts(
    "iw-2.7.6.1-19",
    "iw-2.7.6.1-20",
    "iw-2.7.6.1-21",
    "iw-2.7.6.1-14",
    "iw-2.7.6.1-16",
    "iw-2.7.6.1-24",
    plain=True,
    variant="program",
)
def test_changed_numbers_and_timeouts_hold_for_the_next(case: Case) -> None:
    """The three properties change again and again, 0 after other timeouts too: each next transaction has what was set last."""
    rng = dice(case)
    with expect.all_of():
        for kind, style in KINDS:
            clients = Clients(case)
            probe = Probe(clients.routing)
            proxy = of_client(clients.routing, probe, kind, style, ON)
            timeouts = [
                7,
                0,
                *(rng.choice((0, 0, 2, 30, 86_400)) for _ in range(4 if case.provider.clock.virtual else 1)),
                5,
                0,
            ]
            for timeout in timeouts:
                events, batches = rng.randint(1, 4), rng.randint(1, 4)
                wanted = {
                    TRANSACTION_EVENTS: events,
                    TRANSACTION_EVENT_SEQUENCES: batches,
                    TRANSACTION_TIMEOUT: timeout,
                }
                administered(clients.routing, wanted)
                size = events if kind == EVENTS else batches
                groups = _groups(clients, probe, proxy, style, 2 * size)
                for row in ("iw-2.7.6.1-16" if kind == BATCHES else "iw-2.7.6.1-14", "iw-2.7.6.1-24"):
                    with expect.for_row(row):
                        expect.equal("events of transactions", [len(each) for _, each in groups], [size, size])
                held = clients.routing.timeouts()
                shown = [held.get(each) for each, _ in groups]
                for row in ("iw-2.7.6.1-19", "iw-2.7.6.1-20", "iw-2.7.6.1-21"):
                    if timeout == 0 or row != "iw-2.7.6.1-19":
                        with expect.for_row(row):
                            expect.equal("timeouts at the begin", shown, [timeout] * len(shown))


def _groups(clients: Clients, probe: Probe, proxy: Any, style: Any, count: int) -> list[tuple[int, list[str]]]:
    """Let a client carry events that wait for it together; return the transactions that carried them: number and names."""
    proxy.suspend_connection()
    clients.routing.case.pass_time(20, "a call that runs ends")
    first = len(probe.carried)
    items = numbered(count)
    if style == PULL:
        probe.offer(items)
    else:
        for each in items:
            clients.publish(each)
    before = len(probe.names)
    proxy.resume_connection()
    clients.routing.until(lambda: len(probe.names) >= before + count, f"{count} events are carried")
    found: dict[int, list[str]] = {}
    for within, events in probe.carried[first:]:
        number = getattr(within, "number", 0)
        found.setdefault(number, []).extend(each.header.fixed_header.event_name for each in events)
    return list(found.items())


ORDERS = {
    FIFO_ORDER: lambda _: 0,
    PRIORITY_ORDER: lambda each: -_value(each, PRIORITY),
    DEADLINE_ORDER: lambda each: _value(each, TIMEOUT),
}
"""For each order of delivery what events are sorted by; ties keep the order of arrival."""


def _value(item: StructuredEvent, name: str) -> int:
    found = item.field(name)
    return found.value if found is not None and isinstance(found.value, int) else 0


@asserts("iw-2.7.1-4", "iw-2.7.3.1-4", "iw-4.3-1", plain=True, variant="bare")
def test_rollbacks_keep_the_order_of_delivery(case: Case) -> None:
    """Events of different priority and life, in each order: after rollbacks of their routes they are carried in the order they had."""
    rng = dice(case)
    stable = True
    walks = list(product((EVENTS, BATCHES), ORDERS))
    if not case.provider.clock.virtual:  # a route that was rolled back is tried again after seconds
        walks = [rng.choice(walks)]
    with expect.all_of():
        for kind, order in walks:
            clients = Clients(case)
            stable = clients.routing.channels.stable_priority
            size = rng.randint(1, 2)
            administered(clients.routing, {TRANSACTION_EVENTS: size, TRANSACTION_EVENT_SEQUENCES: size})
            probe = Probe(clients.routing)
            proxy = of_client(clients.routing, probe, kind, PUSH, {**ON, ORDER_POLICY: order})
            for _ in range(3 if case.provider.clock.virtual else 1):
                items = _items(rng, size * rng.randint(2, 4))
                failures = rng.randint(1, 2) if case.provider.clock.virtual else 1
                clients.routing.at(Point.ASKED, _spread(rng), failures + 1)
                before = len(probe.names)
                proxy.suspend_connection()
                for each in items:
                    clients.publish(each)
                proxy.resume_connection()
                clients.routing.until(lambda: len(probe.names) >= before + len(items), "all events are carried")
                carried = probe.names[before:]
                wanted = [each.header.fixed_header.event_name for each in sorted(items, key=ORDERS[order])]
                for row in ("iw-2.7.1-4", "iw-2.7.3.1-4", "iw-4.3-1"):
                    with expect.for_row(row):
                        if stable or order != PRIORITY_ORDER:
                            expect.equal("the events of committed transactions", carried, wanted)
                        else:
                            expect.equal("the events of committed transactions", sorted(carried), sorted(wanted))


def _spread(rng: random.Random) -> Any:
    """Return what lets a route roll back, or not: at least the first."""
    left = [False, rng.random() < 0.5, False]
    return lambda _: left.pop(0) if left else True


def _items(rng: random.Random, count: int) -> list[StructuredEvent]:
    """Return events whose priorities are alike at times, and whose lives all differ."""
    lives = rng.sample(range(3_600, 90_000), count)
    return [
        event(
            "d",
            "t",
            str(at),
            header={
                PRIORITY: Any_.of(Kind.SHORT, rng.choice((0, 0, 1, 5, -3))),
                TIMEOUT: Any_.of(Kind.ULONGLONG, life * SECOND),
            },
        )
        for at, life in enumerate(lives)
    ]
