"""Faults: severed links, kills and restarts of the provider, at the times of the plan; their links are marked as broken here.

May import actors and the shared state.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tck import api
from tck.check.columns import NONE, Op
from tck.workload.actors.actor import Actor
from tck.workload.content import FAILURES
from tck.workload.model import FaultPlan, Plan
from tck.workload.shared_state import Phase, SharedState


@dataclass(frozen=True, slots=True)
class ScheduledFault:
    """One fault to come: its time (seconds since the start), its kind, and the groups that a cut may hit."""

    at: float
    kind: str
    of: tuple[str, ...]


def schedule(plan: Plan, choice: random.Random, seconds: float) -> list[ScheduledFault]:
    """Return every fault of a run, in order."""
    found = [ScheduledFault(at, fault.kind, fault.of) for fault in plan.faults for at in _times(fault, choice, seconds)]
    return sorted(found, key=lambda each: each.at)


def _times(fault: FaultPlan, choice: random.Random, seconds: float) -> Iterator[float]:
    yield from (at for at in fault.at if at < seconds)
    at = 0.0
    while fault.every or fault.random:
        at += fault.every or choice.expovariate(1 / fault.random)
        if at >= seconds:
            return
        yield at


class FaultInjector(Actor):
    """Injects the faults."""

    def __init__(self, shared: SharedState, seconds: float, actors: Sequence[Actor]) -> None:
        super().__init__(shared, "faults", 0)
        self.actors = actors
        self.injected: list[dict[str, object]] = []
        self._schedule = schedule(shared.plan, self.choice, seconds)
        self._severed = False

    def has_work(self) -> bool:
        """Whether the phase of work lasts."""
        return self.shared.phase == Phase.WORKING

    def connect(self) -> None:  # type: ignore[override]  # it has no link
        """Do nothing: it has no link."""

    def work(self, link: None) -> None:  # type: ignore[override]  # as above
        """Inject each fault at its time."""

    def _work_until_done(self) -> None:
        self.ready = True
        for fault in self._schedule:
            while self.has_work() and fault.at * 1e9 > self.recorder.now():
                self.shared.wait((fault.at * 1e9 - self.recorder.now()) / 1e6)
            if not self.has_work():
                return
            self._inject(fault)

    def release_dead_clients(self) -> None:
        """Take the provider down once more if links were cut since the last time: then no dead client holds messages."""
        kinds = [fault.kind for fault in self.shared.plan.faults if fault.kind != "sever"]
        if self._severed and kinds:
            self._inject(ScheduledFault(0, kinds[0], ()))

    def _inject(self, fault: ScheduledFault) -> None:
        shared = self.shared
        with shared.between_faults():
            began = self.recorder.now()
            shared.faulting = True
            try:
                hit = self._sever(fault, began) if fault.kind == "sever" else self._take_down(fault, began)
            finally:
                shared.faulting = False
        if hit:
            self.injected.append({"kind": fault.kind, "ms": began // 1_000_000, "hit": hit})

    def _sever(self, fault: ScheduledFault, began: int) -> str:
        links = [
            (actor, actor.link)
            for actor in self.actors
            if actor.link is not None
            and actor.ready
            and actor.link.alive()
            and (actor.group in fault.of or not fault.of)
            and not _uses_shared_subscription(actor)
        ]
        if not links:
            return ""
        actor, link = links[self.choice.randrange(len(links))]
        link.broken_at = began
        self._severed = True
        try:
            self.shared.provider.sever(link.context or link.connection)  # type: ignore[arg-type]  # it has one of them
        except FAILURES as error:
            self.shared.count_failure(error)
        link.wake.set()
        return actor.label

    def _take_down(self, fault: ScheduledFault, began: int) -> str:
        shared = self.shared
        self._severed = False
        row = self.recorder.begin(Op.RESTART, shared.provider_session, NONE)
        links = list(shared.links.copy())
        for link in links:
            link.broken_at = (
                began if link.broken_at is None else link.broken_at
            )  # it may be broken already, cut a moment ago
        try:
            if fault.kind == "kill":
                shared.provider.kill()
            else:
                shared.provider.restart()
        except api.UnsupportedOperationException:
            raise
        except Exception as error:  # noqa: BLE001 - an adapter may raise anything; its provider is lost
            self.shared.provider_lost(error, f"it did not start again after a {fault.kind}: ")
            return ""
        finally:
            self.recorder.end(row)
            shared.drop_shared_subscriptions()
            for link in links:
                link.wake.set()
        return "the provider"


def _uses_shared_subscription(actor: Actor) -> bool:
    """Whether it uses a shared non-durable subscription, which may end with the cut, depending on its other users."""
    plan = getattr(actor, "plan", None)
    return getattr(plan, "subscription", "") == "shared"
