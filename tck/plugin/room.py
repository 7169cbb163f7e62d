"""How much of the machine is idle: a run of a Java provider, whose cases wait more than they compute, takes more processes as long as some is.

Linux tells; elsewhere nothing is known, and the number of processes stays as it was. Imports nothing of ours.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Final

PERIOD: Final = 1.0
"""Seconds between two looks: less says little, since a process that starts is busy at first."""
IDLE: Final = 0.5
"""Processors that must have been idle since the last look."""
SPARE: Final = 3
"""How many more processes like the largest must fit into the free memory."""
_GROUP: Final = Path("/sys/fs/cgroup")


def processors() -> int:
    """Return how many processors this process may use."""
    here = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    with contextlib.suppress(OSError, ValueError):  # no control group, or one without a quota
        quota, period = (_GROUP / "cpu.max").read_text().split()
        here = min(here, max(1, round(int(quota) / int(period))))
    return here


class Room:
    """The room that the machine has for one more process."""

    def __init__(self) -> None:
        self._looked = time.monotonic()
        self._seen = _ticks()

    def fits(self, running: Iterable[int]) -> bool:
        """Return whether one more process fits; at most once in a period, since the processes share the idle processors.

        Args:
            running: The process ids of those that run.
        """
        now = time.monotonic()
        if now - self._looked < PERIOD:
            return False
        seen = _ticks()
        total, idle = seen[0] - self._seen[0], seen[1] - self._seen[1]
        self._looked, self._seen = now, seen
        return (
            total > 0 and idle / total * processors() >= IDLE and _free() > SPARE * max(map(_size, running), default=0)
        )


def _ticks() -> tuple[int, int]:
    """Return the time that all processors have counted, and how much of it they were idle or waited for a disk."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        counted = [int(each) for each in Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]]
        return sum(counted), counted[3] + counted[4]
    return 0, 0


def _free() -> int:
    """Return the bytes of memory that are free; 0 if nothing tells."""
    free = 0
    with contextlib.suppress(OSError, ValueError, StopIteration):
        read = (line.split() for line in Path("/proc/meminfo").read_text().splitlines())
        free = next(int(kilobytes) * 1024 for name, kilobytes, *_ in read if name == "MemAvailable:")
    with contextlib.suppress(OSError, ValueError):  # no control group, or one without a limit
        limit = int((_GROUP / "memory.max").read_text()) - int((_GROUP / "memory.current").read_text())
        free = min(free, limit)
    return free


def _size(pid: int) -> int:
    """Return the bytes of memory that a process has to itself; 0 if it is gone."""
    with contextlib.suppress(OSError, ValueError, StopIteration):
        read = (line.split() for line in Path(f"/proc/{pid}/status").read_text().splitlines())
        return next(int(kilobytes) * 1024 for name, kilobytes, *_ in read if name == "RssAnon:")
    return 0
