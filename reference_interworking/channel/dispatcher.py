"""The thread of a channel that makes all its calls to clients, so that runs are deterministic.

Each round asks the connections in turn for a call to make, and makes it outside the channel's lock; with nothing to do it waits, on
the provider's clock, until something is pushed or a connection has something to do by time. The thread is an actor of the
clock: on a virtual clock no time passes between a push and its delivery. A client that blocks holds up the others
of its channel. Imports `tck.api` only.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Final, Protocol, TypeAlias

from tck.api import Clock, Event

_LOG: Final = logging.getLogger(__name__)
_START_S: Final = 60.0
"""How long the start of the thread may take, in seconds, on a machine that does much else."""

Step: TypeAlias = Callable[[], None]


class Active(Protocol):
    """A connection on which the channel makes the calls. Both methods are called under the channel's lock."""

    def next_step(self, now: int) -> Step | None:
        """Return a call to make now; it is made without the lock."""

    def next_time(self, now: int) -> int | None:
        """Return when there may be a call to make, ms since the epoch; None if only a change can bring one."""


class Dispatcher:
    """Makes the calls of one channel; its thread starts with the first connection.

    Args:
        clock: What the thread waits on.
        lock: The channel's lock, which guards the fields here too.
        name: Name of the thread.
    """

    def __init__(self, clock: Clock, lock: AbstractContextManager[object], name: str) -> None:
        self._clock = clock
        self._lock = lock
        self._name = name
        self._active: list[Active] = []
        self._wake: Event | None = None
        self._started = False
        self._closed = False

    def add(self, connection: Active) -> None:
        """Serve a connection too. Needs the lock."""
        if connection not in self._active:
            self._active.append(connection)
        self.wake()

    def is_to_start(self) -> bool:
        """Return whether the caller is the one who has to start the thread, for the first connection. Needs the lock."""
        first = bool(self._active) and not self._started
        self._started = self._started or first
        return first

    def start(self) -> None:
        """Start the thread, and wait until the clock counts it. The lock may not be held."""
        counted = threading.Event()
        threading.Thread(target=self._run, args=(counted,), name=self._name, daemon=True).start()
        if not counted.wait(_START_S):
            raise RuntimeError(f"the thread {self._name} did not start within {_START_S:g} s")

    def remove(self, connection: Active) -> None:
        """Serve a connection no longer. Needs the lock."""
        if connection in self._active:
            self._active.remove(connection)

    def wake(self) -> None:
        """Look again for something to do. Needs the lock."""
        if self._wake is not None:
            self._wake.set()
            self._wake = None

    def close(self) -> None:
        """End the thread after the call that it makes. Needs the lock."""
        self._closed = True
        self.wake()

    def _run(self, counted: threading.Event) -> None:
        with self._clock.actor():
            counted.set()
            while True:
                with self._lock:
                    if self._closed:
                        return
                    now = self._clock.now()
                    step = self._next_step(now)
                    if step is None:
                        wake = self._wake = self._clock.event()
                        times = [when for each in self._active if (when := each.next_time(now)) is not None]
                if step is None:
                    wake.wait(max(1, min(times) - now) if times else None)
                    continue
                try:
                    step()
                except Exception:  # noqa: BLE001 - the thread must live on for the other connections
                    _LOG.exception("a call of the channel failed")

    def _next_step(self, now: int) -> Step | None:
        for connection in list(self._active):
            step = connection.next_step(now)
            if step is not None:
                # the next round begins behind this one
                self._active.remove(connection)
                self._active.append(connection)
                return step
        return None
