"""Actors that act at one instant: a group that waits for all of its members, a call that wakes others. Knows the API's clock."""

from __future__ import annotations

import threading
from typing import Final

from tck import api

MEET_MS: Final = 500
"""Longest wait for the other members, milliseconds: one may have no message to roll back, or may have given up."""


class Meeting:
    """Where the members of a group wait until all of them are there."""

    def __init__(self, clock: api.Clock, size: int) -> None:
        self._clock = clock
        self._size = size
        self._there = 0
        self._opens = clock.event()
        self._lock = threading.Lock()  # guards the two above; nothing is taken under it

    def wait(self) -> None:
        """Wait until every member waits, at most MEET_MS."""
        with self._lock:
            opens, self._there = self._opens, self._there + 1
            complete = self._there >= self._size
            if complete:
                self._opens, self._there = self._clock.event(), 0
        if complete:
            opens.set()
        elif not opens.wait(MEET_MS):
            with self._lock:
                self._there -= opens is self._opens


class Turn:
    """What watchers of a group of producers wait for: the return of its next commit or rollback."""

    def __init__(self, clock: api.Clock) -> None:
        self._clock = clock
        self.comes = clock.event()
        """Set at the next return, and replaced by a new one."""

    def over(self) -> None:
        """Wake the watchers."""
        came, self.comes = self.comes, self._clock.event()
        came.set()
