"""What a run said about each assertion, as rows that histories are made of, and how long its cases took.

Durations are counted in logarithmic buckets: counts of several runs add up, and a percentile of the sum is as exact as one
bucket is wide (4.4 %). Imports `tck.record`; knows nothing of files.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from datetime import datetime
from typing import Any, Final

from tck.record import Case, Result, Run

VERDICT: Final = {
    "provider": "string",
    "version": "string",
    "kit": "string",
    "tier": "string",
    "profile": "string",
    "kind": "string",
    "api": "string",
    "assertion": "string",
    "case": "string",
    "attempt": "int32",
    "outcome": "string",
    "verdict": "string",
    "ms": "float64",
    "at": "int64",
}
"""Columns of `verdict`; `at` is the start of the run, epoch milliseconds."""

LATENCY: Final = {
    "provider": "string",
    "version": "string",
    "assertion": "string",
    "bucket": "int32",
    "count": "int64",
}
"""Columns of `latency`."""

PER_DOUBLING: Final = 16
"""Buckets for each doubling of a duration; bucket 0 begins at a microsecond."""


def bucket_of(ms: float) -> int:
    """Give the bucket of a duration in milliseconds; all below a microsecond fall into 0."""
    return max(0, math.floor(math.log2(ms * 1000) * PER_DOUBLING)) if ms > 0 else 0


def verdict_rows(run: Run, cases: Iterable[Case], results: Iterable[Result]) -> list[dict[str, Any]]:
    """Give one row for each assertion of each attempt."""
    apis = {case.case: case.axes.get("api", "") for case in cases}
    same = {
        "provider": run.provider.name,
        "version": run.provider.version,
        "kit": run.kit.version,
        "tier": run.profile.tier,
        "profile": run.profile.name,
        "kind": run.kind,
        "at": at_of(run),
    }
    return [
        {
            **same,
            "api": apis.get(result.case, ""),
            "assertion": assertion,
            "case": result.case,
            "attempt": result.attempt,
            "outcome": result.outcome.value,
            "verdict": verdict.value,
            "ms": result.ms,
        }
        for result in results
        for assertion, verdict in result.verdicts.items()
    ]


def latency_rows(rows: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Count the durations of verdict rows in buckets."""
    counts = Counter((row["provider"], row["version"], row["assertion"], bucket_of(row["ms"])) for row in rows)
    return [dict(zip(LATENCY, (*key, count), strict=True)) for key, count in sorted(counts.items())]


def at_of(run: Run) -> int:
    """Give the start of a run in epoch milliseconds."""
    return round(datetime.fromisoformat(run.started).timestamp() * 1000)
