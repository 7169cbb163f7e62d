"""The whole run as one JSON document, for programs that do not read bundles; see `report.schema.json`.

Under one schema number keys are only added. Events are not included: `events` of an attempt says where they are.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

from tck.catalogue import Catalogue
from tck.catalogue.tier_differences import documentary_note
from tck.record.outcomes import Verdict
from tck.record.reader import Bundle
from tck.reports.read import CaseReport, load
from tck.reports.row_coverage import measure
from tck.reports.verdict_tree import AssertionNode, RunTree, build

SCHEMA = 1


def write(bundle: Bundle, target: Path, catalogue: Catalogue) -> Path:
    """Write the file and return its path."""
    target.parent.mkdir(parents=True, exist_ok=True)
    document = json.dumps(render(bundle, catalogue), indent=1, sort_keys=False)
    target.write_text(document + "\n", encoding="utf-8")
    return target


def render(bundle: Bundle, catalogue: Catalogue) -> dict[str, Any]:
    """Return the document."""
    tree = build(load(bundle), catalogue)
    coverage = measure(tree, catalogue)
    return {
        "schema": SCHEMA,
        "run": tree.run.run.to_json(),
        "complete": tree.run.end is not None,
        "exit": tree.run.end.exit if tree.run.end else None,
        "seconds": tree.run.end.seconds if tree.run.end else None,
        "verdict": tree.verdict,
        "counts": {
            "assertions": _counts(tree.counts),
            "cases": _counts(tree.case_counts),
            "outcomes": dict(sorted(tree.run.outcomes.items())),
        },
        "coverage": {
            "tier": coverage.tier,
            "documentary": bool(documentary_note(coverage.tier)),
            "rows": coverage.rows,
            "judged": coverage.judged,
            "asked": coverage.reached,
            "decided": coverage.decided,
        },
        "waits": {"count": len(tree.run.waits), "ms": sum(wait.ms for wait in tree.run.waits)},
        "chapters": [
            {
                "chapter": chapter.key,
                "title": chapter.title,
                "own": str(chapter.own),
                "verdict": chapter.verdict,
                "counts": _counts(chapter.counts),
                "sections": [
                    {
                        "section": section.number,
                        "title": section.title,
                        "own": str(section.own),
                        "verdict": section.verdict,
                        "counts": _counts(section.counts),
                        "assertions": [_assertion(node) for node in section.assertions],
                    }
                    for section in chapter.sections
                ],
            }
            for chapter in tree.chapters
        ],
        "cases": [_case(tree, case) for case in tree.run.cases],
    }


def _counts(counts: Counter[Verdict]) -> dict[str, int]:
    return {str(verdict): counts[verdict] for verdict in Verdict}


def _assertion(node: AssertionNode) -> dict[str, Any]:
    return {
        "id": node.id,
        "title": node.row.title if node.row else None,
        "own": str(node.own),
        "level": node.row.level if node.row else None,
        "statement": node.row.statement if node.row else None,
        "verdict": node.verdict,
        "counts": _counts(node.counts),
        "cases": [case.name for case in node.cases],
    }


def _case(tree: RunTree, report: CaseReport) -> dict[str, Any]:
    return {
        **report.case.to_json(),
        "verdict": report.verdict,
        "rerun": tree.run.rerun(report.name),
        "attempts": [
            {key: value for key, value in attempt.to_json().items() if key != "case"} for attempt in report.attempts
        ],
    }
