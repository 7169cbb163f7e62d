"""A bar, and the comparison of two sides in pairs, which cancels the noise of the machine."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Measured:
    """The result of a measurement: the figure to compare with the bar, and details for the reader."""

    value: float
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Bar:
    """A figure with its bars; lower is better, unless `higher` says the opposite.

    Args:
        id: Short and stable: "R1".
        what: The promise in one sentence.
        unit: The unit of the figure.
        prototype: The figure of the design's prototype, as text.
        require: The figure must not be above this (with `higher`: below it).
        stretch: The figure we would like.
        measure: Measures the figure; may raise `Unavailable`.
        higher: More is better, as for the ratio of two rates.
        gated: The figure hardly depends on the machine; a change that misses the bar is refused.
        long: The measurement takes many minutes and gigabytes of disk; it runs on request only.
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

    @property
    def counted(self) -> bool:
        """Whether it is gated and its figure is a count, the same on a busy machine; ratios of times are not."""
        return self.gated and not self.unit.startswith("times")

    def met(self, now: Measured) -> bool:
        """Whether the figure meets the required bar."""
        return now.value >= self.require if self.higher else now.value <= self.require


class SharedMeasurement:
    """One measurement for several bars; it runs once, when the first of its figures is requested."""

    def __init__(self, measure: Callable[[], Sequence[Measured]]) -> None:
        self._measure = measure
        self._figures: Sequence[Measured] | None = None

    def figure(self, index: int) -> Measured:
        """Return one of the figures."""
        if self._figures is None:
            self._figures = self._measure()
        return self._figures[index]


def paired(
    first: Callable[[], object],
    second: Callable[[], object],
    *,
    rounds: int = 40,
    clock: Callable[[], float] = time.perf_counter,
) -> tuple[float, float]:
    """Time two sides in turn; return the median of `first` in seconds and the median ratio `second` / `first`.

    The sides alternate, so that both see the same machine; garbage is collected between rounds only. Use
    `time.process_time` as `clock` where nothing waits for a disk or another thread, to exclude other processes.
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
