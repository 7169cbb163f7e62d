"""The steps that a provider and an application server take together, in order, and waits for them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tck import api
from tck.suite.support.harness.running import RunningCase

CALLED = "getServerSession() was called"
"""The provider asks the pool for a server session."""
TAKEN = "a server session left the pool"
"""The pool returns a server session to the provider."""
ASKED = "getSession() was called"
"""The provider asks a server session for its session."""
STARTED = "start() was called"
"""The provider starts a server session."""
RUN = "run() was called"
"""A thread of the server enters run() of the session."""
ENTERED = "onMessage() was called"
"""The session's own listener is called."""
LEFT = "onMessage() ended"
"""The session's own listener returns or raises."""
RAN = "run() ended"
"""run() of the session returns or raises."""
BACK = "a server session came back"
"""The server puts a server session back into the pool."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step.

    Attributes:
        what: one of the names above.
        number: the server session, counted from 1; 0 where there is none.
        thread: the thread that took the step.
        body: the body of the message, for the steps of a listener.
        message: the message, likewise.
        error: the exception with which the step ended.
    """

    what: str
    number: int
    thread: int
    body: object = None
    message: api.Message | None = None
    error: Exception | None = None


class Steps:
    """All steps of an application server so far."""

    def __init__(self, case: RunningCase) -> None:
        self._case = case
        self._lock = threading.Lock()  # guards the list and the event; no other lock is taken under it
        self._steps: list[Step] = []
        self._changed = case.provider.clock.event()

    def note(
        self,
        what: str,
        number: int = 0,
        *,
        body: object = None,
        message: api.Message | None = None,
        error: Exception | None = None,
    ) -> None:
        """Add a step of the calling thread."""
        step = Step(what, number, threading.get_ident(), body, message, error)
        with self._lock:
            self._steps.append(step)
            changed, self._changed = self._changed, self._case.provider.clock.event()
        changed.set()

    def all(self, *whats: str, number: int | None = None) -> list[Step]:
        """Return the steps so far, in order: all, or those with these names and of this server session."""
        with self._lock:
            steps = list(self._steps)
        return [one for one in steps if (not whats or one.what in whats) and number in (None, one.number)]

    def until(self, holds: Callable[[Sequence[Step]], bool]) -> bool:
        """Wait until a condition holds for the steps so far, at most until the profile's deadline; return whether it does."""
        end = self._case.now() + self._case.timing.deadline
        while True:
            with self._lock:
                steps, changed = list(self._steps), self._changed
            left = end - self._case.now()
            if holds(steps) or left <= 0:
                return holds(steps)
            changed.wait(left)

    def reach(self, what: str, count: int) -> bool:
        """Wait for a number of steps of one name, at most until the profile's deadline; return whether they came."""
        return self.until(lambda steps: sum(one.what == what for one in steps) >= count)
