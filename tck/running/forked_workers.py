"""Cases shared among forked children of the one process that collected them.

A worker of xdist is a new interpreter, which imports and collects all over again: a second of processor time each. A fork
costs milliseconds. The children take cases from a pipe as they have time for them and send back pytest's reports, which
are shown here as they come; what they record goes into their own part of the bundle, as with a worker of xdist.

Only for a provider in Python that has not been opened yet: a Java machine, or threads, do not survive a fork.
"""

from __future__ import annotations

import builtins
import contextlib
import gc
import os
import selectors
import signal
import sys
import threading
import time
import traceback
import warnings
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

import pytest

from tck.plugin.state import State
from tck.record import lines

TICKET = 4
"""Bytes of a ticket: the place of a case among the collected ones. A pipe hands out so few whole."""
CRASHES_EACH = 4
"""How often a child may be replaced, on average, before the run is stopped: as xdist does."""
GC_EVERY = 10_000
"""New objects after which a child looks for garbage: a case makes thousands, and most of them are gone at its end."""
LEAVE = 5.0
"""Seconds that children may take to end after an interrupt; a hung provider would take for ever."""


def possible(kind: str) -> bool:
    """Whether cases of an adapter of this kind can be run in forked children of this process."""
    return kind == "python" and hasattr(os, "fork") and threading.active_count() == 1 and "jpype" not in sys.modules


@dataclass(slots=True)
class _Child:
    """A running child: what it has told so far, and the case that it has in hand."""

    name: str
    pid: int
    pipe: int
    told: bytes = b""
    case: int | None = None
    ended: bool = False


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
        self._waiting = deque(range(len(session.items)))
        self._children: dict[int, _Child] = {}
        self._taking, self._giving = os.pipe()
        os.set_blocking(self._giving, False)

    def run(self, meanwhile: Callable[[], None] = lambda: None) -> None:
        """Run all cases.

        Args:
            meanwhile: called while the children are at their first cases.

        Raises:
            pytest.Session.Interrupted: the session was told to stop, or children crash all the time.
            pytest.Session.Failed: as many cases failed as `--maxfail` allows.
            KeyboardInterrupt: SIGINT came; the children are gone then.
            RuntimeError: the kit failed in a child; its traceback is in the message.
        """
        import tck.check  # noqa: F401, PLC0415 - nearly every case needs it; loaded here it is loaded once

        gc.freeze()  # the children share what was collected, as long as none of them writes to it
        try:
            with selectors.DefaultSelector() as selector:
                self._give()
                for _ in range(self._count):
                    self._start(selector)
                meanwhile()
                while self._children:
                    for key, _ in selector.select(timeout=1.0):
                        self._hear(self._children[key.fd], selector)
                    self._give()
                    if self._session.shouldfail or self._session.shouldstop:
                        self._withdraw()
        finally:
            gc.unfreeze()
            self._withdraw()
            self._end_children()
            os.close(self._taking)
        if self._session.shouldfail:
            raise self._session.Failed(self._session.shouldfail)
        if self._session.shouldstop:
            raise self._session.Interrupted(self._session.shouldstop)

    # -- tickets -------------------------------------------------------------------------------------------------

    def _give(self) -> None:
        """Put as many tickets into the pipe as it holds; close it behind the last."""
        if self._giving < 0:
            return
        with contextlib.suppress(BlockingIOError):
            while self._waiting:
                os.write(self._giving, self._waiting[0].to_bytes(TICKET))
                self._waiting.popleft()
        if not self._waiting:
            os.close(self._giving)
            self._giving = -1

    def _withdraw(self) -> None:
        """Take back the tickets that no child has taken."""
        self._waiting.clear()
        self._give()
        while os.read(self._taking, TICKET * 1024):
            pass

    # -- children ------------------------------------------------------------------------------------------------

    def _start(self, selector: selectors.BaseSelector) -> None:
        name = f"gw{self._made}"
        self._made += 1
        reading, writing = os.pipe()
        pid = os.fork()
        if not pid:
            os.close(reading)
            with contextlib.suppress(OSError):
                os.close(self._giving)
            for child in self._children.values():
                os.close(child.pipe)
            _live(self._session, self._state, name, self._taking, writing)
        os.close(writing)
        self._children[reading] = _Child(name, pid, reading)
        selector.register(reading, selectors.EVENT_READ)

    def _hear(self, child: _Child, selector: selectors.BaseSelector) -> None:
        block = os.read(child.pipe, 1 << 16)
        *whole, child.told = (child.told + block).split(b"\n")
        for line in whole:
            self._told(child, lines.decode(line))
        if block:
            return
        selector.unregister(child.pipe)
        del self._children[child.pipe]
        os.close(child.pipe)
        os.waitpid(child.pid, 0)
        if not child.ended:
            self._crashed(child, selector)

    def _told(self, child: _Child, row: Mapping[str, Any]) -> None:
        config = self._session.config
        if "case" in row:
            child.case = row["case"]
        elif "report" in row:
            child.case = None
            self._show(config.hook.pytest_report_from_serializable(config=config, data=row["report"]))
        elif "warning" in row:
            told = {**row["warning"], "warning_message": _warning(**row["warning"]["warning_message"])}
            config.hook.pytest_warning_recorded.call_historic(kwargs=told)
        elif "stop" in row:
            self._session.shouldstop = row["stop"]
        elif "failure" in row:
            child.ended = True
            raise RuntimeError(f"a process that ran cases failed:\n{row['failure']}")
        else:
            child.ended = True

    def _show(self, report: pytest.TestReport) -> None:
        hook = self._session.config.hook
        hook.pytest_runtest_logstart(nodeid=report.nodeid, location=report.location)
        hook.pytest_runtest_logreport(report=report)
        hook.pytest_runtest_logfinish(nodeid=report.nodeid, location=report.location)

    def _crashed(self, child: _Child, selector: selectors.BaseSelector) -> None:
        """A child ended in a case, or between two: say so, and go on with another."""
        if child.case is None:
            self._tell_crash_between(child)
        else:
            item = self._session.items[child.case]
            text = f"worker {child.name!r} crashed while running {item.nodeid!r}"
            report = pytest.TestReport(item.nodeid, item.location, {}, "failed", text, "call")
            self._session.config.hook.pytest_handlecrashitem(crashitem=item.nodeid, report=report, sched=None)
            self._show(report)
        if self._made >= self._count * (1 + CRASHES_EACH):
            self._session.shouldstop = f"{self._made} worker processes crashed"
        else:
            self._start(selector)

    def _tell_crash_between(self, child: _Child) -> None:
        """No case is to blame: the provider took the process with it while it was closed, for instance."""
        reporter = self._session.config.pluginmanager.get_plugin("terminalreporter")
        if reporter is not None:
            reporter.ensure_newline()
            reporter.write_line(f"worker {child.name!r} crashed outside of every case")
        if self._state.controller is not None:
            self._state.controller.problems.kit_error = True

    def _end_children(self) -> None:
        """Wait for children that are left over after an interrupt; end those that do not end."""
        until = time.monotonic() + LEAVE
        for child in self._children.values():
            gone = 0
            while not gone and time.monotonic() < until:
                gone, _ = os.waitpid(child.pid, os.WNOHANG)
                if not gone:
                    # A wait for another process: there is nothing to be notified by.
                    threading.Event().wait(0.01)
            if not gone:
                os.kill(child.pid, signal.SIGKILL)
                os.waitpid(child.pid, 0)
            os.close(child.pipe)
        self._children.clear()


class _Teller:
    """Sends pytest's reports from a child to its parent."""

    def __init__(self, config: pytest.Config, pipe: int) -> None:
        self._config = config
        self._pipe = pipe

    def tell(self, row: Mapping[str, object]) -> None:
        view = memoryview(lines.line(row))
        while view:
            view = view[os.write(self._pipe, view) :]

    @pytest.hookimpl
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        data = self._config.hook.pytest_report_to_serializable(config=self._config, report=report)
        self.tell({"report": data})

    @pytest.hookimpl
    def pytest_warning_recorded(
        self, warning_message: warnings.WarningMessage, when: str, nodeid: str, location: tuple[str, int, str] | None
    ) -> None:
        about = {name: getattr(warning_message, name) for name in ("filename", "lineno", "line")}
        about |= {"category": warning_message.category.__name__, "message": str(warning_message.message)}
        self.tell({"warning": {"warning_message": about, "when": when, "nodeid": nodeid, "location": location}})


def _warning(category: str, message: str, filename: str, lineno: int, line: str | None) -> warnings.WarningMessage:
    """Build a warning of a child anew; where its category is none of Python's own, the text names it."""
    kind = getattr(builtins, category, None)
    if not (isinstance(kind, type) and issubclass(kind, Warning)):
        kind, message = UserWarning, f"{category}: {message}"
    return warnings.WarningMessage(kind(message), kind, filename, lineno, line=line)


def _live(session: pytest.Session, state: State, name: str, tickets: int, pipe: int) -> NoReturn:
    """Be a child: take cases while there are some, tell of each, leave without any clean-up of the parent's."""
    config = session.config
    teller = _Teller(config, pipe)
    try:
        _apart(config)
        gc.set_threshold(GC_EVERY)
        config.pluginmanager.register(teller, "tck-teller")
        state.become_worker(name)
        _run(session, teller, tickets)
        state.close_worker()
        teller.tell({"end": True})
    except KeyboardInterrupt:
        with contextlib.suppress(BaseException):
            state.close_worker()
            teller.tell({"end": True})
    except BaseException:  # noqa: BLE001 - the parent must hear of it, whatever it is
        with contextlib.suppress(BaseException):
            teller.tell({"failure": traceback.format_exc()})
    finally:
        os._exit(0)


def _run(session: pytest.Session, teller: _Teller, tickets: int) -> None:
    items: Sequence[pytest.Item] = session.items
    while ticket := os.read(tickets, TICKET):
        place = int.from_bytes(ticket)
        teller.tell({"case": place})
        item = items[place]
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
        if session.shouldfail:  # the parent counts for itself
            break
        if session.shouldstop:
            teller.tell({"stop": str(session.shouldstop)})
            break


def _apart(config: pytest.Config) -> None:
    """Take leave of the terminal: what is shown is shown by the parent, what a case prints is kept here."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    if reporter is not None:
        config.pluginmanager.unregister(reporter)
    capture: Any = config.pluginmanager.get_plugin("capturemanager")
    if capture is not None and capture.is_globally_capturing():
        capture.stop_global_capturing()
        capture.start_global_capturing()
