"""Take code blocks out of Markdown, and run commands as a reader would."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 120

_FENCE = re.compile(
    r'^```(?P<language>\w*)(?: title="(?P<title>[^"]+)")?\n(?P<text>.*?)^```$', re.MULTILINE | re.DOTALL
)


@dataclass(frozen=True)
class Block:
    """One fenced block."""

    language: str
    title: str | None
    text: str


def page(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def blocks(text: str) -> list[Block]:
    return [Block(found["language"], found["title"], found["text"]) for found in _FENCE.finditer(text)]


def titled(text: str, title: str) -> Block:
    found = [block for block in blocks(text) if block.title == title]
    assert len(found) == 1, f'expected one block titled "{title}", found {len(found)}'
    return found[0]


@cache
def titled_blocks() -> frozenset[str]:
    """Return the titles of all blocks of the pages: files that a reader copies from there."""
    pages = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]
    return frozenset(block.title for each in pages for block in blocks(each.read_text(encoding="utf-8")) if block.title)


def section(text: str, heading: str) -> str:
    """Give what stands under a heading of second level."""
    found = re.search(rf"^## {re.escape(heading)}\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    assert found, f"no section {heading!r}"
    return found[1]


def run(command: str, cwd: Path, patience: int = PATIENCE) -> subprocess.CompletedProcess[str]:
    """Run a documented command; `tck` and `pytest` are this interpreter's."""
    words = shlex.split(command, comments=True)
    assert words[0] in {"tck", "pytest"}, f"no command of ours: {command}"
    return subprocess.run(
        [sys.executable, "-m", *words],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=patience,
        stdin=subprocess.DEVNULL,
        check=False,
    )
