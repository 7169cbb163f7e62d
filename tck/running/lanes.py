"""Cases beside each other in one process, a thread each: while one waits, others go on, and one warm Java machine does for all.

A lane has a worker of its own, which borrows the provider of the process. It keeps its hands off the provider as a whole: a
case that wants to restart or kill it is given up, and runs alone later. So does a case that ends in a way that the
company of others may have caused: broken, late, undecided, with an error, or without a provider. What it shows alone is its
result; its explanation says how it had ended beside others.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from tck.patience import Stopwatch
from tck.record import Outcome, Result, Verdict
from tck.running.attempt import PASSING, SKIPPED
from tck.running.process import Planned, RunProcess
from tck.running.watchdog import LaneWatch
from tck.suite.support.case import Case
from tck.suite.support.harness.alone import WHOLE, LaneThread, NeedsAlone

STANDING: Final = PASSING | SKIPPED
"""The verdicts on a case in a lane that stand; after any other it runs alone."""
_OPEN: Final = frozenset({Outcome.UNDECIDED, Outcome.CUT, Outcome.CUT_SETUP})
PERIOD: Final = 0.25
"""How often, in seconds, the process looks for lanes that are past the deadline of their case."""


@dataclass(frozen=True, slots=True)
class Job:
    """A case to run: its number among all, its row in the bundle, the attempt, and the body of its test."""

    number: int
    planned: Planned
    attempt: int
    body: Callable[[Case], object]


class Lane:
    """One lane: a thread, and the process's part that runs its cases."""

    def __init__(self, lanes: Lanes, process: RunProcess, watch: LaneWatch) -> None:
        self._lanes = lanes
        self.process = process
        self.watch = watch
        self.job: Job | None = None
        self._left = threading.Event()
        self.thread = LaneThread(target=self._live, name=f"tck-lane-{process.name}", daemon=True)
        self.thread.start()

    @property
    def is_left(self) -> bool:
        """Whether its case hangs, so that nobody waits for it."""
        return self._left.is_set()

    def leave(self) -> None:
        """Leave it behind with its case; call it with the lock of the lanes."""
        self._left.set()

    def _live(self) -> None:
        try:
            while (job := self._lanes.take()) is not None:
                self.job, self.thread.disturbs = job, False
                result = self._run(job)
                with self._lanes.lock:
                    if self.is_left:  # it came to an end after all, too late
                        return
                    self.job = None
                    if isinstance(result, Result):
                        result = self.process.write(result)
                    else:
                        self.process.withdraw(job.planned, job.attempt, result)
                self._lanes.ended(job, result if isinstance(result, Result) else None)
        except BaseException as error:  # noqa: BLE001 - raised in the main thread
            self._lanes.failure = error

    def _run(self, job: Job) -> Result | str:
        """Run a case; return its result or, where it has to run alone, how it ended here if others may be to blame for that."""
        process, planned = self.process, job.planned
        tracked = process.attempt(planned.point, job.attempt, planned.node)
        phase, error = "setup", None
        try:
            with process.case(tracked, planned.file, planned.line, planned.title) as case:
                phase = "call"
                try:
                    job.body(case)
                except BaseException as raised:  # noqa: BLE001 - the case is judged by it, whatever it is
                    error = raised
                result = process.end(tracked, phase, error)
        except BaseException as raised:
            if phase == "call":
                raise
            error = raised
            result = process.end(tracked, phase, error)
        recorder = process.worker().recorder
        disturbs = self.thread.disturbs or isinstance(error, NeedsAlone)
        del error  # its traceback holds this frame, and this frame all of the case
        if disturbs or (recorder is not None and recorder.called(WHOLE)):
            return ""
        open_ = result.outcome in _OPEN and result.verdict is not Verdict.DECLARED
        if open_ or result.verdict not in STANDING:
            return f"{result.outcome}: {result.observed}"
        return result


class Lanes:
    """The lanes of a process.

    Args:
        process: The process, whose provider they borrow.
        count: How many there are.
        jobs: Gives the next case, or None after the last; called by one lane at a time.
        ended: Called with each case and its result, None if it has to run alone; by one lane at a time.
    """

    def __init__(
        self,
        process: RunProcess,
        count: int,
        jobs: Callable[[], Job | None],
        ended: Callable[[Job, Result | None], None],
    ) -> None:
        self._process = process
        self._jobs = jobs
        self._ended = ended
        self._made = 0
        self._over = False
        # Taken one at a time: `lock` guards what a lane writes and whether it is left, the others the two callbacks.
        self.lock = threading.Lock()
        self._taking = threading.Lock()
        self._ending = threading.Lock()
        self.failure: BaseException | None = None
        self._stopwatch = Stopwatch()
        self._withheld = 0.0
        """The seconds that the machine has withheld, as far as the main thread has looked."""
        self._lanes = [self._make() for _ in range(count)]

    def _make(self) -> Lane:
        self._made += 1
        watch = LaneWatch(self._process.profile.timing.case, lambda: self._withheld)
        return Lane(self, self._process.lane(f"{self._process.name}-{self._made}", watch), watch)

    def take(self) -> Job | None:
        """Return the next case."""
        with self._taking:
            job = None if self._over else self._jobs()
            self._over = job is None
            return job

    def ended(self, job: Job, result: Result | None) -> None:
        """Hand on the end of a case."""
        with self._ending:
            self._ended(job, result)

    def run(self, check: Callable[[], None]) -> None:
        """Wait until all cases have ended; leave behind what hangs, and stop if the provider is gone.

        Args:
            check: Called now and then; what it raises ends the run.
        """
        while running := [lane for lane in self._lanes if lane.thread.is_alive() and not lane.is_left]:
            running[0].thread.join(PERIOD)
            self._withheld = self._stopwatch.withheld
            check()
            if self.failure is not None:
                raise self.failure
            for lane in running:
                if lane.watch.over:
                    self._leave(lane)
            if self._process.worker().is_gone:
                self._over = True
        self._close()

    def _leave(self, lane: Lane) -> None:
        with self.lock:
            job = lane.job
            if job is None:
                return
            lane.leave()
            lane.process.withdraw(job.planned, job.attempt, "it had not ended by its deadline")
        self._process.worker().is_doubtful = True
        self._lanes.append(self._make())
        self.ended(job, None)

    def _close(self) -> None:
        for lane in self._lanes:
            if not lane.is_left:
                lane.process.close()
