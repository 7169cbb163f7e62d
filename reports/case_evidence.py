"""The evidence of one case, read once: the events that its page draws.

Reads events; judges and draws nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tck.record.rows import Result
from tck.reports.read import CaseReport, Event, RunReport

ATTEMPTS = 10
"""Attempts of a case that are shown, the worst first."""


@dataclass(frozen=True, slots=True)
class AttemptEvidence:
    """One attempt with its events, in their order."""

    attempt: Result
    events: Sequence[Event]


@dataclass(frozen=True, slots=True)
class CaseEvidence:
    """A case with the events of the attempts that are shown.

    Attributes:
        report: The case.
        attempts: The attempts, the worst first.
    """

    report: CaseReport
    attempts: tuple[AttemptEvidence, ...]


def read_evidence(run: RunReport, report: CaseReport) -> CaseEvidence:
    """Read the events of a case.

    Raises:
        BundleError: The bundle does not hold them as its results say.
    """
    attempts = tuple(AttemptEvidence(attempt, run.events(attempt)) for attempt in _shown(report))
    return CaseEvidence(report, attempts)


def _shown(report: CaseReport) -> list[Result]:
    first = report.shown
    others = [attempt for attempt in report.attempts if attempt is not first]
    alike = [attempt for attempt in others if attempt.verdict is first.verdict]
    rest = [attempt for attempt in others if attempt.verdict is not first.verdict]
    return [first, *alike, *rest][:ATTEMPTS]
