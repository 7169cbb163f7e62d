"""The clock of a provider, real or virtual, and the events that wait on it.

This module imports the exceptions of the API and nothing else of ours.
"""

from __future__ import annotations

import threading
import time
from abc import ABC, abstractmethod
from contextlib import AbstractContextManager, nullcontext
from typing import NoReturn

from tck.api.exceptions import UnsupportedOperationException

__all__ = ["Clock", "Event", "SystemClock"]


class Event(ABC):
    """Let one thread wait until another says so, on the clock of the provider."""

    __slots__ = ()

    @abstractmethod
    def set(self) -> None:
        """Wake all who wait, now and later; setting again has no effect."""

    @abstractmethod
    def is_set(self) -> bool:
        """Tell whether `set` was called."""

    @abstractmethod
    def wait(self, timeout_ms: float | None) -> bool:
        """Wait until set, at most `timeout_ms` milliseconds of the clock; return whether it is set.

        None waits without limit, 0 not at all.
        """


class Clock(ABC):
    """Tell the time that a provider lives by.

    A real clock passes by itself (`SystemClock`). A virtual one stands still unless `advance` is called, or every known
    actor is blocked in one of its waits while some wait has a deadline: then it jumps to the earliest. Actors are the
    threads inside `actor` and those the provider manages itself. A blocked provider call (``receive``) counts as a
    wait. Whoever wakes a waiter counts it as running before releasing it. With all actors blocked and no deadline
    pending, a virtual clock does not move, and the case's real deadline decides.
    """

    __slots__ = ()

    @property
    @abstractmethod
    def virtual(self) -> bool:
        """Tell whether the clock is virtual, so that waiting costs nothing and `advance` works."""

    @abstractmethod
    def now(self) -> int:
        """Give the time, epoch milliseconds: what the provider writes into timestamps and compares expirations with."""

    @abstractmethod
    def monotonic_ns(self) -> int:
        """Give the time in epoch nanoseconds, greater at each call in any thread.

        It agrees with `now` to a few milliseconds, so that events can be compared with expirations.
        """

    @abstractmethod
    def advance(self, ms: int) -> None:
        """Move a virtual clock forward by `ms` milliseconds and let what is due by then happen.

        Raises:
            UnsupportedOperationException: The clock is real.
        """

    @abstractmethod
    def event(self) -> Event:
        """Make an event whose waits run on this clock."""

    @abstractmethod
    def actor(self) -> AbstractContextManager[object]:
        """Count the calling thread as an actor within the ``with`` block.

        The suite enters it in each thread that will call the provider: a virtual clock then waits for that thread.
        """

    def blocked(self, thread: threading.Thread) -> bool | None:  # noqa: ARG002 - for clocks that can tell
        """Tell whether an actor waits inside a call of the provider at this moment; None if nobody can know.

        It saves the suite a bounded wait: a call that is seen to wait need not be watched for long.
        """
        return None

    def interrupted(self) -> AbstractContextManager[object]:
        """Interrupt the calling thread within the ``with`` block, where threads of the provider's language can be.

        Its calls may fail then. Without an override nothing happens, as in Python.
        """
        return nullcontext()


class _SystemEvent(Event):
    __slots__ = ("_event",)

    def __init__(self) -> None:
        self._event = threading.Event()

    def set(self) -> None:
        self._event.set()

    def is_set(self) -> bool:
        return self._event.is_set()

    def wait(self, timeout_ms: float | None) -> bool:
        return self._event.wait(None if timeout_ms is None else timeout_ms / 1000)


class SystemClock(Clock):
    """Tell real time, from the computer's own clock; it cannot be advanced."""

    __slots__ = ("_last", "_lock")

    def __init__(self) -> None:
        self._lock = threading.Lock()  # guards _last; no other lock is taken while it is held
        self._last = 0

    @property
    def virtual(self) -> bool:
        """Tell that the clock is real."""
        return False

    def now(self) -> int:
        """Give the wall clock's time, epoch milliseconds."""
        return time.time_ns() // 1_000_000

    def monotonic_ns(self) -> int:
        """Give the wall clock's time in epoch nanoseconds, or one more than the last answer where that is greater."""
        # The wall clock, not time.monotonic_ns: events are compared with timestamps that the provider took from the wall clock.
        # Where the wall clock is coarse or set back, order still holds.
        with self._lock:
            self._last = max(self._last + 1, time.time_ns())
            return self._last

    def advance(self, ms: int) -> NoReturn:
        """Refuse with UnsupportedOperationException."""
        raise UnsupportedOperationException(
            f"a real clock cannot be advanced by {ms} ms; the provider offers no hook clock"
        )

    def event(self) -> Event:
        """Make an event that waits in real time."""
        return _SystemEvent()

    def actor(self) -> AbstractContextManager[object]:
        """Give a context that does nothing: real time waits for nobody."""
        return nullcontext()
