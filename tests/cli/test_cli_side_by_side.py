"""`tck matrix` and `tck diff`: several runs, from bundles alone."""

import shutil

import pytest
from cli_support import tck


@pytest.fixture(scope="module")
def runs(tmp_path_factory, good):
    """A folder with three runs: one again with the same cases, one of fewer."""
    folder = tmp_path_factory.mktemp("several")
    kept = folder / "tck-out" / "runs"
    shutil.copytree(good[1].json()["bundle"], kept / good[1].json()["run"])
    for words in (["3.4.1"], ["3.4.1-1/*"]):
        ended = tck("run", *words, "-n", "0", "--no-report", "--seed", "8", "--format", "json", cwd=folder)
        assert ended.code == 0, ended.err
    return folder, [path.name for path in sorted(kept.iterdir(), key=lambda path: path.stat().st_mtime_ns)]


def test_runs_that_agree_end_with_0_and_say_so(runs):
    folder, names = runs
    ended = tck("diff", names[0], names[1], cwd=folder)
    assert ended.code == 0, ended.out
    assert ended.out.startswith(f"{names[0]}, {names[1]}: the same on all ")


def test_runs_that_differ_end_with_1_and_name_the_cases(runs, tmp_path):
    folder, names = runs
    ended = tck("diff", *names, "--html", str(tmp_path / "diff.html"), "--format", "json", cwd=folder)
    output = ended.json()
    assert (ended.code, output["exit"], output["agree"]) == (1, 1, False)
    assert output["differences"]
    assert all(each["seen"][0]["outcome"] == "held" for each in output["differences"])
    assert all(each["seen"][2] is None for each in output["differences"])
    assert {each["name"] for each in output["circumstances"]} == {"selection", "seed", "workers"}
    assert (tmp_path / "diff.html").is_file()
    text = tck("diff", *names, cwd=folder).out
    assert "3.4.1-3/queue/classic/auto" in text
    assert "no such case" in text


def test_a_matrix_of_named_runs_is_written(runs, tmp_path):
    folder, names = runs
    ended = tck("matrix", names[0], names[2], "--html", str(tmp_path / "site"), "--sites", cwd=folder)
    assert ended.code == 0, ended.err
    assert f"reference-{names[2]}" in ended.out
    assert (tmp_path / "site" / "index.html").is_file()
    assert (tmp_path / "site" / "run" / f"reference-{names[2]}".lower() / "index.html").is_file()


def test_a_field_report_is_written_of_named_runs_and_of_what_a_history_keeps(runs, tmp_path):
    folder, names = runs
    store = str(tmp_path / "store")
    assert tck("pipeline", "ingest", *names[:2], "--store", store, cwd=folder).code == 0
    ended = tck("field-report", str(tmp_path / "site"), names[2], "--history", store, "--format", "json", cwd=folder)
    output = ended.json()
    assert ended.code == 0, ended.err
    (product,) = output["products"]
    assert (product["product"], product["defects"]) == ("reference", [])
    assert (tmp_path / "site" / "product" / "reference.html").is_file()


def test_a_field_report_touches_no_folder_of_others(runs, tmp_path):
    (tmp_path / "program").mkdir()
    (tmp_path / "program" / "mine.py").touch()
    ended = tck("field-report", str(tmp_path), runs[1][2], cwd=runs[0])
    assert ended.code == 4
    assert "expected an empty folder" in ended.err
    assert (tmp_path / "program" / "mine.py").is_file()


def test_a_field_report_asks_for_the_bundle_of_the_newest_release(runs, tmp_path):
    folder, names = runs
    store, site = str(tmp_path / "store"), tmp_path / "site"
    assert tck("pipeline", "ingest", names[0], "--store", store, cwd=folder).code == 0
    (manifest,) = (tmp_path / "store" / "runs").glob("*.json")
    other = manifest.read_text("utf-8").replace('"profile": "reference"', '"profile": "other-1.0"')
    manifest.write_text(other, "utf-8")
    ended = tck("field-report", str(site), names[2], "--history", store, cwd=folder)
    assert ended.code == 4
    assert "only the history knows other 1.0" in ended.err
    assert not site.exists()


def test_without_runs_a_field_report_takes_whole_runs_only(runs, tmp_path):
    ended = tck("field-report", str(tmp_path / "site"), cwd=runs[0])
    assert ended.code == 4
    assert "no whole run has ended" in ended.err


def test_without_runs_a_matrix_takes_whole_runs_only(runs):
    ended = tck("matrix", cwd=runs[0])
    assert ended.code == 4
    assert "no whole run has ended" in ended.err
