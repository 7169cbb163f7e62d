"""Earlier runs in a history store: their verdicts and the durations of their cases. Needs no Spark.

The store is what `tck pipeline` writes: `runs/RUN.json` for each run, Parquet under `verdict/run=RUN` and `latency/run=RUN`.
Parquet is read with pyarrow, which comes with the extra `spark`; without it a `HistoryError` says so.
May import `tck.record` and the store.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

from tck.record.outcomes import Verdict, worst
from tck.reports.pipeline import lock
from tck.reports.pipeline.errors import PipelineError, StoreError
from tck.reports.verdict_snapshot import CaseVerdict, Origin, Pair, VerdictSnapshot, kind_of

RUNS = 100
"""The most earlier runs that are used: the newest of those that can be compared."""

LAYOUT = 1
"""The layout of the store that this module can read; see `tck.reports.pipeline.store`."""

_KEYS = ("run", "started", "provider", "version", "kit", "profile", "tier")


class HistoryError(Exception):
    """A history cannot be used: what was expected and seen, where, and what to do."""


class NothingEarlierError(HistoryError):
    """A history can be read but holds no earlier run to compare with."""


@contextmanager
def unchanged(store: Path) -> Iterator[None]:
    """Read a store while no run of it is replaced.

    Raises:
        HistoryError: Another process keeps the store locked.
    """
    try:
        with lock.unchanged(store):
            yield
    except StoreError as error:
        raise HistoryError(str(error)) from error


def is_store(path: Path) -> bool:
    """Whether a folder is a history store."""
    return (path / "runs").is_dir() and (path / "verdict").is_dir() and not (path / "run.json").exists()


def origins(store: Path) -> tuple[Origin, ...]:
    """Return the runs of a store, the oldest first.

    Raises:
        HistoryError: The folder is no store, holds no run, or a run's manifest is damaged.
    """
    if not is_store(store):
        raise HistoryError(
            f"{store}: expected a history store (folders `runs` and `verdict`), saw none; `tck pipeline history --store DIR` writes one"
        )
    found = sorted(
        (_origin(path) for path in sorted((store / "runs").glob("*.json"))), key=lambda each: (each.at, each.run)
    )
    if not found:
        raise HistoryError(f"{store}: the history holds no run; `tck pipeline ingest --store {store} RUN` adds one")
    return tuple(found)


def _origin(path: Path) -> Origin:
    try:
        row = json.loads(path.read_bytes())
        values = {key: str(row[key]) for key in _KEYS}
        selection = tuple(map(str, row["about"]["selection"]))
        datetime.fromisoformat(values["started"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise HistoryError(
            f"{path}: the manifest of the run is damaged ({type(error).__name__}: {error}); ingest the run again"
        ) from error
    if row.get("layout") != LAYOUT:
        raise HistoryError(
            f"{path}: expected layout {LAYOUT} of the history, saw {row.get('layout')!r}: another version of the kit wrote it; "
            "use that one, or ingest the run again into a new store"
        )
    at = values.pop("started")
    return Origin(
        kind=kind_of(str(row.get("kind", "suite")), selection),
        at=at,
        catalogue=str(row.get("catalogue", "")),
        profile_digest=str(row.get("profile_digest", "")),
        **values,
    )


def comparable(store: Path, current: Origin) -> tuple[Origin, ...]:
    """Return the runs of the same profile, tier and kind that started before, at most the last `RUNS`, the oldest first.

    Raises:
        HistoryError: There is none; the message says what there is.
    """
    every = origins(store)
    alike = [each for each in every if _series(each) == _series(current)]
    found = tuple(each for each in alike if (each.at, each.run) < (current.at, current.run))[-RUNS:]
    if found:
        return found
    if alike:
        raise NothingEarlierError(
            f"{store}: the history holds no run of {current.profile} ({current.tier}) before {current.run}"
        )
    known = ", ".join(sorted({f"{each.profile} ({each.tier}, {each.kind})" for each in every}))
    raise NothingEarlierError(
        f"{store}: the history holds no {current.kind} of profile {current.profile} judged by the rows of {current.tier}; "
        f"it holds {known}"
    )


def _series(origin: Origin) -> tuple[str, str, str]:
    """Return the key of comparable runs: profile, tier and kind."""
    return origin.profile, origin.tier, origin.kind


def snapshot_before(store: Path, current: Origin) -> VerdictSnapshot:
    """Return the verdicts of the comparable runs before a run.

    Raises:
        HistoryError: There is no such run, pyarrow is not installed, or a part cannot be read.
    """
    with unchanged(store):
        found = comparable(store, current)
        return VerdictSnapshot(f"history {store}", "history", found, case_verdicts(store, found))


def case_verdicts(store: Path, runs: Sequence[Origin]) -> dict[Pair, tuple[CaseVerdict, ...]]:
    """Return the verdicts of each run on each assertion and case.

    Raises:
        HistoryError: pyarrow is not installed, or a part cannot be read.
    """
    gathered: dict[Pair, list[CaseVerdict]] = defaultdict(list)
    for number, origin in enumerate(runs):
        verdicts: dict[Pair, list[Verdict]] = defaultdict(list)
        for row in _rows(store, "verdict", origin.run, ("assertion", "case", "verdict")):
            verdicts[row["assertion"], row["case"]].append(Verdict(row["verdict"]))
        for pair, each in verdicts.items():
            gathered[pair].append(CaseVerdict(number, worst(each), each.count(Verdict.VIOLATION), len(each)))
    return {pair: tuple(each) for pair, each in gathered.items()}


def durations(store: Path, run: str) -> Counter[int]:
    """Return the durations of a run's cases, counted in the buckets of `tck.reports.pipeline.verdict_rows`.

    Raises:
        HistoryError: pyarrow is not installed, or a part cannot be read.
    """
    counts: Counter[int] = Counter()
    for row in _rows(store, "latency", run, ("bucket", "count")):
        counts[row["bucket"]] += row["count"]
    return counts


def _rows(store: Path, table: str, run: str, columns: Sequence[str]) -> list[dict[str, Any]]:
    from tck.reports.pipeline.store import Store  # noqa: PLC0415 - only histories need what it loads

    try:
        part = Store(store).part(table, run)
    except PipelineError as error:
        raise HistoryError(str(error)) from error
    rows: list[dict[str, Any]] = part.select(list(columns)).to_pylist()
    return rows
