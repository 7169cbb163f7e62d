"""No case runs for ever: a timer cuts the body, a standing thread ends the process when even that does not help.

The timer raises `CaseCut` in the main thread, which interrupts locks, joins and reads at once. A call blocked in C
returns to Python too late for it: past the deadline the adapter is asked to interrupt it, where it can, and one grace period later the watchdog writes the stacks of all threads and the
events of the case into the bundle and ends the process; xdist names the case and starts another worker.

A machine that stands still for seconds, as virtual ones do, is no fault of a provider: the thread looks at the clock often, and time in
which it got no turn to do so is given back to the case.
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

from tck.suite.support.harness.outcome import CaseCut

EXIT_HUNG = 70
"""What a process that had to be ended by its watchdog leaves as its exit code."""
PERIOD = 0.25
"""How often, in seconds, the thread looks at the clock."""
STALL = 1.0
"""A look at the clock that comes later than this, in seconds, shows that the process stood still."""


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
        self._seen = time.monotonic()
        """When the thread last looked at the clock; it alone assigns this."""
        self._given_back = 0.0
        """Seconds that the case stood still, as far as the thread has seen; an addition that a new case loses is of no harm."""
        self._timer = hasattr(signal, "setitimer")
        if self._timer:
            self._previous = signal.signal(signal.SIGALRM, self._cut)
        self._thread = threading.Thread(target=self._watch, name="tck-watchdog", daemon=True)
        self._thread.start()

    def _cut(self, signum: int, frame: FrameType | None) -> None:  # noqa: ARG002 - the signature of a signal handler
        # A signal that came while the last call was in C is handled when that is over, and maybe all that it was to cut.
        if self._until is None:
            return
        given_back = self._given_back + self._standstill()
        left = self._until - self._grace + given_back - time.monotonic()
        if not given_back or left <= 0:
            raise CaseCut
        signal.setitimer(signal.ITIMER_REAL, left)

    def _standstill(self) -> float:
        """Seconds that the thread is late, if it is so late that the whole process must have stood still."""
        late = time.monotonic() - self._seen - PERIOD
        return late if late > STALL else 0.0

    def arm(self, deadline_ms: float | None = None) -> None:
        """Start a deadline: that of a case, unless another is given."""
        deadline = self._deadline if deadline_ms is None else deadline_ms / 1000
        self._given_back = 0.0
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
        nudged: float | None = None
        while True:
            with self._changed:
                self._changed.wait(PERIOD)
                if self._closed:
                    return
            self._given_back += self._standstill()
            self._seen = time.monotonic()
            until = self._until
            if until is None:
                continue
            left = until + self._given_back - self._seen
            if left < 0:
                self._end()
            elif until != nudged and left < self._grace:
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
