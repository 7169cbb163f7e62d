"""Cases shared among forked children of the one process that collected them.

A worker of xdist is a new interpreter, which imports and collects again, a second of CPU each. A fork costs
milliseconds. The children take one case after another and send back pytest's reports, which the parent shows as they
come. Each child writes its own part of the bundle, as a worker of xdist does.

Only for a provider that has not been opened yet: a Java machine, or threads, do not survive a fork.
"""

from __future__ import annotations

import builtins
import contextlib
import gc
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import pytest

from tck.plugin.in_lanes import ALONE, BEGUN, beside, packed, runs_alone
from tck.plugin.room import Room
from tck.plugin.state import State
from tck.processes import Channel, Child, End, Pool
from tck.record import Outcome, Verdict, last_outcome
from tck.running.controller import UNREACHABLE, UNWRITABLE
from tck.running.worker import LOSSES
from tck.termination import Terminated

CRASHES_EACH = 4
"""How often a child may crash, on average, and no call be to blame, before the run is stopped: as xdist does."""
CRASHED = "worker processes crashed"
"""The end of a reason to stop: the processes that run cases are lost again and again."""
GC_EVERY = 10_000
"""New objects after which a worker collects garbage: a case makes thousands, and most of them are gone at its end."""
GC_CASES = ((200, 2), (10, 0))
"""After how many cases a worker with a Java machine collects which generation of garbage. JPype would have all collected at each
collection of Java's, and all cases of the worker stand still meanwhile. But what Python does not collect Java keeps, too.
"""


def collect_seldom() -> None:
    """Collect garbage seldom in this worker, and leave alone what is there before its first case."""
    gc.freeze()
    gc.set_threshold(GC_EVERY)


class Garbage:
    """Collects garbage between cases and at no other time, where this worker has a Java machine; else as Python likes."""

    def __init__(self, *, java: bool) -> None:
        self._cases = 0
        self._java = java
        if java:
            gc.disable()

    def case_ended(self) -> None:
        """Collect after some cases."""
        self._cases += 1
        for cases, generation in GC_CASES:
            if self._java and self._cases % cases == 0:
                gc.collect(generation)
                if self._cases == GC_CASES[0][0]:
                    gc.freeze()  # by now nearly all that stays is there: classes, methods, the broker's own
                break


@dataclass(slots=True)
class _Worker:
    """A child by its name in the bundle, the number of its current case, and whether it has lost its provider.

    One with lanes has several cases at a time, until these have ended.
    """

    name: str
    has_lanes: bool = False
    case: int | None = None
    cases: set[int] = field(default_factory=set)
    lost: bool = False


class Forked:
    """The children of a run, seen from the process that collected the cases.

    A child that loses its provider, or is lost itself, is replaced, and the case that was running runs once more at the end.

    Args:
        session: pytest's session, with its items.
        state: the run.
        count: children at the beginning.
        most: the most children at a time; there are more than at the beginning only while the machine has room.
        lanes: cases beside each other in each child; 0 for one after another.
    """

    def __init__(self, session: pytest.Session, state: State, count: int, most: int = 0, lanes: int = 0) -> None:
        self._session = session
        self._state = state
        self._count = min(count, len(session.items))
        self._most = min(max(count, most), len(session.items))
        self._lanes = lanes
        self._room = Room()
        self._made = 0
        self._crashes = 0
        self._workers: dict[Child, _Worker] = {}
        self._again: list[int] = []
        """The cases that run once more."""
        self._left: set[int | None] = set(range(len(session.items)))
        """The cases that have not ended yet."""
        self._losses = 0
        """Losses since a case has ended with its provider there."""
        self._answered = False
        """Whether a case has ended with its provider there."""

    def run(self, meanwhile: Callable[[], None]) -> None:
        """Run all cases.

        Args:
            meanwhile: called while the children are at their first cases.

        Raises:
            pytest.Session.Interrupted: the session was told to stop, or children crash all the time.
            pytest.Session.Failed: as many cases failed as `--maxfail` allows.
            KeyboardInterrupt: SIGINT came; the children are gone then.
            Terminated: SIGTERM came, likewise.
            RuntimeError: the kit failed in a child; its traceback is in the message.
        """
        import tck.check  # noqa: F401, PLC0415 - nearly every case needs it; loaded here it is loaded once

        items = self._session.items
        alone = {at for at, item in enumerate(items) if self._lanes and runs_alone(item, self._state.catalogue)}
        self._round([at for at in range(len(items)) if at not in alone], sorted(alone), self._count, meanwhile)
        stopped = self._session.shouldfail or self._session.shouldstop or self._state.options.is_over
        if self._left and not stopped:
            self._again = sorted(place for place in self._left if place is not None)
            self._round([], self._again, min(self._count, len(self._again)), lambda: None)
            if self._left and self._state.controller is not None and not self._session.shouldstop:
                self._state.controller.problems.kit_error = True
        if self._session.shouldfail:
            raise self._session.Failed(self._session.shouldfail)
        if self._session.shouldstop:
            raise self._session.Interrupted(self._session.shouldstop)

    def _round(self, beside: Sequence[int], alone: Sequence[int], count: int, meanwhile: Callable[[], None]) -> None:
        """Run cases by their places: first those that may have company, then those that run alone."""
        with Pool(beside, alone, more=True) as pool:
            for _ in range(count):
                self._start(pool)
            try:
                meanwhile()
                self._hear(pool)
            except Terminated:  # it comes to this process alone, unlike ^C
                pool.interrupt()
                raise

    def _hear(self, pool: Pool) -> None:
        while pool:
            for child, message in pool.wait():
                if message is not None:
                    self._show(self._workers[child], message, pool)
                else:
                    self._ended(child, pool)
            if not any(each.has_lanes for each in self._workers.values()):
                pool.complete()
            if self._session.shouldfail or self._session.shouldstop or self._state.options.is_over:
                pool.withdraw()
            elif (
                len(pool) < self._most
                and (pool.left or pool.left_aside)
                and self._room.fits(each.pid for each in self._workers)
            ):
                self._start(pool, alone_first=True)  # they restart their broker, so they wait more than they compute
            self._state.idle()

    def _start(self, pool: Pool, *, alone_first: bool = False) -> None:
        name = f"gw{self._made}"
        self._made += 1
        lanes = self._lanes if pool.left else 0
        child = pool.fork(partial(_live, self._session, self._state, name, lanes, alone_first=alone_first))
        self._workers[child] = _Worker(name, bool(lanes))

    def _show(self, worker: _Worker, message: Mapping[str, Any], pool: Pool) -> None:
        config = self._session.config
        if "lane" in message:
            self._show_lane(worker, message["lane"], message.get("case"), pool)
        elif "case" in message:
            worker.case = message["case"]
        elif "report" in message:
            self._report(worker, config.hook.pytest_report_from_serializable(config=config, data=message["report"]))
        elif "lost" in message:
            worker.lost = True
        elif "warning" in message:
            row = {**message["warning"], "warning_message": _warning(**message["warning"]["warning_message"])}
            config.hook.pytest_warning_recorded.call_historic(kwargs=row)
        elif not str(self._session.shouldstop).startswith(UNWRITABLE):  # the others stop since one could not write
            self._session.shouldstop = message["stop"]

    def _report(self, worker: _Worker, report: pytest.TestReport) -> None:
        if not worker.lost:
            idle = {Verdict.UNSUPPORTED, Verdict.INCONCLUSIVE}  # they need no provider
            if getattr(report, "tck_verdict", "") not in idle:
                self._answered, self._losses = True, 0
        elif worker.case is not None and self._lose(worker.case):
            return
        self._left.discard(worker.case)
        worker.case = None
        self._log(report)

    def _show_lane(self, worker: _Worker, what: str, case: int | None, pool: Pool) -> None:
        """Follow the lanes of a child: a case has begun or ended there, or is to run alone, or all are over."""
        if case is None:
            worker.has_lanes = False
        elif what == BEGUN:
            worker.cases.add(case)
        else:
            worker.cases.discard(case)
            if what == ALONE:
                pool.add(case)
            else:
                self._left.discard(case)

    def _lose(self, case: int) -> bool:
        """Count a loss; return whether the case runs once more at the end. Too many losses in a row end the run."""
        self._losses += 1
        if not self._answered or self._losses >= LOSSES:
            self._session.shouldstop = self._session.shouldstop or UNREACHABLE
            return False
        return self._once_more(case)

    def _once_more(self, case: int) -> bool:
        """Have a case run once more at the end; return False if it has already."""
        if case in self._again:
            return False
        self._again.append(case)
        return True

    def _log(self, report: pytest.TestReport) -> None:
        hook = self._session.config.hook
        hook.pytest_runtest_logstart(nodeid=report.nodeid, location=report.location)
        hook.pytest_runtest_logreport(report=report)
        hook.pytest_runtest_logfinish(nodeid=report.nodeid, location=report.location)

    def _ended(self, child: Child, pool: Pool) -> None:
        worker = self._workers.pop(child)
        if child.end is End.FAILED:
            raise RuntimeError(f"a process that ran cases failed:\n{child.failure}")
        # None of the cases that ran beside each other is to blame more than the others.
        if worker.has_lanes and worker.case is None:
            for place in worker.cases:
                pool.add(place)
            self._crashes += 1
        elif child.end is End.CRASHED:
            self._crashed(worker)
        elif not worker.lost:
            return
        if not self._session.shouldstop and (pool.left or pool.left_aside):
            self._start(pool)

    def _crashed(self, worker: _Worker) -> None:
        """Settle the case of a child that crashed, or that its watchdog has ended, which leaves a result where a call is to blame."""
        if worker.case is None:
            self._log_crash_between(worker)
            self._crashes += 1
        else:
            item = self._session.items[worker.case]
            judged = last_outcome(self._state.options.bundle, worker.name) not in {None, Outcome.UNREACHABLE}
            if judged or not self._once_more(worker.case):
                self._log_crash(worker, item)
            self._crashes += not judged
        if self._crashes > self._count * CRASHES_EACH:
            self._session.shouldstop = f"{self._crashes} {CRASHED}"

    def _log_crash(self, worker: _Worker, item: pytest.Item) -> None:
        self._left.discard(worker.case)
        text = f"worker {worker.name!r} crashed while running {item.nodeid!r}"
        report = pytest.TestReport(item.nodeid, item.location, {}, "failed", text, "call")
        self._session.config.hook.pytest_handlecrashitem(crashitem=item.nodeid, report=report, sched=None)
        self._log(report)

    def _log_crash_between(self, worker: _Worker) -> None:
        """Report a crash between two cases, for instance while the provider is closed: no case is to blame."""
        reporter = self._session.config.pluginmanager.get_plugin("terminalreporter")
        if reporter is not None:
            reporter.ensure_newline()
            reporter.write_line(f"worker {worker.name!r} crashed outside of every case")
        if self._state.controller is not None:
            self._state.controller.problems.kit_error = True


class _Reporter:
    """Sends pytest's reports from a child to its parent."""

    def __init__(self, session: pytest.Session, channel: Channel) -> None:
        self._session = session
        self._config = session.config
        self._channel = channel

    @pytest.hookimpl
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if self._session.shouldstop == UNREACHABLE:
            self._channel.send({"lost": True})
        self._channel.send({"report": packed(self._config, report)})

    @pytest.hookimpl
    def pytest_warning_recorded(
        self, warning_message: warnings.WarningMessage, when: str, nodeid: str, location: tuple[str, int, str] | None
    ) -> None:
        about = {name: getattr(warning_message, name) for name in ("filename", "lineno", "line")}
        about |= {"category": warning_message.category.__name__, "message": str(warning_message.message)}
        row = {"warning_message": about, "when": when, "nodeid": nodeid, "location": location}
        self._channel.send({"warning": row})


def _warning(category: str, message: str, filename: str, lineno: int, line: str | None) -> warnings.WarningMessage:
    """Rebuild a warning of a child; a category that is not Python's own is named in the text."""
    kind = getattr(builtins, category, None)
    if not (isinstance(kind, type) and issubclass(kind, Warning)):
        kind, message = UserWarning, f"{category}: {message}"
    return warnings.WarningMessage(kind(message), kind, filename, lineno, line=line)


def _live(
    session: pytest.Session, state: State, name: str, lanes: int, channel: Channel, *, alone_first: bool = False
) -> None:
    """Be a child: take cases while there are any, and report each."""
    _detach(session.config)
    collect_seldom()
    garbage = Garbage(java=state.profile.adapter.kind == "jvm")
    session.config.pluginmanager.register(_Reporter(session, channel), "tck-reporter")
    state.become_worker(name)
    try:
        waiting = iter(partial(channel.ticket_at_hand, aside=True), None) if alone_first else ()
        if _run(session, channel, waiting, garbage):
            if lanes:
                beside(session, state, lanes, channel, garbage.case_ended)
            _run(session, channel, channel.tickets(), garbage)
    except KeyboardInterrupt:
        with contextlib.suppress(BaseException):
            state.close_worker()
        raise
    state.close_worker()


def _run(session: pytest.Session, channel: Channel, places: Iterable[int], garbage: Garbage) -> bool:
    """Run cases alone; return whether others may follow."""
    for place in places:
        channel.send({"case": place})
        item = session.items[place]
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
        garbage.case_ended()
        if session.shouldfail:  # the parent counts for itself
            return False
        if session.shouldstop:
            if session.shouldstop != UNREACHABLE:
                channel.send({"stop": str(session.shouldstop)})
            return False
    return True


def _detach(config: pytest.Config) -> None:
    """Detach the child from the terminal: the parent prints; captured output stays here."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    if reporter is not None:
        config.pluginmanager.unregister(reporter)
    capture: Any = config.pluginmanager.get_plugin("capturemanager")
    if capture is not None and capture.is_globally_capturing():
        capture.stop_global_capturing()
        capture.start_global_capturing()
