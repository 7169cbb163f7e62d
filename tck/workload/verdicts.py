"""Judges the operations of a workload: a report per property, and verdicts by the one verdict table.

May import `tck.check`, `tck.record`, the catalogue and the profile; drives nothing, writes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from tck.catalogue import Catalogue
from tck.check import Finding, Margins
from tck.check.columns import HITS, NONE, Array, Op, Table
from tck.check.evidence import Evidence, Trace
from tck.check.properties import PROPERTIES
from tck.check.registry import Property
from tck.check.stages import Tally, judge
from tck.check.story import finding_of
from tck.profile import Profile
from tck.record import Case, DeviationUse, FindingRow, Outcome, Result, Verdict, worst
from tck.record import judge as verdict_of

MOST_FINDINGS: Final = 1000
"""The most findings of a property in a report."""
FINDINGS_OF_RESULT: Final = 20
"""The most of those in a result."""
_EVERYWHERE: Final = "no-invention"
"""The property that every delivery has an obligation of."""
_SETTLING: Final = (Op.ACK, Op.COMMIT, Op.ROLLBACK, Op.RECOVER, Op.CLOSE, Op.CRASH, Op.END_BRANCH, Op.PREPARE)


@dataclass(frozen=True, slots=True)
class PropertyReport:
    """The report of one property; `findings` are its first violations, with the rows they name."""

    kind: Property
    obligations: int
    undecided: int
    violations: int
    findings: tuple[tuple[Finding, Mapping[str, int]], ...]
    broken: tuple[str, ...] = ()
    """The assertions that the violations break."""

    @property
    def outcome(self) -> Outcome | None:
        """The outcome; None where there was nothing to judge."""
        if self.kind.observes:
            return Outcome.OBSERVED if self.obligations else None
        if self.violations:
            return Outcome.BROKEN
        if self.obligations:
            return Outcome.HELD
        return Outcome.UNDECIDED if self.undecided else None

    def case_of(self, plan: str) -> str:
        """Return the name of its case in a workload."""
        return f"workload/{plan}/{self.kind.name}"

    def story_of(self, row: str) -> str:
        """Return the story of the first violation that breaks a row."""
        stories = [found.text for found, hit in self.findings if row in self.kind.blamed(hit["blamed"])]
        return stories[0] if stories else self.findings[0][0].text

    def numbers(self) -> str:
        """Return the numbers as text."""
        words = f"{self.obligations} obligations, {self.violations} violations"
        return f"{words}, {self.undecided} undecided" if self.undecided else words

    def to_json(self) -> dict[str, Any]:
        """Return the line of properties.ndjson."""
        return {
            "property": self.kind.name,
            "assertions": list(self.kind.assertions),
            "claim": self.kind.claim,
            "observes": self.kind.observes,
            "obligations": self.obligations,
            "violations": self.violations,
            "undecided": self.undecided,
            "broken": list(self.broken),
        }


def judge_trace(trace: Trace, margins: Margins, properties: Iterable[Property] | None = None) -> list[PropertyReport]:
    """Judge a whole trace in this process."""
    has_work = list(PROPERTIES.values() if properties is None else properties)
    tallies = judge(trace.rows, trace.tables, margins, has_work)
    return [report_of(each, tallies[each.name], trace) for each in has_work]


def report_of(kind: Property, tally: Tally, trace: Trace) -> PropertyReport:
    """Return the report of one property."""
    hits = tally.hits.take(np.arange(min(len(tally.hits), MOST_FINDINGS)))
    findings = []
    if len(hits):
        evidence = _evidence_of(hits, trace)
        for number in range(len(hits)):
            hit = {name: int(value) for name, value in hits.row(number).items() if name in HITS}
            findings.append((finding_of(kind, hit, evidence), hit))
    broken = kind.blamed(tally.blamed)
    return PropertyReport(kind, tally.obligations, tally.undecided, len(tally.hits), tuple(findings), broken)


def _evidence_of(hits: Table, trace: Trace) -> Evidence:
    """Keep the rows that stories of these violations may need: their messages, rows, and ends of units."""
    rows = trace.rows
    of_message = np.isin(rows.msg, np.unique(hits.msg)) & (rows.msg >= 0)
    mask: Array = of_message | _named(rows, hits.session, hits.seq) | _named(rows, hits.other_session, hits.other_seq)
    units = np.unique(np.concatenate([rows.unit[mask], hits.unit]))
    mask |= np.isin(rows.unit, units[units != NONE]) & np.isin(rows.op, _SETTLING)
    kept = rows.take(mask)
    others = np.isin(rows.msg, np.unique(kept.msg[kept.msg >= 0])) & (rows.op == Op.SEND)
    kept = rows.take(mask | others)
    return Evidence(kept, trace.tables, trace.evidence.names)


def _named(rows: Table, session: Array, seq: Array) -> Array:
    mask: Array = np.isin(rows.seq, seq[seq != NONE]) & np.isin(rows.session, session[session != NONE])
    return mask


# -- verdicts --------------------------------------------------------------------------------------------------------


def cases_and_results(
    reports: Sequence[PropertyReport], plan: str, catalogue: Catalogue, profile: Profile, version: str
) -> tuple[list[Case], list[Result]]:
    """Return a case and a result for each property that had something to judge.

    Args:
        reports: The report of each property.
        plan: Name of the plan.
        catalogue: Gives level, versions and features of the rows.
        profile: Gives claims and declared deviations.
        version: The specification version to judge by.
    """
    cases: list[Case] = []
    results: list[Result] = []
    nothing = all(each.outcome is None for each in reports)
    for each in reports:
        # Where something was violated, the run says nothing about the rows that no violation is about.
        shown = each.broken if each.outcome is Outcome.BROKEN else each.kind.assertions
        ids = applying(shown, catalogue, profile, version)
        # A run without any obligation is reported by one undecided property.
        silent = each.outcome is None and not (nothing and each.kind.name == _EVERYWHERE)
        if silent or not ids:
            continue
        name = each.case_of(plan)
        cases.append(
            Case(
                case=name,
                node=name,
                assertions=ids,
                axes={"plan": plan, "property": each.kind.name},
                file="workload.json",
                line=1,
                title=each.kind.claim,
                position=len(cases),
            )
        )
        results.append(_result(name, each, ids, catalogue, profile))
    return cases, results


def applying(rows: Sequence[str], catalogue: Catalogue, profile: Profile, version: str) -> tuple[str, ...]:
    """Return those of a property's rows that bind this provider in this version."""
    claimed = profile.claims.features
    return tuple(
        id_
        for id_ in rows
        if id_ in catalogue and catalogue[id_].applies_to(version) and set(catalogue[id_].features) <= claimed
    )


def _result(name: str, each: PropertyReport, ids: Sequence[str], catalogue: Catalogue, profile: Profile) -> Result:
    outcome = each.outcome or Outcome.UNDECIDED
    verdicts: dict[str, Verdict] = {}
    use = None
    for id_ in ids:
        found = profile.deviation_for(id_, name)
        declared = found.outcome.value if found is not None else None
        # A workload need not provoke a declared failure, so a property that held makes no declaration stale.
        if outcome is not Outcome.BROKEN:
            declared = None
        verdicts[id_] = verdict_of(outcome, catalogue[id_].level, declared, asked=False)
        if found is not None and declared is not None and use is None:
            use = DeviationUse(
                id_, declared, found.reason, found.link, found.line or None, found.when, found.holds_with
            )
    first = each.findings[0][0] if each.findings else None
    return Result(
        case=name,
        outcome=outcome,
        verdicts=verdicts,
        verdict=worst(verdicts.values()),
        claim=each.kind.claim,
        expected=each.kind.claim,
        observed=each.numbers(),
        explanation=first.text if first else None,
        cites=first.cites if first else (),
        behaviour=f"{each.kind.name}: {each.numbers()}" if each.kind.observes else None,
        witnesses=() if outcome is Outcome.UNDECIDED else (each.numbers(),),
        deviation=use,
        findings=tuple(
            FindingRow(each.kind.name, _of_finding(each.kind, hit, ids), finding.text, finding.cites)
            for finding, hit in each.findings[:FINDINGS_OF_RESULT]
        ),
    )


def _of_finding(kind: Property, hit: Mapping[str, int], ids: Sequence[str]) -> tuple[str, ...]:
    """Return those of the rows that a violation breaks."""
    return tuple(id_ for id_ in kind.blamed(hit["blamed"]) if id_ in ids)
