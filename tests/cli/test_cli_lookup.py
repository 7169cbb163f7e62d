"""`tck lookup` where nothing is recorded: the cases of the row are run on the spot, once."""

import json

import pytest
from cli_support import one_message, tck

from reports.lookup.render import not_asked
from tck.catalogue import load_catalogue
from tck.record.compressed import unpack
from tck.record.runs import run_folders

ASKED = ["lookup", "commit", "acknowledges", "received", "queue", "messages"]


@pytest.mark.slow
def test_what_is_not_recorded_is_recorded_once(tmp_path):
    first = tck(*ASKED, "--format", "json", cwd=tmp_path)
    output = json.loads(first.out)
    assert (first.code, output["row"]["id"]) == (0, "6.2.7-1")
    assert first.err.splitlines() == [
        "tck: no run of the reference provider has 6.2.7-1 for this catalogue; recording its cases"
    ]
    assert output["reference"]["verdict"] == "conformant"
    calls = [line["text"] for line in output["reference"]["lanes"]]
    assert any(".commit" in call for call in calls)
    assert any(".receive" in call and "-> [A" in call for call in calls)
    again = tck(*ASKED, cwd=tmp_path)
    assert (again.code, again.err) == (0, "")
    assert f"run {output['reference']['run']}" in again.out
    assert not (tmp_path / "tck-out" / "runs").exists()
    run = output["reference"]["rerun"].removeprefix("python -m tck ").split()
    assert tck(*run, "--no-report", cwd=tmp_path).code == 0


def test_a_row_that_no_run_decides_is_reported_as_a_rule(tmp_path):
    ended = tck("lookup", "12.1-1", cwd=tmp_path)
    assert (ended.code, ended.err) == (0, "")
    assert "A full platform product" in ended.out
    assert "no run can observe the row" in ended.out
    assert not (tmp_path / "tck-out").exists()


@pytest.mark.slow
def test_the_reference_provider_is_reported_as_one_of_the_version_asked_for(tmp_path):
    output = tck("lookup", "3.5.8-4", "--format", "json", cwd=tmp_path).json()
    assert (output["row"]["until"], output["reference"]["tier"]) == ("1.0", "1.0")
    refused = tck("lookup", "3.5.8-4", "--tier", "1.1", cwd=tmp_path)
    assert refused.code == 4
    assert "3.5.8-4 is not in force in 1.1: since 1.0, until 1.0" in one_message(refused)
    earlier = tck("lookup", "3.4.1-1", "--tier", "1.1", "--format", "json", cwd=tmp_path).json()
    assert earlier["reference"]["tier"] == "1.1"
    newest = tck("lookup", "3.4.1-1", "--format", "json", cwd=tmp_path).json()
    assert newest["reference"]["tier"] == "3.1"
    assert newest["reference"]["run"] != earlier["reference"]["run"]


def test_where_nothing_can_be_written_the_rule_is_told_all_the_same(tmp_path):
    (tmp_path / "tck-out").mkdir()
    (tmp_path / "tck-out" / "lookup").write_text("in the way")
    ended = tck("lookup", "3.4.1-1", cwd=tmp_path)
    assert ended.code == 0
    assert "3.4.1-1  MUST" in ended.out
    assert "is not recorded" in ended.err
    assert "--out names another place" in ended.err
    assert "Traceback" not in ended.err


@pytest.mark.parametrize(
    ("asked", "row"),
    [
        ("§6.2.7-6", "6.2.7-6"),
        ("#6.2.7-6", "6.2.7-6"),
        ("6.2.7\N{EN DASH}6", "6.2.7-6"),
        ("6.2.7_6", "6.2.7-6"),
        ("6.2.7-6 rollback", "6.2.7-6"),
        ("what of 6.2.7-6, then", "6.2.7-6"),
        ("section 3.4.1", "3.4.1-1"),
        ("rolled back 3.4.11", "3.4.11-1"),
        ("6.2.7.", "6.2.7-1"),
    ],
)
def test_an_id_is_found_however_it_is_spelt(tmp_path, asked, row):
    output = tck("lookup", "--no-record", asked, "--format", "json", cwd=tmp_path).json()
    assert output["row"]["id"] == row


def test_a_version_among_words_is_no_section(tmp_path):
    output = tck("lookup", "--no-record", "shared subscription 2.0", "--format", "json", cwd=tmp_path).json()
    assert output["by"] == "words"


@pytest.mark.parametrize("words", ["rollback", "shared subscription", "createContext"])
def test_words_are_looked_for_among_the_rows_in_force(tmp_path, words):
    output = tck("lookup", "--no-record", words, "--tier", "1.1", "--format", "json", cwd=tmp_path).json()
    assert load_catalogue()[output["row"]["id"]].applies_to("1.1")


@pytest.mark.slow
def test_a_case_that_no_run_has_yet_is_recorded(tmp_path):
    run = ["run", "-p", "reference", "3.4.1-3/*", "--points", "one", "--no-report", "-n", "0"]
    assert tck(*run, cwd=tmp_path).code == 0
    ended = tck("lookup", "3.4.1-3/topic/classic/auto", "--format", "json", cwd=tmp_path)
    assert ended.json()["reference"]["case"] == "3.4.1-3/topic/classic/auto", ended.err


@pytest.mark.slow
def test_the_case_told_is_one_in_which_the_other_provider_differs(tmp_path):
    run = ["run", "-p", "reference", "3.4.1-3/*", "--no-report", "-n", "0"]
    assert tck(*run, cwd=tmp_path).code == 0
    assert tck(*run, "--setting", "saboteur=3.4.1-3", cwd=tmp_path).code == 1
    good, broken = run_folders(tmp_path / "tck-out")
    asked = ["lookup", "3.4.1-3", "--run", str(good), "--with", str(broken)]
    output = tck(*asked, "--format", "json", cwd=tmp_path).json()
    (other,) = output["others"]
    assert (output["reference"]["verdict"], other["did"]["verdict"]) == ("conformant", "violation")
    results = [json.loads(line) for line in unpack((broken / "results.ndjson.zst").read_bytes()).splitlines()]
    violated = {each["case"] for each in results if each["verdicts"].get("3.4.1-3") == "violation"}
    assert other["did"]["case"] in violated
    assert output["reference"]["case"] == other["did"]["case"]
    assert other["differences"]


def test_a_row_that_no_test_names_is_not_said_to_be_run():
    """Each row of the catalogue that is judged has a test; a row of a later catalogue may have none yet."""
    row = load_catalogue()["3.4.1-1"]
    assert not_asked(row, None, tested=False) == "no test of the suite names the row yet"
    assert not_asked(row, None).endswith("`tck run 3.4.1-1` makes one")
