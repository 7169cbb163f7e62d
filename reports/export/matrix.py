"""Several runs as one JSON document: the matrix, and the differences.

Under one schema number keys are only added.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping
from typing import Any

from tck.record.outcomes import Verdict
from tck.reports import surprises
from tck.reports.compare import CaseInRun, Diff, Matrix, RunColumn, SeenBehaviour, cause, causes, declared

SCHEMA = 1


def render(matrix: Matrix) -> dict[str, Any]:
    """Return the matrix: providers, assertions with a verdict for each, behaviours."""
    keys = [column.key for column in matrix.columns]
    found = causes(matrix.columns)
    return {
        "schema": SCHEMA,
        "providers": [_provider(column, found) for column in matrix.columns],
        "assertions": [
            {
                "id": line.id,
                "title": line.title,
                "level": line.level or None,
                "chapter": chapter.key,
                "section": section.number,
                "own": str(section.own),
                "statement": line.statement,
                "verdicts": dict(zip(keys, line.verdicts, strict=True)),
                "cases": {key: _counts(cell.counts) for key, cell in zip(keys, line.cells, strict=True) if cell},
            }
            for chapter in matrix.chapters
            for section in chapter.sections
            for line in section.lines
        ],
        "behaviours": [
            {
                "id": line.id,
                "title": line.title,
                "statement": line.statement,
                "seen": {key: [_seen(each) for each in seen] for key, seen in zip(keys, line.seen, strict=True)},
            }
            for line in matrix.open_lines
        ],
    }


def render_diff(found: Diff) -> dict[str, Any]:
    """Return the differences between runs, case by case."""
    return {
        "schema": SCHEMA,
        "runs": [
            {
                "run": column.run.run.run,
                "profile": column.run.run.profile.name,
                "provider": column.run.subject,
                "started": column.run.run.started,
                "cases": len(column.run.cases),
            }
            for column in found.columns
        ],
        "cases": found.total,
        "agree": found.agree,
        "circumstances": [{"name": name, "values": list(values)} for name, values in found.circumstances],
        "differences": [
            {
                "case": each.case,
                "flaky": each.declared_flaky,
                "seen": [_case_in_run(in_run) if in_run else None for in_run in each.by_run],
            }
            for each in found.differences
        ],
    }


def _provider(column: RunColumn, found: Mapping[Hashable, tuple[str, ...]]) -> dict[str, Any]:
    run, end = column.run.run, column.run.end
    return {
        "key": column.key,
        "run": run.run,
        "profile": run.profile.name,
        "title": run.profile.title,
        "provider": run.provider.to_json(),
        "claims": run.profile.claims.to_json(),
        "tier": run.profile.tier,
        "started": run.started,
        "complete": end is not None,
        "exit": end.exit if end else None,
        "seconds": end.seconds if end else None,
        "cases": len(column.run.cases),
        "counts": {"assertions": _counts(column.tree.counts), "cases": _counts(column.tree.case_counts)},
        "waits": {"count": len(column.run.waits), "ms": sum(wait.ms for wait in column.run.waits)},
        "deviations": [
            {
                "reason": group.deviation.full_reason,
                "outcome": group.deviation.outcome,
                "link": group.deviation.link,
                "evidence": group.deviation.evidence,
                "also": [each for each in found[cause(group.deviation)] if each != column.key],
                "where": [{"assertion": each.assertion, "cases": each.cases} for each, _ in group.nodes],
                "failed": group.cases,
                "held": group.stale,
            }
            for group in declared(column)
        ],
    }


def _seen(seen: SeenBehaviour) -> dict[str, Any]:
    return {"behaviour": seen.behaviour, "cases": [case.name for case in seen.cases], "of": seen.total}


def _case_in_run(in_run: CaseInRun) -> dict[str, Any]:
    return {
        "outcome": in_run.outcome,
        "verdicts": dict(in_run.verdicts),
        "behaviour": in_run.behaviour or None,
        "observed": surprises.expected_and_observed(in_run.report)[1],
    }


def _counts(counts: Counter[Verdict]) -> dict[str, int]:
    return {str(verdict): counts[verdict] for verdict in Verdict}
