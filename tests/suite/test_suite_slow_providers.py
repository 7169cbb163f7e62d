"""No case accuses a provider for being slow on the clock of the machine."""

from __future__ import annotations

import subprocess
import sys

import pytest

from reference_provider.saboteurs import all_lawful

ROWS = (
    "6.2.7-5/queue/simplified/*/delayed",
    "7.9-5/queue/simplified/auto/many",
    "6.1.2-11/topic/simplified/auto/company",
)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name, each in all_lawful().items() if each.slow])
def test_slow_providers_hold_on_a_real_clock(name, tmp_path):
    words = [
        "-p",
        "reference-realtime",
        "-n",
        "0",
        "--setting",
        f'saboteur="{name}"',
        "--no-report",
        "--out",
        str(tmp_path),
    ]
    ended = subprocess.run(
        [sys.executable, "-m", "tck", "run", *words, *ROWS], capture_output=True, encoding="utf-8", check=False
    )
    assert ended.returncode == 0, ended.stdout[-3000:]
