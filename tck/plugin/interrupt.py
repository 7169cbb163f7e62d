"""^C and SIGTERM end a run also where foreign code swallows the exception: a finalizer, a callback out of C.

Python raises KeyboardInterrupt wherever the main thread happens to be. Where exceptions are ignored there, the user
would wait for the whole run; so the signal is remembered, and checked between cases.
"""

from __future__ import annotations

import signal
import sys
import threading
from types import FrameType
from typing import Any

from tck.record import keep_exit_code
from tck.termination import Terminated, Termination


class Interrupts:
    """Remembers a SIGINT and a SIGTERM, from construction until `restore`."""

    def __init__(self) -> None:
        self.terminated = False
        """Whether SIGTERM came."""
        self.in_child = False
        """Whether this process is a forked child, which is told once: a second signal would spoil its clean-up."""
        self._came = False
        self._before: dict[signal.Signals, Any] = {}
        self._ignored = sys.unraisablehook
        sys.unraisablehook = self._unraisable
        if threading.current_thread() is threading.main_thread():
            # Another handler belongs to the user, or to another tool.
            if (before := signal.getsignal(signal.SIGINT)) is signal.default_int_handler:
                self._before[signal.SIGINT] = before
                signal.signal(signal.SIGINT, self._interrupt)
            if (before := signal.getsignal(signal.SIGTERM)) is signal.SIG_DFL or isinstance(before, Termination):
                self._before[signal.SIGTERM] = before
                signal.signal(signal.SIGTERM, self._terminate)

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
        if sys.unraisablehook == self._unraisable:
            sys.unraisablehook = self._ignored
        for number, before in self._before.items():
            signal.signal(number, signal.SIG_IGN if number is signal.SIGTERM and self.terminated else before)
        self._before.clear()

    def _unraisable(self, unraisable: sys.UnraisableHookArgs) -> None:
        """Show an exception that Python ignores, but no interrupt: it is remembered."""
        if not isinstance(unraisable.exc_value, KeyboardInterrupt):
            self._ignored(unraisable)

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
