"""The programs of profiles/evidence and the declarations that name them belong together."""

import shlex
import tomllib
from pathlib import PurePath

import pytest
from project_support import ROOT

EVIDENCE = ROOT / "profiles" / "evidence"
SUPPORT = {"branch.py", "brokers.py", "run.py"}
PROGRAMS = sorted(path.name for path in EVIDENCE.glob("*.py") if path.name not in SUPPORT)
PROFILES = sorted((ROOT / "profiles" / "providers").glob("*.toml"))


def calls(profile):
    """Return the words of each call of a program that the profile names, by the row that it is declared for."""
    declared = tomllib.loads(profile.read_text(encoding="utf-8")).get("deviation", [])
    named = [
        (each["assertion"], each["evidence"]) for each in declared if each.get("evidence", "").startswith("profiles/")
    ]
    return [(row, shlex.split(call)) for row, call in named]


@pytest.mark.parametrize("profile", PROFILES, ids=lambda path: path.stem)
def test_a_profile_names_programs_that_exist_and_its_own_provider(profile):
    wrong = [
        (row, program, provider)
        for row, (program, provider, *_) in calls(profile)
        if PurePath(program).name not in PROGRAMS or provider != profile.stem.removesuffix("-process")
    ]
    assert wrong == []


def test_the_programs_of_every_provider_are_run():
    run = (ROOT / "tests" / "jvm" / "test_jvm_evidence.py").read_text(encoding="utf-8")
    named = {provider for profile in PROFILES for _, (_, provider, *_) in calls(profile)}
    assert named
    assert [provider for provider in named if f'"{provider}"' not in run] == []


def test_each_program_is_named_by_a_profile():
    named = {PurePath(words[0]).name for profile in PROFILES for _, words in calls(profile)}
    assert set(PROGRAMS) - named == set()


@pytest.mark.parametrize("profile", PROFILES, ids=lambda path: path.stem)
def test_each_case_that_a_profile_asks_for_is_one_of_its_program(profile):
    asked = [(words[0], word[5:]) for _, words in calls(profile) for word in words if word.startswith("case=")]
    assert [
        (program, case) for program, case in asked if f'"{case}")' not in (ROOT / program).read_text(encoding="utf-8")
    ] == []


@pytest.mark.parametrize("program", PROGRAMS)
def test_each_program_ends_with_its_judgement(program):
    assert (EVIDENCE / program).read_text(encoding="utf-8").endswith("\nend()\n")


def test_the_programs_of_races_exist():
    races = (EVIDENCE / "run.py").read_text(encoding="utf-8").partition("RARE = (")[2].partition(")")[0]
    named = [name.strip(' "') for name in races.split(",")]
    assert named
    assert set(named) <= set(PROGRAMS)
