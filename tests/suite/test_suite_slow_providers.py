"""No case accuses a provider for being slow on the clock of the machine."""

from __future__ import annotations

import subprocess
import sys

import pytest

from faults import all_lawful

ROWS = (
    "6.2.7-5/queue/simplified/*/delayed",
    "7.9-5/queue/simplified/auto/many",
    "6.1.2-11/topic/simplified/auto/company",
)


SLOW = [name for name, each in all_lawful().items() if each.slow]


def run(tmp_path, *words):
    command = [sys.executable, "-m", "tck", "run", "-n", "0", "--no-report", "--out", str(tmp_path), *words]
    return subprocess.run(command, capture_output=True, encoding="utf-8", check=False)


@pytest.mark.slow
@pytest.mark.parametrize("name", SLOW)
def test_slow_providers_hold_on_a_real_clock(name, tmp_path):
    ended = run(tmp_path, "-p", "reference-realtime", "--setting", f'saboteur="{name}"', *ROWS)
    assert ended.returncode == 0, ended.stdout[-3000:]


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in SLOW if not name.endswith("/at-times")])
def test_slow_providers_run_the_corpus_on_a_clock_that_passes(name, tmp_path):
    settings = ("--setting", 'clock="passing"', "--setting", f'saboteur="{name}"')
    ended = run(tmp_path, "-p", "reference", *settings, "corpus")
    assert ended.returncode == 0, ended.stdout[-3000:]
    assert "needs hook clock" in ended.stdout
