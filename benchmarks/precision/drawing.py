"""Declared deviations drawn by a seed, and the sheet on each for a reader to judge. Imports the profiles and the catalogue."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from random import Random

from tck.catalogue import Assertion, Catalogue
from tck.profile import Declared, Deviation, load_profile, profile_names
from tck.profile.errors import shown
from tck.record.rows import full_reason

ROOT = Path(__file__).parents[2]
PROGRAM = "profiles/evidence/"
SHOWN = 40
"""Last lines of a program's output that a sheet has; what judges is its last line."""


class PrecisionError(Exception):
    """What was asked for cannot be drawn, or the table of judgements is wrong; the message is one sentence."""


@dataclass(frozen=True, slots=True)
class Accusation:
    """A row that a profile declares broken."""

    profile: str
    deviation: Deviation


def accusations(catalogue: Catalogue, profiles: Iterable[str] = ()) -> list[Accusation]:
    """Return what the profiles of real brokers, or those named, accuse of themselves: what they inherit counts at its owner.

    Raises:
        ProfileError: There is no profile of a name.
    """
    loaded = [load_profile(name, catalogue) for name in profiles or profile_names()]
    return [
        Accusation(each.name, deviation)
        for each in loaded
        if each.adapter.kind == "jvm"
        for inherited in [load_profile(each.path, catalogue).deviations if each.variant else ()]
        for deviation in each.deviations
        if deviation.outcome is Declared.FAILS and deviation.file == shown(each.path) and deviation not in inherited
    ]


def draw(found: Iterable[Accusation], count: int, seed: int) -> list[Accusation]:
    """Draw this many, each row once per profile.

    Raises:
        PrecisionError: There are not so many.
    """
    shuffled = sorted(found, key=lambda each: (each.profile, each.deviation.assertion, each.deviation.cases))
    Random(seed).shuffle(shuffled)
    once = list({(each.profile, each.deviation.assertion): each for each in shuffled}.values())
    if not 0 < count <= len(once):
        raise PrecisionError(
            f"{count} cannot be drawn: the profiles declare {len(once)} rows as failing; give 1 to that"
        )
    return once[:count]


def sheet(drawn: Accusation, row: Assertion) -> str:
    """Return what a reader needs to judge an accusation, as Markdown."""
    found = drawn.deviation
    where = "; ".join(f"{text}: {section}" for text, section in row.sections.items() if section) or "nowhere"
    shown_by = found.evidence if found.evidence and not _call(found) else found.link
    return "\n".join([
        f"## {drawn.profile} {found.assertion}",
        "",
        f"- {row.level}: {row.statement}",
        f"- sentence: {where}{f'; {row.source}' if row.source else ''}",
        f"- cases: `{found.cases}`",
        f"- reason: {full_reason(found.reason, found.when, found.holds_with)}",
        f"- evidence: {f'`python {found.evidence}`' if _call(found) else shown_by}",
    ])  # fmt: skip


def run(drawn: Accusation, seconds: float) -> str:
    """Run the program that is the evidence; return the end of its output as Markdown, with its exit code."""
    words = _call(drawn.deviation)
    if not words:
        return "No program is named.\n"
    lock = [sys.executable, "-m", "tck", "lock", "-p", words[1], "--classpath"]
    jars = subprocess.run(lock, cwd=ROOT, capture_output=True, text=True, check=False)
    if jars.returncode:
        return f"Not run: {jars.stderr.strip()}\n"
    environment = {**os.environ, "CLASSPATH": jars.stdout.strip()}
    code, output = _bounded([sys.executable, *words], environment, seconds)
    lines = output.splitlines()[-SHOWN:]
    return "\n".join(["```", *lines, "```", "", code, ""])


def _bounded(command: list[str], environment: dict[str, str], seconds: float) -> tuple[str, str]:
    """Run a command for so long at most, with what it starts; return how it ended, and its output."""
    with subprocess.Popen(
        command,
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    ) as program:
        try:
            output, _ = program.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            os.killpg(program.pid, signal.SIGKILL)
            return f"Cut after {seconds:g} s.", program.communicate()[0]
    return f"Exit code {program.returncode}.", output


def _call(deviation: Deviation) -> list[str]:
    """Return the words of the call that is the evidence; none if it is no program of the kit."""
    named = deviation.evidence or ""
    return shlex.split(named) if named.startswith(PROGRAM) else []
