"""A run by an older version, or by a documentary tier, is reported in that version's words, whatever reads the report."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from xml.etree import ElementTree as ET

import pages_read
import pytest
import synthetic_bundles as synthetic

from tck.catalogue import Catalogue
from tck.catalogue.tier_differences import documentary_note, rows_of, tier_note, tier_notes
from tck.catalogue.versions import BY_NAME
from tck.record import Bundle, Outcome
from tck.reports import unrun
from tck.reports.compare import columns, matrix
from tck.reports.export import allure, annotations, badge, junit, markdown
from tck.reports.export import json as json_export
from tck.reports.export.terminal import render_run
from tck.reports.headline import headline
from tck.reports.html import paths, write_site
from tck.reports.html.side_by_side import write_matrix
from tck.reports.read import load
from tck.reports.row_coverage import measure
from tck.reports.verdict_tree import build

OWN = "4.3.5 Closing a connection (3.1: 6.1.8)"
UNNUMBERED = "no section of its own in JMS 1.1 (3.1: "
DOCUMENTARY = [version.name for version in BY_NAME.values() if version.documentary]


def judged_by(folder: Path, catalogue: Catalogue, tier: str, ids: tuple[str, ...], name: str = "acme") -> Bundle:
    recorded = []
    for row in (catalogue[id_] for id_ in ids):
        case = synthetic.case_row(row)
        recorded.append(
            (case, synthetic.result_row(catalogue, case, Outcome.BROKEN, expected="x", observed=row.statement), ())
        )
    run = synthetic.run_row(catalogue)
    claims = dataclasses.replace(run.profile.claims, version="1.1")
    return synthetic.write(
        folder / f"{name}-{tier}",
        dataclasses.replace(
            run, run=f"run-{name}-{tier}", profile=dataclasses.replace(run.profile, name=name, tier=tier, claims=claims)
        ),
        recorded,
    )


@pytest.fixture
def unnumbered(catalogue: Catalogue) -> str:
    """A rule in force in 1.1 that its text does not number."""
    return next(row.id for row in catalogue.judged() if row.applies_to("1.1") and "1.1" not in row.sections)


@pytest.fixture
def old(tmp_path: Path, catalogue: Catalogue, unnumbered: str) -> Bundle:
    return judged_by(tmp_path, catalogue, "1.1", ("6.1.8-1", unnumbered))


def test_the_terminal_names_chapters_and_failures_in_the_own_version(old: Bundle, catalogue: Catalogue):
    text = render_run(old, catalogue, width=200, lines=None)
    assert "\n 4 Common facilities (3.1: 6) " in text
    assert f"section  {OWN}" in text
    assert UNNUMBERED in text
    narrow = render_run(old, catalogue, width=50, lines=None)
    assert "\n 4 (3.1: 6) " in narrow


def test_junit_markdown_allure_annotations_and_json_say_the_same(old: Bundle, catalogue: Catalogue, tmp_path: Path):
    root = ET.parse(junit.write(old, tmp_path / "junit.xml", catalogue)).getroot()  # noqa: S314 - our own file
    assert OWN in [suite.get("name") for suite in root]
    assert any(f"section   6.1.8-1 {OWN}" in (each.text or "") for each in root.iter("failure"))
    text = markdown.render(old, catalogue)
    assert "| 4 Common facilities (3.1: 6) |" in text
    assert f"; {OWN})" in text
    folder = allure.write(old, tmp_path / "allure", catalogue)
    labels = [label for each in folder.glob("*-result.json") for label in json.loads(each.read_text())["labels"]]
    assert {"name": "epic", "value": "4 Common facilities (3.1: 6)"} in labels
    assert {"name": "feature", "value": OWN} in labels
    assert f"section {OWN}" in annotations.github(old, catalogue)
    document = json_export.render(old, catalogue)
    chapter = next(each for each in document["chapters"] if each["chapter"] == "ch06")
    assert (chapter["own"], chapter["title"]) == ("4 Common facilities (3.1: 6)", "Connections and sessions")
    assert OWN in [section["own"] for section in chapter["sections"]]


def test_no_page_speaks_of_a_version_that_never_was_or_gives_the_newest_number_alone(
    old: Bundle, catalogue: Catalogue, tmp_path: Path, unnumbered: str
):
    site = pages_read.read_all(write_site(old, tmp_path / "site", catalogue).parent)
    pages = {key: " ".join(page.text.split()) for key, page in site.items()}
    assert not [key for key, text in pages.items() if "Jakarta Messaging 1.1" in text]
    assert OWN in pages[paths.INDEX]
    assert OWN in pages[paths.chapter("ch06")]
    assert OWN in pages[paths.assertion("6.1.8-1")]
    assert OWN in next(text for key, text in pages.items() if key.startswith("case/6.1.8-1"))
    assert UNNUMBERED in pages[paths.assertion(unnumbered)]
    assert "Chapter 6" not in pages[paths.assertion("6.1.8-1")]
    assert "4 Common facilities (3.1: 6)" in pages[paths.COVERAGE]


def test_the_matrix_of_one_older_version_has_its_numbers_and_of_several_those_of_each(
    old: Bundle, catalogue: Catalogue, tmp_path: Path
):
    across = columns([load(old), load(judged_by(tmp_path, catalogue, "1.1", ("6.1.8-1",), "other"))], catalogue)
    pages = pages_read.read_all(write_matrix(matrix(across, catalogue), tmp_path / "one", catalogue, {}).parent)
    texts = {key: " ".join(page.text.split()) for key, page in pages.items()}
    assert OWN in texts[paths.INDEX]
    assert OWN in texts[paths.assertion("6.1.8-1")]
    assert "against JMS 1.1." in texts[paths.provider("acme")]
    assert not [key for key, text in texts.items() if "Jakarta Messaging 1.1" in text]
    mixed = columns([load(old), load(judged_by(tmp_path, catalogue, "3.1", ("6.1.8-1",), "new"))], catalogue)
    page = pages_read.read_all(write_matrix(matrix(mixed, catalogue), tmp_path / "two", catalogue, {}).parent)[
        paths.INDEX
    ]
    assert "6.1.8 Closing a connection (1.1: 4.3.5)" in " ".join(page.text.split())


def test_cases_that_never_ran_are_reported_by_the_own_section(tmp_path: Path, catalogue: Catalogue):
    whole = load(judged_by(tmp_path, catalogue, "1.1", ("6.1.8-1",)))
    left = dataclasses.replace(whole, unfinished=(synthetic.case_row(catalogue["6.1.8-1"]),))
    assert list(unrun.by_section(left, catalogue)) == ["4.3.5 (3.1: 6.1.8)"]


@pytest.mark.parametrize("tier", DOCUMENTARY)
def test_a_documentary_run_says_that_no_provider_is_measured(tmp_path: Path, catalogue: Catalogue, tier: str):
    run = judged_by(tmp_path, catalogue, tier, ("3.4.1-1",))
    tree = build(load(run), catalogue)
    reported = f"no provider is measured by {BY_NAME[tier].title}"
    assert headline(tree).line.endswith(f"documentary: {reported}")
    assert reported in render_run(run, catalogue, width=300)
    assert f"testable rows in {tier}" in render_run(run, catalogue, width=300)
    assert f"**{documentary_note(tier)}" in markdown.render(run, catalogue).replace("\\", "")
    assert badge.endpoint(tree)["label"] == f"JMS TCK {tier}, documentary"
    assert json_export.render(run, catalogue)["coverage"]["documentary"] is True
    pages = pages_read.read_all(write_site(run, tmp_path / "site", catalogue).parent)
    assert documentary_note(tier) in " ".join(pages[paths.INDEX].text.split())
    listed = " ".join(pages[paths.COVERAGE].text.split())
    noted = tier_notes(tier, catalogue)
    assert noted
    assert all(" ".join(note.split()) in listed for _, note in noted)


def test_no_other_run_is_documentary(old: Bundle, catalogue: Catalogue):
    assert "documentary" not in render_run(old, catalogue, width=300)
    assert "documentary" not in markdown.render(old, catalogue)


@pytest.mark.parametrize("tier", DOCUMENTARY)
def test_the_coverage_of_a_documentary_run_counts_the_rows_of_its_text(tmp_path: Path, catalogue: Catalogue, tier: str):
    measured = measure(build(load(judged_by(tmp_path, catalogue, tier, ("3.4.1-1",))), catalogue), catalogue)
    assert (measured.tier, measured.judged) == (tier, sum(row.judged for row in rows_of(tier, catalogue).rows))


@pytest.mark.parametrize(("tier", "id_"), [("1.0", "6.1.5-23"), ("2.0-draft", "4.1.2-8")])
def test_a_row_tells_what_replaced_it_or_how_the_draft_differs(
    tmp_path: Path, catalogue: Catalogue, tier: str, id_: str
):
    note = tier_note(catalogue[id_], tier)
    assert note
    pages = pages_read.read_all(
        write_site(judged_by(tmp_path, catalogue, tier, (id_,)), tmp_path / "s", catalogue).parent
    )
    assert note in " ".join(pages[paths.chapter(catalogue[id_].chapter)].text.split())
