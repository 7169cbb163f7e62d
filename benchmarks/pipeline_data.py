"""Stores to measure the pipeline on: generated traces of any size, histories of many runs."""

from __future__ import annotations

import time
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import numpy as np

from benchmarks.traces import Load, Shape, generate
from reports.pipeline.files import rows_to_arrow, write_json, write_parquet
from reports.pipeline.ingest import Content, write_run
from reports.pipeline.store import RunInfo, Store
from reports.pipeline.verdicts import LATENCY, OUTCOME, STANDING, bucket_of
from tck.check.results import Margins
from tck.record import CatalogueRef, Claims, Environment, Kit, ProfileRef, ProviderRef, Run

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


def generated(events: int, shape: Shape = SHAPE) -> Load:
    """Generate a clean trace of about so many recorded events."""
    small = generate(shape.sized(4_000))
    per_message = len(small.rows) * 1.4 / np.count_nonzero(small.rows.op == 0)
    return generate(shape.sized(round(events / per_message)))


def put(store: Store, load: Load, name: str) -> RunInfo:
    """Put a trace into a store."""
    content = Content(lambda: [load.rows], lambda: load.tables, list)
    return write_run(store, described(name), content, digest=f"sha256:{name}", margins=Margins())


def history(store: Store, runs: int, cases: int, seed: int = 1) -> int:
    """Fill a store with runs that hold nothing but what histories are made of; give the number of verdicts.

    Three cases for each assertion; one case in a hundred fails now and then, one assertion in fifty from some version on.
    """
    rng = np.random.default_rng(seed)
    rows = cases // 3
    flaky = rng.random(cases) < 0.01
    breaks = np.where(rng.random(rows) < 0.02, rng.integers(1, 10, rows), 99)
    for number in range(runs):
        version = number * 10 // runs
        failed = (flaky & (rng.random(cases) < 0.3)) | np.repeat(breaks <= version, 3)[:cases]
        _run_of_history(store, number, version, failed, rng)
    return runs * rows * 3


def _run_of_history(store: Store, number: int, version: int, failed: Any, rng: np.random.Generator) -> None:  # noqa: ANN401 - an array
    name = f"run-{number:05d}"
    run = described(name, number, f"1.{version}")
    same = {
        "provider": run.provider.name,
        "version": run.provider.version,
        "kit": "0",
        "tier": "3.1",
        "profile": "generated",
        "at": 1_700_000_000_000 + 3_600_000 * number,
    }
    by_row = failed[: len(failed) // 3 * 3].reshape(-1, 3)
    buckets = np.array([bucket_of(ms) for ms in rng.lognormal(1, 1, 64)])
    tables: dict[str, tuple[dict[str, str], list[dict[str, Any]]]] = {
        "outcome": (
            dict(OUTCOME),
            [
                {
                    **same,
                    "assertion": f"1.{at // 3}-1",
                    "case": f"1.{at // 3}-1/{at % 3}",
                    **_verdict(bad),
                    "attempts": 1,
                }
                for at, bad in enumerate(failed.tolist())
            ],
        ),
        "standing": (
            dict(STANDING),
            [
                {**same, "assertion": f"1.{at}-1", **_verdict(bad), "cases": 3, "failed": bad, "held": 3 - bad}
                for at, bad in enumerate(by_row.sum(axis=1).tolist())
            ],
        ),
        "latency": (
            dict(LATENCY),
            [
                {**same, "assertion": f"1.{at}-1", "bucket": bucket, "count": 1}
                for at, three in enumerate(rng.choice(buckets, (len(by_row), 3)).tolist())
                for bucket in three
            ],
        ),
    }
    for table, (kinds, rows) in tables.items():
        folder = store.folder(table, name)
        folder.mkdir(parents=True)
        write_parquet(folder / "part-0.parquet", rows_to_arrow(kinds, rows))
    info = RunInfo(name, f"sha256:{name}", run.to_json(), 0, 0, {}, {})
    (store.path / "runs").mkdir(exist_ok=True)
    write_json(store.path / "runs" / f"{name}.json", asdict(info))


def _verdict(bad: int) -> dict[str, Any]:
    return {
        "worst": 1 if bad else 8,
        "verdict": "violation" if bad else "conformant",
        "failed": int(bool(bad)),
        "held": int(not bad),
    }


def make(folder: Path) -> Store:
    """Make a store in a folder."""
    return Store.make(folder / "store")
