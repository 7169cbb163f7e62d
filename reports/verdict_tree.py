"""The tree of verdicts: run, chapter, section, assertion, case; a parent takes the worst of its children.

Coverage is separate: see `tck.reports.row_coverage`. May import `tck.catalogue`; reads no events.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from tck.catalogue import Assertion, Catalogue
from tck.catalogue.citations import Citation, OwnSections
from tck.catalogue.sections import chapter_number, chapter_title, reading_order, section_title
from tck.record.outcomes import Verdict, worst
from tck.reports.labels import rank
from tck.reports.read import CaseReport, RunReport


@dataclass(frozen=True, slots=True)
class AssertionNode:
    """One assertion with the cases that judged it; `row` is None when this catalogue does not know the id."""

    id: str
    row: Assertion | None
    cases: tuple[CaseReport, ...]
    verdict: Verdict
    counts: Counter[Verdict]
    """Cases by their verdict on this assertion."""
    own: Citation
    """Its place in the text of the version that the run is judged by."""

    @property
    def title(self) -> str:
        """The name of the row, as words."""
        return self.row.title.replace("-", " ") if self.row else "not in this catalogue"

    @property
    def statement(self) -> str:
        """The obligation."""
        return self.row.statement if self.row else "This catalogue does not contain the row; the run used another one."

    @property
    def level(self) -> str:
        """MUST, SHOULD, MAY or UNDEFINED; empty when the row is unknown."""
        return str(self.row.level) if self.row else ""

    @property
    def section(self) -> str:
        """The section of Jakarta Messaging 3.1."""
        return self.row.section if self.row else self.id.rpartition("-")[0]

    @property
    def pattern(self) -> tuple[str, ...]:
        """The axes that the cases with the worst verdict share and the others do not, for instance `queue`, `client`."""
        worst_cases = self.cases_with(self.verdict)
        if len(worst_cases) in {0, len(self.cases)}:
            return ()
        shared = set(worst_cases[0].case.axes.items()).intersection(*(case.case.axes.items() for case in worst_cases))
        telling = shared - set(self.cases[0].case.axes.items()).intersection(
            *(case.case.axes.items() for case in self.cases)
        )
        return tuple(place for axis, place in worst_cases[0].case.axes.items() if (axis, place) in telling)

    def cases_with(self, verdict: Verdict) -> tuple[CaseReport, ...]:
        """Return the cases with one verdict on this assertion."""
        return tuple(case for case in self.cases if case.verdict_of(self.id) == verdict)


@dataclass(frozen=True, slots=True)
class SectionNode:
    """One section with its assertions."""

    number: str
    title: str
    assertions: tuple[AssertionNode, ...]
    verdict: Verdict
    counts: Counter[Verdict]
    """Assertions by verdict."""
    own: Citation
    """Where the version that the run is judged by states its assertions."""


@dataclass(frozen=True, slots=True)
class ChapterNode:
    """One chapter with its sections."""

    key: str
    number: str
    title: str
    sections: tuple[SectionNode, ...]
    verdict: Verdict
    counts: Counter[Verdict]
    """Assertions by verdict."""
    cases: int
    own: Citation
    """Where the version that the run is judged by states most of its assertions."""

    @property
    def assertions(self) -> tuple[AssertionNode, ...]:
        """All assertions of the chapter, in order."""
        return tuple(node for section in self.sections for node in section.assertions)


@dataclass(frozen=True, slots=True)
class RunTree:
    """The whole run as a tree; `own` cites the version that the run is judged by."""

    run: RunReport
    own: OwnSections
    chapters: tuple[ChapterNode, ...]
    verdict: Verdict | None
    """The worst verdict; None when nothing ran."""
    counts: Counter[Verdict]
    """Assertions by verdict."""
    case_counts: Counter[Verdict]
    """Cases by verdict."""
    by_id: dict[str, AssertionNode] = field(repr=False)

    @property
    def assertions(self) -> tuple[AssertionNode, ...]:
        """All assertions of the run, in order."""
        return tuple(node for chapter in self.chapters for node in chapter.assertions)

    def with_verdict(self, verdict: Verdict) -> tuple[AssertionNode, ...]:
        """Return the assertions with one verdict, in order."""
        return tuple(node for node in self.assertions if node.verdict == verdict)


def in_order(counts: Counter[Verdict]) -> list[tuple[Verdict, int]]:
    """Return the verdicts that occur and their counts, worst first."""
    return [(verdict, counts[verdict]) for verdict in Verdict if counts[verdict]]


def build(run: RunReport, catalogue: Catalogue) -> RunTree:
    """Build the tree of a run."""
    own = OwnSections.of(run.run.profile.tier)
    judged: dict[str, list[CaseReport]] = {}
    for case in run.cases:
        for identifier in case.rows:
            judged.setdefault(identifier, []).append(case)
    nodes = [_assertion(identifier, catalogue, cases, own) for identifier, cases in judged.items()]
    nodes.sort(key=lambda node: reading_order(node.id))
    chapters: dict[str, dict[str, list[AssertionNode]]] = {}
    for node in nodes:
        chapters.setdefault(_chapter_of(node), {}).setdefault(node.section, []).append(node)
    return RunTree(
        run=run,
        own=own,
        chapters=tuple(_chapter(key, sections, own) for key, sections in sorted(chapters.items())),
        verdict=worst(case.verdict for case in run.cases) if run.cases else None,
        counts=Counter(node.verdict for node in nodes),
        case_counts=Counter(case.verdict for case in run.cases),
        by_id={node.id: node for node in nodes},
    )


def _assertion(identifier: str, catalogue: Catalogue, cases: Iterable[CaseReport], own: OwnSections) -> AssertionNode:
    ordered = tuple(sorted(cases, key=lambda case: (rank(case.verdict_of(identifier)), reading_order(case.name))))
    counts = Counter(case.verdict_of(identifier) for case in ordered)
    row = catalogue.get(identifier)
    cited = own.row(row) if row else own.section(identifier.rpartition("-")[0], ())
    return AssertionNode(identifier, row, ordered, worst(counts), counts, cited)


def _chapter_of(node: AssertionNode) -> str:
    if node.row:
        return node.row.chapter
    first = node.section.partition(".")[0]
    return f"ch{int(first):02d}" if first.isdigit() else first


def _chapter(key: str, sections: dict[str, list[AssertionNode]], own: OwnSections) -> ChapterNode:
    nodes = tuple(
        _section(number, tuple(assertions), own)
        for number, assertions in sorted(sections.items(), key=lambda item: reading_order(item[0]))
    )
    counts: Counter[Verdict] = Counter()
    for node in nodes:
        counts += node.counts
    cases = {case.name for section in nodes for node in section.assertions for case in node.cases}
    cited = own.chapter(key, (node.row for section in nodes for node in section.assertions))
    return ChapterNode(key, chapter_number(key), chapter_title(key), nodes, worst(counts), counts, len(cases), cited)


def _section(number: str, assertions: tuple[AssertionNode, ...], own: OwnSections) -> SectionNode:
    counts = Counter(node.verdict for node in assertions)
    cited = own.section(number, (node.row for node in assertions))
    return SectionNode(number, section_title(number), assertions, worst(counts), counts, cited)
