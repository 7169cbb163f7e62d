"""Exception listeners, and how many of their calls run at a time."""

from __future__ import annotations

import threading
from collections.abc import Callable

from tck import api
from tck.suite.support.harness.running import RunningCase


class ProblemListener(api.ExceptionListener):
    """An exception listener that keeps what it is passed, and may do some work.

    Attributes:
        problems: what it was passed, in the order of the calls.
        most: the greatest number of calls that ran at a time.
    """

    def __init__(self, case: RunningCase, work: Callable[[], object] | None = None) -> None:
        self._case = case
        self._work = work
        self._lock = threading.Lock()  # guards everything below; no other lock is taken under it
        self._running = 0
        self._called, self._done = case.provider.clock.event(), case.provider.clock.event()
        self.problems: list[object] = []
        self.most = 0

    def on_exception(self, exception: Exception) -> None:
        """Keep the exception, and work."""
        with self._lock:
            self._running += 1
            self.most = max(self.most, self._running)
            self.problems.append(exception)
        self._called.set()
        try:
            if self._work is not None:
                self._work()
        finally:
            with self._lock:
                self._running -= 1
            self._done.set()

    def called(self) -> bool:
        """Wait for the first call, at most until the profile's deadline; return whether it came."""
        return self._called.wait(self._case.timing.deadline)

    def finished(self) -> bool:
        """Wait for the end of a call, at most twice the profile's deadline; return whether it has come."""
        return self._done.wait(2 * self._case.timing.deadline)
