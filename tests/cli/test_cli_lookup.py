"""`tck lookup` where nothing is recorded: the cases of the row are run on the spot, once."""

import json

from cli_support import one_message, tck

ASKED = ["lookup", "commit", "acknowledges", "received", "queue", "messages"]


def test_what_is_not_recorded_is_recorded_once(tmp_path):
    first = tck(*ASKED, "--format", "json", cwd=tmp_path)
    told = json.loads(first.out)
    assert (first.code, told["row"]["id"]) == (0, "6.2.7-1")
    assert first.err.splitlines() == [
        "tck: no run of the reference provider has 6.2.7-1 as the catalogue stands; recording its cases"
    ]
    assert told["reference"]["verdict"] == "conformant"
    calls = [line["text"] for line in told["reference"]["lanes"]]
    assert any(".commit" in call for call in calls)
    assert any(".receive" in call and "-> [A" in call for call in calls)
    again = tck(*ASKED, cwd=tmp_path)
    assert (again.code, again.err) == (0, "")
    assert f"run {told['reference']['run']}" in again.out
    assert not (tmp_path / "reports" / "out" / "runs").exists()
    run = told["reference"]["rerun"].removeprefix("python -m tck ").split()
    assert tck(*run, "--no-report", cwd=tmp_path).code == 0


def test_a_row_that_no_run_decides_is_told_as_a_rule(tmp_path):
    ended = tck("lookup", "12.1-1", cwd=tmp_path)
    assert (ended.code, ended.err) == (0, "")
    assert "A full platform product" in ended.out
    assert "no run can observe the row" in ended.out
    assert not (tmp_path / "reports").exists()


def test_the_reference_provider_is_told_as_one_of_the_version_asked_for(tmp_path):
    told = tck("lookup", "3.5.8-4", "--format", "json", cwd=tmp_path).json()
    assert (told["row"]["until"], told["reference"]["tier"]) == ("1.0", "1.0")
    refused = tck("lookup", "3.5.8-4", "--tier", "1.1", cwd=tmp_path)
    assert refused.code == 4
    assert "3.5.8-4 is not in force in 1.1: since 1.0, until 1.0" in one_message(refused)
    earlier = tck("lookup", "3.4.1-1", "--tier", "1.1", "--format", "json", cwd=tmp_path).json()
    assert earlier["reference"]["tier"] == "1.1"
    newest = tck("lookup", "3.4.1-1", "--format", "json", cwd=tmp_path).json()
    assert newest["reference"]["tier"] == "3.1"
    assert newest["reference"]["run"] != earlier["reference"]["run"]


def test_where_nothing_can_be_written_the_rule_is_told_all_the_same(tmp_path):
    (tmp_path / "reports").write_text("in the way")
    ended = tck("lookup", "3.4.1-1", cwd=tmp_path)
    assert ended.code == 0
    assert "3.4.1-1  MUST" in ended.out
    assert "is not recorded" in ended.err
    assert "--out names another place" in ended.err
    assert "Traceback" not in ended.err
