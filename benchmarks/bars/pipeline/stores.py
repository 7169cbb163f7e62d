"""Stores for measuring the pipeline: generated traces of any size, histories of many runs."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import numpy as np

from benchmarks.traces import Shape, Trace, generate
from tck.check.columns import Array
from tck.check.results import Margins
from tck.record import CatalogueRef, Claims, Environment, Kit, ProfileRef, ProviderRef, Run
from tck.reports.pipeline.ingest import RunContent, write_run
from tck.reports.pipeline.parquet import arrow
from tck.reports.pipeline.run_info import RunInfo
from tck.reports.pipeline.store import Store
from tck.reports.pipeline.verdict_rows import LATENCY, OUTCOME, STANDING, at_of

SHAPE: Final = Shape(restart_every=100)
FEATURES: Final = ("delivery-delay", "shared-subscriptions", "xa")


def described(name: str, day: int = 1, version: str = "1.0") -> Run:
    """Describe a generated run."""
    return Run(
        run=name,
        kind="workload",
        kit=Kit("0"),
        catalogue=CatalogueRef("sha256:none"),
        profile=ProfileRef("generated", "Generated", "sha256:none", "3.1", Claims("3.1", FEATURES)),
        provider=ProviderRef("Generated", version, "none", "3.1"),
        environment=Environment("3", "none", 2, 1),
        seed=1,
        command=("benchmarks",),
        started=time.strftime("%Y-%m-%dT%H:%M:%S+00:00", time.gmtime(1_700_000_000 + 3600 * day)),
        selection=("generated",),
    )


def generated(events: int, shape: Shape = SHAPE) -> Trace:
    """Generate a clean trace of about this many recorded events."""
    small = generate(shape.sized(4_000))
    per_message = len(small.rows) * 1.4 / np.count_nonzero(small.rows.op == 0)
    return generate(shape.sized(round(events / per_message)))


def put(store: Store, trace: Trace, name: str) -> RunInfo:
    """Put a trace into a store."""
    content = RunContent(lambda: [trace.rows], lambda: trace.tables, list)
    return write_run(store, described(name), content, digest=f"sha256:{name}", margins=Margins())


def history(store: Store, runs: int, cases: int, seed: int = 1) -> int:
    """Fill a store with runs that contain only the data of histories; return the number of verdicts.

    Each assertion has three cases; one case in a hundred fails occasionally, one assertion in fifty from some version on.
    """
    rng = np.random.default_rng(seed)
    rows = cases // 3
    flaky = rng.random(rows * 3) < 0.01
    breaks = np.where(rng.random(rows) < 0.02, rng.integers(1, 10, rows), 99)
    by_case = {"assertion": [f"1.{at // 3}-1" for at in range(rows * 3)]}
    by_case["case"] = [f"{assertion}/{at % 3}" for at, assertion in enumerate(by_case["assertion"])]
    by_row = {"assertion": by_case["assertion"][::3]}
    (store.path / "runs").mkdir(exist_ok=True)
    for number in range(runs):
        run = described(f"run-{number:05d}", number, f"1.{number * 10 // runs}")
        failed = (flaky & (rng.random(rows * 3) < 0.3)) | np.repeat(breaks <= number * 10 // runs, 3)
        of_row = failed.reshape(-1, 3).sum(axis=1)
        buckets = np.sort((rng.lognormal(1, 1, rows * 3) * 20).astype(np.int32).reshape(-1, 3))
        who = {"provider": run.provider.name, "version": run.provider.version}
        same = {**who, "kit": "0", "tier": "3.1", "profile": "generated", "at": at_of(run)}
        held = 1 - failed.astype(np.int32)
        _write(
            store,
            run,
            "outcome",
            {**same, **by_case, **_verdict(failed), "attempts": 1, "failed": failed, "held": held},
            OUTCOME,
        )
        counts = {"cases": 3, "failed": of_row, "held": 3 - of_row}
        _write(store, run, "standing", {**same, **by_row, **_verdict(of_row > 0), **counts}, STANDING)
        latency = {**who, "assertion": by_case["assertion"], "bucket": buckets.reshape(-1), "count": 1}
        _write(store, run, "latency", latency, LATENCY)
        info = RunInfo(run.run, f"sha256:{run.run}", run.to_json(), 0, 0, {}, {})
        (store.path / "runs" / f"{run.run}.json").write_text(json.dumps(asdict(info)))
    return runs * rows * 3


def _verdict(failed: Array) -> dict[str, Any]:
    return {"worst": np.where(failed, 1, 8), "verdict": np.where(failed, "violation", "conformant").tolist()}


def _write(store: Store, run: Run, table: str, columns: Mapping[str, Any], kinds: Mapping[str, str]) -> None:
    """Write a part from columns and single values, without a sync."""
    pa = arrow()
    size = next(len(column) for column in columns.values() if isinstance(column, (list, np.ndarray)))
    arrays = {}
    for name, kind in kinds.items():
        value, to = columns[name], pa.type_for_alias(kind)
        arrays[name] = (
            pa.array(value).cast(to) if isinstance(value, (list, np.ndarray)) else pa.repeat(pa.scalar(value, to), size)
        )
    folder = store.folder(table, run.run)
    folder.mkdir(parents=True)
    pa.parquet.write_table(pa.table(arrays), folder / "part-0.parquet", compression="zstd")


def make(folder: Path) -> Store:
    """Create a store in a folder."""
    return Store.make(folder / "store")
