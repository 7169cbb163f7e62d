"""The site with pages for surprises only: few files, every link leads somewhere, the search finds what is shown."""

from __future__ import annotations

import json
from pathlib import Path

import pages_read
import pytest
import synthetic_bundles as synthetic

from tck.catalogue import Catalogue
from tck.record import Bundle, Outcome
from tck.reports.html import paths, write_site
from tck.reports.labels import SURPRISES
from tck.reports.read import load


@pytest.fixture(scope="module")
def small(bundle: Bundle, catalogue: Catalogue, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_site(bundle, tmp_path_factory.mktemp("small"), catalogue, cases="surprises").parent


def test_only_surprises_and_declared_cases_have_pages(small: Path, bundle: Bundle):
    paged = {paths.case(case.name) for case in load(bundle).cases if case.verdict in {*SURPRISES, "declared"}}
    assert {f"case/{path.name}" for path in (small / "case").iterdir()} == paged
    assert 0 < len(paged) < len(bundle.cases())


def test_every_link_and_every_entry_of_the_search_leads_somewhere(small: Path, bundle: Bundle):
    pages = pages_read.read_all(small)
    text = (small / paths.SEARCH).read_text()
    entries = json.loads(text.removeprefix("window.tckSearch=").rstrip(";\n"))
    targets = [(name, target) for name, page in pages.items() for target in page.links()]
    targets += [(paths.INDEX, entry[3]) for entry in entries]
    for name, target in targets:
        if target == "data:," or target.startswith("https://example.org/"):
            continue
        path, _, anchor = target.partition("#")
        found = (small / name).parent / path if path else small / name
        assert found.resolve().is_file(), f"{name}: {target}"
        if anchor:
            assert anchor in pages[found.resolve().relative_to(small.resolve()).as_posix()].ids, f"{name}: {target}"
    titles = " ".join(entry[0] for entry in entries)
    assert all(id_ in titles for case in bundle.cases() for id_ in case.assertions)


def test_a_green_case_is_a_line_on_the_page_of_its_chapter(small: Path, bundle: Bundle):
    for case in load(bundle).cases:
        if case.verdict == "conformant" and not (small / paths.assertion(case.rows[0])).exists():
            text = pages_read.read(small / paths.chapter(f"ch{int(case.rows[0].split('.')[0]):02d}")).text
            assert case.point in text
            assert "--cases all" in text
            break
    else:
        pytest.fail("no green case in the bundle")


def test_the_site_of_a_whole_green_run_is_small(tmp_path: Path, catalogue: Catalogue):
    """Every judged row at eight points: as many cases as a whole run has."""
    made = []
    for row in catalogue.judged():
        for place in range(8):
            case = synthetic.case_row(row, f"queue/classic/auto/condition-{place}")
            made.append((case, synthetic.result_row(catalogue, case, Outcome.HELD, observed="as expected " * 9), ()))
    run = synthetic.write(tmp_path / "b", synthetic.run_row(catalogue), made)
    site = write_site(run, tmp_path / "s", catalogue, cases="surprises").parent
    files = [path for path in site.rglob("*") if path.is_file()]
    assert len(files) < 400
    assert sum(path.stat().st_size for path in files) < 15_000_000
    for path in site.rglob("*.html"):  # parsed and laid out within a second: bar H1 measures it, this counts
        text = path.read_text("utf-8")
        assert len(text) < 1_500_000, path
        assert text.count("<") - text.count("</") < 15_000, path
    assert (site / paths.SCRIPT).stat().st_size < 16_000
    assert (site / paths.SEARCH).stat().st_size < 1_000_000  # loaded when somebody searches
    assert f'<script src="../{paths.SEARCH}' not in (site / paths.chapter("ch03")).read_text("utf-8")
