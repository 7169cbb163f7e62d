"""Several runs side by side: verdicts by assertion, behaviour where the specification is open, and differences by case.

A *column* is a run, usually the newest of a provider. Reads no events; verdicts are those of the runs.
"""

from __future__ import annotations

import fnmatch
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from tck.catalogue import Assertion, Catalogue
from tck.catalogue.citations import Citation, chapter_across, cited_across
from tck.catalogue.sections import chapter_number, chapter_title, reading_order, section_title
from tck.record.outcomes import Declared, Outcome, Verdict, worst
from tck.record.rows import Deviation
from tck.reports.changes import is_stable
from tck.reports.read import CaseReport, RunReport
from tck.reports.verdict_tree import AssertionNode, RunTree, build


@dataclass(frozen=True, slots=True)
class RunColumn:
    """One run among several. `key` is short, unique among them and usable as a file name."""

    key: str
    tree: RunTree

    @property
    def run(self) -> RunReport:
        """The run itself."""
        return self.tree.run

    @property
    def label(self) -> str:
        """The provider and its version, as the run names it."""
        return self.run.run.profile.title or self.run.subject


@dataclass(frozen=True, slots=True)
class SeenBehaviour:
    """A behaviour that the specification leaves open, and the cases that showed it."""

    behaviour: str
    cases: tuple[CaseReport, ...]
    total: int
    """Cases of the same assertion in the same run."""

    @property
    def where(self) -> str:
        """The points that showed it; empty if all of them did."""
        if len(self.cases) == self.total:
            return ""
        shown = ", ".join(case.point for case in self.cases[:4])
        return f"{shown} and {len(self.cases) - 4} more" if len(self.cases) > 4 else shown


@dataclass(frozen=True, slots=True)
class MatrixLine:
    """One assertion over all columns; a cell is None where the run had no case of it."""

    id: str
    row: Assertion | None
    cells: tuple[AssertionNode | None, ...]

    @property
    def title(self) -> str:
        """The name of the row, as words."""
        return next((cell.title for cell in self.cells if cell), self.id)

    @property
    def statement(self) -> str:
        """The obligation."""
        return next((cell.statement for cell in self.cells if cell), "")

    @property
    def level(self) -> str:
        """MUST, SHOULD, MAY or UNDEFINED; empty when the catalogue does not know the row."""
        return str(self.row.level) if self.row else ""

    @property
    def verdicts(self) -> tuple[Verdict | None, ...]:
        """The verdict of each column."""
        return tuple(cell.verdict if cell else None for cell in self.cells)

    @property
    def seen(self) -> tuple[tuple[SeenBehaviour, ...], ...]:
        """The behaviours of each column, the most frequent first; empty where none was recorded."""
        return tuple(tuple(_behaviours(cell)) if cell else () for cell in self.cells)


@dataclass(frozen=True, slots=True)
class MatrixSection:
    """A section of the specification and its assertions."""

    number: str
    title: str
    lines: tuple[MatrixLine, ...]
    own: Citation
    """Where the versions that the runs are judged by state its assertions."""


@dataclass(frozen=True, slots=True)
class MatrixChapter:
    """A chapter: its sections and the verdict of each column, None where a run had no case of it."""

    key: str
    number: str
    title: str
    sections: tuple[MatrixSection, ...]
    counts: tuple[Counter[Verdict], ...]
    """Assertions by verdict, for each column."""
    own: Citation
    """Where the versions that the runs are judged by state most of its assertions."""

    @property
    def verdicts(self) -> tuple[Verdict | None, ...]:
        """The worst verdict of each column."""
        return tuple(worst(counts) if counts else None for counts in self.counts)

    @property
    def lines(self) -> tuple[MatrixLine, ...]:
        """All assertions of the chapter, in order."""
        return tuple(line for section in self.sections for line in section.lines)

    def section_of(self, line: MatrixLine) -> MatrixSection:
        """Return the section of an assertion of the chapter."""
        return next(section for section in self.sections if line in section.lines)


@dataclass(frozen=True, slots=True)
class Matrix:
    """Providers by assertions."""

    columns: tuple[RunColumn, ...]
    chapters: tuple[MatrixChapter, ...]

    @property
    def lines(self) -> tuple[MatrixLine, ...]:
        """All assertions, in order."""
        return tuple(line for chapter in self.chapters for line in chapter.lines)

    @property
    def open_lines(self) -> tuple[MatrixLine, ...]:
        """The assertions for which some run recorded a behaviour."""
        return tuple(line for line in self.lines if any(line.seen))

    @property
    def versions(self) -> tuple[str, ...]:
        """The catalogues that the runs were made with."""
        return tuple(sorted({column.run.run.catalogue.digest for column in self.columns}))


@dataclass(frozen=True, slots=True)
class DeclaredGroup:
    """Declared deviations with the same reason and evidence, and the cases that failed as declared."""

    nodes: tuple[tuple[Deviation, AssertionNode | None], ...]
    cases: int
    stale: int
    """Cases that held although the profile declares that they fail."""

    @property
    def deviation(self) -> Deviation:
        """The first of them; reason, link and evidence are the same in all."""
        return self.nodes[0][0]


@dataclass(frozen=True, slots=True)
class CaseInRun:
    """One case in one run; runs agree on it if `comparable_part` is equal."""

    outcome: Outcome
    verdicts: tuple[tuple[str, Verdict], ...]
    behaviour: str
    report: CaseReport

    @property
    def comparable_part(self) -> Hashable:
        """The part that must be equal for two runs to agree on the case."""
        return self.outcome, self.verdicts, self.behaviour

    @property
    def as_declared(self) -> bool:
        """Whether the case held, or failed and is declared as flaky."""
        use = self.report.shown.deviation
        flaky = use is not None and use.outcome == Declared.FLAKY
        return self.outcome is Outcome.HELD or (self.report.verdict is Verdict.DECLARED and flaky)


@dataclass(frozen=True, slots=True)
class Difference:
    """A case on which runs differ; `by_run` holds None for a run without the case."""

    case: str
    by_run: tuple[CaseInRun | None, ...]

    @property
    def declared_flaky(self) -> bool:
        """Whether the case held in some runs, and in the others failed and is declared as flaky."""
        return all(in_run is not None and in_run.as_declared for in_run in self.by_run)


@dataclass(frozen=True, slots=True)
class Diff:
    """The differences between several runs."""

    columns: tuple[RunColumn, ...]
    total: int
    """Cases over all runs."""
    differences: tuple[Difference, ...]
    circumstances: tuple[tuple[str, tuple[str, ...]], ...]
    """Circumstances that differ between the runs: a name, and a value for each run."""

    @property
    def agree(self) -> bool:
        """Whether only declared flaky cases differ."""
        return all(difference.declared_flaky for difference in self.differences)


def columns(runs: Iterable[RunReport], catalogue: Catalogue) -> tuple[RunColumn, ...]:
    """Give each run a key: the name of its profile, followed by the run id where several share a profile."""
    reports = tuple(runs)
    often = Counter(report.run.profile.name for report in reports)
    keys: list[str] = []
    for report in reports:
        name = report.run.profile.name
        key = name if often[name] == 1 else f"{name}-{report.run.run}"
        keys.append(key if key not in keys else f"{key}-{len(keys) + 1}")
    return tuple(RunColumn(key, build(report, catalogue)) for key, report in zip(keys, reports, strict=True))


def matrix(across: Sequence[RunColumn], catalogue: Catalogue) -> Matrix:
    """Return the assertions of several runs side by side, in the order of the specification."""
    ids = sorted({identifier for column in across for identifier in column.tree.by_id}, key=reading_order)
    chapters: dict[str, dict[str, list[MatrixLine]]] = {}
    for identifier in ids:
        line = MatrixLine(
            identifier, catalogue.get(identifier), tuple(column.tree.by_id.get(identifier) for column in across)
        )
        cell = next(cell for cell in line.cells if cell)
        chapters.setdefault(_chapter_of(line, cell), {}).setdefault(cell.section, []).append(line)
    tiers = [column.run.run.profile.tier for column in across]
    return Matrix(tuple(across), tuple(_chapter(key, sections, tiers) for key, sections in sorted(chapters.items())))


def _chapter_of(line: MatrixLine, cell: AssertionNode) -> str:
    if line.row:
        return line.row.chapter
    first = cell.section.partition(".")[0]
    return f"ch{int(first):02d}" if first.isdigit() else first


def _chapter(key: str, sections: dict[str, list[MatrixLine]], tiers: Sequence[str]) -> MatrixChapter:
    made = tuple(
        MatrixSection(
            number, section_title(number), tuple(lines), cited_across(tiers, number, [line.row for line in lines])
        )
        for number, lines in sorted(sections.items(), key=lambda item: reading_order(item[0]))
    )
    verdicts = zip(*(line.verdicts for section in made for line in section.lines), strict=True)
    counts = tuple(Counter(verdict for verdict in each if verdict) for each in verdicts)
    cited = chapter_across(tiers, key, [line.row for section in made for line in section.lines])
    return MatrixChapter(key, chapter_number(key), chapter_title(key), made, counts, cited)


def _behaviours(cell: AssertionNode) -> Iterator[SeenBehaviour]:
    own = [case for case in cell.cases if case.case.assertions[0] == cell.id]
    seen: dict[str, list[CaseReport]] = {}
    for case in own:
        if case.shown.behaviour:
            seen.setdefault(case.shown.behaviour, []).append(case)
    for behaviour, cases in sorted(seen.items(), key=lambda item: (-len(item[1]), item[0])):
        yield SeenBehaviour(behaviour, tuple(sorted(cases, key=lambda case: reading_order(case.name))), len(own))


def declared(column: RunColumn) -> tuple[DeclaredGroup, ...]:
    """Group the declared deviations of a run's profile by reason, in the order of the specification."""
    groups: dict[tuple[str, str | None, str | None, str], list[Deviation]] = {}
    for deviation in sorted(column.run.run.profile.deviations, key=lambda each: reading_order(each.assertion)):
        key = deviation.full_reason, deviation.link, deviation.evidence, deviation.outcome
        groups.setdefault(key, []).append(deviation)
    return tuple(
        DeclaredGroup(
            tuple((each, column.tree.by_id.get(each.assertion)) for each in together),
            _covered(column, together, Verdict.DECLARED),
            _covered(column, together, Verdict.STALE),
        )
        for together in groups.values()
    )


def cause(deviation: Deviation) -> Hashable:
    """Return the cause of a declared deviation: what its program shows, on whichever provider, else its reason."""
    program, *words = (deviation.evidence or "-").split()
    return (program, *words[1:]) if program.endswith(".py") else deviation.full_reason


def causes(across: Sequence[RunColumn]) -> dict[Hashable, tuple[str, ...]]:
    """Return the keys of the providers that declare each cause: a parser that four products share is one cause."""
    found: dict[Hashable, dict[str, None]] = {}
    for column in across:
        for deviation in column.run.run.profile.deviations:
            found.setdefault(cause(deviation), {})[column.key] = None
    return {each: tuple(keys) for each, keys in found.items()}


def _covered(column: RunColumn, deviations: Iterable[Deviation], verdict: Verdict) -> int:
    """Count the cases with one verdict that the deviations cover."""
    nodes = ((each, column.tree.by_id.get(each.assertion)) for each in deviations)
    return sum(
        fnmatch.fnmatchcase(case.name, each.cases) for each, node in nodes if node for case in node.cases_with(verdict)
    )


def diff(across: Sequence[RunColumn]) -> Diff:
    """Compare runs case by case.

    Two runs agree on a case when its outcome, its verdict on each assertion and its recorded behaviour are the same. The
    text of the observation may differ, since destinations, ids and times are new in each run.
    """
    names = sorted({case.name for column in across for case in column.run.cases}, key=reading_order)
    by_name = [{case.name: case for case in column.run.cases} for column in across]
    differences = []
    for name in names:
        by_run = tuple(_case_in_run(cases.get(name)) for cases in by_name)
        if not is_stable(in_run.comparable_part if in_run else None for in_run in by_run):
            differences.append(Difference(name, by_run))
    return Diff(tuple(across), len(names), tuple(differences), tuple(_circumstances(across)))


def _case_in_run(case: CaseReport | None) -> CaseInRun | None:
    if case is None:
        return None
    verdicts = tuple((identifier, case.verdict_of(identifier)) for identifier in case.rows)
    return CaseInRun(case.shown.outcome, verdicts, case.shown.behaviour or "", case)


def _circumstances(across: Sequence[RunColumn]) -> Iterator[tuple[str, tuple[str, ...]]]:
    rows = [column.run.run for column in across]
    values = {
        "profile": [row.profile.name for row in rows],
        "profile digest": [row.profile.digest for row in rows],
        "provider": [column.run.subject for column in across],
        "tier": [row.profile.tier for row in rows],
        "catalogue": [row.catalogue.digest for row in rows],
        "kit": [row.kit.version for row in rows],
        "python": [row.environment.python for row in rows],
        "platform": [row.environment.platform for row in rows],
        "workers": [str(row.environment.workers) for row in rows],
        "selection": [", ".join(row.selection) or "everything" for row in rows],
        "points": [row.points for row in rows],
        "seed": [str(row.seed) for row in rows],
    }
    return ((name, tuple(each)) for name, each in values.items() if len(set(each)) > 1)
