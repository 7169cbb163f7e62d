"""`tck list` and `tck explain`: rows, cases, and what is known of a row."""

import re
from types import SimpleNamespace

import pytest
from cli_support import one_message, tck

from tck.catalogue import load_catalogue
from tck.cli.explain_command import LONGEST, _seen_lines
from tck.cli.support.pytest_session import collect_suite
from tck.cli.support.suite_tests import files_naming, ids_tested, suite_files, suite_tests
from tck.profile.tiers import TIERS
from tck.record import Verdict
from tck.suite.support.journeys.journey import variants


def test_list_has_every_row(tmp_path):
    rows = tck("list", "--format", "json", cwd=tmp_path).json()["rows"]
    known = load_catalogue()
    assert [row["id"] for row in rows] == list(known)
    assert {row["id"] for row in rows if row["judged"]} == {row.id for row in known.judged()}
    assert {row["id"] for row in rows if row["tested"]} == ids_tested() - set(known.claims) - set(known.interworking)


def test_list_takes_selectors_and_tiers(tmp_path):
    rows = tck("list", "3.4.13", "--tier", "1.1", "--format", "json", cwd=tmp_path)
    assert (rows.code, rows.json()) == (5, {"rows": []})
    rows = tck("list", "3.4.13", "--tier", "2.0", "--format", "json", cwd=tmp_path).json()["rows"]
    assert {row["section"] for row in rows} == {"3.4.13"}


def test_list_for_people_is_a_plain_table_when_piped(tmp_path):
    lines = tck("list", "3.4.1", cwd=tmp_path).out.splitlines()
    assert re.split(r"  +", lines[0]) == ["id", "level", "tested", "title"]
    assert lines[1].startswith("3.4.1-1  MUST")
    assert "\x1b" not in "".join(lines)


def test_list_untested_has_judged_rows_without_a_test_only(tmp_path):
    rows = tck("list", "--untested", "--format", "json", cwd=tmp_path).json()["rows"]
    assert all(row["judged"] and not row["tested"] for row in rows)


@pytest.mark.slow
def test_list_cases_names_cases_and_their_tests(tmp_path):
    ended = tck("list", "3.4.1-1", "--cases", "--format", "json", cwd=tmp_path)
    listed = ended.json()
    assert (listed["profile"], listed["tier"]) == ("reference", "3.1")
    assert "3.4.1-1/queue/classic/auto" in [case["case"] for case in listed["cases"]]
    assert all("3.4.1-1" in case["assertions"] for case in listed["cases"])
    own = [case for case in listed["cases"] if "/journey-" not in case["case"]]
    assert {case["file"] for case in own} == {"tck/suite/ch03_message_model/test_3_4_1_destination.py"}


def test_list_cases_of_a_row_that_no_run_decides_has_none(tmp_path):
    done = tck("list", "3.3-3", "--cases", cwd=tmp_path)
    assert (done.code, done.out.splitlines()[-1]) == (5, "0 cases under 3.1")


def test_the_id_of_a_row_selects_the_journeys_that_judge_it():
    selected = collect_suite(["--profile", "reference", "--select", "3.4.11-5"]).cases
    judging = {variant.name for variant in variants() if "3.4.11-5" in variant.rows}
    assert judging
    assert {case.case.rpartition("/")[2] for case in selected if "/journey-" in case.case} == judging
    assert all("3.4.11-5" in case.assertions for case in selected)


def test_list_cases_goes_by_the_tier(tmp_path):
    cases = tck("list", "3.4.1-1", "--cases", "--tier", "1.1", "--format", "json", cwd=tmp_path).json()["cases"]
    assert cases
    assert not [case for case in cases if "simplified" in case["case"]]


@pytest.mark.slow
@pytest.mark.parametrize("tier", TIERS)
def test_the_suite_can_be_collected_in_each_tier(tier):
    assert collect_suite(["--profile", "reference", "--tier", tier]).tests


@pytest.mark.slow
def test_the_suite_read_as_text_says_what_pytest_collects():
    collected = collect_suite(["--profile", "reference"])
    as_text = {test.node: test.assertions for test in suite_tests()}
    assert as_text == dict(collected.tests)


@pytest.mark.slow
def test_files_are_chosen_by_the_rows_they_name():
    for test in suite_tests():
        for id_ in test.assertions:
            assert test.file in {path.as_posix()[-len(test.file) :] for path in files_naming({id_})}
    assert len(files_naming({"3.4.1-1"})) < len(suite_files())


def test_explain_tells_claim_test_and_fault(tmp_path):
    row = load_catalogue()["3.4.1-1"]
    text = tck("explain", "3.4.1-1", cwd=tmp_path).out
    for part in (row.statement, row.how, row.saboteur, "MUST", "test_3_4_1_destination.py:", "no run to look into"):
        assert part in text


def test_explain_as_json_has_the_keys_of_the_contract(tmp_path):
    output = tck("explain", "3.4.1-1", "--format", "json", cwd=tmp_path).json()
    assert output["id"] == "3.4.1-1"
    assert output["seen"] is None
    assert output["tests"][0]["node"].startswith("tck/suite/ch03_message_model/test_3_4_1_destination.py::test_")


def test_explain_of_a_wrong_id_names_its_neighbours(tmp_path):
    assert "3.4.1-1, 3.4.1-2" in one_message(tck("explain", "3.4.1-77", cwd=tmp_path))
    assert "3.4.13-1" in one_message(tck("explain", "34.13-1", cwd=tmp_path))


def test_explain_cuts_long_texts_of_several_cases_and_shows_those_of_one_in_full():
    run = SimpleNamespace(run="r1", provider=SimpleNamespace(name="a broker", version="1"))
    seen = SimpleNamespace(
        case="3.4.1-1/queue/classic/auto",
        verdicts={"3.4.1-1": Verdict.VIOLATION},
        expected="x" * (LONGEST + 7),
        observed="short",
        explanation=None,
        behaviour=None,
    )
    cut = _seen_lines(SimpleNamespace(run=run), "3.4.1-1", [seen, seen], whole=False)
    assert f"      expected  {'x' * LONGEST}... (7 more characters)" in cut
    assert "      observed  short" in cut
    assert f"      expected  {seen.expected}" in _seen_lines(SimpleNamespace(run=run), "3.4.1-1", [seen], whole=True)


def test_a_scenario_is_explained_by_its_steps_and_claims(tmp_path):
    shown = tck("explain", "pj-chat", cwd=tmp_path)
    assert shown.code == 0
    assert "pj-chat-1  MUST  every member sees" in shown.out
    assert "tck run pj-chat" in shown.out
    data = tck("explain", "pj-chat", "--format", "json", cwd=tmp_path).json()
    assert (data["id"], len(data["steps"]), data["cites"]["1"]) == ("pj-chat", 5, ["6.2.9.1-3", "6.2.12-2"])
