"""C1 and C2: power loss and kills as bars. The figure is the number of faults."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from benchmarks.bars.bar import Bar, Measured
from benchmarks.reliability.crash import crash
from benchmarks.unavailable import Unavailable

SEEDS = (1, 2, 3)


def power_loss(seeds: Sequence[int], stride: int) -> Measured:
    """Count faulty images under FULL, and add one for each weaker mode without a faulty image."""
    try:
        from benchmarks.reliability.power_loss import Plan, Synchronous, explore  # noqa: PLC0415 - apsw is a dependency of this bar only
    except ImportError:
        raise Unavailable("apsw is not installed: it comes with the dependency group `benchmarks`") from None
    plans = [Plan(seed, stride=stride, threads=1 if seed < seeds[-1] else 4) for seed in seeds]
    plans.append(Plan(seeds[0], stride=stride, failing_sync=40))
    plans.append(Plan(seeds[0], steps=20, stride=stride, fresh=True, reopen=10))
    full = [explore(plan) for plan in plans]
    weaker = {
        mode: explore(Plan(seeds[0], stride=10 * stride, synchronous=mode, reopen=0))
        for mode in (Synchronous.NORMAL, Synchronous.OFF)
    }
    wrong = sum(sum(result.problems.values()) for result in full)
    blind = [mode for mode, result in weaker.items() if result.clean]
    failures = ", ".join(f"{mode}: {sum(result.problems.values())}" for mode, result in weaker.items())
    examples = " ".join(example for result in full for example in result.examples)
    return Measured(
        wrong + len(blind),
        f"FULL: {wrong} wrong of {sum(result.images for result in full)} images; must fail and do: {failures} {examples}".strip(),
    )


def kills(count: int, seed: int) -> Measured:
    """Count the faults after this many kills."""
    result = crash(count, seed)
    detail = f"{result.kills} kills, {result.steps} steps, {result.in_doubt} in doubt"
    return Measured(len(result.problems), "; ".join([detail, *result.problems[:3]]))


BARS = (
    Bar(
        id="C1",
        what="Power failures at every point of 3 runs, of one with a failing disk and of one that makes its file: nothing lost,"
        " resurrected, torn or corrupt; and the same test finds fault with synchronous NORMAL and OFF",
        unit="wrong",
        prototype="0",
        require=0,
        stretch=0,
        measure=partial(power_loss, SEEDS, 1),
        gated=True,
    ),
    Bar(
        id="C2",
        what="100 kills of a working process: nothing lost, no second copy of an acknowledged message, nothing torn",
        unit="wrong",
        prototype="0 of 25",
        require=0,
        stretch=0,
        measure=partial(kills, 100, 1),
    ),
)
