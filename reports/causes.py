"""Causes: assertions that fail for one reason, a missing member or the same exception, belong on one card.

Shared by the surprises of every report. Reads no events.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from tck.record.outcomes import Outcome, Verdict
from tck.reports import show
from tck.reports.read import CaseReport
from tck.reports.verdict_tree import AssertionNode

_VARYING = re.compile(r"[\w.:/-]*\d[\w.:/-]*")
"""Words that differ from case to case: destinations, ids, times."""
_RAISED = re.compile(r"\b([A-Z]\w*(?:Exception|Error))(?:: (.+))?", re.DOTALL)
_CLIP = 120


@dataclass(frozen=True, slots=True)
class Cause:
    """The reason that assertions share.

    Attributes:
        absent: The missing member without its interface, `create_browser`; empty for an exception.
        exception: Type and text of the exception, without the words that vary.
    """

    absent: str
    exception: str


@dataclass(slots=True)
class Causes:
    """The causes of some assertions with one verdict, and the assertions that share each."""

    shared: Mapping[Cause, Sequence[AssertionNode]]
    """Only causes of two assertions or more, the largest first."""

    @classmethod
    def of(cls, nodes: Iterable[AssertionNode]) -> Causes:
        """Find the causes. An assertion whose cases fail for different reasons, or for none that is known, has none."""
        raw = {node.id: {_raw(case) for case in node.cases_with(node.verdict)} for node in nodes}
        lacking = defaultdict(set)
        for found in raw.values():
            for cause in found:
                if cause is not None and cause.absent:
                    lacking[cause.exception].add(cause)
        shared: dict[Cause, list[AssertionNode]] = defaultdict(list)
        for node in nodes:
            causes = {_merged(cause, lacking) for cause in raw[node.id]}
            if len(causes) == 1 and (only := causes.pop()) is not None:
                shared[only].append(node)
        large = sorted(shared.items(), key=lambda item: -len(item[1]))
        return cls({cause: tuple(found) for cause, found in large if len(found) > 1})


def title_of(cause: Cause, cases: Iterable[CaseReport]) -> str:
    """Return a cause in a few words, `absent: Session.create_browser, JMSContext.create_browser`."""
    if not cause.absent:
        seen = next((found for case in cases if (found := _raised(case)) is not None), ("", cause.exception))
        return show.one_line(": ".join(filter(None, seen)), _CLIP)
    calls = Counter(attempt.call for case in cases if (attempt := case.shown).outcome is Outcome.ABSENT)
    members = [call for call, _ in calls.most_common() if call and _method(call) == cause.absent]
    return f"absent: {', '.join(members[:3])}{', …' if len(members) > 3 else ''}"


def _merged(cause: Cause | None, lacking: Mapping[str, set[Cause]]) -> Cause | None:
    """Add an exception to the missing member that raises it, where that is one member only."""
    if cause is None or cause.absent:
        return cause
    known = lacking.get(cause.exception, set())
    return next(iter(known)) if len(known) == 1 else cause


def _raw(case: CaseReport) -> Cause | None:
    raised = _raised(case)
    exception = _VARYING.sub("#", ": ".join(raised)) if raised else ""
    attempt = case.shown
    if attempt.outcome is Outcome.ABSENT and attempt.call:
        return Cause(_method(attempt.call), exception)
    if raised is None:
        return None
    if not raised[1]:  # an exception without a text is no cause, unless the same call raised it
        return Cause("", f"{exception}{attempt.call}") if attempt.call else None
    return Cause("", exception)


def _raised(case: CaseReport) -> tuple[str, str] | None:
    """Return type and text of the exception that a case met."""
    attempt = case.shown
    if attempt.verdict is Verdict.STALE:
        return None
    if attempt.error is not None and attempt.outcome not in {Outcome.CUT, Outcome.CUT_SETUP}:
        return attempt.error.type, attempt.error.text
    found = _RAISED.search(attempt.observed or "")
    return (found[1], found[2] or "") if found else None


def _method(call: str) -> str:
    return call.rpartition(".")[2]
