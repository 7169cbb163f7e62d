"""S1 to S3: the duration of the suite on the reference provider, and its disk syncs.

Seconds depend on the machine and its load. So the median of a few runs is reported with the shortest and the longest, and
with the time that a plain loop took between them; no gate uses them. The kernel counts the syncs; they are the same everywhere.
"""

from __future__ import annotations

import json
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.bars.bar import Bar, Measured
from benchmarks.unavailable import Unavailable

SLICE = ("3.4", "6.2.7", "8.5")
"""Message headers, transactions, synchronous receive."""
SYNCS = frozenset({"fsync", "fdatasync"})
CALLS = 3
"""The column of calls in strace's table."""


def run(words: Sequence[str], out: Path, *, before: Sequence[str] = ()) -> tuple[float, int]:
    """Run `tck run` on the reference provider; return its seconds, start of Python included, and its number of cases.

    Raises:
        RuntimeError: the exit code was not 0.
    """
    command = [*before, sys.executable, "-m", "tck", "run", "-p", "reference", "--format", "json", "--out", str(out)]
    began = time.monotonic()
    done = subprocess.run([*command, *words], capture_output=True, text=True, check=False)
    seconds = time.monotonic() - began
    if done.returncode:
        raise RuntimeError(f"`{' '.join(command)}` exited with {done.returncode}:\n{done.stderr[-2000:]}")
    return seconds, int(json.loads(done.stdout)["cases"])


def _loop() -> float:
    """Time ten million rounds of a plain loop in CPU seconds, a measure of the machine's current speed."""
    began, total = time.process_time(), 0
    for number in range(10_000_000):
        total += number * number
    return time.process_time() - began


def _seconds(*words: str, rounds: int) -> Measured:
    runs, loops = [], []
    for _ in range(rounds):
        loops.append(_loop())
        with tempfile.TemporaryDirectory() as out:
            runs.append(run(words, Path(out)))
    taken = sorted(seconds for seconds, _ in runs)
    cases = runs[0][1]
    detail = f"{cases} cases, {rounds} runs of {taken[0]:.1f} to {taken[-1]:.1f} s"
    return Measured(
        statistics.median(taken), f"{detail}; ten million rounds of a loop took {min(loops):.1f} to {max(loops):.1f} s"
    )


def slice_alone() -> Measured:
    """Time the slice, bundle included."""
    return _seconds(*SLICE, "--no-report", rounds=5)


def slice_with_report() -> Measured:
    """Time the slice with its HTML report."""
    return _seconds(*SLICE, rounds=5)


def whole() -> Measured:
    """Time the whole suite, bundle included."""
    return _seconds("--no-report", rounds=3)


def syncs_per_case() -> Measured:
    """Count the syncs of the slice.

    Raises:
        Unavailable: strace is not installed or sees no sync.
    """
    if shutil.which("strace") is None:
        raise Unavailable("strace, which counts the syncs, is not installed")
    with tempfile.TemporaryDirectory() as out:
        table = Path(out) / "syncs"
        trace = ["strace", "-f", "-c", "-e", "trace=fsync,fdatasync", "-o", str(table)]
        _, cases = run([*SLICE, "--no-report", "-n", "0"], Path(out), before=trace)
        rows = [line.split() for line in table.read_text().splitlines()]
        syncs = sum(int(row[CALLS]) for row in rows if row and row[-1] in SYNCS)
    if not syncs:
        raise Unavailable("strace saw no sync at all: it may not trace here")
    return Measured(syncs / cases, f"{syncs} syncs in {cases} cases")


BARS = (
    Bar("S1", "Sections 3.4, 6.2.7 and 8.5 on the reference provider", "s", "-", 5, 3, slice_alone),
    Bar("S1r", "Sections 3.4, 6.2.7 and 8.5 with the HTML report", "s", "-", 5, 4, slice_with_report),
    Bar("S2", "The whole suite on the reference provider", "s", "-", 20, 12, whole),
    Bar("S3", "Syncs per case of sections 3.4, 6.2.7 and 8.5", "syncs", "-", 6, 3, syncs_per_case),
)
