"""The cases that never ran, since the provider was lost or the run was stopped: how many, why, and of which sections."""

from __future__ import annotations

from collections.abc import Iterable

from tck.catalogue import Catalogue
from tck.catalogue.citations import OwnSections
from tck.catalogue.sections import reading_order
from tck.record.rows import Case
from tck.reports import show
from tck.reports.read import RunReport

_SECTIONS = 6


def by_section(report: RunReport, catalogue: Catalogue) -> dict[str, list[str]]:
    """Return the names of the cases that never ran, by the number of their section as the run's version is told it, in order."""
    found: dict[str, list[Case]] = {}
    for case in sorted(report.unfinished, key=_order):
        found.setdefault(_section(case), []).append(case)
    own = OwnSections.of(report.run.profile.tier)
    return {
        own.section(number, [catalogue.get(case.assertions[0]) for case in cases]).short: [case.case for case in cases]
        for number, cases in found.items()
    }


def sentence(report: RunReport, catalogue: Catalogue) -> str:
    """Say how many cases never ran, why, and in which sections; empty if all have run."""
    if not report.unfinished:
        return ""
    sections = [f"{number} ({len(names)})" for number, names in by_section(report, catalogue).items()]
    what = "never ran" if report.end else "left no result"  # of a truncated run, some may have begun
    return (
        f"{show.count(len(report.unfinished), 'case')} {what}: {report.why_unfinished}. Sections: {_listed(sections)}."
    )


def _listed(texts: list[str]) -> str:
    more = len(texts) - _SECTIONS
    shown: Iterable[str] = texts if more <= 1 else [*texts[:_SECTIONS], f"and {more} more"]
    return ", ".join(shown)


def _section(case: Case) -> str:
    return case.assertions[0].rpartition("-")[0]


def _order(case: Case) -> tuple[tuple[tuple[int, str], ...], ...]:
    return reading_order(_section(case)), reading_order(case.case)
