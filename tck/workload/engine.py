"""Drives one workload from its first connection to the last drained queue.

May import every kind of actor. Knows nothing of bundles and verdicts.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import cycle, islice
from typing import Final

from tck import api
from tck.check import Margins
from tck.workload.actors.actor import Actor
from tck.workload.actors.browsers import Browser
from tck.workload.actors.consumers import Consumer
from tck.workload.actors.drain import Drain, drain_sources, quiet_ms, watch
from tck.workload.actors.faults import FaultInjector
from tck.workload.actors.intruders import RivalConsumer, Trespasser
from tck.workload.actors.producers import Producer
from tck.workload.actors.xa import XaConsumer, XaProducer, XaResolver
from tck.workload.content import FAILURES
from tck.workload.interrupts import Interrupts, LeftAtOnce
from tck.workload.model import Plan
from tck.workload.recorder import Recorder, RecorderClosed
from tck.workload.shared_state import Phase, SharedState

_TICK_MS: Final = 100
_SETTLE_MS: Final = 200
_JOIN_SECONDS: Final = 15
"""Real seconds for a thread to end after its phase; a call that hangs longer is abandoned."""
_SUBSCRIBE_MS: Final = 30_000
_DRAINS: Final = 16
"""Number of concurrent drains."""
_LAST_DRAIN_MS: Final = 2000


@dataclass(slots=True)
class Progress:
    """The progress of a workload: seconds since its start, counts, phase."""

    seconds: float
    phase: str
    sent: int
    delivered: int
    browsed: int
    failed: int
    reconnected: int
    faults: int


@dataclass(slots=True)
class Outcome:
    """The end of a workload: why it stopped, the faults injected, hanging threads, failures."""

    stopped: str
    faults: list[dict[str, object]] = field(default_factory=list)
    hanging: list[str] = field(default_factory=list)
    failures: dict[str, int] = field(default_factory=dict)
    first_failure: str = ""
    gave_up: dict[str, str] = field(default_factory=dict)
    lost: str = ""
    fault: BaseException | None = None
    sent: int = 0
    delivered: int = 0
    browsed: int = 0
    reconnected: int = 0
    destinations: list[api.Destination] = field(default_factory=list)
    """Those of the plan that are not temporary."""


class Engine:
    """One workload.

    Args:
        provider: The open provider.
        plan: The plan.
        recorder: The recorder.
        seed: Determines every choice.
        run: Id of the run.
        modern: The provider claims version 2.0 or later.
        duration: Seconds of work, on the provider's clock.
        messages: Number of sends; 0 for no bound.
        margins: Determines how long a drain waits.
        shape: Returns a name that the provider takes for the one that would be chosen.
        show: Called every tick with the progress.
        interrupts: The signals that end the work early.
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
        duration: float,
        messages: int,
        margins: Margins,
        shape: Callable[[str], str],
        show: Callable[[Progress], None] = lambda _: None,
        interrupts: Interrupts | None = None,
    ) -> None:
        self.shared = SharedState(provider, plan, recorder, seed=seed, run=run, modern=modern, shape=shape)
        self.plan = plan
        self.recorder = recorder
        self.duration = duration
        self.messages = messages
        self.quiet = quiet_ms(margins)
        self.show = show
        self.interrupts = interrupts or Interrupts()
        self.producers: list[Producer] = []
        self.consumers: list[Consumer] = []
        self.browsers: list[Browser] = []
        self.drains: list[Actor] = []
        self.fault_injector: FaultInjector | None = None
        self.hanging: list[str] = []

    def run(self) -> Outcome:
        """Run the workload. ^C ends it early, in order, a second one at once; everything recorded until then is kept.

        A failing recorder ends it too; nothing is known of the time after that.
        """
        with self.shared.provider.clock.actor():
            try:
                stopped = self._until_over()
                self.interrupts.over()
            except LeftAtOnce:
                raise
            except KeyboardInterrupt:
                self.interrupts.heed()
                stopped = "interrupt"
                self._end(short=True)
        return self._outcome(stopped)

    def _until_over(self) -> str:
        try:
            stopped = self._work()
            self._end(short=False)
        except FAILURES as error:  # destinations could not be created
            stopped = "provider-lost"
            self.shared.provider_lost(error)
            self._end(short=True)
        except RecorderClosed:
            stopped = "fault"
            self.shared.enter(Phase.OVER)
            self._end(short=True)
        return stopped

    # -- the work ------------------------------------------------------------------------------------------------

    def _work(self) -> str:
        shared, plan = self.shared, self.plan
        shared.create_destinations()  # it may hang: an interrupt is raised there
        self.interrupts.will_ask()
        self._make()
        shared.actors = len(self.consumers) + len(self.producers) + len(self.browsers)
        for consumer in self.consumers:
            consumer.thread.start()
        self._await(
            lambda: all(actor.ready or actor.label in shared.trouble.gave_up for actor in self.consumers), _SUBSCRIBE_MS
        )
        if not any(actor.ready for actor in self.consumers):
            shared.trouble.lost = shared.trouble.first or f"no consumer was there within {_SUBSCRIBE_MS} ms"
            shared.enter(Phase.OVER)
        for actor in (*self.producers, *self.browsers):
            actor.thread.start()
        if plan.faults:
            actors = (*self.producers, *self.consumers, *self.browsers)
            self.fault_injector = FaultInjector(shared, self.duration, actors)
            self.fault_injector.thread.start()
        self._await(self._finished, self.duration * 1000)
        if shared.trouble.lost:
            return "provider-lost"
        if shared.trouble.fault is not None:
            return "fault"
        return "messages" if self.messages and self._sent_all() else "time"

    def _make(self) -> None:
        shared = self.shared
        for consumer in self.plan.consumers:
            kind: type[Consumer] = XaConsumer if consumer.session == "xa" else Consumer
            kind = Trespasser if consumer.trespass else RivalConsumer if consumer.rival else kind
            destinations = cycle(shared.destinations[consumer.source])
            for number in range(consumer.actors):
                left = min(consumer.per_session, consumer.count - number * consumer.per_session)
                self.consumers.append(kind(shared, consumer, number, list(islice(destinations, left))))
        total = sum(producer.count for producer in self.plan.producers)
        for plan in self.plan.producers:
            for number in range(plan.count):
                made = XaProducer if plan.session == "xa" else Producer
                quota = self.messages // total + (len(self.producers) < self.messages % total)
                self.producers.append(made(shared, plan, number, quota if self.messages else None))
        for browser in self.plan.browsers:
            listed = shared.destinations[browser.source]
            for number in range(browser.count):
                self.browsers.append(Browser(shared, browser, number, listed[number % len(listed)]))

    def _finished(self) -> bool:
        return self._sent_all() if self.messages else False

    def _sent_all(self) -> bool:
        return not any(actor.thread.is_alive() for actor in self.producers)

    def _tick(self) -> None:
        self.interrupts.check()
        self.show(self.progress())

    def _await(self, reached: Callable[[], bool], ms: float) -> None:
        deadline = self.recorder.now() + round(ms * 1e6)
        while not reached() and self.recorder.now() < deadline and self.shared.phase < Phase.OVER:
            self.shared.wait(min(_TICK_MS, max(1.0, (deadline - self.recorder.now()) / 1e6)))
            self.recorder.watch_clock()
            self._tick()
            if self.recorder.closed:
                self.shared.enter(Phase.OVER)

    # -- the end -------------------------------------------------------------------------------------------------

    def _end(self, *, short: bool) -> None:
        shared = self.shared
        stay = [actor for actor in self.consumers if actor.kept_for_drain]
        shared.patience = time.monotonic() + self.plan.drain
        if shared.phase < Phase.OVER:
            shared.enter(Phase.WAITING)
            self._join([*self.producers, *self.browsers, *([self.fault_injector] if self.fault_injector else [])])
            delay = 0 if short else max((message_kind.delay[1] for message_kind in self.plan.messages_of), default=0)
            if delay:
                self._await(lambda: False, delay + _SETTLE_MS)
            shared.enter(Phase.DRAINING)
            self._join([actor for actor in self.consumers if not actor.kept_for_drain])
            deadline = self.recorder.now() + round((_LAST_DRAIN_MS if short else self.plan.drain * 1000) * 1e6)
            self._resolve()
            if not short:
                if self.fault_injector is not None:
                    self.fault_injector.release_dead_clients()
                self._drain(stay, deadline)
            shared.enter(Phase.OVER)
        self._join([*self.producers, *self.browsers, *self.consumers, *self.drains])

    def _resolve(self) -> None:
        """Decide the branches of actors that have ended; the others decide their own."""
        for actor in (*self.producers, *self.consumers):
            if isinstance(actor, XaProducer | XaConsumer) and actor.branches.open and not actor.thread.is_alive():
                resolver = XaResolver(self.shared, len(self.drains), actor.branches)
                self.drains.append(resolver)
                resolver.thread.start()
        self._join(self.drains)

    def _drain(self, stay: Sequence[Consumer], deadline: int) -> None:
        shared = self.shared
        drains = [
            Drain(shared, number, source, self.quiet, deadline) for number, source in enumerate(drain_sources(shared))
        ]
        self.drains += drains
        waiting = iter(drains)
        running: list[Drain] = list(islice(waiting, _DRAINS))
        for actor in running:
            actor.thread.start()
        while running:
            shared.wait(_TICK_MS)
            self._tick()
            ended = [actor for actor in running if not actor.thread.is_alive()]
            for actor in ended:
                running.remove(actor)
                following = next(waiting, None)
                if following is not None:
                    following.thread.start()
                    running.append(following)
            if shared.out_of_patience() or self.recorder.now() > deadline + self.quiet * 2_000_000:
                break
        watch(shared, stay, self.quiet, deadline, self.interrupts.check)

    def _join(self, actors: Sequence[Actor]) -> None:
        """Wait for threads to end. This thread counts as blocked on the provider's clock."""
        started = [actor for actor in actors if actor.thread.ident is not None]
        ticks = 0
        while any(actor.thread.is_alive() for actor in started):
            self.shared.provider.clock.event().wait(_TICK_MS)
            for actor in started:
                actor.thread.join(0.0005 if self.shared.provider.clock.virtual else 0.002)
            ticks += 1
            self._tick()
            if ticks > _JOIN_SECONDS * 10:
                self.hanging += [actor.label for actor in started if actor.thread.is_alive()]
                return

    # -- what is known -------------------------------------------------------------------------------------------

    def progress(self) -> Progress:
        """Return the progress."""
        counts = [actor.counts for actor in (*self.producers, *self.consumers, *self.browsers, *self.drains)]
        return Progress(
            seconds=self.recorder.now() / 1e9,
            phase=self.shared.phase.name.lower(),
            sent=sum(each.sent for each in counts),
            delivered=sum(each.delivered for each in counts),
            browsed=sum(each.browsed for each in counts),
            failed=sum(self.shared.trouble.failures.values()),
            reconnected=sum(each.reconnected for each in counts),
            faults=len(self.fault_injector.injected) if self.fault_injector else 0,
        )

    def _outcome(self, stopped: str) -> Outcome:
        progress, trouble = self.progress(), self.shared.trouble
        return Outcome(
            stopped="provider-lost" if trouble.lost and stopped != "interrupt" else stopped,
            faults=self.fault_injector.injected if self.fault_injector else [],
            hanging=sorted(set(self.hanging)),
            failures=dict(sorted(trouble.failures.items())),
            first_failure=trouble.first,
            gave_up=dict(trouble.gave_up),
            lost=trouble.lost,
            fault=trouble.fault,
            sent=progress.sent,
            delivered=progress.delivered,
            browsed=progress.browsed,
            reconnected=progress.reconnected,
            destinations=self.shared.lasting_destinations(),
        )
