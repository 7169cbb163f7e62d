"""A bridge that is not ours, in Java over JacORB, judged over CORBA."""

import contextlib
import subprocess
import sys

import pytest

from tck.adapters.jvm.brokers import free_port
from tck.adapters.jvm.machine import find_java
from tck.profile import AdapterError, profiles_directory

pytest.importorskip("omniORB", reason="omniORB is not installed: pip install 'jms-tck[corba]'")
pytest.importorskip("jpype", reason="JPype is not installed: pip install 'jms-tck[jvm]'")
FOLDER = profiles_directory() / "evidence" / "bridge"
BY_REFERENCE = """
[bridge]
name = "foreign"
title = "A bridge that runs already"
reference = "{reference}"
channels_at = "127.0.0.1:{port}"
"""
AT = """
[profile]
name = "at"
title = "Artemis at a known port"
extends = "artemis"
[adapter.settings.broker]
driver = "artemis"
protocol = "tcp"
port = {port}
"""
pytestmark = [pytest.mark.slow, pytest.mark.java]


@pytest.fixture(autouse=True)
def jdk():
    with contextlib.suppress(AdapterError):
        if (find_java(17).home / "bin" / "javac").is_file():
            return
    pytest.skip("there is no JDK of Java 17 or newer to compile the bridge")


def run(*words):
    command = [sys.executable, "-m", "tck", "run", *map(str, words), "--no-report", "--timeout-multiplier", "3"]
    return subprocess.run(command, capture_output=True, text=True, timeout=500, check=False)


def test_a_bridge_that_is_not_ours_is_judged(tmp_path):
    profiles = "-p", FOLDER / "artemis.toml", "--bridge", FOLDER / "foreign.toml"
    done = run("interworking", *profiles, "--out", tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "No violation found, 1 assertion with an advisory" in done.stdout
    assert "iw-2.5.6-6 SHOULD" in done.stdout  # it was written for channels whose PriorityOrder is not stable
    assert "454 of 458 testable rows" in done.stdout


def test_a_bridge_that_runs_already_is_judged_by_its_reference(tmp_path):
    broker, port = free_port(), free_port()
    program = [sys.executable, FOLDER / "foreign.py", f"corbaloc::127.0.0.1:{port}/EventChannelFactory"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen([*program, f"tcp://127.0.0.1:{broker}"], **pipes) as foreign:
        reference = foreign.stdout.readline().strip()
        (tmp_path / "mine.toml").write_text(BY_REFERENCE.format(reference=reference, port=port), encoding="utf-8")
        (tmp_path / "at.toml").write_text(AT.format(port=broker), encoding="utf-8")
        cases = [f"iw-{each}/queue/*" for each in ("2.3-3", "2.3-37", "2.2-7", "3.1-2", "3.1.3.1-8")]
        profiles = "-p", tmp_path / "at.toml", "--bridge", tmp_path / "mine.toml"
        done = run(*cases, *profiles, "-n", "0", "--out", tmp_path / "out")
        foreign.stdin.close()
        assert foreign.wait(60) == 0
    assert done.returncode == 0, done.stdout + done.stderr
    assert "5 passed" in done.stdout
    ended = run(*cases[:1], *profiles, "-n", "0", "--out", tmp_path / "out")
    assert ended.returncode == 4
    assert "start the bridge, or correct the reference" in ended.stderr
