"""One process of a run: it opens the provider at its first case, guards each case with the watchdog, judges and writes it.

It is the only process of a plain run, a worker of pytest-xdist, or a forked child. Knows nothing of pytest: the plugin calls
it at the right moments.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tck.catalogue import Catalogue
from tck.profile import Profile
from tck.record import Case as CaseRow
from tck.record import Outcome, Result
from tck.running.attempt import Tracked
from tck.running.controller import leave_planned
from tck.running.ending import end
from tck.running.options import RunOptions
from tck.running.watchdog import LaneWatch, Watchdog
from tck.running.worker import Worker
from tck.suite.support.case import Case
from tck.suite.support.harness.point import Point

OPENING_MS: Final = 120_000.0
"""How long opening a provider may take; a case's own deadline begins after that."""
GRACE_MS: Final = 5000.0
"""How long a case may hang after its deadline, beside the deadline of a call that no signal can cut."""


class RunProcess:
    """One process of a run.

    Args:
        options: The options of the run.
        catalogue: What it is judged by.
        profile: The provider's profile, with the settings of the command line.
        version: The specification version to judge by.
        name: The process's name in the bundle.
    """

    def __init__(self, options: RunOptions, catalogue: Catalogue, profile: Profile, version: str, name: str) -> None:
        self.options = options
        self.catalogue = catalogue
        self.profile = profile
        self.version = version
        self.name = name
        self.farewell: Callable[[], int] | None = None
        """Ends the run if this process has to be ended, where it is the only one; returns the exit code."""
        self._worker: Worker | None = None
        self._watchdog: Watchdog | LaneWatch | None = None

    def worker(self) -> Worker:
        """Return the worker, made at the first case."""
        if self._worker is None:
            bundle = None if self.options.detect else self.options.bundle
            self._worker = Worker(self.name, self.catalogue, self.profile, self.version, bundle, self.options.run_id)
        return self._worker

    def watchdog(self) -> Watchdog | LaneWatch:
        """Return the guard of the running case, made at the first case."""
        if self._watchdog is None:
            worker = self.worker()
            stacks = None if self.options.detect else self.options.bundle / "stacks" / f"{self.name}.txt"
            timing = self.profile.timing
            self._watchdog = Watchdog(
                timing.case,
                timing.deadline + GRACE_MS,
                _last_words(worker, stacks, _nothing if self.options.forks else self.stop_others),
                stacks,
                worker.interrupt,
                self.farewell,
            )
        return self._watchdog

    def lane(self, name: str, watch: LaneWatch) -> RunProcess:
        """Return the part of this process that runs the cases of one lane on the provider of this process."""
        made = RunProcess(self.options, self.catalogue, self.profile, self.version, name)
        made._watchdog = watch
        made._worker = Worker(
            name, self.catalogue, self.profile, self.version, self.options.bundle, self.options.run_id, self.worker()
        )
        return made

    def withdraw(self, planned: Planned, attempt: int, why: str) -> None:
        """Take back that an attempt at a case has begun: it runs once more; unless it is empty, `why` goes into its result."""
        worker = self.worker()
        if worker.writer:
            worker.writer.withdraw(planned.row(self.catalogue, worker.name, worker.position), attempt, why)

    def start_afresh(self, *, name: str = "", profile: Profile | None = None, version: str = "") -> None:
        """Drop worker and watchdog in a forked child, which makes its own; optionally change name, profile or version."""
        self.farewell = None
        self.name = name or self.name
        self.profile = profile or self.profile
        self.version = version or self.version
        self._worker = None
        self._watchdog = None

    def close(self) -> None:
        """Close the provider and the part files of this process."""
        if self._watchdog is not None:
            self._watchdog.close()
            self._watchdog = None
        if self._worker is not None:
            self._worker.close()
            self._worker = None

    # -- a case --------------------------------------------------------------------------------------------------

    def attempt(self, point: Point, attempt: int, node: str) -> Tracked:
        """Begin an attempt at a case."""
        rows = tuple(self.catalogue[id_] for id_ in point.assertions)
        return Tracked(point, attempt, rows, node, began=time.perf_counter())

    @contextlib.contextmanager
    def case(self, tracked: Tracked, file: str, line: int, title: str) -> Iterator[Case]:
        """Set up a case within its deadline; afterwards abandon the provider if a call of it was cut.

        Args:
            tracked: The attempt.
            file: The file of its test.
            line: The line there.
            title: The first sentence of the test's docstring.

        Raises:
            CaseCut: The provider could not be opened, or the case not be set up, in time.
            Others: As `Worker.case`.
        """
        worker, watchdog = self.worker(), self.watchdog()
        if worker.writer:
            planned = Planned(tracked.point, tracked.node, file, line, title)
            worker.writer.start(planned.row(self.catalogue, worker.name, worker.position), tracked.attempt)
        watchdog.arm(OPENING_MS)
        try:
            with worker.case(tracked, ready=watchdog.arm) as made:
                made.seed = self.options.seed
                yield made
        finally:
            watchdog.disarm()
            if tracked.outcome is not None and not tracked.closed:  # a call of the provider was cut
                worker.discard_provider()

    def end(self, tracked: Tracked, phase: str, error: BaseException | None) -> Result:
        """End a case whose set-up raised, or whose body returned or raised: see `tck.running.ending`."""
        return end(self.worker(), self.watchdog(), tracked, phase, error)

    def forget_loss(self) -> bool:
        """Abandon a provider that was lost; return False if a fresh one would be in vain. See `Worker.forget_loss`."""
        return self.worker().forget_loss()

    def write(self, result: Result) -> Result:
        """Write the result of an attempt."""
        return self.worker().write(result)

    @property
    def doing(self) -> str:
        """What this process waits for, in words."""
        return self._worker.doing if self._worker is not None else "no case has begun"

    # -- among processes -----------------------------------------------------------------------------------------

    @property
    def _stop(self) -> Path:
        return self.options.bundle / "stop"

    def stop_others(self) -> None:
        """Tell the other xdist workers to skip the cases they have not begun; xdist itself would run them all."""
        with contextlib.suppress(OSError):
            self._stop.touch()

    @property
    def stopped(self) -> bool:
        """Whether a worker asked the others to stop."""
        return self._stop.exists()

    def leave_planned(self, planned: Iterable[Planned]) -> None:
        """Leave word for the controller of all selected cases, since the run stops before some of them began."""
        with contextlib.suppress(OSError):  # a full disk, or a bundle that was closed: the results say why
            leave_planned(self.options.bundle, [each.row(self.catalogue, self.name) for each in planned])

    def forget_stop(self) -> None:
        """Remove the stop file from the bundle."""
        with contextlib.suppress(OSError):
            self._stop.unlink(missing_ok=True)


@dataclass(frozen=True, slots=True)
class Planned:
    """A selected case: its point, its node id, the file of its test, the line there, and its title."""

    point: Point
    node: str
    file: str
    line: int
    title: str

    def row(self, catalogue: Catalogue, worker: str, position: int = 0) -> CaseRow:
        """Return its line of the bundle.

        Args:
            catalogue: Has the features that its rows presume.
            worker: The process that tells of it.
            position: Its number among the cases of that process, from 1; 0 if it has not begun.
        """
        point = self.point
        return CaseRow(
            case=point.name,
            node=self.node,
            assertions=point.assertions,
            axes={"domain": point.domain, "api": point.api, "ack": point.ack},
            file=self.file,
            line=self.line,
            title=self.title,
            features=tuple(sorted({feature for id_ in point.assertions for feature in catalogue[id_].features})),
            worker=worker,
            position=position,
        )


def _nothing() -> None:
    pass


def _last_words(worker: Worker, stacks: Path | None, stop_others: Callable[[], None]) -> Callable[[], None]:
    """Return the watchdog's last action before it ends the process: save the case's events and the provider's stacks.

    Where the provider is lost, the other workers of xdist are stopped.
    """

    def spill() -> None:
        if not worker.cut_short() and worker.writer and worker.recorder:
            worker.writer.spill(worker.recorder.events)
        if worker.tracked is not None and worker.tracked.outcome is Outcome.UNREACHABLE:
            stop_others()
        beyond = worker.provider_stacks()
        if stacks and beyond:
            with stacks.open("a", encoding="utf-8") as file:
                file.write(f"\nThreads of the provider:\n\n{beyond}")

    return spill
