"""^C and SIGTERM end a run also where foreign code swallows the exception: a finalizer, a callback out of C.

Python raises KeyboardInterrupt wherever the main thread happens to be. Where exceptions are ignored there, the user
would wait for the whole run; so the signal is remembered, and checked between cases.
"""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable
from functools import partial
from types import FrameType
from typing import Any, Final

import pytest

from tck.record import keep_exit_code
from tck.termination import Terminated, Termination

NAME: Final = "tck-interrupts"


class Interrupts:
    """Remembers a SIGINT and a SIGTERM, from construction until `restore`; a plugin of pytest, which checks after each case."""

    def __init__(self) -> None:
        self.terminated = False
        """Whether SIGTERM came."""
        self.in_child = False
        """Whether this process is a forked child, which is told once: a second signal would spoil its clean-up."""
        self._came = False
        self._before: dict[signal.Signals, Any] = {}
        self._hook: Callable[[sys.UnraisableHookArgs], object] | None = None
        self._hook_before = sys.unraisablehook
        if threading.current_thread() is threading.main_thread():
            # Another handler belongs to the user, or to another tool.
            if (before := signal.getsignal(signal.SIGINT)) is signal.default_int_handler:
                self._before[signal.SIGINT] = before
                signal.signal(signal.SIGINT, self._interrupt)
            if (before := signal.getsignal(signal.SIGTERM)) is signal.SIG_DFL or isinstance(before, Termination):
                self._before[signal.SIGTERM] = before
                signal.signal(signal.SIGTERM, self._terminate)

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionstart(self, session: pytest.Session) -> None:
        """Lay our hook over that of pytest, which keeps what Python ignores and shows it as a warning with a traceback.

        pytest sets its hook while it is configured, after this plugin.
        """
        self._hook_before = sys.unraisablehook
        self._hook = _lay_hook()
        if pytest.version_tuple < (8, 4):
            session.config.pluginmanager.register(_EachPhase())

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logfinish(self) -> None:
        """Check; also in a process that only shows what others run."""
        self.check()

    def check(self) -> None:
        """Raise an interrupt that was swallowed.

        Raises:
            KeyboardInterrupt: SIGINT came.
            Terminated: SIGTERM came.
        """
        if self.terminated:
            raise Terminated("SIGTERM")
        if self._came:
            raise KeyboardInterrupt

    def restore(self) -> None:
        """Restore the previous signal handlers; after a SIGTERM further ones change nothing, so that a report can be written."""
        keep_exit_code()
        if self._hook is not None and sys.unraisablehook is self._hook:  # nobody laid another over it
            sys.unraisablehook = self._hook_before
        self._hook = None
        for number, before in self._before.items():
            signal.signal(number, signal.SIG_IGN if number is signal.SIGTERM and self.terminated else before)
        self._before.clear()

    def _interrupt(self, signum: int, frame: FrameType | None) -> None:
        if self.in_child and (self._came or self.terminated):
            return
        self._came = True
        signal.default_int_handler(signum, frame)

    def _terminate(self, signum: int, frame: FrameType | None) -> None:  # noqa: ARG002 - the signature of a handler
        if self.terminated or (self.in_child and self._came):
            return
        self.terminated = True
        raise Terminated("SIGTERM")


class _EachPhase:
    """Lays our hook over the one that pytest 8.3 sets around each phase of a test, and takes away after it."""

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self) -> None:
        """Lay it."""
        _lay_hook()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_call(self) -> None:
        """Lay it."""
        _lay_hook()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_teardown(self) -> None:
        """Lay it."""
        _lay_hook()


def _lay_hook() -> Callable[[sys.UnraisableHookArgs], object]:
    """Lay our hook over the one that is set, and return it."""
    hook = partial(_show_no_interrupt, show=sys.unraisablehook)
    sys.unraisablehook = hook
    return hook


def _show_no_interrupt(unraisable: sys.UnraisableHookArgs, show: Callable[[sys.UnraisableHookArgs], object]) -> None:
    """Show an exception that Python ignores, but no interrupt: it is remembered."""
    if not isinstance(unraisable.exc_value, KeyboardInterrupt):
        show(unraisable)
