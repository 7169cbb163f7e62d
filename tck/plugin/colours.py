"""The outcome and the text of pytest's report of a case, by its verdict."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tck.catalogue import Assertion
from tck.plugin.state import State
from tck.record import Result, Verdict
from tck.running.attempt import PASSING, SKIPPED, failure_text


def colour(report: pytest.TestReport, result: Result, rows: Sequence[Assertion], state: State) -> None:
    """Set the outcome, the text and the mark of pytest's report by the verdict."""
    verdict = result.verdict
    report.tck_verdict = verdict.value  # type: ignore[attr-defined]  # travels through xdist in the report's __dict__
    advisory_passes = verdict is Verdict.ADVISORY and not state.options.strict
    if verdict in PASSING or advisory_passes:
        report.outcome, report.longrepr = "passed", None
    elif verdict in SKIPPED and not (state.options.strict and verdict is Verdict.INCONCLUSIVE):
        report.outcome = "skipped"
        report.longrepr = (report.nodeid.split("::")[0], 0, f"{verdict.value}: {result.observed}")
    else:
        report.outcome = "failed"
        path, line, _ = report.location
        report.longrepr = failure_text(result, rows, state.rerun_line(result.case), f"{path}:{(line or 0) + 1}")
