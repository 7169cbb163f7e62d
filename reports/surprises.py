"""Surprises: assertions with a verdict that needs attention, the observations, and the points at which they were made.

Shared by the overview page, the terminal and the Markdown summary. Reads no events.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from tck.record.outcomes import Verdict
from tck.reports import show
from tck.reports.labels import SURPRISES, WORDS, Word
from tck.reports.read import CaseReport
from tck.reports.verdict_tree import AssertionNode, RunTree

_CLIP = 600
_NUMBER = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class SharedObservation:
    """One expectation and observation in the words of the first case, with all cases that share it.

    Numbers in the texts may differ between those cases: destinations, ids and times are new in each.
    """

    expected: str
    observed: str
    because: str
    cases: tuple[CaseReport, ...]


@dataclass(frozen=True, slots=True)
class SurpriseCard:
    """One assertion that needs a look."""

    node: AssertionNode
    also: tuple[AssertionNode, ...]
    """Other assertions with the same verdict from the same cases, or left unjudged by the same harness error."""
    observations: tuple[SharedObservation, ...]

    @property
    def share(self) -> str:
        """The number of cases and their common axes: `2 of 8 cases, each with queue`."""
        text = share(self.node)
        return f"{text}, each with {', '.join(self.node.pattern)}" if self.node.pattern else text


@dataclass(frozen=True, slots=True)
class SurpriseGroup:
    """All assertions of one surprising verdict."""

    word: Word
    total: int
    cards: tuple[SurpriseCard, ...]


def find(tree: RunTree) -> tuple[SurpriseGroup, ...]:
    """Return the surprises of a run, the most important verdict first."""
    groups = []
    for verdict in SURPRISES:
        nodes = tree.with_verdict(verdict)
        alike: dict[tuple[object, ...], list[AssertionNode]] = {}
        for node in nodes:
            alike.setdefault(_likeness(node), []).append(node)
        if nodes:
            cards = tuple(_card(first, tuple(also)) for first, *also in alike.values())
            groups.append(SurpriseGroup(WORDS[verdict], len(nodes), cards))
    return tuple(groups)


def share(node: AssertionNode) -> str:
    """Return the number of cases with the assertion's verdict: `3 of 12 cases`."""
    total, number = len(node.cases), node.counts[node.verdict]
    return show.count(total, "case") if number == total else f"{number} of {show.count(total, 'case')}"


def names(nodes: tuple[AssertionNode, ...], most: int = 8) -> str:
    """Return the ids of some assertions as text."""
    left = len(nodes) - most
    text = ", ".join(node.id for node in nodes[:most])
    return f"{text} and {left} more" if left > 0 else text


def expected_and_observed(case: CaseReport, limit: int = _CLIP) -> tuple[str, str]:
    """Return the expectation and the observation of a case, from its worst attempt."""
    attempt = case.shown
    fault = f"{attempt.error.type}: {attempt.error.text}" if attempt.error else ""
    held = "the claim held" if attempt.verdict is Verdict.STALE else ""
    observed = attempt.observed or attempt.behaviour or fault or held or str(attempt.outcome)
    return show.clip(attempt.expected or "", limit), show.clip(observed, limit)


def _likeness(node: AssertionNode) -> tuple[object, ...]:
    """Return a key that is equal for assertions that can share one card."""
    cases = node.cases_with(node.verdict)
    if node.verdict is Verdict.HARNESS_ERROR:
        return tuple(sorted({str(_sameness(case)) for case in cases}))
    return tuple(case.name for case in cases)


def _card(node: AssertionNode, also: tuple[AssertionNode, ...]) -> SurpriseCard:
    seen: dict[object, list[CaseReport]] = {}
    for case in node.cases_with(node.verdict):
        seen.setdefault(_sameness(case), []).append(case)
    return SurpriseCard(node, also, tuple(map(_observation, seen.values())))


def _observation(cases: list[CaseReport]) -> SharedObservation:
    return SharedObservation(
        *expected_and_observed(cases[0]), show.clip(cases[0].shown.explanation or "", _CLIP), tuple(cases)
    )


def _sameness(case: CaseReport) -> object:
    """Return a key that is equal for cases with the same observation."""
    texts = tuple(_NUMBER.sub("#", text) for text in expected_and_observed(case))
    return texts[1] if case.verdict is Verdict.HARNESS_ERROR else texts
