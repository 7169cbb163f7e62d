"""Bars of the pipeline that take minutes each: checks of 10 to 50 million events beside a query engine, histories.

The peer, DuckDB, gets the same files and does less: seventeen properties instead of forty-nine, and no stories. The sides run
in child processes and take turns; the CPU of all their descendants counts, since Spark works in those.
"""

from __future__ import annotations

import math
import statistics
import subprocess
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from benchmarks.bars.bar import Bar, Measured, SharedMeasurement
from benchmarks.bars.pipeline.short_checks import disk_store
from benchmarks.unavailable import Unavailable

if TYPE_CHECKING:
    from benchmarks.bars.pipeline.side_process import Side

MIDDLE: Final = 10_000_000
LARGE: Final = 30_000_000
HUGE: Final = 50_000_000
ROUNDS: Final = 3
RUNS: Final = 3_400
CASES: Final = 3_000


def _filled(folder: Path, events: int) -> Path:
    """Fill a store with a run of about this many events, in a child process, whose memory is freed afterwards."""
    program = (
        "import sys; from pathlib import Path; from benchmarks.bars.pipeline import stores;"
        "stores.put(stores.make(Path(sys.argv[1])), stores.generated(int(sys.argv[2])), 'R1')"
    )
    done = subprocess.run([sys.executable, "-c", program, str(folder), str(events)], check=False)
    if done.returncode:
        raise Unavailable(f"no trace of {events} events could be made")
    return folder / "store"


def _sides(store: Path, *names: str) -> AbstractContextManager[Sequence[Side]]:
    from benchmarks.bars.pipeline.side_process import sides  # noqa: PLC0415 - needs extras

    return sides(store, *names)


def _rounds(store: Path, ours: str, peer: str, rounds: int) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Let two sides take turns."""
    with _sides(store, ours, peer) as (first, second):
        turns = (
            (first.once(), second.once()) if number % 2 else (second.once(), first.once())[::-1]
            for number in range(rounds)
        )
        pairs = list(turns)
    return [pair[0] for pair in pairs], [pair[1] for pair in pairs]


def _ratio(ours: list[dict[str, Any]], peer: list[dict[str, Any]], key: str) -> float:
    return statistics.median(float(mine[key]) / float(its[key]) for mine, its in zip(ours, peer, strict=True))


def _seconds(rounds: list[dict[str, Any]], key: str) -> str:
    return "/".join(f"{each[key]:.1f}" for each in rounds)


def _beside_peer(events: int) -> list[Measured]:
    """Compare CPU and wall time to the peer's; measure the memory of the driver and of the largest worker in GB."""
    with disk_store() as folder:
        ours, peer = _rounds(_filled(folder, events), "spark", "duckdb", ROUNDS)
    size, memory = f"{events // 1_000_000}M events", ours[-1]["memory"]
    detail = {key: f"{size}, rounds {_seconds(ours, key)} s to {_seconds(peer, key)} s" for key in ("cpu", "wall")}
    return [
        Measured(_ratio(ours, peer, "cpu"), detail["cpu"]),
        Measured(_ratio(ours, peer, "wall"), detail["wall"]),
        Measured(memory["driver"] + memory["java"], f"Python {memory['driver']:.2f} and Java {memory['java']:.2f} GB"),
        Measured(memory["worker"], f"the largest; DuckDB {peer[-1]['memory']['driver']:.2f} GB"),
    ]


def growth() -> Measured:
    """Measure the growth of CPU with the number of events, as the exponent from 10M to 30M, which take turns."""
    with (
        disk_store() as first,
        disk_store() as second,
        _sides(_filled(first, MIDDLE), "spark") as (small,),
        _sides(_filled(second, LARGE), "spark") as (large,),
    ):
        rounds = [(small.once(), large.once()) for _ in range(ROUNDS)]
    exponents = [math.log(more["cpu"] / less["cpu"]) / math.log(LARGE / MIDDLE) for less, more in rounds]
    less, more = ([pair[at] for pair in rounds] for at in (0, 1))
    return Measured(statistics.median(exponents), f"rounds {_seconds(less, 'cpu')} s and {_seconds(more, 'cpu')} s")


MIDDLE_SCALE: Final = SharedMeasurement(lambda: _beside_peer(MIDDLE))
HUGE_SCALE: Final = SharedMeasurement(lambda: _beside_peer(HUGE))


def _histories() -> list[Measured]:
    from benchmarks.bars.pipeline import stores  # noqa: PLC0415 - needs extras

    with disk_store() as folder:
        store = stores.make(folder)
        verdicts = stores.history(store, RUNS, CASES)
        ours, peer = _rounds(store.path, "history", "history-duckdb", 2)
    detail = (
        f"{verdicts / 1e6:.1f}M verdicts of {RUNS} runs; wall {_seconds(ours, 'wall')} s to {_seconds(peer, 'wall')} s"
    )
    rows = {name: (ours[-1]["rows"].get(name), count) for name, count in peer[-1]["rows"].items()}
    if any(mine != its for mine, its in rows.values()):
        raise Unavailable(f"the two sides derive different tables: {rows}")
    return [
        Measured(ours[-1]["wall"] / peer[-1]["wall"], detail),
        Measured(ours[0]["wall"] / peer[0]["wall"], detail),
    ]


HISTORIES: Final = SharedMeasurement(_histories)

BARS: Final = (
    Bar(
        "T1",
        "Checking 10M events on Spark, every property, in relation to 17 of them as one query of DuckDB",
        "of its CPU",
        "0.7-1.05",
        3,
        1.5,
        lambda: MIDDLE_SCALE.figure(0),
        long=True,
    ),
    Bar(
        "T1w",
        "The same by wall time, two cores",
        "of its time",
        "0.7-1.0",
        3,
        1.5,
        lambda: MIDDLE_SCALE.figure(1),
        long=True,
    ),
    Bar("T2", "The same at 50M", "of its CPU", "0.7-0.9", 3, 1.5, lambda: HUGE_SCALE.figure(0), long=True),
    Bar(
        "T2w",
        "The same at 50M, by wall time",
        "of its time",
        "0.8-0.9",
        3,
        1.5,
        lambda: HUGE_SCALE.figure(1),
        long=True,
    ),
    Bar(
        "T3",
        "Growth of CPU from 10M to 30M events",
        "exponent",
        "0.78-1.04",
        1.05,
        1.0,
        growth,
        long=True,
    ),
    Bar("T4", "Memory of the driver at 10M", "GB", "2 (cap)", 2, 1, lambda: MIDDLE_SCALE.figure(2), long=True),
    Bar("T4w", "Memory of a worker at 10M", "GB", "0.5-0.7", 1, 0.5, lambda: MIDDLE_SCALE.figure(3), long=True),
    Bar("T4h", "Memory of the driver at 50M", "GB", "-", 2, 1, lambda: HUGE_SCALE.figure(2), long=True),
    Bar("T4hw", "Memory of a worker at 50M", "GB", "-", 1, 0.5, lambda: HUGE_SCALE.figure(3), long=True),
    Bar(
        "T13",
        "Histories of 10M verdicts, five tables, second time, in relation to DuckDB",
        "of its time",
        "5",
        6,
        3,
        lambda: HISTORIES.figure(0),
        long=True,
    ),
    Bar("T13c", "The same, first time", "of its time", "9", 12, 6, lambda: HISTORIES.figure(1), long=True),
)
