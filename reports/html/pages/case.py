"""The page of one case: claim, expected, observed, explanation, and every event by lane.

Reads nothing; the events come with the evidence. The layout is in `lanes`, `event_table` and the template.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tck.record.rows import Result
from tck.reports import show
from tck.reports.case_evidence import CaseEvidence
from tck.reports.html import event_markup, paths
from tck.reports.html.frame import Page
from tck.reports.html.markup import Safe, escape, fill, join
from tck.reports.html.pages.suite import Site
from tck.reports.html.templating import shown
from tck.reports.labels import OUTCOMES, SURPRISES
from tck.reports.read import CaseReport, Event, cites
from tck.reports.why import why

_NUMBERED = re.compile(r"#(\d{1,9})\b")
_LONGEST = 20_000


@dataclass(frozen=True, slots=True)
class View:
    """One attempt for the template. `prefix` makes anchors unique among the attempts of a page."""

    attempt: Result
    prefix: str
    boxes: tuple[tuple[str, str], ...]
    explanation: Safe
    findings: tuple[Safe, ...]
    cites: tuple[int, ...]
    events: Safe
    facts: Safe


def case_page(site: Site, evidence: CaseEvidence, *, standalone: bool) -> Page:
    """Build the page of one case."""
    report = evidence.report
    ids = report.rows
    lead = site.tree.by_id[ids[0]]
    context: dict[str, Any] = {
        "report": report,
        "lead": lead,
        "chapter": site.chapter_of[lead.id],
        "judged": [(site.tree.by_id[identifier], report.verdict_of(identifier)) for identifier in ids],
        "views": [_view(report, each.attempt, each.events) for each in evidence.attempts],
        "reference": site.reference.case(report.name) if site.reference and report.verdict in SURPRISES else None,
        "rerun": site.tree.run.rerun(report.name),
        "reproduce": site.tree.run.reproduce(report),
    }
    return Page(paths.case(report.name), "case", context, standalone)


def _view(report: CaseReport, attempt: Result, events: Sequence[Event]) -> View:
    known = {int(event["seq"]) for event in events}
    cited = cites(attempt) & known
    prefix = "e" if attempt is report.shown else f"a{attempt.attempt}-e"
    return View(
        attempt=attempt,
        prefix=prefix,
        boxes=tuple(_boxes(report, attempt)),
        explanation=_linked(why(attempt, events), known, prefix),
        findings=tuple(
            _linked(finding.text, known, prefix) for finding in attempt.findings if finding.text != attempt.explanation
        ),
        cites=tuple(sorted(cited)),
        events=event_markup.render(events, cited, prefix, attempt.events, table=attempt.verdict in SURPRISES),
        facts=_facts(report, attempt),
    )


def _boxes(report: CaseReport, attempt: Result) -> list[tuple[str, str]]:
    boxes = (
        ("Claim", attempt.claim or report.case.title),
        ("Expected", attempt.expected),
        ("Observed", attempt.observed or attempt.behaviour),
    )
    return [(label, show.clip(text, _LONGEST)) for label, text in boxes if text]


def _facts(report: CaseReport, attempt: Result) -> Safe:
    case = report.case
    facts = [(key, value) for key, value in case.axes.items()]
    facts += [
        ("Features", ", ".join(case.features)),
        ("Outcome", f"{attempt.outcome}: {OUTCOMES[attempt.outcome]}"),
        ("Ended in", attempt.phase),
        ("Witness" if len(attempt.witnesses) == 1 else "Witnesses", "; ".join(attempt.witnesses)),
        ("Behaviour", attempt.behaviour or ""),
        ("Bounded waits", "; ".join(f"{wait.ms:g} ms: {wait.why}" for wait in attempt.waits)),
        ("Duration", show.duration(attempt.ms / 1000)),
        ("Attempts", str(len(report.attempts)) if len(report.attempts) > 1 else ""),
        ("Worker", f"{case.worker}, number {case.position} there"),
        ("Source", report.source),
        ("Test", case.node),
    ]
    rows = ((shown(label), shown(show.clip(text, _LONGEST))) for label, text in facts if text)
    return Safe("".join([f"<div><dt>{label}</dt><dd>{text}</dd></div>\n" for label, text in rows]))


def _linked(text: str, known: set[int], prefix: str) -> Safe:
    """Turn `#12` into a link to event 12 if the case has such an event."""
    parts: list[Safe] = []
    end = 0
    text = show.visible(show.clip(text, _LONGEST))
    for match in _NUMBERED.finditer(text):
        if int(match[1]) in known:
            link = fill('<a href="#%s%s">#%s</a>', prefix, int(match[1]), match[1])
            parts += [Safe(escape(text[end : match.start()])), link]
            end = match.end()
    return join([*parts, Safe(escape(text[end:]))])
