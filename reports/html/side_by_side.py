"""The site of several runs: matrix, a page for each provider and assertion, behaviours; and the page of differences.

`write_matrix` and `write_diff` are the whole interface. Made from bundles, the catalogue and the programs that deviations
name as evidence.
"""

from __future__ import annotations

import re
import shutil
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tck.catalogue import Catalogue
from tck.catalogue.tier_differences import documentary_note
from tck.catalogue.versions import version_title
from tck.record.outcomes import Verdict
from tck.record.rows import Deviation
from tck.reports import show, surprises
from tck.reports.compare import (
    DeclaredGroup,
    Diff,
    Difference,
    Matrix,
    MatrixChapter,
    MatrixLine,
    RunColumn,
    SeenBehaviour,
    cause,
    causes,
    declared,
)
from tck.reports.html import paths
from tck.reports.html.frame import Frame, Page, write_assets
from tck.reports.html.pages.suite import against, provenance, row_facts
from tck.reports.html.site import write_site
from tck.reports.labels import NO_CERTIFICATES, SURPRISES, WORDS
from tck.reports.verdict_tree import AssertionNode, in_order

_FOLDERS = ("assertion", "provider", "evidence", "run")
_PROGRAM = re.compile(r"[\w.-]+\.py\b")
_CLIP = 300
_OBSERVATIONS = 3


@dataclass(frozen=True, slots=True)
class Evidence:
    """The evidence for a deviation: a command, the page of its program if there is one, a link if there is one."""

    text: str
    page: str
    link: str


@dataclass(slots=True)
class MatrixSite:
    """The data that all pages of the site share."""

    matrix: Matrix
    catalogue: Catalogue
    programs: Mapping[str, str]
    """The programs that deviations may name, by file name."""
    with_runs: bool
    frame: Frame = field(init=False)
    causes: Mapping[Hashable, tuple[str, ...]] = field(init=False)

    def __post_init__(self) -> None:
        self.causes = causes(self.matrix.columns)
        self.frame = Frame(
            [("Matrix", paths.INDEX), ("Behaviours", paths.BEHAVIOURS)],
            _common(self.matrix.columns, "provider"),
        )

    def evidence(self, deviation: Deviation) -> Evidence:
        """Return the evidence for a deviation."""
        text = deviation.evidence or ""
        program = next((name for name in _PROGRAM.findall(text) if name in self.programs), "")
        return Evidence(text, paths.evidence(program) if program else "", deviation.link or "")

    def others(self, column: RunColumn, deviation: Deviation) -> list[str]:
        """Return the keys of the other providers that declare the same cause."""
        return [key for key in self.causes[cause(deviation)] if key != column.key]

    def case(self, column: RunColumn, name: str) -> str:
        """Return the path of a case's page; empty if this site has none."""
        return paths.run(column.key) + paths.case(name) if self.with_runs else ""


def write_matrix(
    matrix: Matrix, out_dir: Path, catalogue: Catalogue, programs: Mapping[str, str], *, with_runs: bool = False
) -> Path:
    """Write the site of several runs and return the path of its first page.

    Pages of an earlier matrix in `out_dir` are removed; other files there stay.

    Args:
        matrix: The runs, side by side.
        out_dir: The folder of the site; created if missing.
        catalogue: The catalogue, for statements and sections.
        programs: The text of the programs that deviations name as evidence, by file name.
        with_runs: Also write the site of each run, and link to its cases.
    """
    for folder in _FOLDERS:
        shutil.rmtree(out_dir / folder, ignore_errors=True)
        (out_dir / folder).mkdir(parents=True)
    site = MatrixSite(matrix, catalogue, programs, with_runs)
    for page in _pages(site):
        site.frame.write(out_dir, page)
    write_assets(out_dir)
    if with_runs:
        for column in matrix.columns:
            write_site(column.run.bundle, out_dir / paths.run(column.key), catalogue)
    return out_dir / paths.INDEX


def write_diff(found: Diff, target: Path) -> Path:
    """Write one self-contained page on the differences between several runs; return its path."""
    target.parent.mkdir(parents=True, exist_ok=True)
    context = {"diff": found, "rows": [_difference(each) for each in found.differences], "verdicts": _parted(found)}
    frame = Frame([], _common(found.columns, "run"))
    frame.write(target.parent, Page(target.name, "diff", context, standalone=True))
    return target


def _common(columns: Sequence[RunColumn], noun: str) -> dict[str, Any]:
    return {"subject": show.count(len(columns), noun), "columns": columns, "not_a_certificate": NO_CERTIFICATES}


def _pages(site: MatrixSite) -> Iterator[Page]:
    yield _index(site)
    yield _behaviours(site)
    for column in site.matrix.columns:
        yield _provider(site, column)
    for chapter in site.matrix.chapters:
        for line in chapter.lines:
            yield _assertion(site, chapter, line)
    for name in sorted(_named(site)):
        yield Page(paths.evidence(name), "evidence", {"name": name, "text": site.programs[name]})


def _named(site: MatrixSite) -> set[str]:
    texts = [each.evidence or "" for column in site.matrix.columns for each in column.run.run.profile.deviations]
    return {name for text in texts for name in _PROGRAM.findall(text)}.intersection(site.programs)


def _index(site: MatrixSite) -> Page:
    matrix = site.matrix
    verdicts = {verdict for line in matrix.lines for verdict in line.verdicts if verdict}
    context = {
        "matrix": matrix,
        "verdicts": [verdict for verdict in Verdict if verdict in verdicts],
        "parted": sum(len(set(filter(None, line.verdicts))) > 1 for line in matrix.lines),
        "notices": tuple(_notices(matrix)),
        "features": _features(matrix.columns),
    }
    return Page(paths.INDEX, "matrix", context, standalone=True)


def _notices(matrix: Matrix) -> Iterator[str]:
    if len(matrix.versions) > 1:
        yield "These runs used different catalogues; a row may be worded or decided differently in them."
    for column in matrix.columns:
        run = column.run
        if run.end is None:
            yield f"{column.key}: the bundle is truncated, the run did not end."
        if run.run.selection:
            yield f"{column.key}: only a part of the suite ran: {', '.join(run.run.selection)}."
        if run.run.points == "one":
            yield f"{column.key}: only one point of each row ran (--points one)."


def _features(columns: Sequence[RunColumn]) -> list[tuple[str, list[bool]]]:
    claimed = [set(column.run.run.profile.claims.features) for column in columns]
    return [(name, [name in each for each in claimed]) for name in sorted(set().union(*claimed))]


def _behaviours(site: MatrixSite) -> Page:
    every = (section for chapter in site.matrix.chapters for section in chapter.sections)
    sections = [(each.number, each.own, [line for line in each.lines if any(line.seen)]) for each in every]
    context = {"sections": [section for section in sections if section[-1]]}
    return Page(paths.BEHAVIOURS, "behaviours", context, standalone=True)


def _provider(site: MatrixSite, column: RunColumn) -> Page:
    tree = column.tree
    looks = [
        (WORDS[verdict], [(node, *_expected_and_observed(node)) for node in tree.with_verdict(verdict)])
        for verdict in SURPRISES
        if tree.counts[verdict]
    ]
    unsupported: Counter[str] = Counter(
        feature
        for node in tree.with_verdict(Verdict.UNSUPPORTED)
        for feature in (node.row.features if node.row else ())
        if feature not in column.run.run.profile.claims.features
    )
    context = {
        "column": column,
        "tree": tree,
        "run": column.run.run,
        "against": against(column.run.run.profile),
        "claimed": version_title(column.run.run.profile.claims.version),
        "documentary": documentary_note(column.run.run.profile.tier),
        "provenance": [(label, text) for label, text in provenance(tree) if text],
        "looks": looks,
        "declared": [
            (group, site.evidence(group.deviation), _split(group), site.others(column, group.deviation))
            for group in declared(column)
        ],
        "unsupported": sorted(unsupported.items()),
        "seen": _own_behaviours(site, column),
        "waits": show.duration(sum(wait.ms for wait in column.run.waits) / 1000) if column.run.waits else "",
        "site": paths.run(column.key) + paths.INDEX if site.with_runs else "",
    }
    return Page(paths.provider(column.key), "provider", context, standalone=True)


def _split(group: DeclaredGroup) -> list[tuple[Deviation, AssertionNode | None]]:
    """Return each assertion of a group once."""
    return list({deviation.assertion: (deviation, node) for deviation, node in group.nodes}.values())


def _expected_and_observed(node: AssertionNode) -> tuple[str, str]:
    expected, observed = surprises.expected_and_observed(node.cases_with(node.verdict)[0], _CLIP)
    return expected, observed


def _own_behaviours(site: MatrixSite, column: RunColumn) -> list[tuple[MatrixLine, tuple[SeenBehaviour, ...], bool]]:
    """Return the behaviours of one provider, and whether another provider behaves differently."""
    at = site.matrix.columns.index(column)
    own = []
    for line in site.matrix.open_lines:
        seen = line.seen
        if seen[at]:
            others = {each.behaviour for place, all_ in enumerate(seen) if place != at for each in all_}
            own.append((line, seen[at], bool(others - {each.behaviour for each in seen[at]})))
    return own


def _assertion(site: MatrixSite, chapter: MatrixChapter, line: MatrixLine) -> Page:
    cell = next(cell for cell in line.cells if cell)
    sides = []
    for column, node, seen in zip(site.matrix.columns, line.cells, line.seen, strict=True):
        uses = {each.full_reason: each for each in column.run.run.profile.deviations if each.assertion == line.id}
        sides.append(
            {
                "column": column,
                "node": node,
                "seen": seen,
                "observations": _observations(site, column, node) if node else [],
                "deviations": [(each, site.evidence(each)) for each in uses.values()],
            }
        )
    context = {
        "chapter": chapter,
        "line": line,
        "section": chapter.section_of(line),
        "facts": [(label, text) for label, text in row_facts(cell) if text],
        "sides": sides,
        "share": surprises.share,
    }
    return Page(paths.assertion(line.id), "side_by_side", context)


def _observations(site: MatrixSite, column: RunColumn, node: AssertionNode) -> list[dict[str, Any]]:
    if node.verdict in {Verdict.CONFORMANT, Verdict.OBSERVATION, Verdict.UNSUPPORTED}:
        return []
    alike: dict[tuple[str, str], list[str]] = {}
    for case in node.cases_with(node.verdict):
        alike.setdefault(surprises.expected_and_observed(case, _CLIP), []).append(case.name)
    return [
        {
            "expected": expected,
            "observed": observed,
            "cases": [(name.removeprefix(f"{node.id}/"), site.case(column, name)) for name in names[:8]],
            "more": len(names) - 8,
        }
        for (expected, observed), names in list(alike.items())[:_OBSERVATIONS]
    ]


def _difference(each: Difference) -> dict[str, Any]:
    sides: list[dict[str, str] | None] = []
    for in_run in each.by_run:
        if in_run is None:
            sides.append(None)
        else:
            verdict = in_run.report.verdict
            observed = "" if verdict is Verdict.CONFORMANT else surprises.expected_and_observed(in_run.report, _CLIP)[1]
            sides.append({"verdict": verdict, "outcome": in_run.outcome, "observed": in_run.behaviour or observed})
    verdicts = " ".join(side["verdict"] if side else "-" for side in sides)
    return {"case": each.case, "flaky": each.declared_flaky, "sides": sides, "verdicts": verdicts}


def _parted(found: Diff) -> list[Verdict]:
    seen = Counter(in_run.report.verdict for each in found.differences for in_run in each.by_run if in_run)
    return [verdict for verdict, _ in in_order(seen)]
