"""Surprises: assertions with a verdict that needs attention, the observations, and the points at which they were made.

Assertions that share a cause share a card, and those cards come first.

Shared by the overview page, the terminal and the Markdown summary. Reads no events.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tck.record.outcomes import Verdict
from tck.reports import show
from tck.reports.causes import Cause, Causes, title_of
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
    cause: str = ""
    """The reason that all of them share, `absent: Session.create_browser`; empty if it is not known."""

    @property
    def nodes(self) -> tuple[AssertionNode, ...]:
        """All assertions of the card."""
        return (self.node, *self.also)

    @property
    def heading(self) -> str:
        """The cause and its extent: `absent: Session.create_browser, 72 assertions in 340 cases`."""
        return f"{self.cause}, {self.extent}"

    @property
    def extent(self) -> str:
        """The number of its assertions and cases: `72 assertions in 340 cases`."""
        return f"{show.count(len(self.nodes), 'assertion')} in {show.count(len(self.cases), 'case')}"

    @property
    def cases(self) -> tuple[CaseReport, ...]:
        """All cases of its observations."""
        return tuple(case for observation in self.observations for case in observation.cases)

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
        if not nodes:
            continue
        shared = Causes.of(nodes).shared
        cards = [_cause_card(causes, alike) for causes, alike in shared.items()]
        known = {node.id for alike in shared.values() for node in alike}
        left: dict[tuple[object, ...], list[AssertionNode]] = {}
        for node in nodes:
            if node.id not in known:
                left.setdefault(_likeness(node), []).append(node)
        cards += [_card(first, tuple(also)) for first, *also in left.values()]
        groups.append(SurpriseGroup(WORDS[verdict], len(nodes), tuple(cards)))
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
    return SurpriseCard(node, also, _observations(node.cases_with(node.verdict)))


def _cause_card(causes: frozenset[Cause], nodes: Sequence[AssertionNode]) -> SurpriseCard:
    cases = list({case.name: case for node in nodes for case in node.cases_with(node.verdict)}.values())
    alike = len({tuple(case.name for case in node.cases_with(node.verdict)) for node in nodes}) == 1
    one = alike and (len(cases) == 1 or not any(cause.met for cause in causes))
    title = "" if one else title_of(causes, cases)  # rows of the same cases: what these saw says all
    seen = sorted(_observations(cases), key=lambda observation: -len(observation.cases))
    return SurpriseCard(nodes[0], tuple(nodes[1:]), tuple(seen), title)


def _observations(cases: Iterable[CaseReport]) -> tuple[SharedObservation, ...]:
    seen: dict[object, list[CaseReport]] = {}
    for case in cases:
        seen.setdefault(_sameness(case), []).append(case)
    return tuple(map(_observation, seen.values()))


def _observation(cases: list[CaseReport]) -> SharedObservation:
    return SharedObservation(
        *expected_and_observed(cases[0]), show.clip(cases[0].shown.explanation or "", _CLIP), tuple(cases)
    )


def _sameness(case: CaseReport) -> object:
    """Return a key that is equal for cases with the same observation."""
    texts = tuple(_NUMBER.sub("#", text) for text in expected_and_observed(case))
    return texts[1] if case.verdict is Verdict.HARNESS_ERROR else texts
