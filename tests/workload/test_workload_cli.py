"""`tck workload`: what is printed, where, and with which exit code."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from tck.check.columns import Op

ROOT = Path(__file__).parents[2]


def command(*words, cwd):
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return [sys.executable, "-m", "tck", "workload", *words], {"cwd": cwd, "env": environment}


def tck(*words, cwd=ROOT):
    line, given = command(*words, cwd=cwd)
    return subprocess.run(line, **given, capture_output=True, text=True, timeout=120, check=False)


@pytest.fixture(scope="module")
def ran(tmp_path_factory):
    out = tmp_path_factory.mktemp("out")
    return out, tck("run", "--plan", "steady", "--messages", "100", "--seed", "4", "--out", str(out))


def test_a_run_tells_properties_and_leaves_a_bundle(ran):
    out, done = ran
    assert done.returncode == 0, done.stderr
    assert re.search(r"no-loss-persistent +\d+ +0 +0  conformant", done.stdout)
    assert "seed 4" in done.stderr
    (bundle,) = (out / "runs").iterdir()
    assert f"bundle {bundle}" in done.stdout
    assert (bundle / "end.json").exists()


def test_a_bundle_is_judged_again(ran):
    out, _ = ran
    done = tck("check", "latest", "--out", str(out), "--format", "json")
    assert done.returncode == 0, done.stderr
    output = json.loads(done.stdout)
    assert set(output) == {"bundle", "rows", "properties"}
    assert len(output["properties"]) > 40


def test_json_is_all_that_stdout_holds_and_its_keys_are_documented(tmp_path):
    done = tck("run", "--plan", "steady", "--messages", "50", "--out", str(tmp_path), "--format", "json")
    output = json.loads(done.stdout)
    assert output["stopped"] == "messages"
    assert output["exit"] == done.returncode == 0
    text = (ROOT / "docs" / "workload.md").read_text()
    named = {*output, *output["properties"][0], *json.loads(tck("list", "--format", "json").stdout)[0]}
    assert [key for key in named if f"`{key}`" not in text] == []


def test_a_violation_ends_with_1_and_is_reported(tmp_path):
    done = tck(
        "run",
        "--plan",
        "steady",
        "--messages",
        "100",
        "--setting",
        "saboteur=no-loss-persistent",
        "--out",
        str(tmp_path),
    )
    assert done.returncode == 1
    assert re.search(
        r"^no-loss-persistent/\d+@\d+/\d+\.\d+\n  Message \d+ of clerk-\d was sent", done.stdout, re.MULTILINE
    )


@pytest.mark.parametrize(
    ("words", "code", "expected"),
    [
        (("run", "--plan", "nothing"), 4, "no plan nothing"),
        (("run", "-p", "reference", "--plan", "steady"), 4, "bound the run with --messages N"),
        (("run", "--plan", "steady", "-p", "nobody"), 4, "nobody"),
        (("run", "--plan", "steady", "--messages", "5", "--tier", "9.9"), 4, "9.9"),
        (("run", "--plan", "steady", "--messages", "5", "--setting", "clock"), 4, "expected KEY=VALUE"),
        (("run", "--plan", "steady", "--messages", "5", "--setting", "clock=sundial"), 4, "expected one of"),
        (("run",), 4, "--plan"),
        (("run", "--plan", "steady", "--duration", "nan"), 4, "not in the range 0.001<=x<=604800"),
        (("run", "--plan", "steady", "--duration", "inf"), 4, "not in the range"),
        (("run", "--plan", "steady", "--duration", "1e308"), 4, "not in the range"),
        (("run", "--plan", "steady", "--messages", "99999999999"), 4, "not in the range 1<=x<=1000000000"),
        (("run", "--plan", "s" * 300, "--messages", "5"), 4, "File name too long"),
        (("check", "s" * 300), 4, "no workload ss"),
        (("check", "nothing"), 4, "no workload nothing"),
    ],
)
def test_mistakes_are_answered_in_one_message(words, code, expected, tmp_path):
    done = tck(*words, "--out", str(tmp_path)) if len(words) > 1 else tck(*words)
    assert done.returncode == code, done.stderr
    assert expected in done.stderr
    assert "Traceback" not in done.stderr
    assert list((tmp_path / "runs").glob("*")) == []


def test_an_interrupt_leaves_a_whole_bundle(tmp_path):
    line, given = command(
        "run", "-p", "reference-realtime", "--plan", "transactions", "--duration", "60", "--out", str(tmp_path), cwd=ROOT
    )  # fmt: skip
    with subprocess.Popen(line, **given, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline and not busy(tmp_path):
            os.sched_yield()
        process.send_signal(signal.SIGINT)
        reported, _ = process.communicate(timeout=60)
    assert process.returncode == 2
    assert "stopped by interrupt" in reported
    (bundle,) = (tmp_path / "runs").iterdir()
    assert json.loads((bundle / "workload.json").read_text())["stopped"] == "interrupt"
    assert tck("check", str(bundle)).returncode == 0


def busy(out):
    """Whether a run has got as far as its hundredth delivery."""
    parts = list(out.glob("runs/*/operations/00000.npy"))
    try:
        return bool(parts) and np.count_nonzero(np.load(parts[0])["op"] == Op.DELIVER) > 100
    except (OSError, ValueError, EOFError):  # the part is being made
        return False


def test_a_run_that_was_killed_can_be_judged(tmp_path):
    line, given = command(
        "run", "-p", "reference-realtime", "--plan", "steady", "--duration", "60", "--out", str(tmp_path), cwd=ROOT
    )  # fmt: skip
    given["env"]["TMPDIR"] = str(tmp_path / "tmp")
    (tmp_path / "tmp").mkdir()
    with subprocess.Popen(line, **given, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline and not busy(tmp_path):
            os.sched_yield()
        process.kill()
    (bundle,) = (tmp_path / "runs").iterdir()
    assert tck("check", str(bundle)).returncode == 4
    done = tck("check", str(bundle), "--allow-truncated", "--format", "json")
    assert done.returncode in (0, 5), done.stderr
    assert json.loads(done.stdout)["rows"] > 10
