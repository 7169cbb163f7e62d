"""Faults: links cut, the provider killed or restarted, when the plan says so; everybody who is hit learns it from here.

May import actors and the world.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tck import api
from tck.check.columns import NONE, Op
from tck.workload.actors import Actor
from tck.workload.content import FAILURES
from tck.workload.model import FaultPlan, Plan
from tck.workload.shared_state import Phase, World


@dataclass(frozen=True, slots=True)
class Strike:
    """One fault to come: when (seconds since the start), what, and whom a cut may hit."""

    at: float
    kind: str
    of: tuple[str, ...]


def strikes(plan: Plan, choice: random.Random, seconds: float) -> list[Strike]:
    """Work out every fault of a run, in order."""
    found = [Strike(at, fault.kind, fault.of) for fault in plan.faults for at in _times(fault, choice, seconds)]
    return sorted(found, key=lambda each: each.at)


def _times(fault: FaultPlan, choice: random.Random, seconds: float) -> Iterator[float]:
    yield from (at for at in fault.at if at < seconds)
    at = 0.0
    while fault.every or fault.random:
        at += fault.every or choice.expovariate(1 / fault.random)
        if at >= seconds:
            return
        yield at


class Striker(Actor):
    """Lets the faults happen."""

    def __init__(self, world: World, seconds: float, actors: Sequence[Actor]) -> None:
        super().__init__(world, "faults", 0)
        self.actors = actors
        self.done_strikes: list[dict[str, object]] = []
        self._strikes = strikes(world.plan, self.choice, seconds)
        self._severed = False

    def wanted(self) -> bool:
        """Whether the work goes on."""
        return self.world.phase == Phase.WORKING

    def connect(self) -> None:  # type: ignore[override]  # it has no link
        """Have no link."""

    def work(self, link: None) -> None:  # type: ignore[override]  # as above
        """Strike when it is time."""

    def _live(self) -> None:
        self.ready = True
        for strike in self._strikes:
            while self.wanted() and strike.at * 1e9 > self.recorder.now():
                self.world.wait((strike.at * 1e9 - self.recorder.now()) / 1e6)
            if not self.wanted():
                return
            self._strike(strike)

    def free_the_dead(self) -> None:
        """Let the provider fall once more if links were cut since it last did: then nobody dead holds anything."""
        kinds = [fault.kind for fault in self.world.plan.faults if fault.kind != "sever"]
        if self._severed and kinds:
            self._strike(Strike(0, kinds[0], ()))

    def _strike(self, strike: Strike) -> None:
        world = self.world
        with world.gate():
            began = self.recorder.now()
            world.faulting = True
            try:
                hit = self._sever(strike, began) if strike.kind == "sever" else self._fell(strike, began)
            finally:
                world.faulting = False
        if hit:
            self.done_strikes.append({"kind": strike.kind, "ms": began // 1_000_000, "hit": hit})

    def _sever(self, strike: Strike, began: int) -> str:
        links = [
            (actor, actor.link)
            for actor in self.actors
            if actor.link is not None
            and actor.ready
            and actor.link.alive()
            and (actor.group in strike.of or not strike.of)
            and not _shares(actor)
        ]
        if not links:
            return ""
        actor, link = links[self.choice.randrange(len(links))]
        link.struck = began
        self._severed = True
        try:
            self.world.provider.sever(link.context or link.connection)  # type: ignore[arg-type]  # it has one of them
        except FAILURES as error:
            self.world.fail(error)
        link.wake.set()
        return actor.label

    def _fell(self, strike: Strike, began: int) -> str:
        world = self.world
        self._severed = False
        row = self.recorder.begin(Op.RESTART, world.lane, NONE)
        struck = list(world.links.copy())
        for link in struck:
            link.struck = began if link.struck is None else link.struck  # it may be dead already, cut a moment ago
        try:
            if strike.kind == "kill":
                world.provider.kill()
            else:
                world.provider.restart()
        except api.UnsupportedOperationException:
            raise
        except Exception as error:  # noqa: BLE001 - whatever an adapter raises, its provider is gone
            self.world.lose(error, f"it did not start again after a {strike.kind}: ")
            return ""
        finally:
            self.recorder.end(row)
            world.end_shared()
            for link in struck:
                link.wake.set()
        return "the provider"


def _shares(actor: Actor) -> bool:
    """Whether it uses a shared non-durable subscription: whether that outlives a cut depends on who else is cut."""
    plan = getattr(actor, "plan", None)
    return getattr(plan, "subscription", "") == "shared"
