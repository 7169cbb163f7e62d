"""Runs for the pipeline: generated traces with and without faults, and small bundles, in stores of their own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.traces import Shape, Trace, generate
from benchmarks.traces.anomalies import ANOMALIES
from benchmarks.traces.editor import Editor, NoSuchRowError
from tck.check.results import Margins
from tck.check.stages import judge
from tck.record import CatalogueRef, Claims, Environment, Kit, ProfileRef, ProviderRef, Run
from tck.reports.pipeline import tasks
from tck.reports.pipeline.ingest import RunContent, write_run
from tck.reports.pipeline.run_info import RunInfo
from tck.reports.pipeline.store import Store

ROOT = Path(__file__).resolve().parents[2]
FEATURES = ("delivery-delay", "shared-subscriptions", "xa")


def described(name: str, **changes: object) -> Run:
    """Describe a run as run.json does."""
    about = {
        "run": name,
        "kind": "workload",
        "kit": Kit("0.1.0"),
        "catalogue": CatalogueRef("sha256:c"),
        "profile": ProfileRef("p", "P", "sha256:p", "3.1", Claims("3.1", FEATURES)),
        "provider": ProviderRef("Provider", "1.0", "v", "3.1"),
        "environment": Environment("3", "x", 2, 1),
        "seed": 1,
        "command": ("x",),
        "started": "2026-11-21T00:00:00+00:00",
        "selection": ("generated",),
    }
    return Run(**{**about, **changes})


def broken() -> tuple[Trace, int]:
    """Give a trace with everything wrong that can be wrong in one trace, and how much that is."""
    load, made = generate(Shape(rounds=9, restart_every=7, topics=1)), 0
    for number, anomaly in enumerate(ANOMALIES):
        editor = Editor(load, number)
        try:
            anomaly.make(editor)
        except (NoSuchRowError, IndexError):
            continue  # an earlier one took the rows away
        load, made = editor.done(), made + 1
    return load, made


def stored(
    store: Store, load: Trace, name: str = "R1", part_rows: int = 3_000, slice_rows: int = 3_000, **changes: object
) -> RunInfo:
    """Put a trace into a store, in small parts."""
    content = RunContent(lambda: [load.rows], lambda: load.tables, list)
    return write_run(
        store,
        described(name, **changes),
        content,
        digest=f"sha256:{name}",
        margins=Margins(),
        part_rows=part_rows,
        slice_rows=slice_rows,
    )


def in_buckets(monkeypatch, rows: int) -> None:
    """Let message tasks be small."""
    monkeypatch.setattr(tasks, "BUCKET_ROWS", rows)


def never(_plan: object) -> object:
    """Stand for a Spark that must not be asked for."""
    raise AssertionError("nothing here needs Spark")


def counted(load: Trace) -> dict[str, tuple[int, int, int]]:
    """Judge a trace in one go: obligations, violations, undecided of each property."""
    found = judge(load.rows, load.tables)
    return {name: (each.obligations, len(each.hits), each.undecided) for name, each in found.items()}


def hits_of(load: Trace) -> set[tuple[str, int, int, int, int]]:
    """Judge a trace in one go: its findings by property, message, endpoint, session and seq."""
    return {
        (name, *(each.hits.row(at)[key] for key in ("msg", "end", "session", "seq")))
        for name, each in judge(load.rows, load.tables).items()
        for at in range(len(each.hits))
    }


def found_in(store: Store, run: str = "R1") -> set[tuple[str, int, int, int, int]]:
    """Give the findings that a store holds, by the same keys."""
    return {
        (row["property"], row["msg"], row["end"], row["session"], row["seq"]) for row in store.table("findings", run)
    }


def python(
    *words: str, cwd: Path | None = None, environment: Mapping[str, str] | None = None, under: Sequence[str] = ()
) -> subprocess.CompletedProcess[str]:
    """Run Python with this checkout in a process of its own, given nothing to read.

    Args:
        words: Its arguments: `-c` and a program, or `-m tck` and a command.
        cwd: Where.
        environment: In place of ours.
        under: A command that runs it.
    """
    return subprocess.run(
        [*under, sys.executable, *words],
        cwd=cwd,
        env={**(os.environ if environment is None else environment), "PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def tck(
    *words: str, cwd: Path | None = None, environment: Mapping[str, str] | None = None, under: Sequence[str] = ()
) -> subprocess.CompletedProcess[str]:
    """Run one command line of `tck`; arguments as of `python`."""
    return python("-m", "tck", *words, cwd=cwd, environment=environment, under=under)


def output_of(program: str, *arguments: str, environment: Mapping[str, str] | None = None) -> Any:
    """Run a program of Python in a process of its own; give what it tells, as JSON."""
    done = python("-c", program, *arguments, environment=environment)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
