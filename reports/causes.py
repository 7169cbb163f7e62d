"""Causes: assertions that fail for one reason belong on one card. A reason is a missing member, an exception, or an observation.

An assertion whose cases fail for several reasons shares a card with those that fail for the same ones, and with no other: a second
fault hides behind none.

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
_VALUE = re.compile(r"""'[^']*'|"[^"]*"|<[^<>]*>|\[[^\[\]]*\]""")
"""Values that an observation quotes: they differ from row to row though the fault is the same."""
_CLIP = 160
_NAMED = 3
"""The most causes that the title of a card names."""


@dataclass(frozen=True, slots=True)
class Cause:
    """A reason to fail.

    Attributes:
        absent: The missing member without its interface, `create_browser`; empty for an exception.
        exception: Type and text of the exception, or what was expected and observed, without the words that vary.
        met: Whether it is a missing member or an exception, not only an observation.
    """

    absent: str
    exception: str
    met: bool = True


@dataclass(slots=True)
class Causes:
    """The causes of some assertions with one verdict, and the assertions that share each."""

    shared: Mapping[frozenset[Cause], Sequence[AssertionNode]]
    """Only those of two assertions or more, the largest first."""

    @classmethod
    def of(cls, nodes: Iterable[AssertionNode]) -> Causes:
        """Find the causes. An assertion with a case that fails for none that is known has none."""
        raw = {node.id: {_raw(case) for case in node.cases_with(node.verdict)} for node in nodes}
        lacking = defaultdict(set)
        for found in raw.values():
            for cause in found:
                if cause is not None and cause.absent:
                    lacking[cause.exception].add(cause)
        shared: dict[frozenset[Cause], list[AssertionNode]] = defaultdict(list)
        for node in nodes:
            causes = {_merged(cause, lacking) for cause in raw[node.id]}
            known = frozenset(cause for cause in causes if cause is not None)
            if known and len(known) == len(causes):
                shared[known].append(node)
        large = sorted(shared.items(), key=lambda item: -len(item[1]))
        return cls({causes: tuple(found) for causes, found in large if len(found) > 1})


def title_of(causes: frozenset[Cause], cases: Sequence[CaseReport]) -> str:
    """Return causes in a few words, `absent: Session.create_browser, JMSContext.create_browser`, the commonest first."""
    alike: dict[Cause, list[CaseReport]] = defaultdict(list)
    for case in cases:
        if (cause := _raw(case)) is not None:
            alike[cause].append(case)
    order = sorted(causes, key=lambda cause: (-len(alike[cause]), cause.absent, cause.exception))
    titles = list(dict.fromkeys(_title(cause, cases if cause.absent else alike[cause]) for cause in order))
    return "; ".join(titles[:_NAMED]) + ("; …" if len(titles) > _NAMED else "")


def _title(cause: Cause, cases: Sequence[CaseReport]) -> str:
    if not cause.absent:
        for case in cases[:1]:
            if raised := _raised(case):
                return show.one_line(": ".join(filter(None, raised)), _CLIP)
            return show.one_line(case.shown.observed or "", _CLIP)
        return show.one_line(cause.exception, _CLIP)
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
        return _observed(case)
    if not raised[1]:  # an exception without a text is no cause, unless the same call raised it
        return Cause("", f"{exception}{attempt.call}") if attempt.call else None
    return Cause("", exception)


def _observed(case: CaseReport) -> Cause | None:
    """Return what a case saw, for what is broken beside what was expected: `it was not` says nothing by itself."""
    attempt = case.shown
    if attempt.verdict is Verdict.STALE or not attempt.observed:
        return None
    texts = (attempt.expected or "", attempt.observed) if attempt.outcome is Outcome.BROKEN else (attempt.observed,)
    return Cause("", " / ".join(_VARYING.sub("#", _VALUE.sub("#", text)) for text in texts), met=False)


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
