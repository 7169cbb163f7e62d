"""Run the command line as users do: in a process of its own, from a folder that is not the checkout."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 300


@dataclass(frozen=True)
class Ended:
    """How a command ended."""

    code: int
    out: str
    err: str

    def json(self) -> Any:
        """Read stdout, which must hold JSON alone."""
        return json.loads(self.out)


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "tck", *arguments]


def environment() -> Mapping[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT)}


def tck(*arguments: str, cwd: Path) -> Ended:
    """Run one command line of `tck`."""
    return run(*command(*arguments), cwd=cwd)


def run(*words: str, cwd: Path) -> Ended:
    """Run a process that can import the kit."""
    done = subprocess.run(
        words,
        cwd=cwd,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        stdin=subprocess.DEVNULL,
        check=False,
    )
    return Ended(done.returncode, done.stdout, done.stderr)


def on_a_terminal(*arguments: str, cwd: Path) -> tuple[str, int]:
    """Run one command line of `tck` on a terminal of 80 columns; return all that it showed, and its exit code."""
    ours, theirs = os.openpty()
    environment_ = {**environment(), "COLUMNS": "80", "NO_COLOR": "1", "TERM": "dumb"}
    with subprocess.Popen(
        command(*arguments), cwd=cwd, env=environment_, stdin=theirs, stdout=theirs, stderr=theirs
    ) as process:
        os.close(theirs)
        shown = b""
        with contextlib.suppress(OSError):  # the terminal ends with the process
            while block := os.read(ours, 1 << 16):
                shown += block
        os.close(ours)
        return shown.decode(), process.wait(PATIENCE)


def wait_for_results(folder: Path, least: int = 1) -> None:
    """Wait until the run in a folder has written its first results, in bytes."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        if any(path.stat().st_size >= least for path in folder.glob("tck-out/runs/*/parts/*.ndjson*")):
            return
        time.sleep(0.02)
    pytest.fail("the run wrote no results")


def one_message(ended: Ended) -> str:
    """Hold that the command said one thing only, on stderr, and give it."""
    assert ended.out == ""
    assert "Traceback" not in ended.err, ended.err
    assert ended.err.count("tck: ") == 1, ended.err
    return ended.err.removeprefix("tck: ").strip()
