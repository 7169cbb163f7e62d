"""Trends: a run beside those before it that a history holds; what changed, what comes and goes, how long cases take."""

import dataclasses
import json
import re
import shutil

import pages_read
import pytest
import synthetic_bundles as synthetic

from tck.catalogue import load_catalogue
from tck.cli.main import main
from tck.provenance import now
from tck.record import Outcome, Verdict
from tck.reports import earlier_runs
from tck.reports.html import paths, write_site
from tck.reports.read import load
from tck.reports.trends import of_store
from tck.reports.verdict_snapshot import of_bundle
from tck.reports.verdict_tree import build

pytest.importorskip("pyarrow", reason="the extra `spark` is not installed")

HELD, BROKEN = Outcome.HELD, Outcome.BROKEN
ROWS = ("6.2.7-6", "8.5-1", "8.5-2")
SHAKY = "8.5-2/topic/classic/auto"


def write_run(folder, catalogue, day, outcomes, *, version="1.0", ms=4.0, rows=ROWS, **changes):
    """Write a run of two points of some rows; what `outcomes` does not name held."""
    done = []
    for id_ in rows:
        for point in ("queue/classic/auto", "topic/classic/auto"):
            case = synthetic.case_row(catalogue[id_], point)
            outcome = outcomes.get(case.case, outcomes.get(id_, HELD))
            seen = {"expected": "x", "observed": "y"} if outcome is BROKEN else {}
            done.append((case, dataclasses.replace(synthetic.result_row(catalogue, case, outcome, **seen), ms=ms), ()))
    about = {"run": f"run-{day:02d}", "started": f"2025-11-{day:02d}T10:00:00Z", **changes}
    run = synthetic.run_row(catalogue, **about)
    run = dataclasses.replace(run, provider=dataclasses.replace(run.provider, version=version))
    return synthetic.write(folder / run.run, run, done)


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Five runs: one row breaks with version 2 and is mended, one case comes and goes, one row is asked late."""
    folder, catalogue = tmp_path_factory.mktemp("runs"), load_catalogue()
    shaky = {SHAKY: BROKEN}
    return [
        write_run(folder, catalogue, 1, {}, rows=ROWS[1:]),
        write_run(folder, catalogue, 2, shaky),
        write_run(folder, catalogue, 3, {}, ms=8.0),
        write_run(folder, catalogue, 4, {"6.2.7-6": BROKEN}, version="2.0"),
        write_run(folder, catalogue, 5, {}, version="2.0", ms=16.0),
    ]


@pytest.fixture(scope="module")
def store(runs, tmp_path_factory):
    """A history of the first four of them, made by the pipeline itself."""
    folder = tmp_path_factory.mktemp("history") / "store"
    assert main(["pipeline", "ingest", *(str(run.path) for run in runs[:4]), "--store", str(folder)]) == 0
    return folder


@pytest.fixture(scope="module")
def trends(runs, store):
    catalogue = load_catalogue()
    return of_store(store, runs[4], build(load(runs[4]), catalogue), catalogue)


def test_the_run_at_hand_stands_last_though_it_was_not_ingested(trends):
    assert [origin.run for origin in trends.origins] == [f"run-0{day}" for day in range(1, 6)]
    assert trends.rows["6.2.7-6"] == (
        None, Verdict.CONFORMANT, Verdict.CONFORMANT, Verdict.VIOLATION, Verdict.CONFORMANT,
    )  # fmt: skip


def test_chapters_count_assertions_by_verdict_run_by_run(trends):
    chapters = {each.key: each.counts for each in trends.chapters}
    assert list(chapters) == ["ch06", "ch08"]
    assert [counts[Verdict.VIOLATION] for counts in chapters["ch06"]] == [0, 0, 0, 1, 0]
    assert [counts.total() for counts in chapters["ch06"]] == [0, 1, 1, 1, 1]
    assert [counts[Verdict.VIOLATION] for counts in chapters["ch08"]] == [0, 1, 0, 0, 0]
    assert [counts.total() for counts in trends.total] == [2, 3, 3, 3, 3]


def test_changes_name_both_runs_and_what_else_changed(trends):
    recorded = [(each.assertion, each.before, each.now, each.then.run, each.origin.run) for each in trends.transitions]
    conformant, violation = Verdict.CONFORMANT, Verdict.VIOLATION
    assert recorded == [
        ("6.2.7-6", violation, conformant, "run-04", "run-05"),
        ("6.2.7-6", conformant, violation, "run-03", "run-04"),
        ("8.5-2", violation, conformant, "run-02", "run-03"),
        ("8.5-2", conformant, violation, "run-01", "run-02"),
    ]
    assert len(trends.transitions[0].cases) == 2
    assert trends.transitions[1].changed == {"provider": ("ACME Broker 1.0", "ACME Broker 2.0")}
    assert trends.transitions[2].changed == {}
    assert [each.origin.run for each in trends.newest] == ["run-05"]


def test_what_comes_and_goes_is_only_what_does_so_with_nothing_changed(trends):
    assert [(each.case, each.failed, each.runs, each.flips) for each in trends.flaky if each.case == SHAKY] == [
        (SHAKY, 1, 3, 2)
    ]
    broken_in_a_version = {f"6.2.7-6/{domain}/classic/auto" for domain in ("queue", "topic")}
    assert {each.case for each in trends.flaky} == {SHAKY} | broken_in_a_version


def test_percentiles_are_as_exact_as_a_bucket_is_wide(trends):
    for found, ms in zip(trends.latency, (4.0, 4.0, 8.0, 4.0, 16.0), strict=True):
        assert found == pytest.approx((ms, ms, ms), rel=0.03)


@pytest.fixture(scope="module")
def pages(runs, store, tmp_path_factory):
    folder = write_site(runs[4], tmp_path_factory.mktemp("site"), load_catalogue(), None, store).parent
    return pages_read.read_all(folder)


def squeezed(text):
    return " ".join(text.split())


def test_the_site_has_a_page_of_trends(pages):
    page = pages[paths.TRENDS]
    text = squeezed(page.text)
    assert page.unbalanced == []
    assert len(page.ids) == len(set(page.ids))
    assert "Trends over 5 runs" in text
    assert "provider ACME Broker 1.0 → ACME Broker 2.0" in text
    assert f"{SHAKY} 8.5-2 1 of 3 runs 2" in text
    drawings = [each["aria-label"] for _, each in page.tags if each.get("role") == "img"]
    assert "5 runs, the last with 3 conformant" in drawings
    assert any(label.startswith("violations: 0 in the first run, 0 in the last, at most 1") for label in drawings)
    assert any(label.startswith("Duration of a case, milliseconds: median") for label in drawings)
    for target in page.links():
        assert target.partition("#")[0] in {"", *pages, paths.STYLE, paths.SCRIPT, "data:,"}, target


def test_trends_over_fewer_than_five_runs_are_tables(runs, store, tmp_path):
    write_site(runs[3], tmp_path, load_catalogue(), None, store)
    page = pages_read.read_all(tmp_path)[paths.TRENDS]
    text = squeezed(page.text)
    assert not [tag for tag, _ in page.tags if tag == "svg"]
    assert page.unbalanced == []
    assert "11-02 run-02 2 conformant 1 violation" in text.replace("2025-", "") or "1 violation 2 conformant" in text
    assert "Chapter 2025-11-01 2025-11-02 2025-11-03 2025-11-04" in text


def test_other_pages_tell_of_earlier_runs(pages):
    assert "Since run run-04 of 2025-11-04: 2 verdicts changed, 0 for the worse and 2 for the better." in squeezed(
        pages[paths.INDEX].text
    )
    page = pages[paths.assertion("6.2.7-6")]
    [strip] = [each for _, each in page.tags if each.get("class") == "strip"]
    assert strip["aria-label"] == "Conformant now; over 5 runs conformant 3, violation 1"
    marks = [each for tag, each in page.tags if tag == "i" and each.get("title", "").startswith("2025-11")]
    assert [each["class"] for each in marks] == ["none", "s-conformant", "s-conformant", "s-violation", "s-conformant"]


def test_a_report_without_a_history_knows_nothing_of_trends(site):
    assert not (site / paths.TRENDS).exists()
    assert "rends" not in (site / paths.INDEX).read_text().replace("trendspage", "")


def test_trends_of_an_earlier_report_are_removed(runs, store, tmp_path):
    write_site(runs[4], tmp_path, load_catalogue(), None, store)
    assert (tmp_path / paths.TRENDS).exists()
    write_site(runs[4], tmp_path, load_catalogue())
    assert not (tmp_path / paths.TRENDS).exists()


def reported(capsys, *words):
    code = main(["report", *words])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_the_command_writes_trends(runs, store, tmp_path, capsys):
    code, _, err = reported(capsys, str(runs[4].path), "--html", str(tmp_path / "site"), "--history", str(store))
    assert (code, err) == (0, "")
    assert (tmp_path / "site" / paths.TRENDS).is_file()


def test_the_first_run_of_its_kind_is_reported_without_trends(runs, store, tmp_path, capsys):
    code, _, err = reported(capsys, str(runs[0].path), "--html", str(tmp_path / "site"), "--history", str(store))
    assert code == 0
    assert "holds no run of acme (3.1) before run-01; the report shows no trends" in err
    assert (tmp_path / "site" / paths.INDEX).is_file()


def test_runs_of_one_second_keep_their_order_whatever_their_ids(runs, tmp_path, capsys):
    """The second run is the later one, though its id sorts first; bundles tell milliseconds."""
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", now())
    catalogue, day = load_catalogue(), "2025-11-09T10:00:00"
    first, second = (
        write_run(tmp_path, catalogue, number, {}, started=f"{day}.{ms}Z") for number, ms in ((9, "100"), (8, "900"))
    )
    store = tmp_path / "store"
    assert main(["pipeline", "ingest", str(first.path), str(second.path), "--store", str(store)]) == 0
    earlier = earlier_runs.comparable(store, of_bundle(second).newest)
    assert [origin.run for origin in earlier] == ["run-09"]
    code, _, err = reported(capsys, str(second.path), "--html", str(tmp_path / "site"), "--history", str(store))
    assert (code, err) == (0, "")


def test_a_folder_that_is_no_history_is_refused(runs, tmp_path, capsys):
    code, out, err = reported(capsys, str(runs[4].path), "--html", str(tmp_path / "site"), "--history", str(tmp_path))
    assert (code, out) == (4, "")
    assert "expected a history store" in err
    assert not (tmp_path / "site").exists()


def test_a_damaged_history_is_refused_before_anything_is_written(runs, store, tmp_path, capsys):
    copied = tmp_path / "store"
    shutil.copytree(store, copied)
    [part] = (copied / "verdict" / "run=run-02").glob("*.parquet")
    part.write_bytes(b"PAR1")
    code, _, err = reported(capsys, str(runs[4].path), "--html", str(tmp_path / "site"), "--history", str(copied))
    assert code == 4
    assert re.search(r"run=run-02.*expected Parquet, saw a damaged file", err)
    assert not (tmp_path / "site").exists()


def test_runs_of_another_kind_are_no_history(runs, store, tmp_path, capsys):
    copied = json.loads((store / "runs" / "run-01.json").read_text())
    assert copied["kind"] == "suite"
    current = dataclasses.replace(earlier_runs.origins(store)[-1], kind="workload steady", run="x")
    with pytest.raises(earlier_runs.NothingEarlierError, match="no workload steady of profile acme"):
        earlier_runs.comparable(store, current)


def test_a_gate_reads_what_the_pipeline_wrote(runs, store, capsys):
    assert main(["gate", str(runs[4].path), "--against", str(store), "--format", "json"]) == 0
    output = json.loads(capsys.readouterr().out)
    assert (output["kind"], output["runs"], len(output["fixed"])) == ("history", 4, 2)
    assert main(["gate", str(runs[3].path), "--against", str(store), "--format", "json"]) == 1
    output = json.loads(capsys.readouterr().out)
    assert {each["kind"] for each in output["new"]} == {"regression"}
    assert output["new"][0]["before"]["in"]["run"] == "run-03"
