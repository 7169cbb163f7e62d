"""How findings are written: as numbered calls for people, as JSON, and as files that can be run again."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from tck.programs.program import Json, Program
from tck.programs.rendering import call_text

if TYPE_CHECKING:
    from tck.explore.exploration import Finding


def finding_lines(finding: Finding) -> Iterator[str]:
    """Yield the lines that show a finding: its rows, its calls, and the two outcomes at the call that differs."""
    difference = finding.difference
    rows = ", ".join(difference.rows) or "no row named"
    times = f"in {finding.times} program{'s' if finding.times > 1 else ''}"
    yield f"{finding.verdict.upper()}  {difference.do}: {difference.what}  ({rows}; {times})"
    if finding.reason:
        yield f"  declared: {finding.reason}"
    for number, step in enumerate(finding.program.steps):
        yield f"{'  ->' if number == difference.step else '    '} {number + 1:>2}  {call_text(step)}"
    yield f"     expected: {difference.expected}"
    yield f"     seen:     {difference.seen}"


def finding_json(finding: Finding, file: Path | None) -> dict[str, Json]:
    """Return a finding as a JSON object; `file` is where its program is stored."""
    return {
        "verdict": finding.verdict,
        "reason": finding.reason,
        "times": finding.times,
        **_difference(finding),
        "program": finding.program.to_json(),
        "file": None if file is None else str(file),
    }


def store(finding: Finding, folder: Path, number: int) -> Path:
    """Write the program of a finding to a file of the folder; return the file."""
    folder.mkdir(parents=True, exist_ok=True)
    words = re.findall(r"\w+", f"{finding.difference.do} {finding.difference.what}")
    path = folder / f"{number:02}-{'-'.join(words).lower()[:60]}.json"  # a property's name may be long
    program = finding.program
    about = {**program.about, "verdict": finding.verdict, **_difference(finding)}
    path.write_text(Program(program.steps, about).text(), encoding="utf-8")
    return path


def _difference(finding: Finding) -> dict[str, Json]:
    found = finding.difference
    return {
        "rows": list(found.rows),
        "step": found.step + 1,
        "call": found.do,
        "what": found.what,
        "expected": found.expected,
        "seen": found.seen,
    }
