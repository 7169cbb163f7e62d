"""The verdicts of a run and the durations of its cases, as rows for the tables over many runs.

Besides each verdict a run has summaries: one row for each case and assertion over all attempts (`outcome`), and one for each
assertion over all cases (`standing`). The tables over many runs use only these, never single attempts.

Durations are counted in logarithmic buckets: counts of several runs can be added, and a percentile of the sum is as exact as
the width of a bucket (4.4 %). Imports `tck.record`; reads no file.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, Final

from tck.record import Case, Result, Run, Verdict

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

_WHO: Final = {name: VERDICT[name] for name in ("provider", "version", "kit", "tier", "profile", "at")}
OUTCOME: Final = {
    **_WHO,
    "assertion": "string",
    "case": "string",
    "worst": "int32",
    "verdict": "string",
    "attempts": "int32",
    "failed": "int32",
    "held": "int32",
}
"""Columns of `outcome`; `worst` is the rank of the worst verdict (0 is the worst of all); `failed` and `held` count attempts."""

STANDING: Final = {
    **_WHO,
    "assertion": "string",
    "worst": "int32",
    "verdict": "string",
    "cases": "int32",
    "failed": "int32",
    "held": "int32",
}
"""Columns of `standing`; `failed` and `held` count cases."""

_PLACE: Final = {verdict.value: place for place, verdict in enumerate(Verdict)}
_FAILED: Final = frozenset({"broken", "cut", "absent"})

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
    """Return the bucket of a duration in milliseconds; all below a microsecond are in bucket 0."""
    return max(0, math.floor(math.log2(ms * 1000) * PER_DOUBLING)) if ms > 0 else 0


def verdict_rows(run: Run, cases: Iterable[Case], results: Iterable[Result]) -> list[dict[str, Any]]:
    """Return one row for each assertion of each attempt."""
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


def outcome_rows(rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Summarize the attempts of each case, by assertion."""
    groups: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for row in rows:
        groups.setdefault((row["assertion"], row["case"]), []).append(row)
    return [
        {
            **{name: listed[0][name] for name in _WHO},
            "assertion": assertion,
            "case": case,
            **_worst(row["verdict"] for row in listed),
            "attempts": len(listed),
            "failed": sum(row["outcome"] in _FAILED for row in listed),
            "held": sum(row["outcome"] == "held" for row in listed),
        }
        for (assertion, case), listed in sorted(groups.items())
    ]


def standing_rows(rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Summarize the cases of each assertion, from the rows of `outcome_rows`."""
    groups: dict[str, list[Mapping[str, Any]]] = {}
    for row in rows:
        groups.setdefault(row["assertion"], []).append(row)
    return [
        {
            **{name: listed[0][name] for name in _WHO},
            "assertion": assertion,
            **_worst(row["verdict"] for row in listed),
            "cases": len(listed),
            "failed": sum(row["failed"] > 0 for row in listed),
            "held": sum(row["held"] > 0 and not row["failed"] for row in listed),
        }
        for assertion, listed in sorted(groups.items())
    ]


def _worst(verdicts: Iterable[str]) -> dict[str, Any]:
    place, verdict = min((_PLACE[verdict], verdict) for verdict in verdicts)
    return {"worst": place, "verdict": verdict}


def latency_rows(rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Count the durations of verdict rows in buckets."""
    counts = Counter((row["provider"], row["version"], row["assertion"], bucket_of(row["ms"])) for row in rows)
    return [dict(zip(LATENCY, (*key, count), strict=True)) for key, count in sorted(counts.items())]


def at_of(run: Run) -> int:
    """Return the start of a run in epoch milliseconds."""
    return round(datetime.fromisoformat(run.started).timestamp() * 1000)
