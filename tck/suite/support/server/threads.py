"""Threads of an application server other than one for each start: workers that are lent out, and none at all."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable

from tck import api
from tck.suite.support.harness.running import RunningCase


class Workers(api.AutoCloseable):
    """Some threads that serve all server sessions in turn; `employ` gives them a call."""

    def __init__(self, case: RunningCase, count: int) -> None:
        self._case = case
        self._lock = threading.Lock()  # guards everything below; no other lock is taken under it
        self._calls: deque[Callable[[], None]] = deque()
        self._changed = case.provider.clock.event()
        self._ended = False
        self.threads: set[int] = set()
        for number in range(count):
            case.spawn(f"worker {number + 1} of the server", self._work)

    def employ(self, what: str, call: Callable[[], None]) -> None:
        """Let the next free worker make a call."""
        del what
        self._change(lambda: self._calls.append(call))

    def close(self) -> None:
        """Let the workers end."""

        def work() -> None:
            self._ended = True

        self._change(work)

    def _work(self) -> None:
        self.threads.add(threading.get_ident())
        end = self._case.now() + (3_600_000 if self._case.provider.clock.virtual else 20 * self._case.timing.deadline)
        while self._case.now() < end:
            with self._lock:
                call = self._calls.popleft() if self._calls else None
                changed, ended = self._changed, self._ended
            if call is not None:
                call()
            elif ended:
                return
            else:
                changed.wait(end - self._case.now())

    def _change(self, work: Callable[[], object]) -> None:
        with self._lock:
            work()
            changed, self._changed = self._changed, self._case.provider.clock.event()
        changed.set()


class Postponed:
    """No thread: calls are kept until `run` makes them on threads of the case."""

    def __init__(self, case: RunningCase) -> None:
        self._case = case
        self._lock = threading.Lock()  # guards the list; no other lock is taken under it
        self._calls: list[tuple[str, Callable[[], None]]] = []

    def employ(self, what: str, call: Callable[[], None]) -> None:
        """Keep a call."""
        with self._lock:
            self._calls.append((what, call))

    def run(self) -> None:
        """Make the calls kept so far, each on a thread of its own."""
        with self._lock:
            calls, self._calls = self._calls, []
        for what, call in calls:
            self._case.spawn(what, call)
