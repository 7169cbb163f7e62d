"""What a run did not judge: cases that never ran, since the provider was lost or the run was stopped, and assertions for lack of a call."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from tck.catalogue import Catalogue
from tck.catalogue.citations import OwnSections
from tck.catalogue.sections import reading_order
from tck.record.rows import Case
from tck.reports import show
from tck.reports.read import RunReport
from tck.reports.verdict_tree import RunTree

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


def for_lack(tree: RunTree) -> str:
    """Say it, `not claimed: shared subscriptions (157 assertions not judged), delivery delay (26)`; empty if nothing is lacking.

    An assertion counts where no case judged it: each of its cases lacks something.
    """
    found: dict[str, set[str]] = defaultdict(set)
    judged = set[str]()
    for case in tree.run.cases:
        for attempt in case.attempts:
            judged.update(attempt.verdicts.keys() - attempt.lacks.keys())
            for row, what in attempt.lacks.items():
                found[what].add(row)
    kinds: dict[str, list[str]] = defaultdict(list)
    for what, rows in sorted(found.items(), key=lambda item: (-len(item[1] - judged), item[0])):
        kind, _, name = what.partition(": ")
        number = len(rows - judged)
        kinds[kind].append(f"{name} ({show.count(number, 'assertion')} not judged)" if number else name)
    return "; ".join(f"{kind}: {', '.join(names)}" for kind, names in sorted(kinds.items()))


def _listed(texts: list[str]) -> str:
    more = len(texts) - _SECTIONS
    shown: Iterable[str] = texts if more <= 1 else [*texts[:_SECTIONS], f"and {more} more"]
    return ", ".join(shown)


def _section(case: Case) -> str:
    return case.assertions[0].rpartition("-")[0]


def _order(case: Case) -> tuple[tuple[tuple[int, str], ...], ...]:
    return reading_order(_section(case)), reading_order(case.case)
