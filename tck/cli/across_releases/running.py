"""Which releases there are, and one run of one of them in a process of its own: a Java machine has one class path."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tck.adapters.jvm.repository import Artifact, releases_of, repository_url
from tck.catalogue import Catalogue
from tck.cli.support.console import Problem
from tck.profile import AdapterError, Profile, ProfileError, load_profile
from tck.profile.releases import Release, in_order
from tck.record import Bundle, Verdict, worst
from tck.record.runs import RUNS

LAST_WORDS = 5
"""Lines of a failed run's stderr that are shown."""


@dataclass(frozen=True, slots=True)
class Ran:
    """A run that ended.

    Attributes:
        summary: What `tck run --format json` printed; empty if it printed nothing.
        exit: Its exit code.
        said: The last lines that it wrote to stderr.
        seconds: How long it took.
    """

    summary: dict[str, Any]
    exit: int
    said: str
    seconds: float


def released_profile(name: str, release: str, known: Catalogue) -> Profile:
    """Load the profile of a release.

    Raises:
        Problem: there is no such profile, it is not of a Java provider, or says nothing of that release.
    """
    try:
        profile = load_profile(name, known, release=release)
    except ProfileError as error:
        raise Problem(str(error)) from error
    if profile.adapter.kind != "jvm":
        raise Problem(f"profile {profile.name} is not of a Java provider; only the jars of those are of a release")
    return profile


def between(name: str, first: str, last: str, known: Catalogue) -> tuple[str, ...]:
    """Return the releases from one to another that the profile covers and the repository lists, both ends included.

    The coordinates may change on the way; the lists of all that occur are followed.

    Raises:
        Problem: an end is not covered, the order is wrong, or the repository has no list.
    """
    for end in (first, last):
        released_profile(name, end, known)
    if not Release.of(first) < Release.of(last):
        raise Problem(f"--from {first} --to {last}: expected an older release and then a newer one")
    listed: dict[Artifact, tuple[str, ...]] = {}
    served: set[str] = set()
    waiting = {first, last}
    done: set[str] = set()
    try:
        while waiting:
            release = waiting.pop()
            done.add(release)
            try:
                profile = load_profile(name, known, release=release)
            except ProfileError:
                continue  # a release in a gap between ranges
            artifacts = _named_by(profile, release)
            for artifact in artifacts - listed.keys():
                setting = profile.adapter.settings.get("repository")
                listed[artifact] = releases_of(artifact, repository_url(str(setting) if setting else None))
                waiting |= {each for each in listed[artifact] if _inside(each, first, last)} - done
            if all(release in listed[artifact] for artifact in artifacts):
                served.add(release)
    except AdapterError as error:
        raise Problem(str(error)) from error
    return in_order(served | {first, last})


def _inside(release: str, first: str, last: str) -> bool:
    return Release.of(first) <= Release.of(release) <= Release.of(last)


def _named_by(profile: Profile, release: str) -> set[Artifact]:
    """Return the artifacts of a profile that are of the release, without their version."""
    texts = profile.adapter.settings.get("coordinates", ())
    parsed = [Artifact.parse(str(text)) for text in texts] if isinstance(texts, Sequence) else []
    return {Artifact(each.group, each.name, "") for each in parsed if each.version == release}


def run_release(name: str, release: str, arguments: Sequence[str], out: Path) -> Ran:
    """Run the suite on one release, in a process of its own, and wait for it."""
    command = [sys.executable, "-m", "tck", "run", *arguments]
    command += ["-p", name, "--release", release, "--out", str(out), "--no-report", "--format", "json"]
    began = time.monotonic()
    ended = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)  # noqa: S603 - ourselves
    seconds = time.monotonic() - began
    said = "\n".join(ended.stderr.strip().splitlines()[-LAST_WORDS:])
    try:
        return Ran(json.loads(ended.stdout), ended.returncode, said, seconds)
    except ValueError:
        return Ran({}, ended.returncode, said, seconds)


def verdict_of(row: str, run: str, out: Path) -> tuple[Verdict | None, str]:
    """Return the worst verdict on a row in a run (of all cases, if it is no row of it), and what was observed there."""
    results = Bundle.open(out / RUNS / run).results()
    seen = [(result.verdicts[row], result.observed or "") for result in results if row in result.verdicts]
    if not seen:
        seen = [(result.verdict, result.observed or "") for result in results]
    if not seen:
        return None, "no case was judged"
    found = worst([verdict for verdict, _ in seen])
    return found, next(observed for verdict, observed in seen if verdict is found)
