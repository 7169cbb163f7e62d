"""Small suites of our own, run by pytest in a process of its own on the reference provider."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from tck.record import Bundle

HEAD = """
import os
import signal
import threading
from tck import api
from tck.suite.support import asserts, expect
"""
PROFILE = """
[profile]
name = "quick"
title = "Reference provider with short deadlines"
extends = "reference"
[adapter.settings]
clock = "system"
[timing]
case = 1500
deadline = 1000
"""


@dataclass(frozen=True, slots=True)
class Ran:
    """How a run of a small suite ended."""

    exit: int
    output: str
    out: Path

    @property
    def bundle(self) -> Bundle:
        """The one bundle that it left."""
        (folder,) = (self.out / "runs").iterdir()
        return Bundle.open(folder)

    def outcomes(self) -> dict[str, str]:
        """Outcome by case."""
        return {result.case: result.outcome.value for result in self.bundle.results()}

    def order(self) -> list[str]:
        """Cases as they ran, of a run in one process."""
        return [case.case for case in sorted(self.bundle.cases(), key=lambda case: case.position)]


@pytest.fixture
def run_suite(tmp_path: Path) -> Callable[..., Ran]:
    """Run the given tests as a suite; further arguments go to pytest."""

    def run(body: str, *arguments: str, profile: str = "reference") -> Ran:
        folder = tmp_path / f"suite-{len(list(tmp_path.iterdir()))}"
        folder.mkdir()
        (folder / "test_small.py").write_text(HEAD + textwrap.dedent(body))
        (folder / "pytest.ini").write_text("[pytest]\n")
        (folder / "quick.toml").write_text(PROFILE)
        out = folder / "out"
        command = [sys.executable, "-m", "pytest", "-p", "tck.plugin", "-p", "xdist", "-p", "no:cacheprovider"]
        command += ["--profile", profile, "--out", str(out), "-q", *arguments, "test_small.py"]
        ended = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, timeout=120, check=False, env=_environment()
        )
        return Ran(ended.returncode, ended.stdout + ended.stderr, out)

    return run


def _environment() -> dict[str, str]:

    root = str(Path(__file__).resolve().parents[2])
    path = os.environ.get("PYTHONPATH", "")
    return {
        **os.environ,
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        "PYTHONPATH": f"{root}{os.pathsep}{path}".rstrip(os.pathsep),
    }
