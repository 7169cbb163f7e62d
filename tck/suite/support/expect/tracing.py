"""The judgement over all recorded events of a case: the properties of `tck.check`."""

from __future__ import annotations

from collections.abc import Iterable

from tck.suite.support.harness.current import current_case
from tck.suite.support.harness.outcome import Broken, Undecided
from tck.suite.support.values.colours import matches


def trace(*properties: str) -> None:
    """Demand that the recorded events of the case keep these properties of `tck.check`.

    A property without obligations leaves the case undecided: the test did not provoke the situation.
    """
    from tck.check import Margins, judge_events  # noqa: PLC0415 - numpy is loaded with the first trace, not with the suite

    case = current_case()
    results = judge_events(
        case.evidence.events,
        properties=list(properties),
        margins=Margins(tolerance=max(1, case.timing.tolerance)),
        matches=matches,
    )
    for result in results:
        claim = f"the trace keeps {result.name}"
        case.marks.expected.append(claim)
        if result.violations:
            first = result.violations[0]
            raise Broken(first.text, expected=claim, explanation=_stories(result.violations), cites=first.cites)
        if not result.obligations:
            raise Undecided(f"the trace holds nothing that {result.name} could judge", expected=claim)
        case.witness(f"{result.name}: {result.obligations} obligations kept")


def _stories(findings: Iterable[object]) -> str:
    return "\n".join(str(getattr(finding, "text", finding)) for finding in findings)
