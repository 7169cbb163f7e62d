"""Interworking 2.3 and 3.1 by programs: several bridges of one factory that are made, started, stopped, cut off and destroyed."""

from __future__ import annotations

from typing import Any, Final

from tck import api
from tck.interworking import PERSISTENT
from tck.interworking.bridge import (
    BridgeNotFound,
)
from tck.interworking.qos import CONNECTION_RELIABILITY
from tck.suite.support import Case, asserts, expect
from tck.suite.support.harness.outcome import Unsupported
from tck.suite.support.interworking.crossing import (
    STARTED,
    STOPPED,
    Crossing,
    texts_of,
)
from tck.suite.support.interworking.lanes import KINDS, Lane, raised
from tck.suite.support.interworking.programs import Draw, Table

DURABLE: Final = (
    *(f"{kind}.create_durable_subscriber" for kind in ("Session", "TopicSession")),
    *(f"{kind}.create_{word}durable_consumer" for kind in ("Session", "JMSContext") for word in ("", "shared_")),
)
"""The calls that make consumers on durable subscriptions."""


class Life:
    """Several lanes, and a program of steps on them."""

    def __init__(self, case: Case, seed: int) -> None:
        self.case, self.table, self.draw = case, Table(), Draw(seed)
        self.crossing = Crossing(case)
        self.lanes = [
            Lane(self.crossing if number == 0 else self.crossing.beside(), number, self.table) for number in range(3)
        ]
        self.gone: set[int] = set()
        self.severs = case.has(api.Hook.SEVER)

    def program(self, steps: int) -> None:
        """Walk through a life that has every step once, and then through one that is drawn."""
        first = self.lanes[0]
        both = (KINDS[0], KINDS[4])
        for kind in both if self.case.provider.clock.virtual else (self.draw.random.choice(both),):
            self._create(first, kind)
            for step in (*_PROLOGUE, "create", *_ENDING):
                self._step(first, step)
            for lane in self.lanes[1:]:
                self._step(lane, "create")
        for _ in range(steps):
            lane = self.draw.random.choice(self.lanes)
            self._step(lane, self.draw.random.choice(_STEPS))

    def _step(self, lane: Lane, step: str) -> None:
        if lane.state is None:
            self._create(lane, self.draw.each(KINDS))
        elif step == "start" and lane.state == STOPPED:
            lane.start()
        elif step == "refuse":
            lane.refuse()
        elif step == "stop" and lane.state == STARTED:
            lane.stop()
        elif step == "destroy":
            self.gone.add(lane.destroy())
        elif step == "lose channel":
            lane.lose_channel()
            self.gone.add(lane.destroy(lost=True))
            lane.renew(self.crossing.beside())
        elif step in _LOSSES and self.severs and lane.connections and not lane.lose_jms(idle=step == "lose idle jms"):
            self.gone.add(lane.destroy(lost=True))
            lane.renew(self.crossing.beside())
        lane.look()
        self._others(lane)

    def _create(self, lane: Lane, kind: tuple[bool, Any, Any]) -> None:
        if not lane.create(kind):
            return
        ids = [each.id for each in self.lanes if each.state is not None]
        self.table.demand("iw-3.1.3.1-8", f"{lane}: bridges with its id", ids.count(lane.id), 1)
        self.gone.discard(lane.id)
        lane.look()
        self._others(lane)

    def _others(self, lane: Lane) -> None:
        """Compare what the factory says, and the states of all bridges."""
        after, factory, demand = f"after a step of lane {lane.number}", self.crossing.factory, self.table.demand
        living = {each.id: each for each in self.lanes if each.state is not None}
        lacking = sorted(set(living) - set(factory.get_all_bridges()))
        demand("iw-3.1.3.2-1", f"{after}: living bridges that are not listed", lacking, [])
        for number, each in living.items():
            found = raised(lambda: factory.get_bridge_with_id(number))
            same = found == "returns" and factory.get_bridge_with_id(number) is each.bridge
            demand("iw-3.1.3.3-1", f"{after}: the id gives {each}", same or found, True)
            assert each.state is not None  # noqa: S101 - it lives
            each.is_in(each.state, "iw-3.1.2.3-1", f"{after}: the state of {each}")
        for number in self.gone - set(living):
            error = raised(lambda: factory.get_bridge_with_id(number))
            demand("iw-3.1.3.3-2", f"{after}: the id {number} of a destroyed bridge", error, BridgeNotFound.__name__)


_LOSSES: Final = ("lose jms", "lose idle jms")
_PROLOGUE: Final = (
    *("start", "stop", "start", "lose idle jms", "lose idle jms", "stop", "lose jms", "stop", "lose jms", "lose jms"),
    *("create", "start", "stop", "destroy"),
)
_ENDING: Final = ("start", "lose channel", "create", "start", "refuse", "destroy")
_STEPS: Final = (
    "start",
    "start",
    "start",
    "stop",
    "stop",
    "destroy",
    "lose channel",
    "lose jms",
    "lose idle jms",
    "refuse",
)


@asserts(
    "iw-2.3-31", "iw-2.3-17", "iw-2.3-20", "iw-2.3-21", "iw-2.3-25", "iw-2.3-28", "iw-2.3-34", "iw-2.3-35",
    "iw-3.1.2.1-1", "iw-3.1.2.1-3", "iw-3.1.2.1-4", "iw-3.1.2.1-5", "iw-3.1.2.2-2", "iw-3.1.2.2-4",
    "iw-3.1.2.2-5", "iw-3.1.2.3-1", "iw-3.1.2.4-1", "iw-3.1.3.1-4", "iw-3.1.3.1-8", "iw-3.1.3.2-1",
    "iw-3.1.3.3-1", "iw-3.1.3.3-2", variant="program", domain=("queue",), plain=True
)  # fmt: skip
def test_lives_of_bridges(case: Case) -> None:
    """Three bridges of one factory go through lives of many steps: after each, states, ids and traffic are as they should be."""
    life = Life(case, 31)
    life.table.play(lambda: life.program(15 if case.provider.clock.virtual else 4))


@asserts(
    "iw-2.3-31", "iw-2.3-17", "iw-2.3-20", "iw-2.3-21", "iw-2.3-25", "iw-2.3-28", "iw-2.3-34", "iw-2.3-35",
    "iw-3.1.2.1-1", "iw-3.1.2.1-3", "iw-3.1.2.1-4", "iw-3.1.2.1-5", "iw-3.1.2.2-2", "iw-3.1.2.2-4",
    "iw-3.1.2.2-5", "iw-3.1.2.3-1", "iw-3.1.2.4-1", "iw-3.1.3.1-4", "iw-3.1.3.1-8", "iw-3.1.3.2-1",
    "iw-3.1.3.3-1", "iw-3.1.3.3-2", variant="program-topic", domain=("topic",), plain=True
)  # fmt: skip
def test_lives_of_bridges_on_topics(case: Case) -> None:
    """The same where the destinations are topics."""
    life = Life(case, 32)
    life.table.play(lambda: life.program(8 if case.provider.clock.virtual else 3))


@asserts("iw-2.5.2-4", variant="after-a-loss", domain=("topic",), plain=True)
def test_a_durable_subscriber_is_durable_after_a_loss(case: Case) -> None:
    """After a stop and after each of two losses of the connection to JMS the subscriber is durable again, or what was sent meanwhile comes."""
    case.needs(api.Hook.SEVER)
    crossing = Crossing(case, {CONNECTION_RELIABILITY: PERSISTENT})
    lane = Lane(crossing, 0, Table())
    crossing.calls("create_bridge", lambda: lane.create(KINDS[4]))
    if crossing.proxy_consumers()[-1].get_qos()[CONNECTION_RELIABILITY] != PERSISTENT:
        raise Unsupported("the bridge's proxy has not the Persistent connection of its channel")
    crossing.calls("start_bridge", lane.own.start_bridge)
    for turn in ("a stop", "a loss", "a second loss"):
        before = crossing.provider_calls(*DURABLE)
        if turn == "a stop":
            crossing.calls("stop_bridge", lane.own.stop_bridge)
        else:
            for each in lane.connections:
                case.provider.sever(each)
            lane.connections = []
            lane.settles()
            raised(lane.own.stop_bridge)
        lane.sender.send(f"during {turn}")
        if not lane.start(again=True):
            break
        lane.sender.send(f"after {turn}")
        came: list[object] = []
        while not came or came[-1] != f"after {turn}":
            came += texts_of(crossing.pulled(lane.consumer, 1))
        durable = f"during {turn}" in came or crossing.provider_calls(*DURABLE) > before
        expect.true(
            f"the subscriber is durable after {turn}", durable, f"only {came} came, and no durable subscriber was made"
        )
