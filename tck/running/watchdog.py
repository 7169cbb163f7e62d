"""No case runs for ever: a timer cuts the body; if that does not help, a thread ends the process.

The timer raises `CaseCut` in the main thread, which interrupts locks, joins and reads at once. A call blocked in C
returns to Python too late for that: past the deadline the watchdog asks the adapter to interrupt the call, and one
grace period later it writes the stacks of all threads and the events of the case into the bundle and ends the
process; xdist names the case and starts another worker.

A machine that others use, or that stalls for seconds as virtual ones do, is no fault of a provider: the thread looks at
the clock often, and adds to the case's deadline the time in which the process waited for a processor or stalled. What
is added has an end: no case lasts longer than `patience.FAR` deadlines.
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

from tck import temporary
from tck.patience import FAR, Stopwatch
from tck.suite.support.harness.outcome import CaseCut

EXIT_HUNG = 70
"""The exit code of a process that its watchdog ended."""
FAREWELL = 30.0
"""Seconds that ending a run may take."""
PERIOD = 0.25
"""How often, in seconds, the thread looks at the clock."""
STALL = 1.0
"""A look at the clock later than this, in seconds, shows that the process stalled."""


class Watchdog:
    """Guards one case at a time; `arm` and `disarm` are called from the main thread."""

    def __init__(
        self,
        deadline_ms: float,
        grace_ms: float,
        last_words: Callable[[], None],
        stacks: Path | None,
        nudge: Callable[[], None] = lambda: None,
        farewell: Callable[[], int] | None = None,
    ) -> None:
        self._deadline = deadline_ms / 1000
        self._grace = grace_ms / 1000
        self._last_words = last_words
        self._stacks = stacks
        self._nudge = nudge
        self._farewell = farewell
        """Ends the run where no other process can, and returns its exit code."""
        # Guards _closed and wakes the thread; only the main thread, whose signal handler reads _until, assigns it.
        self._changed = threading.Condition()
        self._until: float | None = None
        self._closed = False
        self._seen = time.monotonic()
        """When the thread last looked at the clock; it alone assigns this."""
        self._given_back = 0.0
        """Seconds that the machine withheld during the case, as far as the thread saw; losing one addition is harmless."""
        self._most = 0.0
        """The most seconds that are given back to a case."""
        self._stopwatch = Stopwatch()
        self._withheld = 0.0
        """The reading of the stopwatch at the last look."""
        self._timer = hasattr(signal, "setitimer")
        if self._timer:
            self._previous = signal.signal(signal.SIGALRM, self._cut)
        self._thread = threading.Thread(target=self._watch, name="tck-watchdog", daemon=True)
        self._thread.start()

    def _cut(self, signum: int, frame: FrameType | None) -> None:  # noqa: ARG002 - the signature of a signal handler
        # A signal that came while the last call was in C is handled after it, perhaps after everything that it was to cut.
        if self._until is None:
            return
        given_back = min(self._most, self._given_back + self._standstill())
        left = self._until - self._grace + given_back - time.monotonic()
        if not given_back or left <= 0:
            raise CaseCut
        signal.setitimer(signal.ITIMER_REAL, left)

    def _standstill(self) -> float:
        """Return the seconds that the thread is late, if it is so late that the whole process must have stalled."""
        late = time.monotonic() - self._seen - PERIOD
        return late if late > STALL else 0.0

    def arm(self, deadline_ms: float | None = None) -> None:
        """Start a deadline, by default that of a case."""
        deadline = self._deadline if deadline_ms is None else deadline_ms / 1000
        self._given_back = 0.0
        self._most = (FAR - 1) * deadline
        self._until = time.monotonic() + deadline + self._grace
        if self._timer:
            signal.setitimer(signal.ITIMER_REAL, deadline)

    def disarm(self) -> None:
        """End the deadline; nothing is cut afterwards."""
        self._until = None
        if self._timer:
            signal.setitimer(signal.ITIMER_REAL, 0)

    def close(self) -> None:
        """End the thread and restore the signal handler."""
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
            withheld = self._stopwatch.withheld
            self._given_back = min(self._most, self._given_back + max(self._standstill(), withheld - self._withheld))
            self._seen, self._withheld = time.monotonic(), withheld
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
            if self._farewell is not None:
                threading.Thread(target=self._end_anyway, name="tck-watchdog-end", daemon=True).start()
                status = self._farewell()
                temporary.remove_all()
                os._exit(status)
            temporary.remove_all()
        finally:
            os._exit(EXIT_HUNG)

    def _end_anyway(self) -> None:
        threading.Event().wait(FAREWELL)
        os._exit(EXIT_HUNG)


class LaneWatch:
    """The deadline of the case in a lane, in place of a watchdog: no signal reaches a thread, so a late case is left behind."""

    def __init__(self, deadline_ms: float, withheld: Callable[[], float]) -> None:
        self._deadline = deadline_ms / 1000
        self._withheld = withheld
        self._began: tuple[float, float] | None = None
        self._seconds = 0.0

    def arm(self, deadline_ms: float | None = None) -> None:
        """Start a deadline, by default that of a case."""
        self._seconds = self._deadline if deadline_ms is None else deadline_ms / 1000
        self._began = time.monotonic(), self._withheld()

    def disarm(self) -> None:
        """End the deadline."""
        self._began = None

    def close(self) -> None:
        """End the deadline."""
        self._began = None

    @property
    def over(self) -> bool:
        """Whether the deadline is over, by the time that the process was given."""
        began = self._began
        if began is None:
            return False
        passed, withheld = time.monotonic() - began[0], self._withheld() - began[1]
        return passed > FAR * self._seconds or passed - withheld > self._seconds
