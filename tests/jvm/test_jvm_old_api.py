"""Providers on API jars of 1.1 and 1.0.2b: absent members, doctor's words, and a tier beyond the API; each in a process of its own."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tck.adapters.jvm.machine import find_java
from tck.adapters.jvm.provider import api_version
from tck.adapters.opening import check_adapter
from tck.profile import AdapterError, load_profile

ROOT = Path(__file__).parents[2]
HERE = ROOT / "tests" / "jvm"
V11, V102 = "activemq5-jms11", str(HERE / "jms102.toml")


@pytest.fixture(scope="module", autouse=True)
def java():
    pytest.importorskip("jpype", reason="JPype is not installed: pip install 'jms-tck[jvm]'")
    try:
        find_java(17)
    except AdapterError as error:
        pytest.skip(str(error))
    for name in (V11, V102):
        check_adapter(load_profile(name))


def run(*arguments, **environment):
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


@pytest.mark.slow
@pytest.mark.parametrize(("old", "chosen"), [(V11, "not v102"), (V102, "not v11")], ids=["1.1", "1.0.2b"])
def test_what_an_old_api_lacks_is_absent(old, chosen):
    tests = ("-m", "pytest", "-q", "-n", "0", "tests/jvm/inside_old_api.py", "-k", chosen)
    done = run(*tests, OLD_API=old, PYTHONPATH="tests/jvm")
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("namespace", "lacking", "version"),
    [
        ("jakarta", set(), "3.1"),
        ("javax", set(), "2.0"),
        ("javax", {"createContext"}, "1.1"),
        ("javax", {"createContext", "createConnection"}, "1.0.2b"),
    ],
)
def test_the_version_of_an_api_follows_from_what_it_has(namespace, lacking, version):
    assert api_version(namespace, lambda member: member.name not in lacking) == version


CLAIMS = """
[profile]
name = "mine"
title = "mine"
extends = "activemq5-jms11"
[claims]
version = "{version}"
"""


def doctor(version, folder):
    mine = folder / "mine.toml"
    mine.write_text(CLAIMS.format(version=version), encoding="utf-8")
    done = run("-m", "tck", "doctor", "-p", str(mine))
    return done.returncode, [line for line in done.stdout.splitlines() if "Java API" in line or "to do" in line]


def test_doctor_names_the_version_of_the_api_that_it_found(tmp_path):
    code, lines = doctor("1.1", tmp_path)
    assert (code, [line.split(maxsplit=3) for line in lines]) == (
        0,
        [["ok", "Java", "API", "JMS 1.1, in geronimo-jms_1.1_spec-1.1.1.jar"]],
    )


def test_doctor_says_what_a_profile_claims_beyond_the_api(tmp_path):
    code, lines = doctor("2.0", tmp_path)
    assert code == 4
    assert lines[0].startswith("FAIL  Java API")
    assert "JMS 1.1, in geronimo-jms_1.1_spec-1.1.1.jar; the profile claims JMS 2.0 revision a, and beyond" in lines[0]
    assert "simplified, delivery delays, shared subscriptions" in lines[0]
    assert lines[1].strip().startswith('to do: claim version = "1.1" in [claims]')


@pytest.mark.slow
@pytest.mark.parametrize(
    ("api", "sections"),
    # Not 3.12 behind 1.0.2b: the reference provider reads the length of a foreign body, which that API does not tell.
    [("jms11", ("2", "3.11", "3.12", "4.1")), ("jms102", ("2", "3.4", "3.11"))],
)
def test_the_sound_provider_conforms_behind_an_old_api(api, sections, tmp_path):
    profile = str(HERE / f"loopback-{api}.toml")
    options = ("--points", "one", "--seed", "1", "--no-report", "--out", str(tmp_path))
    done = run("-m", "tck", "run", "-p", profile, *options, *sections)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
def test_a_tier_beyond_the_api_finds_its_calls_absent(tmp_path):
    profile = str((HERE / "loopback-jms11.toml").relative_to(ROOT))  # a long path leaves less room for what was seen
    options = ("--tier", "2.0", "--points", "one", "-n", "0", "--no-report", "--out", str(tmp_path))
    done = run("-m", "tck", "run", "-p", profile, *options, "6.2-1", "6.2-2")
    assert done.returncode == 1, done.stdout + done.stderr
    for call in ("createSession()", "createSession(int)"):
        assert f"NoSuchMethodError: javax.jms.Connection.{call}" in " ".join(done.stdout.split())
