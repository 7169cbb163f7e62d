"""No case runs for ever: a timer cuts the body, a standing thread ends the process when even that does not help.

The timer raises `CaseCut` in the main thread, which interrupts locks, joins and reads at once. A call blocked in C
returns to Python too late for it: past the deadline the adapter is asked to interrupt it, where it can, and one grace period later the watchdog writes the stacks of all threads and the
events of the case into the bundle and ends the process; xdist names the case and starts another worker.
"""

from __future__ import annotations

import contextlib
import faulthandler
import os
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import FrameType

from tck.suite.support.outcome import CaseCut

EXIT_HUNG = 70
"""What a process that had to be ended by its watchdog leaves as its exit code."""


class Watchdog:
    """Guards one case at a time; `arm` and `disarm` are called from the main thread."""

    def __init__(
        self,
        deadline_ms: float,
        grace_ms: float,
        last_words: Callable[[], None],
        stacks: Path | None,
        nudge: Callable[[], None] = lambda: None,
    ) -> None:
        self._deadline = deadline_ms / 1000
        self._grace = grace_ms / 1000
        self._last_words = last_words
        self._stacks = stacks
        self._nudge = nudge
        # Guards _closed and wakes the thread; _until is assigned whole, and by the main thread alone, whose signal handler reads it.
        self._changed = threading.Condition()
        self._until: float | None = None
        self._closed = False
        self._timer = hasattr(signal, "setitimer")
        if self._timer:
            self._previous = signal.signal(signal.SIGALRM, self._cut)
        self._thread = threading.Thread(target=self._watch, name="tck-watchdog", daemon=True)
        self._thread.start()

    def _cut(self, signum: int, frame: FrameType | None) -> None:  # noqa: ARG002 - the signature of a signal handler
        # A signal that came while the last call was in C is handled when that is over, and maybe all that it was to cut.
        if self._until is not None:
            raise CaseCut

    def arm(self, deadline_ms: float | None = None) -> None:
        """Start a deadline: that of a case, unless another is given."""
        deadline = self._deadline if deadline_ms is None else deadline_ms / 1000
        self._until = time.monotonic() + deadline + self._grace
        if self._timer:
            signal.setitimer(signal.ITIMER_REAL, deadline)

    def disarm(self) -> None:
        """End the deadline; nothing is cut from here on."""
        self._until = None
        if self._timer:
            signal.setitimer(signal.ITIMER_REAL, 0)

    def close(self) -> None:
        """Let the thread end and give the signal back."""
        self.disarm()
        with self._changed:
            self._closed = True
            self._changed.notify()
        if self._timer:
            signal.signal(signal.SIGALRM, self._previous)

    def _watch(self) -> None:
        period = max(self._grace / 4, 0.05)
        nudged: float | None = None
        while True:
            with self._changed:
                self._changed.wait(period)
                if self._closed:
                    return
            until = self._until
            if until is not None and time.monotonic() > until:
                self._end()
            elif until is not None and until != nudged and time.monotonic() > until - self._grace:
                nudged = until
                with contextlib.suppress(Exception):
                    self._nudge()

    def _end(self) -> None:
        try:
            if self._stacks:
                self._stacks.parent.mkdir(parents=True, exist_ok=True)
                with self._stacks.open("w") as file:
                    faulthandler.dump_traceback(file, all_threads=True)
            self._last_words()
        finally:
            os._exit(EXIT_HUNG)
