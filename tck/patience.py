"""How long the kit waits before it calls something hung, on a machine that others use too. Imports nothing of ours.

Each bound in real time is multiplied by one factor, 1 by default: `--timeout-multiplier`, or the variable
`TCK_TIMEOUT_MULTIPLIER`, which children inherit. A profile has a factor of its own (`[timing]`); the two are multiplied.

Bounds for hangs do not count time that the machine withheld: while a thread waits for a processor that others use,
nothing hangs. A far limit in real time ends everything.
"""

from __future__ import annotations

import contextlib
import math
import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

VARIABLE: Final = "TCK_TIMEOUT_MULTIPLIER"
FAR: Final = 5.0
"""The far limit of a bound for hangs in real time, in multiples of the bound."""
_SLICE: Final = 0.25
"""Seconds between two looks at the clock while something is waited for."""
_GLANCE: Final = 0.05
"""Seconds of real time for which a look at the waiting threads holds."""


class MultiplierError(ValueError):
    """A timeout multiplier that is no number of at least 1; the message says what was seen, and where."""


def read_multiplier(text: str, source: str = VARIABLE) -> float:
    """Read a timeout multiplier.

    Args:
        text: A number of at least 1; empty text is 1.
        source: Where it was written, for the error.

    Raises:
        MultiplierError: It is none.
    """
    try:
        factor = float(text) if text.strip() else 1.0
    except ValueError:
        factor = math.nan
    if not 1 <= factor < math.inf:
        raise MultiplierError(f"{source}: expected a number of at least 1, such as 3, saw {text!r}")
    return factor


def multiplier() -> float:
    """Return the factor of this process and its children.

    Raises:
        MultiplierError: The variable holds no such number.
    """
    return read_multiplier(os.environ.get(VARIABLE, ""))


@contextlib.contextmanager
def multiplied(factor: float | None) -> Iterator[None]:
    """Use a factor within the block, in processes started there too; None changes nothing."""
    if factor is None:
        yield
        return
    before = os.environ.get(VARIABLE)
    os.environ[VARIABLE] = f"{factor:g}"
    try:
        yield
    finally:
        if before is None:
            del os.environ[VARIABLE]
        else:
            os.environ[VARIABLE] = before


def strain() -> float:
    """Return how many threads of the machine there are for each processor that want to run, at least 1; 1 if nobody tells."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        wanting = int(Path("/proc/loadavg").read_bytes().split()[3].partition(b"/")[0])
        return max(1.0, wanting / (os.cpu_count() or 1))
    return 1.0


def join(thread: threading.Thread, seconds: float) -> bool:
    """Wait for a thread to end; return whether it did before the bound was over.

    Args:
        thread: The thread, started.
        seconds: The bound, before it is multiplied.
    """
    watch, bound = Stopwatch(), seconds * multiplier()
    while thread.is_alive() and not watch.over(bound):
        thread.join(min(bound, _SLICE))
    return not thread.is_alive()


class Stopwatch:
    """Measures the time that a process was given: real time, less that in which its threads waited for a processor.

    Where the system does not say how long they waited (Linux does), it measures real time.
    """

    def __init__(self, pid: int | None = None) -> None:
        """Start; `pid` is the process, by default this one."""
        self._tasks = Path(f"/proc/{'self' if pid is None else pid}/task")
        self._began = self._seen = time.monotonic()
        self._waited = self._waits()
        self._withheld = 0.0

    @property
    def withheld(self) -> float:
        """The seconds since the start in which the process waited for a processor."""
        now = time.monotonic()
        if now - self._seen >= _GLANCE:
            waits = self._waits()
            # Several threads may wait at once: no more is withheld than has passed.
            waited = sum(max(0, ns - self._waited.get(task, 0)) for task, ns in waits.items()) / 1e9
            self._withheld += min(waited, now - self._seen)
            self._seen, self._waited = now, waits
        return self._withheld

    @property
    def given(self) -> float:
        """The seconds since the start that the process was given."""
        return time.monotonic() - self._began - self.withheld

    def over(self, seconds: float) -> bool:
        """Whether a bound for hangs is over: so many seconds were given, or `FAR` times as many have passed."""
        passed = time.monotonic() - self._began
        return passed > seconds and (passed > FAR * seconds or self.given > seconds)

    def _waits(self) -> dict[str, int]:
        """Return the nanoseconds that each thread has waited for a processor."""
        found: dict[str, int] = {}
        with contextlib.suppress(OSError):  # no such file system, or the process has ended
            for task in os.listdir(self._tasks):  # noqa: PTH208 - a look should cost little
                with contextlib.suppress(OSError, ValueError, IndexError):
                    found[task] = int((self._tasks / task / "schedstat").read_bytes().split()[1])
        return found
