"""The adapter is transparent: the reference provider, and faults of it, behind Java; each run in a process of its own."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tck.adapters.jvm.machine import find_java
from tck.profile import AdapterError

ROOT = Path(__file__).parents[2]
LOOPBACK = str(ROOT / "tests" / "jvm" / "loopback.toml")
SAMPLE = ("3.4.8-1", "3.5.4-7", "3.11.3-13", "3.12-6", "3.12-8", "3.12-13", "3.12-14", "3.12-15", "3.12-16", "4.1.6-2")


@pytest.fixture(scope="module", autouse=True)
def java(request):
    pytest.importorskip("jpype", reason="JPype is not installed: pip install 'jms-tck[jvm]'")
    try:
        find_java(17)
    except AdapterError as error:
        pytest.skip(str(error))
    request.getfixturevalue("jars")


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


def test_exceptions_cross_whole():
    done = run("-m", "pytest", "-q", "-n", "0", "tests/jvm/inside_failures.py", PYTHONPATH="tests/jvm")
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
def test_the_sound_provider_conforms_behind_java(tmp_path):
    done = run(
        "-m", "tck", "run", "-p", LOOPBACK, "--points", "one", "--seed", "1", "--out", str(tmp_path), "3.11", "3.12"
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
def test_faults_are_seen_through_the_adapter():
    done = run("-m", "tck", "detect", "--through", LOOPBACK, "--format", "json", *SAMPLE)
    found = json.loads(done.stdout)
    assert found["through"] == "the JVM adapter"
    assert found["saboteurs"] == len(SAMPLE)
    assert found["survived"] == [], done.stderr
    assert found["failures"] == []
