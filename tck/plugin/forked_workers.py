"""Cases shared among forked children of the one process that collected them.

A worker of xdist is a new interpreter, which imports and collects again, a second of CPU each. A fork costs
milliseconds. The children take one case after another and send back pytest's reports, which the parent shows as they
come. Each child writes its own part of the bundle, as a worker of xdist does.

Only for a provider in Python that has not been opened yet: a Java machine, or threads, do not survive a fork.
"""

from __future__ import annotations

import builtins
import contextlib
import gc
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import pytest

from tck.plugin.state import State
from tck.processes import Channel, Child, End, Pool, can_fork
from tck.running.controller import UNWRITABLE
from tck.termination import Terminated

CRASHES_EACH = 4
"""How often a child may be replaced, on average, before the run is stopped: as xdist does."""
CRASHED = "worker processes crashed"
"""The end of a reason to stop: the processes that run cases are lost again and again."""
GC_EVERY = 10_000
"""New objects after which a worker collects garbage: a case makes thousands, and most of them are gone at its end."""


def collect_seldom() -> None:
    """Collect garbage seldom in this worker, and leave alone what is there before its first case."""
    gc.freeze()
    gc.set_threshold(GC_EVERY)


def possible(kind: str) -> bool:
    """Return whether cases of an adapter of this kind can run in forked children of this process."""
    return kind == "python" and can_fork()


@dataclass(slots=True)
class _Worker:
    """A child by its name in the bundle, and the number of its current case."""

    name: str
    case: int | None = None


class Forked:
    """The children of a run, seen from the process that collected the cases.

    Args:
        session: pytest's session, with its items.
        state: the run.
        count: children at a time.
    """

    def __init__(self, session: pytest.Session, state: State, count: int) -> None:
        self._session = session
        self._state = state
        self._count = min(count, len(session.items))
        self._made = 0
        self._workers: dict[Child, _Worker] = {}

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

        with Pool(range(len(self._session.items))) as pool:
            for _ in range(self._count):
                self._start(pool)
            try:
                meanwhile()
                self._hear(pool)
            except Terminated:  # it comes to this process alone, unlike ^C
                pool.interrupt()
                raise
        if self._session.shouldfail:
            raise self._session.Failed(self._session.shouldfail)
        if self._session.shouldstop:
            raise self._session.Interrupted(self._session.shouldstop)

    def _hear(self, pool: Pool) -> None:
        while pool:
            for child, message in pool.wait():
                if message is not None:
                    self._show(self._workers[child], message)
                else:
                    self._ended(child, pool)
            if self._session.shouldfail or self._session.shouldstop:
                pool.withdraw()

    def _start(self, pool: Pool) -> None:
        name = f"gw{self._made}"
        self._made += 1
        child = pool.fork(partial(_live, self._session, self._state, name))
        self._workers[child] = _Worker(name)

    def _show(self, worker: _Worker, message: Mapping[str, Any]) -> None:
        config = self._session.config
        if "case" in message:
            worker.case = message["case"]
        elif "report" in message:
            worker.case = None
            self._log(config.hook.pytest_report_from_serializable(config=config, data=message["report"]))
        elif "warning" in message:
            row = {**message["warning"], "warning_message": _warning(**message["warning"]["warning_message"])}
            config.hook.pytest_warning_recorded.call_historic(kwargs=row)
        elif not str(self._session.shouldstop).startswith(UNWRITABLE):  # the others stop since one could not write
            self._session.shouldstop = message["stop"]

    def _log(self, report: pytest.TestReport) -> None:
        hook = self._session.config.hook
        hook.pytest_runtest_logstart(nodeid=report.nodeid, location=report.location)
        hook.pytest_runtest_logreport(report=report)
        hook.pytest_runtest_logfinish(nodeid=report.nodeid, location=report.location)

    def _ended(self, child: Child, pool: Pool) -> None:
        worker = self._workers.pop(child)
        if child.end is End.FAILED:
            raise RuntimeError(f"a process that ran cases failed:\n{child.failure}")
        if child.end is not End.CRASHED:
            return
        if worker.case is None:
            self._log_crash_between(worker)
        else:
            self._log_crash(worker, self._session.items[worker.case])
        if self._made >= self._count * (1 + CRASHES_EACH):
            self._session.shouldstop = f"{self._made} {CRASHED}"
        else:
            self._start(pool)

    def _log_crash(self, worker: _Worker, item: pytest.Item) -> None:
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

    def __init__(self, config: pytest.Config, channel: Channel) -> None:
        self._config = config
        self._channel = channel

    @pytest.hookimpl
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        data = self._config.hook.pytest_report_to_serializable(config=self._config, report=report)
        self._channel.send({"report": data})

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


def _live(session: pytest.Session, state: State, name: str, channel: Channel) -> None:
    """Be a child: take cases while there are any, and report each."""
    _detach(session.config)
    collect_seldom()
    session.config.pluginmanager.register(_Reporter(session.config, channel), "tck-reporter")
    state.become_worker(name)
    try:
        _run(session, channel)
    except KeyboardInterrupt:
        with contextlib.suppress(BaseException):
            state.close_worker()
        raise
    state.close_worker()


def _run(session: pytest.Session, channel: Channel) -> None:
    for place in channel.tickets():
        channel.send({"case": place})
        item = session.items[place]
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
        if session.shouldfail:  # the parent counts for itself
            break
        if session.shouldstop:
            channel.send({"stop": str(session.shouldstop)})
            break


def _detach(config: pytest.Config) -> None:
    """Detach the child from the terminal: the parent prints; captured output stays here."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    if reporter is not None:
        config.pluginmanager.unregister(reporter)
    capture: Any = config.pluginmanager.get_plugin("capturemanager")
    if capture is not None and capture.is_globally_capturing():
        capture.stop_global_capturing()
        capture.start_global_capturing()
