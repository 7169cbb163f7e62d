"""`tck detect`: the table of the contract, and its exit codes."""

import pytest
from cli_support import tck


@pytest.mark.slow
def test_a_row_whose_saboteur_is_killed(tmp_path):
    ended = tck("detect", "3.4.1-3", "--format", "json", cwd=tmp_path)
    output = ended.json()
    assert ended.code == 0, ended.err
    assert (output["saboteurs"], output["killed"], output["survived"], output["collateral"]) == (1, 1, [], {})
    assert set(output["dummies"]) == {"raises", "inert", "accepts"}
    for dummy in output["dummies"].values():
        assert dummy["must_cases"] > 0
        assert dummy["must_passed"] == 0
    assert set(output["hunts"]) == {"3.4.1-3"}
    assert not (tmp_path / "tck-out").exists()


def test_no_saboteur_selected(tmp_path):
    ended = tck("detect", "ch13", "--format", "json", cwd=tmp_path)
    assert ended.code == 5
    assert ended.json()["saboteurs"] == 0
    assert "nothing was run" in ended.err


@pytest.mark.slow
def test_it_ends_with_what_it_found(tmp_path):
    ended = tck("detect", "3.4.1-3", cwd=tmp_path)
    assert ended.code == 0, ended.err
    assert ended.out.rstrip().splitlines()[-1].startswith("dummy accepts")


def test_void_hooks_and_newly_undecided_rows_are_in_the_table(tmp_path):
    ended = tck("detect", "4.1.8-1", "--format", "json", cwd=tmp_path)
    output = ended.json()
    assert ended.code == 0, ended.err
    assert output["void_hooks"] == {
        "hooks": ["pending"],
        "reported": ["pending"],
        "missed": [],
        "conformant": False,
        "failure": None,
    }
    assert (output["silent"], output["undecided"], output["by_owner"]) == (
        [],
        {},
        sum(map(bool, output["nearly_right"].values())),
    )


@pytest.mark.slow
def test_lawful_providers_are_not_accused(tmp_path):
    ended = tck("detect", "--lawful", "7.10-5", "--programs", "3", "--format", "json", cwd=tmp_path)
    output = ended.json()
    assert ended.code == 0, ended.err
    names = {"lawful/producers-limited", "lawful/producers-limited/at-times"}
    assert (output["lawful"], output["accused"], output["failures"]) == (2, [], [])
    assert set(output["providers"]) == set(output["explored"]) == names
    assert all(each["cases"] > 1000 for each in output["providers"].values())
    assert all(each["programs"] == 3 for each in output["explored"].values())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--lawful", "--breadth"), "--lawful runs providers that are right"),
        (("--lawful", "--scope", "own"), "--lawful runs providers that are right"),
        (("--programs", "3"), "--programs belongs to --lawful"),
    ],
)
def test_options_that_do_not_go_together(words, said, tmp_path):
    ended = tck("detect", "3.4.1", *words, cwd=tmp_path)
    assert ended.code == 4
    assert said in ended.err


@pytest.mark.slow
def test_no_lawful_provider_selected(tmp_path):
    ended = tck("detect", "--lawful", "3.4.1", cwd=tmp_path)
    assert ended.code == 5
    assert "no lawful provider belongs to a row" in ended.err
