"""What a bar is, and how two sides are compared such that the noise of the machine falls out."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Measured:
    """What a bar measured: the figure that is held against the bar, and what else is worth telling."""

    value: float
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Bar:
    """A figure with its bars; lower is better, unless `higher` says the opposite.

    Args:
        id: Short and stable: "R1".
        what: The promise in one sentence.
        unit: What the figure counts.
        prototype: What the design's prototype reached, as text.
        require: The figure must not be above this (with `higher`: below it).
        stretch: What we would like.
        measure: Takes the figure; may raise `Unavailable`.
        higher: More is better, as for a rate in relation to another.
        gated: The figure hardly depends on the machine, so a change that misses the bar is refused.
        long: It takes many minutes and gigabytes of disk, so it is measured only when asked for.
    """

    id: str
    what: str
    unit: str
    prototype: str
    require: float
    stretch: float
    measure: Callable[[], Measured]
    higher: bool = False
    gated: bool = False
    long: bool = False

    def met(self, now: Measured) -> bool:
        """Whether the required bar is kept."""
        return now.value >= self.require if self.higher else now.value <= self.require


class Together:
    """One measurement that gives the figures of several bars: taken when the first is asked for, and once."""

    def __init__(self, measure: Callable[[], Sequence[Measured]]) -> None:
        self._measure = measure
        self._figures: Sequence[Measured] | None = None

    def figure(self, place: int) -> Measured:
        """Give the figure at one place."""
        if self._figures is None:
            self._figures = self._measure()
        return self._figures[place]


def paired(
    first: Callable[[], object],
    second: Callable[[], object],
    *,
    rounds: int = 40,
    clock: Callable[[], float] = time.perf_counter,
) -> tuple[float, float]:
    """Time two sides in turn; give the median of `first` in seconds and the median ratio `second` / `first`.

    Sides alternate round by round, so that both see the same machine; garbage is collected between rounds only. `clock` is
    `time.process_time` where nothing waits for a disk or for another thread: other processes then do not count.
    """
    firsts, ratios = [], []
    gc.collect()
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        for number in range(rounds):
            order = (first, second) if number % 2 else (second, first)
            seconds = {side: _time(side, clock) for side in order}
            firsts.append(seconds[first])
            ratios.append(seconds[second] / seconds[first])
            gc.collect(0)
    finally:
        if was_enabled:
            gc.enable()
    return statistics.median(firsts), statistics.median(ratios)


def _time(side: Callable[[], object], clock: Callable[[], float]) -> float:
    start = clock()
    side()
    return clock() - start
