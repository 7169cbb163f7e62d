"""Write the whole site: which pages there are, in which order, and how they are written.

The overview and the pages of surprising cases carry style and script inside, since those are the pages that people
attach to a ticket; all others share two files beside them. May import `tck.record` and `tck.catalogue`.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from reports.html import pages, parallel, paths
from reports.html.casepage import case_page
from reports.html.detection import Detection
from reports.html.frame import Page, write_assets
from reports.html.pages import Site
from reports.model import RunTree, build
from reports.read import load
from reports.words import SURPRISES
from reports.workload import Workload, is_workload
from tck.catalogue import Catalogue
from tck.record.reader import Bundle

_FOLDERS = ("assertion", "case", "chapter", "finding")


def write_site(bundle: Bundle, out_dir: Path, catalogue: Catalogue, detection: Mapping[str, Any] | None = None) -> Path:
    """Write the report of a bundle and return the path of its first page.

    Pages that an earlier report left in `out_dir` are removed; other files there stay.

    Args:
        bundle: The bundle, opened.
        out_dir: The folder of the site; made if it is not there.
        catalogue: The catalogue, for statements and sections.
        detection: What `detect --format json` printed, for the detection page.
    """
    for folder in _FOLDERS:
        shutil.rmtree(out_dir / folder, ignore_errors=True)
        (out_dir / folder).mkdir(parents=True)
    for name in (paths.COVERAGE, paths.DETECTION):
        (out_dir / name).unlink(missing_ok=True)
    tree = build(load(bundle), catalogue)
    if is_workload(bundle):
        _write_workload(out_dir, tree, catalogue)
    else:
        _write_suite(out_dir, Site(tree, catalogue, Detection.read(detection) if detection is not None else None))
    write_assets(out_dir)
    return out_dir / paths.INDEX


def _write_suite(out_dir: Path, site: Site) -> None:
    for page in _pages(site):
        site.frame.write(out_dir, page)
    parallel.each(
        site.tree.run.cases,
        lambda case: site.frame.write(out_dir, case_page(site, case, standalone=case.verdict in SURPRISES)),
    )


def _write_workload(out_dir: Path, tree: RunTree, catalogue: Catalogue) -> None:
    from reports.html import workload_pages  # noqa: PLC0415 - loads numpy, which no other page needs

    workload = Workload(tree.run)
    site = Site(tree, catalogue, None, workload)
    for chapter in tree.chapters:
        site.frame.write(out_dir, pages.chapter(site, chapter))
        for node in chapter.assertions:
            site.frame.write(out_dir, pages.assertion(site, chapter, node))
    for page in workload_pages.build(site, workload):
        site.frame.write(out_dir, page)


def _pages(site: Site) -> Iterator[Page]:
    yield pages.overview(site)
    for chapter in site.tree.chapters:
        yield pages.chapter(site, chapter)
        for node in chapter.assertions:
            yield pages.assertion(site, chapter, node)
    yield pages.coverage(site)
    if site.detection:
        yield pages.detection(site, site.detection)
