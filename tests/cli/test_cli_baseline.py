"""`tck baseline`: violations become declarations that name the failing cases and no others."""

import tomllib

import pytest
from cli_support import one_message, tck

from tck.cli.baseline_command import globs

ALL = {f"1-1/{domain}/{api}/auto" for domain in ("queue", "topic") for api in ("classic", "simplified")}


def test_all_failing_cases_need_no_glob():
    assert globs(ALL, ALL) == ["*"]


def test_no_failing_case_needs_no_declaration():
    assert globs(set(), ALL) == []


def test_a_domain_or_an_interface_that_fails_is_one_glob():
    assert globs({case for case in ALL if "/queue/" in case}, ALL) == ["1-1/queue/*/*"]
    assert globs({case for case in ALL if "/simplified/" in case}, ALL) == ["1-1/*/simplified/*"]


def test_a_single_case_is_named():
    assert globs({"1-1/queue/classic/auto"}, ALL) == ["1-1/queue/classic/auto"]


def test_globs_never_name_a_case_that_holds():
    failing = {case for case in ALL if "/queue/" in case} | {"1-1/topic/classic/auto"}
    assert globs(failing, ALL) == ["1-1/queue/*/*", "1-1/topic/classic/auto"] or globs(failing, ALL) == [
        "1-1/queue/*/*",
        "1-1/*/classic/*",
    ]


@pytest.fixture(scope="module")
def broken(tmp_path_factory):
    folder = tmp_path_factory.mktemp("broken")
    (folder / "mine.toml").write_text(
        '# mine\n[profile]\nname = "mine"\ntitle = "Mine"\nextends = "reference"\n\n'
        '[adapter.settings]\nsaboteur = "3.4.1-1"\n'
    )
    ended = tck("run", "3.4.1", "-p", "mine.toml", "-n", "0", "--no-report", cwd=folder)
    assert ended.code == 1, ended.err
    return folder


def test_violations_are_printed_with_what_is_to_be_filled(broken):
    ended = tck("baseline", "latest", cwd=broken)
    tables = tomllib.loads(ended.out)["deviation"]
    assert {table["assertion"] for table in tables} == {"3.4.1-1"}
    assert all(table["reason"] == table["link"] == "TO BE FILLED" for table in tables)
    assert "fill in the reason" in ended.err
    assert ended.code == 0


def test_json_has_the_keys_of_the_contract(broken):
    output = tck("baseline", "latest", "--reason", "known", "--format", "json", cwd=broken).json()
    assert output["written"] == 0
    assert output["deviations"][0] == {
        "assertion": "3.4.1-1",
        "outcome": "fails",
        "reason": "known",
        "cases": output["deviations"][0]["cases"],
        "link": None,
        "evidence": None,
        "at_most": None,
        "expires": None,
        "observed": None,
        "when": None,
        "holds_with": None,
        "effect": None,
    }


def test_writing_needs_a_reason_and_a_link(broken):
    ended = tck("baseline", "latest", "--write", cwd=broken)
    assert "--write needs --reason" in one_message(ended)
    assert ended.code == 4


def test_what_is_written_makes_the_run_pass_and_keeps_the_comments(broken):
    ended = tck("baseline", "latest", "--reason", "known", "--link", "https://tracker.example/1", "--write", cwd=broken)
    assert ended.code == 0, ended.err
    assert (broken / "mine.toml").read_text().startswith("# mine\n")
    ended = tck("run", "3.4.1", "-p", "mine.toml", "-n", "0", "--format", "json", "--no-report", cwd=broken)
    assert ended.code == 0, ended.err
    assert ended.json()["verdicts"]["declared"] > 0
    assert "has no violation" in tck("baseline", "latest", cwd=broken).err
