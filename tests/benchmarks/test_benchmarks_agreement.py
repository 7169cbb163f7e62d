"""Runs of the suite that are compared: seeds, load, differences and the table of docs/jvm.md."""

import pytest

from benchmarks.reliability import agreement

ROW = "3.4.8-1"


def test_two_runs_that_agree_end_well(capsys, tmp_path):
    options = ["-p", "reference", "--seeds", "1-2", "--points", "one", "--load", "1", "--out", str(tmp_path), ROW]
    assert agreement.main(options) == 0
    quiet, loaded, *_, table = capsys.readouterr().out.splitlines()
    assert quiet.startswith("seed 1: exit 0, ")
    assert loaded.startswith("seed 2 beside 1 busy loops: exit 0, ")
    assert table.startswith("| reference | one | 2, exit 0 | ")
    assert len(list(tmp_path.glob("runs/*"))) == 2


def test_a_run_that_differs_is_found(tmp_path):
    runs = [agreement.measured(name, "all", 1, 0, tmp_path, [ROW]) for name in ("reference", "dummy-inert")]
    assert {each.case for each in agreement.differing(runs)} == {each.name for each in runs[0].report.cases}
    assert agreement.differing(runs[:1]) == []


def test_a_line_replaces_that_of_its_profile_and_points():
    page = (
        f"before\n{agreement.BEGIN}\n{agreement.HEAD}| b | all | old |\n| b | one | other |\n{agreement.END}\nafter\n"
    )
    new = agreement.written(agreement.written(page, "| b | all | new |\n"), "| a | all | first |\n")
    assert new == page.replace("| b | all | old |", "| a | all | first |\n| b | all | new |")


def test_a_page_without_table_is_refused():
    with pytest.raises(ValueError, match="around the table"):
        agreement.written("nothing", "| a | all |\n")


@pytest.mark.parametrize("text", ["", "one", "1-", "1-2-3"])
def test_seeds_are_numbers(text, capsys):
    with pytest.raises(SystemExit):
        agreement.main(["-p", "reference", "--seeds", text])
    assert "expected a number, or two as in 1-10" in capsys.readouterr().err
