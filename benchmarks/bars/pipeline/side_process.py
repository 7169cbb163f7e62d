"""One side of a comparison of the pipeline, in a child process: `python -m benchmarks.bars.pipeline.side_process SIDE STORE`.

For each line on stdin the process does its work once and answers with one line of JSON: wall and CPU seconds of itself and all
its descendants, and their peak memory. Sides: `spark` checks run R1 through shuffle files, `here` in one process, `duckdb` runs
the peer's query, `history` and `history-duckdb` derive histories.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from benchmarks.bars.pipeline.duckdb_queries import HISTORY, QUERY, SOURCES
from benchmarks.unavailable import Unavailable
from tck.reports.pipeline.check import Plan, check
from tck.reports.pipeline.spark.cluster import Cluster
from tck.reports.pipeline.spark.history_tables import make_history
from tck.reports.pipeline.store import Store

PATIENCE: Final = 900
MASTER: Final = "local[2]"


# -- the child ---------------------------------------------------------------------------------------------------


def spark(store: Store, cluster: Cluster) -> dict[str, Any]:
    """Check a run on Spark."""
    checked = check(store, "R1", spark=cluster.judge, plan=Plan.FILES, again=True)
    return {"findings": sum(count.violations for count in checked.properties.values())}


def here(store: Store, cluster: Cluster) -> dict[str, Any]:
    """Check a run in one process."""
    checked = check(store, "R1", spark=cluster.judge, plan=Plan.HERE, again=True)
    return {"findings": sum(count.violations for count in checked.properties.values())}


def duckdb(store: Store, _cluster: Cluster) -> dict[str, Any]:
    """Run the peer's query."""
    import duckdb as engine  # noqa: PLC0415 - the other sides do not pay for it

    info = store.run("R1")
    query = QUERY.format(
        ops=store.folder("ops", "R1") / "*.parquet", tables=store.folder("tables", "R1"), origin=info.origin
    )
    connection = engine.connect()
    connection.execute("set threads = 2")
    row = connection.execute(query).fetchone() or ()
    return {"findings": sum(row)}


def history(store: Store, cluster: Cluster) -> dict[str, Any]:
    """Derive the history tables."""
    return {"rows": dict(make_history(store, cluster.session).tables)}


def history_duckdb(store: Store, _cluster: Cluster) -> dict[str, Any]:
    """Derive the same tables with the peer, and write them."""
    import duckdb as engine  # noqa: PLC0415 - the other sides do not pay for it

    connection = engine.connect()
    connection.execute("set threads = 2")
    rows = {}
    sources = {name: text.format(store=store.path) for name, text in SOURCES.items()}
    for name, query in HISTORY.items():
        target = store.path / f"peer-{name}.parquet"
        connection.execute(f"copy ({query.format(**sources)}) to '{target}' (format parquet)")
        [(rows[name],)] = connection.execute(f"select count(*) from read_parquet('{target}')").fetchall()  # noqa: S608 - the path is ours
    return {"rows": rows}


SIDES: Final[dict[str, Callable[[Store, Cluster], dict[str, Any]]]] = {
    "spark": spark,
    "here": here,
    "duckdb": duckdb,
    "history": history,
    "history-duckdb": history_duckdb,
}


def main(side: str, folder: Path) -> None:
    """Serve one side."""
    with Cluster(MASTER, heavy=side == "history") as cluster:
        if side in ("spark", "history"):
            cluster.session() if side == "history" else cluster.start()
        print(json.dumps({"ready": True}), flush=True)
        for _ in sys.stdin:
            cpu, wall = tree_cpu(), time.perf_counter()
            answer = SIDES[side](Store.open(folder), cluster)
            answer |= {"wall": time.perf_counter() - wall, "cpu": tree_cpu() - cpu, "memory": tree_memory()}
            print(json.dumps(answer), flush=True)


def _tree() -> Iterator[Path]:
    """Yield the folders in /proc of this process and its descendants."""
    if not Path("/proc/self/stat").exists():
        raise Unavailable("CPU of other processes is read from /proc, which is not here")
    parents: dict[str, list[str]] = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            parents.setdefault(_stat(folder)[1:2][0] if _stat(folder) else "", []).append(folder.name)
    todo = [str(os.getpid())]
    while todo:
        process = todo.pop()
        yield Path("/proc") / process
        todo += parents.get(process, [])


def _stat(folder: Path) -> list[str]:
    try:
        return (folder / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


def tree_cpu() -> float:
    """Return the CPU seconds of this process and its descendants, including those that ended."""
    ticks = sum(sum(map(int, stat[11:15])) for folder in _tree() if (stat := _stat(folder)))
    return ticks / os.sysconf("SC_CLK_TCK")


def tree_memory() -> dict[str, float]:
    """Return the peak memory of this process, of the JVM, and of the largest worker, in GB."""
    peaks = {"driver": 0.0, "java": 0.0, "worker": 0.0}
    for folder in _tree():
        try:
            status = dict(line.split(":", 1) for line in (folder / "status").read_text().splitlines() if ":" in line)
        except OSError:
            continue
        sort = "driver" if folder.name == str(os.getpid()) else "java" if "java" in status["Name"] else "worker"
        peaks[sort] = max(peaks[sort], int(status.get("VmHWM", "0").split()[0]) / 1e6)
    return peaks


# -- the parent --------------------------------------------------------------------------------------------------


class Side:
    """A child process that does the work of one side on request."""

    def __init__(self, name: str, store: Path) -> None:
        self._child = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.bars.pipeline.side_process", name, str(store)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self._answer()  # it is ready

    def once(self) -> dict[str, Any]:
        """Do the work once; return the answer."""
        assert self._child.stdin is not None  # noqa: S101 - a pipe was asked for
        self._child.stdin.write("\n")
        self._child.stdin.flush()
        return self._answer()

    def _answer(self) -> dict[str, Any]:
        assert self._child.stdout is not None  # noqa: S101 - a pipe was asked for
        line = self._child.stdout.readline()
        if not line:
            raise Unavailable(
                "a side ended: PySpark, DuckDB or Java is missing; `python -m benchmarks.bars.pipeline.side_process` shows why"
            )
        found: dict[str, Any] = json.loads(line)
        return found

    def close(self) -> None:
        """End the process."""
        self._child.communicate(timeout=PATIENCE)


@contextmanager
def sides(store: Path, *names: str) -> Iterator[list[Side]]:
    """Start sides on a store; they end with the block."""
    started = []
    try:
        for name in names:
            started.append(Side(name, store))  # noqa: PERF401 - the started ones must end even if the next one fails
        yield started
    finally:
        for side in started:
            side.close()


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
