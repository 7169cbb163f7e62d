"""The programs of profiles/evidence and the declarations that name them belong together."""

import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import PurePath

import pytest
from project_support import ROOT

EVIDENCE = ROOT / "profiles" / "evidence"
SUPPORT = {"application_server.py", "branch.py", "brokers.py", "run.py"}
PROGRAMS = sorted(path.name for path in EVIDENCE.glob("*.py") if path.name not in SUPPORT)
PROFILES = sorted((ROOT / "profiles" / "providers").glob("*.toml"))


def calls(profile):
    """Return the words of each call of a program that the profile names, by the row that it is declared for."""
    content = tomllib.loads(profile.read_text(encoding="utf-8"))
    named = [
        (each["assertion"], each["evidence"])
        for table in (content, *content.get("variant", {}).values())
        for each in table.get("deviation", ())
        if each.get("evidence", "").startswith("profiles/")
    ]
    return [(row, shlex.split(call)) for row, call in named]


def providers(profile):
    """Return those whose programs a profile may name: itself and variants with other jars; with those of two libraries the other one too."""
    variants = tomllib.loads(profile.read_text(encoding="utf-8")).get("variant", {})
    named = {f"{profile.stem}-{name}": each.get("settings", {}).keys() for name, each in variants.items()}
    other = {name for name, keys in named.items() if keys & {"second", "coordinates"}}
    return {profile.stem, *other, *({"artemis", "qpid"} if any("second" in keys for keys in named.values()) else ())}


@pytest.mark.parametrize("profile", PROFILES, ids=lambda path: path.stem)
def test_a_profile_names_programs_that_exist_and_its_own_provider(profile):
    wrong = [
        (row, program, provider)
        for row, (program, provider, *_) in calls(profile)
        if PurePath(program).name not in PROGRAMS or provider not in providers(profile)
    ]
    assert wrong == []


@pytest.mark.parametrize("profile", PROFILES, ids=lambda path: path.stem)
def test_each_declaration_of_a_profile_says_how_bad_it_is(profile):
    content = tomllib.loads(profile.read_text(encoding="utf-8"))
    declared = [
        each for table in (content, *content.get("variant", {}).values()) for each in table.get("deviation", ())
    ]
    assert [each["assertion"] for each in declared if "effect" not in each] == []


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


def test_a_client_identifier_belongs_to_one_program():
    """A context or connection that a program leaves open keeps its identifier, which another program could not take then."""
    users = {}
    for program in PROGRAMS:
        text = (EVIDENCE / program).read_text(encoding="utf-8")
        for name in re.findall(r"\b(?:connection|setClientID)\(\"([^\"]+)\"\)", text):
            users.setdefault(name, set()).add(program)
    assert len(users) > 5
    assert {name: programs for name, programs in users.items() if len(programs) > 1} == {}


def ran(folder, **programs):
    """Return the exit code of run.py and its last lines, for a provider whose profile names these programs; they need no broker."""
    pytest.importorskip("jpype", reason="JPype is not installed: pip install 'jms-tck[jvm]'")
    for part in ("evidence", "providers"):
        (folder / part).mkdir()
    for name in ("brokers.py", "run.py"):
        shutil.copy(EVIDENCE / name, folder / "evidence")
    for name, text in programs.items():
        (folder / "evidence" / f"{name}.py").write_text(f"from brokers import *\n{text}\nend()\n", encoding="utf-8")
    declared = [f'[[deviation]]\nevidence = "profiles/evidence/{name}.py fake"\n' for name in programs]
    (folder / "providers" / "fake.toml").write_text("\n".join(declared), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(folder / "evidence" / "run.py"), "fake"],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    words = ("not seen: ", "shown at another try: ")
    lines = done.stdout.splitlines()
    return done.returncode, [line for line in lines if line.startswith(words)], lines[-1].partition(",")[0]


ALWAYS = "tell('it', lambda: True, 'false')"
NEVER = "tell('it', lambda: False, 'false')"
SECOND = """
mark = Path(__file__).with_suffix('.ran')
tell('it', mark.exists, 'false')
mark.touch()
"""


def test_a_deviation_that_is_shown_at_another_try_is_listed_and_does_not_fail(tmp_path):
    code, listed, last = ran(tmp_path, always=ALWAYS, second=SECOND)
    assert listed == ["shown at another try: profiles/evidence/second.py fake"]
    assert (code, last) == (0, "2 of 2 deviations were shown")


def test_a_deviation_that_no_try_shows_fails(tmp_path):
    code, listed, last = ran(tmp_path, always=ALWAYS, never=NEVER, fails="raise ValueError")
    assert listed == [f"not seen: profiles/evidence/{name}.py fake" for name in ("fails", "never")]
    assert (code, last) == (1, "1 of 3 deviations were shown")


# The link of the first is still being closed when the second is at work; then the close ends, and the second's link has to stay open.
LINK = """
import brokers
class Link:
    def __init__(self, go):
        self.go, self.closed = go, threading.Event()
    def close(self):
        self.go.wait(30)
        self.closed.set()
"""
SLOW = LINK + "brokers.slow = Link(threading.Event())\nmade.append(brokers.slow)\n" + ALWAYS
BEHIND = LINK + (
    "mine = Link(brokers.slow.go)\n"
    "made.append(mine)\n"
    "brokers.slow.go.set()\n"
    "brokers.slow.closed.wait(30)\n"
    "tell('the link is open', lambda: not mine.closed.wait(0.5), 'false')\n"
)


def test_a_program_keeps_its_links_while_those_of_the_one_before_are_closed(tmp_path):
    assert ran(tmp_path, a_slow=SLOW, behind=BEHIND) == (0, [], "2 of 2 deviations were shown")
