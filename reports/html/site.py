"""Write the site of a run: all its pages, in several processes.

The overview and the pages of surprising cases contain style and script, since people attach them to tickets; the other pages
share two files. May import `tck.record` and `tck.catalogue`.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from tck.catalogue import Catalogue
from tck.record.reader import Bundle
from tck.reports.case_evidence import read_evidence
from tck.reports.html import parallel, paths, templating
from tck.reports.html.detection import Detection
from tck.reports.html.frame import Page, write_assets
from tck.reports.html.pages import suite
from tck.reports.html.pages.case import case_page
from tck.reports.html.pages.reference_case import ReferenceRun
from tck.reports.html.pages.scenarios import has_scenarios, scenarios
from tck.reports.html.pages.suite import Site
from tck.reports.html.pages.trends import trends_page
from tck.reports.html.search_index import write_index
from tck.reports.html.site_paths import ALL
from tck.reports.labels import SURPRISES
from tck.reports.official_ids import ApiType, held_api_table
from tck.reports.read import CaseReport, load
from tck.reports.trends import of_store
from tck.reports.verdict_tree import build
from tck.reports.workload_report import Workload, is_workload

_FOLDERS = ("assertion", "case", "chapter", "finding")


def write_site(
    bundle: Bundle,
    out_dir: Path,
    catalogue: Catalogue,
    detection: Mapping[str, Any] | None = None,
    history: Path | None = None,
    cases: str = ALL,
    reference: Bundle | None = None,
) -> Path:
    """Write the report of a bundle and return the path of its first page.

    Pages of an earlier report in `out_dir` are removed; other files there stay.

    Args:
        bundle: The bundle, opened.
        out_dir: The folder of the site; created if missing.
        catalogue: The catalogue, for statements and sections.
        detection: The output of `detect --format json`, for the detection page.
        history: The folder of a history store, for trends.
        reference: A run of the reference provider, whose cases are shown beside those that need attention.
        cases: Which cases have pages of their own: `all`, or `surprises`, where the others are lines on the pages of chapters.

    Raises:
        HistoryError: The history cannot be used; nothing was written.
    """
    tree = build(load(bundle), catalogue)
    trends = of_store(history, bundle, tree, catalogue) if history is not None else None
    for folder in _FOLDERS:
        shutil.rmtree(out_dir / folder, ignore_errors=True)
        (out_dir / folder).mkdir(parents=True)
    for name in (paths.COVERAGE, paths.DETECTION, paths.SCENARIOS, paths.TRENDS):
        (out_dir / name).unlink(missing_ok=True)
    if is_workload(bundle):
        _write_workload(out_dir, Site(tree, catalogue, None, Workload(tree.run), trends))
    else:
        found = Detection.read(detection) if detection is not None else None
        beside = ReferenceRun.of(reference) if reference is not None else None
        _write_suite(
            out_dir, Site(tree, catalogue, found, None, trends, cases, beside), held_api_table(catalogue, bundle)
        )
    write_assets(out_dir)
    return out_dir / paths.INDEX


def prepare() -> None:
    """Compile the templates of the case pages, which takes a tenth of a second."""
    for name in ("base", "macros", "case"):
        templating.template(name)


def _write_suite(out_dir: Path, site: Site, official: Sequence[ApiType]) -> None:
    prepare()  # once, for all processes

    def write_page(make: Callable[[], Page]) -> None:
        site.frame.write(out_dir, make())

    def write_case(report: CaseReport) -> None:
        evidence = read_evidence(site.tree.run, report)
        site.frame.write(out_dir, case_page(site, evidence, standalone=report.verdict in SURPRISES))

    work = [partial(write_page, make) for make in _pages(site)]
    work += [partial(write_case, report) for report in site.tree.run.cases if site.paths.has_case(report)]
    parallel.each(work, lambda write: write())
    site.frame.write(out_dir, suite.coverage(site, official))
    write_index(out_dir, site.tree, site.paths)


def _write_workload(out_dir: Path, site: Site) -> None:
    from tck.reports.html.pages import workload as workload_pages  # noqa: PLC0415 - loads numpy, which no other page needs

    for make in (*_rows(site), *_further(site)):
        site.frame.write(out_dir, make())
    for page in workload_pages.build(site):
        site.frame.write(out_dir, page)


def _pages(site: Site) -> Iterator[Callable[[], Page]]:
    yield partial(suite.overview, site)
    yield from _rows(site)
    if has_scenarios(site):
        yield partial(scenarios, site)
    if site.detection:
        yield partial(suite.detection, site, site.detection)
    yield from _further(site)


def _rows(site: Site) -> Iterator[Callable[[], Page]]:
    for chapter in site.tree.chapters:
        yield partial(suite.chapter, site, chapter)
        for node in chapter.assertions:
            if site.paths.has_assertion(node):
                yield partial(suite.assertion, site, chapter, node)


def _further(site: Site) -> Iterator[Callable[[], Page]]:
    if site.trends:
        yield partial(trends_page, site.trends, site.tree)
