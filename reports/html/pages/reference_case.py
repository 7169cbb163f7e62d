"""The reference provider in the same case: verdict, behaviour and calls of a recorded run, to lay beside a surprise."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from tck.record.outcomes import Verdict
from tck.record.reader import Bundle
from tck.reports import show
from tck.reports.html import lanes
from tck.reports.read import CaseReport, RunReport, cites, load

MOST = 60
"""Steps that are listed."""


class ReferenceCase(NamedTuple):
    """A case as the reference provider went through it; `left_out` steps are not listed."""

    subject: str
    run: str
    verdict: Verdict
    texts: tuple[tuple[str, str], ...]
    steps: tuple[str, ...]
    left_out: int
    rerun: str


@dataclass(frozen=True, slots=True)
class ReferenceRun:
    """A recorded run of the reference provider."""

    report: RunReport
    cases: Mapping[str, CaseReport]

    @classmethod
    def of(cls, bundle: Bundle) -> ReferenceRun:
        """Gather the cases of a bundle."""
        report = load(bundle)
        return cls(report, {case.name: case for case in report.cases})

    def case(self, name: str) -> ReferenceCase | None:
        """Return a case; None if the run has it not."""
        found = self.cases.get(name)
        if found is None:
            return None
        attempt = found.shown
        steps = [
            show.one_line(lanes.row_line(step.row_text))
            for step in lanes.build(self.report.events(attempt), cites(attempt)).steps
            if not step.setup
        ]
        texts = (
            ("Observed", attempt.observed or attempt.behaviour),
            ("Why", attempt.explanation),
        )
        return ReferenceCase(
            self.report.subject,
            self.report.run.run,
            found.verdict,
            tuple((label, show.clip(text, 2000)) for label, text in texts if text),
            tuple(steps[:MOST]),
            max(0, len(steps) - MOST),
            self.report.rerun(name),
        )
