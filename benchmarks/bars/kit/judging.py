"""Bars of `tck.check`: the cost of judging the trace of one test, and of importing the package.

The traces come from `benchmarks.traces`, cut to size; every property is judged. A judgement is timed in CPU; the best of
many counts, since noise only adds.
"""

from __future__ import annotations

import subprocess
import sys
import time
from typing import Final

import numpy as np

from benchmarks.bars.bar import Bar, Measured
from benchmarks.traces import Shape, Trace, generate
from benchmarks.unavailable import Unavailable
from tck.check.properties import PROPERTIES
from tck.check.stages import judge

ROUNDS: Final = 200
IMPORTS: Final = 7

_TIMED: Final = (
    "import time; a = time.process_time(); import tck.check; b = time.process_time();"
    " tck.check.property_names(); print(b - a, time.process_time() - b)"
)


def _cut(trace: Trace, rows: int) -> Trace:
    """Keep the first rows by time."""
    first = np.sort(np.argsort(trace.rows.t0, kind="stable")[:rows])
    return Trace(trace.rows.take(first), trace.tables)


def _judge(trace: Trace) -> Measured:
    judge(trace.rows, trace.tables)  # loads and computes once; not counted
    best = float("inf")
    for _ in range(ROUNDS):
        start = time.process_time()
        judge(trace.rows, trace.tables)
        best = min(best, time.process_time() - start)
    return Measured(best * 1000, f"{len(trace.rows)} rows, {len(PROPERTIES)} properties, best of {ROUNDS}")


def judge_20_rows() -> Measured:
    """Judge a trace as large as that of a small test."""
    return _judge(_cut(generate(Shape(rounds=1, per_round=2, queues=1, topics=0, temporary=False, variants=3)), 20))


def judge_1000_rows() -> Measured:
    """Judge a trace as large as those of the largest tests: queues, topics, transactions, redeliveries."""
    return _judge(_cut(generate(Shape(rounds=3, per_round=3, queues=2, topics=1)), 1000))


def import_package() -> Measured:
    """Import the package in a fresh process."""
    times = []
    for _ in range(IMPORTS):
        done = subprocess.run([sys.executable, "-c", _TIMED], capture_output=True, text=True, timeout=60, check=False)
        if done.returncode:
            raise Unavailable(done.stderr.strip().rpartition("\n")[2])
        times.append([float(each) * 1000 for each in done.stdout.split()])
    imported, first = (min(each) for each in zip(*times, strict=True))
    return Measured(imported, f"without numpy; the first judgement loads it and the properties in {first:.0f} ms more")


BARS: Final = (
    Bar(
        "T7a",
        "Judging one test's trace of 20 rows, every property, costs little beside the test",
        "ms CPU",
        "0.7",
        5,
        1,
        judge_20_rows,
    ),
    Bar(
        "T7b",
        "Judging one test's trace of 1000 rows, every property, stays small",
        "ms CPU",
        "2.2",
        10,
        3,
        judge_1000_rows,
    ),
    Bar(
        "T8",
        "Importing tck.check is cheap until a trace is judged",
        "ms CPU",
        "114 (with numpy)",
        200,
        20,
        import_package,
    ),
)
