"""Tables over all runs of a store, computed with PySpark from the summaries that each run has (`verdict_rows`).

    matrix      the state of each assertion by provider and version, from the newest verdict of each of its cases
    transition  each transition of a case
    flaky       each flaky case, by version of provider and kit
    regression  each regression of an assertion from one version to the next
    latency     percentiles of the durations of cases, by provider, version and assertion
    trace       the latest result of each trace property, by provider and version

`tck.reports.changes` defines the terms. Everything is group-by and windows, without rows in Python, and the tables are
written, not collected. Among several grouping columns the most selective one comes first: Spark compares the beginning of
the first as a number, and the others letter by letter. Imports PySpark on first use.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tck.record import Run, Verdict
from tck.reports.changes import is_flaky, is_regression, is_transition
from tck.reports.pipeline.errors import StoreError, disk_errors
from tck.reports.pipeline.lock import locked
from tck.reports.pipeline.parquet import arrow, rows_in
from tck.reports.pipeline.spark.worker_errors import raise_no_room
from tck.reports.pipeline.store import Store
from tck.reports.pipeline.store_columns import CHECKED
from tck.reports.pipeline.verdict_rows import PER_DOUBLING, at_of

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession

TABLES: Final = ("matrix", "transition", "flaky", "regression", "latency", "trace")
RUNS_OF_PARTITION: Final = 425
"""Runs for each partition of a shuffle, about 1.3 million verdicts of the whole suite."""
RUNS_OF_FILE: Final = 100
"""Runs whose parts are merged into one file, about 300 000 verdicts of the whole suite."""
MOST_UNSTABLE: Final = 200_000
"""The most unstable cases whose outcomes are copied apart; if there are more, all outcomes are used."""
_SERIES: Final = ("provider", "profile", "tier", "ran")
"""The key of comparable runs; `ran` is `suite`, or `workload` and its plan."""


@dataclass(frozen=True, slots=True)
class HistoryCounts:
    """The number of runs in a history, and the number of rows of each table."""

    runs: int
    tables: Mapping[str, int]


def make_history(store: Store, start: Callable[[], SparkSession], partitions: int | None = None) -> HistoryCounts:
    """Derive all tables from the runs of a store and replace the previous ones.

    Args:
        store: The store.
        start: Returns a Spark session; called only if there are runs.
        partitions: Partitions of a shuffle; by the number of runs if None.

    Raises:
        StoreError: the store holds no run, or one of another layout.
        PartError: a file of a run is damaged.
        NoSparkError: there is no Spark.
        NoRoomError: the disk is full.
    """
    runs = store.runs()
    if not runs:
        raise StoreError(
            "expected runs, saw none", path=store.path, todo="`tck pipeline ingest RUN --store DIR` adds one"
        )
    for run in runs:
        store.run(run)  # refuses one of another layout
    spark = start()
    spark.conf.set("spark.sql.shuffle.partitions", str(partitions or max(2, -(-len(runs) // RUNS_OF_PARTITION))))
    spark.conf.set("spark.sql.files.openCostInBytes", "65536")
    counts: dict[str, int] = {}
    with store.staging() as staged:
        frames = HistoryFrames(spark, store, runs, staged)
        for name in TABLES:
            table: Callable[[], DataFrame | None] = getattr(frames, name)
            with _full_disk_named(store.path):
                frame = table()
                if frame is not None:
                    frame.write.parquet(str(staged / name))
                    counts[name] = rows_in(staged / name)
        with disk_errors(store.path), locked(store.path):
            _swap(staged, store.path / "history", list(counts))
    return HistoryCounts(len(runs), counts)


@contextmanager
def _full_disk_named(place: Path) -> Iterator[None]:
    """Raise the error of a full disk where that is why Spark failed.

    Raises:
        NoRoomError: it is.
    """
    from py4j.protocol import Py4JError  # noqa: PLC0415 - comes with PySpark
    from pyspark.errors import PySparkException  # noqa: PLC0415 - an extra

    try:
        yield
    except (PySparkException, Py4JError) as error:
        raise_no_room(error, place)
        raise


def _swap(staged: Path, home: Path, names: list[str]) -> None:
    home.mkdir(exist_ok=True)
    for name in TABLES:
        if (home / name).exists():
            (home / name).replace(staged / f".old-{name}")
        if name in names:
            (staged / name).replace(home / name)
        shutil.rmtree(staged / f".old-{name}", ignore_errors=True)


def _ran(run: Run) -> str:
    """Return the kind of a run: `suite`, whatever was selected, or `workload` and its plan."""
    return " ".join((run.kind, *run.selection)) if run.kind == "workload" else run.kind


class HistoryFrames:
    """The tables, as data frames over the parts of all runs."""

    def __init__(self, spark: SparkSession, store: Store, runs: tuple[str, ...], staged: Path) -> None:
        self._spark = spark
        self._store = store
        self._runs = runs
        self._staged = staged

    @cached_property
    def _order(self) -> dict[str, int]:
        """The position of each run, the oldest first."""
        begun = sorted((at_of(self._store.run(run).bundle), run) for run in self._runs)
        return {run: place for place, (_, run) in enumerate(begun)}

    @cache  # noqa: B019 - the object lives only while one history is made
    def _parts(self, table: str) -> DataFrame | None:
        """Read the parts of all runs that have the table, with the run as a column.

        They are merged first: each of thousands of small files costs Spark more than all its rows.
        """
        has = [run for run in self._runs if self._has(table, run)]
        if not has:
            return None
        folder = self._staged / f"all-{table}"
        folder.mkdir()
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            list(
                pool.map(
                    lambda at: self._merge_parts(table, has[at : at + RUNS_OF_FILE], folder),
                    range(0, len(has), RUNS_OF_FILE),
                )
            )
        return self._spark.read.parquet(str(folder)) if any(folder.iterdir()) else None

    def _has(self, table: str, run: str) -> bool:
        """Whether a run has the table: all ingested runs do, except for the tables that a check writes."""
        return table not in CHECKED or self._store.marker(run).exists()

    def _merge_parts(self, table: str, runs: Sequence[str], folder: Path) -> None:
        pa = arrow()
        parts = []
        for run in runs:
            with self._store.unchanged():
                if not self._has(table, run):
                    continue  # it was replaced since
                part = self._store.part(table, run)
                added = {"run": run, "ran": _ran(self._store.run(run).bundle)}
            for column, text in added.items():
                part = part.append_column(column, pa.repeat(pa.scalar(text), part.num_rows).dictionary_encode())
            part = part.append_column("nth", pa.repeat(pa.scalar(self._order[run]), part.num_rows))
            parts.append(part)
        if not parts:
            return
        whole = pa.concat_tables(parts)
        if table == "latency":
            whole = whole.group_by(["provider", "version", "assertion", "bucket"]).aggregate([("count", "sum")])
            whole = whole.rename_columns({"count_sum": "count"})
        with disk_errors(folder):
            pa.parquet.write_table(whole, folder / f"{runs[0]}.parquet", compression="lz4")

    @cached_property
    def _unstable(self) -> DataFrame | None:
        """The outcomes of all cases that are not stable; only these can have a transition or be flaky.

        About one case in a hundred is unstable. Finding them takes an aggregation, which each task does before anything is
        shuffled; sorting all outcomes by case would shuffle every row.
        """
        from pyspark.sql import functions as f  # noqa: PLC0415 - an extra

        outcome = self._parts("outcome")
        if outcome is None:
            return None
        keys = ["case", "assertion", *_SERIES]
        # For the minimum of texts Spark sorts them; for that of numbers it does not.
        verdict = f.xxhash64("verdict")
        changed = is_transition(f.min(verdict), f.max(verdict)) | is_flaky(f.max("failed"), f.max("held"))
        cases, rows = self._staged / "cases", self._staged / "outcomes"
        outcome.groupBy(*keys).agg(changed.alias("changed")).where("changed").select(*keys).write.parquet(str(cases))
        if rows_in(cases) > MOST_UNSTABLE:
            return outcome
        few = f.broadcast(self._spark.read.parquet(str(cases)))
        outcome.join(few, keys, "left_semi").write.parquet(str(rows))
        return self._spark.read.parquet(str(rows))

    def matrix(self) -> DataFrame | None:
        """Return the state of each assertion by provider and version, from the newest verdict of each of its cases.

        So a run of a single case changes that case only. Verdicts of another version of the kit are left out if the newest
        one judged the assertion.
        """
        from pyspark.sql import Window  # noqa: PLC0415 - an extra
        from pyspark.sql import functions as f  # noqa: PLC0415 - likewise

        outcome = self._parts("outcome")
        if outcome is None:
            return None
        # One number for each case, the run before its result, so that the maximum needs no sorting.
        held = ((f.col("held") > 0) & (f.col("failed") == 0)).cast("bigint")
        words = f.array(*(f.lit(verdict.value) for verdict in Verdict))
        place = f.array_position(words, f.col("verdict")) - 1  # `worst` may have been written in an older order
        said = f.col("nth") * 256 + place * 4 + (f.col("failed") > 0).cast("bigint") * 2 + held
        newest = outcome.groupBy("case", "assertion", "version", *_SERIES).agg(f.max(said).alias("said"))
        runs = f.broadcast(self._runs_frame().select("nth", "run", "kit", "at"))
        joined = newest.withColumn("nth", f.shiftright("said", 8)).join(runs, "nth")
        keys = ("assertion", "version", *_SERIES)
        last = f.max_by(f.struct("run", "kit", "at"), "nth").over(Window.partitionBy(*keys))
        grouped = (
            joined.withColumn("last", last)
            .where("kit = last.kit")
            .groupBy(*keys, "last")
            .agg(
                f.countDistinct("nth").cast("int").alias("runs"),
                f.min(f.shiftright("said", 2).bitwiseAND(63)).cast("int").alias("worst"),
                f.count("*").cast("int").alias("cases"),
                f.sum(f.shiftright("said", 1).bitwiseAND(1)).cast("int").alias("failed"),
                f.sum(f.col("said").bitwiseAND(1)).cast("int").alias("held"),
            )
        )
        verdict = words[f.col("worst")].alias("verdict")
        return grouped.select(*keys, "last.*", "runs", verdict, "worst", "cases", "failed", "held")

    def transition(self) -> DataFrame | None:
        """Return each transition of a case."""
        from pyspark.sql import Window  # noqa: PLC0415 - an extra
        from pyspark.sql import functions as f  # noqa: PLC0415 - likewise

        outcome = self._unstable
        if outcome is None:
            return None
        order = Window.partitionBy("case", "assertion", *_SERIES).orderBy("at", "run")
        before = f.lag(f.struct("run", "version", "kit", "verdict")).over(order).alias("before")
        joined = outcome.select(*_SERIES, "assertion", "case", "run", "version", "kit", "verdict", "at", before)
        return joined.where(is_transition(f.col("before.verdict"), f.col("verdict"))).select(
            *_SERIES,
            "assertion",
            "case",
            *(f.col(f"before.{name}").alias(f"from_{name}") for name in ("run", "version", "kit", "verdict")),
            *(f.col(name).alias(f"to_{name}") for name in ("run", "version", "kit", "verdict")),
            "at",
        )

    def flaky(self) -> DataFrame | None:
        """Return each flaky case by version of provider and kit, with its flips."""
        from pyspark.sql import Window  # noqa: PLC0415 - an extra
        from pyspark.sql import functions as f  # noqa: PLC0415 - likewise

        outcome = self._unstable
        if outcome is None:
            return None
        keys = ("case", "assertion", "version", "kit", *_SERIES)
        decided = outcome.where((f.col("failed") > 0) | (f.col("held") > 0))
        bad = f.col("failed") > 0
        order = Window.partitionBy(*keys).orderBy("at", "run")
        flipped = decided.withColumn("flip", is_transition(bad, f.lag(bad).over(order)).cast("int"))
        return (
            flipped.groupBy(*keys)
            .agg(
                f.count("*").alias("runs"),
                f.sum(f.col("attempts").cast("bigint")).alias("attempts"),
                f.sum(f.col("failed").cast("bigint")).alias("failed"),
                f.sum(f.col("held").cast("bigint")).alias("held"),
                f.coalesce(f.sum("flip"), f.lit(0)).alias("flips"),
                f.max("at").alias("at"),
            )
            .where(is_flaky(f.col("failed"), f.col("held")))
            .select(
                *_SERIES, "version", "kit", "assertion", "case", "runs", "attempts", "failed", "held", "flips", "at"
            )
        )

    def regression(self) -> DataFrame | None:
        """Return each regression of an assertion: it held in the last run of a version and failed in all runs of the next."""
        from pyspark.sql import Window  # noqa: PLC0415 - an extra
        from pyspark.sql import functions as f  # noqa: PLC0415 - likewise

        standing = self._parts("standing")
        if standing is None:
            return None
        decided = standing.where((f.col("failed") > 0) | (f.col("held") > 0))
        bad = (f.col("failed") > 0).cast("int")
        by_version = decided.groupBy("assertion", "version", *_SERIES).agg(
            f.count("*").alias("runs"),
            f.sum(bad).alias("failed_runs"),
            f.min("at").alias("since"),
            f.max_by(bad, f.struct("at", "run")).alias("last_failed"),
        )
        order = Window.partitionBy("assertion", *_SERIES).orderBy("since", "version")
        before = f.lag(f.struct("version", "last_failed")).over(order).alias("before")
        return (
            by_version.select("*", before)
            .where(is_regression(f.col("before.last_failed") == 0, f.col("failed_runs"), f.col("runs")))
            .select(*_SERIES, "assertion", f.col("before.version").alias("from_version"), "version", "runs", "since")
        )

    def latency(self) -> DataFrame | None:
        """Return the median, 95th and 99th percentile of the durations of cases, in milliseconds."""
        from pyspark.sql import Window  # noqa: PLC0415 - an extra
        from pyspark.sql import functions as f  # noqa: PLC0415 - likewise

        latency = self._parts("latency")
        if latency is None:
            return None
        keys = ("assertion", "version", "provider")
        summed = latency.groupBy(*keys, "bucket").agg(f.sum("count").alias("count"))
        of_key = Window.partitionBy(*keys)
        so_far = f.sum("count").over(of_key.orderBy("bucket")).alias("so_far")
        counted = summed.select(*keys, "bucket", so_far, f.sum("count").over(of_key).alias("total"))

        # A percentile is the middle of a bucket on the logarithmic scale.
        def at(share: float) -> Column:
            reached = f.when(f.col("so_far") >= f.col("total") * share, f.col("bucket"))
            return f.pow(f.lit(2.0), (f.min(reached) + 0.5) / PER_DOUBLING) / 1000

        shares = {"p50": 0.5, "p95": 0.95, "p99": 0.99}
        joined = counted.groupBy(*keys).agg(
            f.max("total").alias("count"), *(at(share).alias(name) for name, share in shares.items())
        )
        return joined.select("provider", "version", "assertion", "count", *shares)

    def trace(self) -> DataFrame | None:
        """Return the latest result of each trace property, by provider and version."""
        from pyspark.sql import functions as f  # noqa: PLC0415 - an extra

        verdicts, standing = self._parts("trace_verdict"), self._runs_frame()
        if verdicts is None:
            return None
        judged = verdicts.where(f.col("outcome") != "").join(f.broadcast(standing), "run")
        latest = f.max_by(
            f.struct("run", "kit", "obligations", "violations", "undecided", "outcome", "verdict"),
            f.struct("at", "run"),
        )
        keys = (*_SERIES, "version", "property", "assertion")
        return (
            judged.groupBy(*keys).agg(latest.alias("latest"), f.max("at").alias("at")).select(*keys, "at", "latest.*")
        )

    def _runs_frame(self) -> DataFrame:
        rows = []
        for name, nth in self._order.items():
            run = self._store.run(name).bundle
            who = (run.provider.name, run.profile.name, run.profile.tier, run.provider.version, run.kit.version)
            rows.append((name, *who, at_of(run), nth))
        schema = "run string, provider string, profile string, tier string, version string, kit string, at bigint, nth bigint"
        return self._spark.createDataFrame(rows, schema)
