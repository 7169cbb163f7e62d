"""Runs side by side: the matrix, its pages, its JSON, and what runs disagree on."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Iterable
from pathlib import Path

import pages_read
import pytest
import synthetic_bundles as synthetic

from tck.catalogue import Catalogue
from tck.record import Bundle, Case, Deviation, DeviationUse, Outcome, Result, Verdict
from tck.reports import compare
from tck.reports.export.matrix import render, render_diff
from tck.reports.html import paths
from tck.reports.html.side_by_side import write_diff, write_matrix
from tck.reports.read import load

PROGRAMS = {"selector.py": "print('<b>shown</b>')\n", "unused.py": "pass\n"}
BROKEN = "3.4.2-1"
OPEN = "3.4.3-9"


def bundle(
    folder: Path, catalogue: Catalogue, name: str, recorded: Iterable[tuple[str, Outcome, str]], **changes: object
) -> Bundle:
    """Write a run of a provider; a case is its name, its outcome and what was seen."""
    base = synthetic.run_row(catalogue)
    profile = dataclasses.replace(
        base.profile,
        name=name,
        title=f"{name.title()} Broker 1.0",
        deviations=(
            Deviation(
                BROKEN, "fails", "it forgets", "*/topic/*", evidence="profiles/evidence/selector.py acme", line=7
            ),
            Deviation("3.4.1-3", "fails", "it forgets", evidence="profiles/evidence/selector.py acme", line=12),
        ),
    )
    run = dataclasses.replace(base, run=f"run-{name}", profile=profile, **changes)

    def rows() -> Iterable[tuple[Case, Result, tuple[()]]]:
        for at, (case_name, outcome, seen) in enumerate(recorded):
            identifier, _, point = case_name.partition("/")
            case = synthetic.case_row(catalogue[identifier], point)
            declared = "fails" if identifier == BROKEN and "topic" in point else None
            behaviour = seen if outcome is Outcome.OBSERVED else None
            result = synthetic.result_row(
                catalogue, case, outcome, declared=declared, observed=f"{seen} {at}", behaviour=behaviour
            )
            yield case, result, ()

    return synthetic.write(folder / name, run, rows())


HELD = [("3.4.1-1/queue/classic/auto", Outcome.HELD, ""), (f"{BROKEN}/queue/classic/auto", Outcome.HELD, "")]


@pytest.fixture(scope="module")
def bundles(tmp_path_factory: pytest.TempPathFactory, catalogue: Catalogue) -> tuple[Bundle, Bundle, Bundle]:
    folder = tmp_path_factory.mktemp("bundles")
    good = [
        *HELD,
        (f"{BROKEN}/topic/classic/auto", Outcome.BROKEN, "gone"),
        (f"{OPEN}/queue/classic/auto", Outcome.OBSERVED, "ids stay"),
    ]
    other = [
        (f"{BROKEN}/queue/classic/auto", Outcome.BROKEN, "mode was <i>lost</i>"),
        (f"{OPEN}/queue/classic/auto", Outcome.OBSERVED, "ids go"),
        (f"{OPEN}/topic/classic/auto", Outcome.OBSERVED, "ids stay"),
    ]
    return (
        bundle(folder, catalogue, "acme", good),
        bundle(folder, catalogue, "zeta", other),
        bundle(folder, catalogue, "part", HELD[:1], selection=("3.4.1",)),
    )


@pytest.fixture(scope="module")
def matrix(bundles: tuple[Bundle, ...], catalogue: Catalogue) -> compare.Matrix:
    return compare.matrix(compare.columns(map(load, bundles), catalogue), catalogue)


@pytest.fixture(scope="module")
def pages(
    tmp_path_factory: pytest.TempPathFactory, matrix: compare.Matrix, catalogue: Catalogue
) -> dict[str, pages_read.Page]:
    folder = tmp_path_factory.mktemp("matrix")
    write_matrix(matrix, folder, catalogue, PROGRAMS, with_runs=True)
    return pages_read.read_all(folder)


def test_each_assertion_has_a_verdict_for_each_run(matrix: compare.Matrix):
    verdicts = {line.id: line.verdicts for line in matrix.lines}
    conformant, violation = Verdict.CONFORMANT, Verdict.VIOLATION
    assert verdicts == {
        "3.4.1-1": (conformant, None, conformant),
        BROKEN: (Verdict.DECLARED, violation, None),
        OPEN: (Verdict.OBSERVATION, Verdict.OBSERVATION, None),
    }
    (chapter,) = matrix.chapters
    assert chapter.verdicts == (Verdict.DECLARED, violation, conformant)


def test_behaviours_stand_with_the_cases_that_saw_them(matrix: compare.Matrix):
    (line,) = matrix.open_lines
    assert [[(seen.behaviour, seen.where) for seen in each] for each in line.seen] == [
        [("ids stay", "")],
        [("ids go", "queue/classic/auto"), ("ids stay", "topic/classic/auto")],
        [],
    ]


def test_deviations_of_one_reason_stand_together_with_the_cases_that_failed(matrix: compare.Matrix):
    (group,) = compare.declared(matrix.columns[0])
    assert [each.assertion for each, _ in group.nodes] == ["3.4.1-3", BROKEN]
    assert (group.cases, group.stale) == (1, 0)


def test_what_one_program_shows_is_one_cause_on_all_providers(matrix: compare.Matrix):
    assert compare.causes(matrix.columns) == {("profiles/evidence/selector.py",): ("acme", "zeta", "part")}
    apart = [Deviation("3.4.1-1", "fails", why, evidence=by) for why, by in (("a", None), ("b", None), ("b", "x"))]
    apart.append(Deviation("3.4.1-1", "fails", "b", evidence="profiles/evidence/selector.py zeta refused"))
    assert [compare.cause(each) for each in apart] == ["a", "b", "b", ("profiles/evidence/selector.py", "refused")]


def test_the_json_says_what_the_matrix_does(matrix: compare.Matrix):
    output = json.loads(json.dumps(render(matrix)))
    assert [each["key"] for each in output["providers"]] == ["acme", "zeta", "part"]
    assert output["providers"][0]["deviations"][0]["failed"] == 1
    assert output["providers"][0]["deviations"][0]["also"] == ["zeta", "part"]
    row = next(each for each in output["assertions"] if each["id"] == BROKEN)
    assert row["verdicts"] == {"acme": "declared", "zeta": "violation", "part": None}
    assert row["cases"]["acme"]["conformant"] == 1
    assert output["behaviours"][0]["seen"]["zeta"][0] == {
        "behaviour": "ids go",
        "cases": [f"{OPEN}/queue/classic/auto"],
        "of": 2,
    }


def test_every_page_of_the_matrix_is_whole_and_every_link_leads_somewhere(pages: dict[str, pages_read.Page]):
    for name, page in pages.items():
        assert page.unbalanced == [], name
        assert len(page.ids) == len(set(page.ids)), name
        for target in page.links():
            if target.startswith(("https:", "data:")):
                continue
            path, _, anchor = target.partition("#")
            there = (page.path.parent / path).resolve() if path else page.path
            assert there.is_file(), f"{name} -> {target}"
            if anchor:
                known = next(each for each in pages.values() if each.path.resolve() == there.resolve())
                assert anchor in known.ids, f"{name} -> {target}"


def test_the_matrix_shows_each_verdict_as_a_sign_with_words(pages: dict[str, pages_read.Page]):
    page = pages[paths.INDEX]
    cells = [
        each["aria-label"]
        for each in page.all("span")
        if each.get("class", "").startswith("cell") and "aria-label" in each
    ]
    assert {"acme: Declared deviation", "zeta: Violation", "part: not tested"} <= set(cells)
    rows = [each["data-verdict"] for each in page.all("tr") if "data-verdict" in each]
    assert rows == ["conformant - conformant", "declared violation -", "observation observation -"]
    assert "part: only a part of the suite ran: 3.4.1." in page.text
    assert page.scripts.count("tckReport") >= 1
    assert paths.STYLE not in page.links()


def test_the_page_of_a_provider_shows_claims_deviations_evidence_and_behaviours(pages: dict[str, pages_read.Page]):
    text = " ".join(pages[paths.provider("acme")].text.split())
    for part in (
        "Acme Broker 1.0",
        "it forgets",
        "1 case failed as declared",
        "ids stay",
        "others do otherwise",
        "xa, jndi",
    ):
        assert part in text
    assert f"../{paths.evidence('selector.py')}" in pages[paths.provider("acme")].links()
    assert "mode was <i>lost</i> 0" in pages[paths.provider("zeta")].text
    assert "no cases failed" in " ".join(pages[paths.provider("part")].text.split())


def test_the_page_of_an_assertion_tells_what_each_provider_did(pages: dict[str, pages_read.Page]):
    page = pages[paths.assertion(BROKEN)]
    text = " ".join(page.text.split())
    for part in ("gone 2", "Declared: it forgets", "mode was <i>lost</i> 0", "Part Broker 1.0 not tested"):
        assert part in text
    assert "../run/zeta/" + paths.case(f"{BROKEN}/queue/classic/auto") in page.links()


def test_a_program_that_is_evidence_has_a_page_and_no_other_has(pages: dict[str, pages_read.Page]):
    assert "print('<b>shown</b>')" in pages[paths.evidence("selector.py")].text
    assert paths.evidence("unused.py") not in pages


def test_pages_of_an_earlier_matrix_go(tmp_path: Path, matrix: compare.Matrix, catalogue: Catalogue):
    (tmp_path / "provider").mkdir()
    (tmp_path / "provider" / "gone.html").write_text("old")
    (tmp_path / "mine.txt").write_text("kept")
    write_matrix(matrix, tmp_path, catalogue, {})
    assert not (tmp_path / "provider" / "gone.html").exists()
    assert (tmp_path / "mine.txt").exists()
    assert not list((tmp_path / "run").iterdir())


def test_a_profile_that_comes_twice_is_distinguished(bundles: tuple[Bundle, ...], catalogue: Catalogue):
    twice = compare.columns(map(load, (bundles[0], bundles[1], bundles[0])), catalogue)
    assert [each.key for each in twice] == ["acme-run-acme", "zeta", "acme-run-acme-3"]


def test_the_same_run_agrees_with_itself(tmp_path: Path, bundles: tuple[Bundle, ...], catalogue: Catalogue):
    found = compare.diff(compare.columns(map(load, (bundles[0], bundles[0])), catalogue))
    assert (found.total, found.differences, found.circumstances) == (4, (), ())
    page = pages_read.read(write_diff(found, tmp_path / "new" / "diff.html"))
    assert "The runs agree on all 4 cases" in page.text


def test_a_difference_is_an_outcome_a_verdict_a_behaviour_or_a_missing_case(
    tmp_path: Path, bundles: tuple[Bundle, ...], catalogue: Catalogue
):
    found = compare.diff(compare.columns(map(load, bundles[:2]), catalogue))
    assert [each.case for each in found.differences] == [
        "3.4.1-1/queue/classic/auto",
        f"{BROKEN}/queue/classic/auto",
        f"{BROKEN}/topic/classic/auto",
        f"{OPEN}/queue/classic/auto",
        f"{OPEN}/topic/classic/auto",
    ]
    assert dict(found.circumstances) == {"profile": ("acme", "zeta")}
    output = json.loads(json.dumps(render_diff(found)))
    assert output["agree"] is False
    behaviours = [each["behaviour"] for each in output["differences"][3]["seen"]]
    assert behaviours == ["ids stay", "ids go"]
    assert output["differences"][4]["seen"][0] is None
    page = pages_read.read(write_diff(found, tmp_path / "diff.html"))
    assert page.unbalanced == []
    assert "5 cases of 5 differ" in " ".join(page.text.split())
    assert not [link for link in page.links() if not link.startswith("data:") and link != "#main"]


def test_a_case_that_fails_now_and_then_as_declared_is_no_disagreement(tmp_path: Path, catalogue: Catalogue):
    case = synthetic.case_row(catalogue[BROKEN])
    use = DeviationUse(BROKEN, "flaky", "now and then")
    held = synthetic.result_row(catalogue, case, Outcome.HELD)
    failed = synthetic.result_row(catalogue, case, Outcome.BROKEN, declared="flaky", deviation=use)
    violated = synthetic.result_row(catalogue, case, Outcome.BROKEN)
    runs = [
        load(synthetic.write(tmp_path / str(at), synthetic.run_row(catalogue, run=f"run-{at}"), [(case, result, ())]))
        for at, result in enumerate((held, failed, violated))
    ]
    as_declared = compare.diff(compare.columns(runs[:2], catalogue))
    assert ([each.declared_flaky for each in as_declared.differences], as_declared.agree) == ([True], True)
    assert not compare.diff(compare.columns(runs, catalogue)).agree
    page = pages_read.read(write_diff(as_declared, tmp_path / "diff.html"))
    assert "declared as flaky" in page.text


def test_what_was_observed_in_words_makes_no_difference(tmp_path: Path, catalogue: Catalogue):
    first = bundle(tmp_path / "a", catalogue, "acme", [(f"{BROKEN}/queue/classic/auto", Outcome.BROKEN, "topic 17")])
    second = bundle(tmp_path / "b", catalogue, "acme", [(f"{BROKEN}/queue/classic/auto", Outcome.BROKEN, "topic 99")])
    assert compare.diff(compare.columns(map(load, (first, second)), catalogue)).differences == ()


def test_no_page_of_several_runs_claims_a_certificate(pages: dict[str, pages_read.Page]):
    for name, page in pages.items():
        assert page.text.count("not a certification") == 1, name
        assert not re.search(r"\bscore\b", page.text.lower()), name
