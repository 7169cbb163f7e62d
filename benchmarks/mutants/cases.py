"""Selects the cases for a mutant: by specification version, and by the functions they enter, measured once and cached."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from benchmarks.mutants.reach import Reach
from benchmarks.mutants.sites import Mutant
from tck.detection.children import Job, fork_all
from tck.detection.detect import under
from tck.detection.judge import Story
from tck.plugin.collecting import parameter_of, shuffled
from tck.plugin.state import State

ROOT = Path(__file__).parent.parent.parent
SETTINGS: Mapping[str, object] = {"clock": "virtual"}
VERSION = "3.1"
OLD_SETTINGS: Mapping[str, object] = {**SETTINGS, "version": "1.0"}
OLD = "1.0"
"""The oldest version; cases of rows that only it has run under it."""
CASE_MS = 30_000
"""Deadline of a case, real milliseconds, so long that a busy machine does not look like a hanging mutant."""
FEW = 5
"""A function that fewer cases enter may have a cached result; then all cases that use its module run."""


@dataclass(frozen=True, slots=True)
class Cases:
    """The cases of the newest version; and, under the oldest, those of rows that only it has and those of selectors.

    The provider evaluates selectors of the oldest version with other code.
    """

    today: Sequence[pytest.Item]
    old: Sequence[pytest.Item]

    @classmethod
    def of(cls, items: Sequence[pytest.Item], state: State, seed: int) -> Cases:
        """Group the collected cases."""
        ours = shuffled([item for item in items if parameter_of(item)], seed)
        today = [item for item in ours if _under(item, state, VERSION)]
        known = {name_of(item) for item in today}
        old = [item for item in ours if name_of(item) not in known or _selects(item)]
        return cls(today, [item for item in old if _under(item, state, OLD)])


class Reached:
    """The functions that each test enters, by domain and interface, and its duration; all its points enter the same ones."""

    def __init__(self, rows: Mapping[str, Mapping[str, Any]]) -> None:
        self._ms = {test: float(row["ms"]) for test, row in rows.items()}
        self._by_place: dict[tuple[str, int], set[str]] = {}
        self._by_file: dict[str, set[str]] = {}
        for test, row in rows.items():
            for path, line in row["places"]:
                self._by_place.setdefault((path, line), set()).add(test)
                self._by_file.setdefault(path, set()).add(test)

    def places_of(self, items: Sequence[pytest.Item]) -> set[tuple[str, int]]:
        """Return the functions that the tests of these items enter: file and first line."""
        tests = {test_of(item) for item in items}
        return {place for place, by in self._by_place.items() if not tests.isdisjoint(by)}

    def cases_for(self, mutant: Mutant, items: Sequence[pytest.Item]) -> list[pytest.Item]:
        """Return the cases that reach the mutant, one point of each test, domain and interface, the fast ones first.

        A change at the level of a module, or in a class, is reached by any case that enters the package.
        """
        near: set[str] = set()
        if mutant.first_lines:
            near = self._by_place.get((str(mutant.path), mutant.first_lines[-1]), set())
        if not mutant.first_lines:
            near = set().union(*(tests for path, tests in self._by_file.items() if _beside(path, mutant.path)))
        elif len(near) < FEW:
            near = near | self._by_file.get(str(mutant.path), set())
        cases_for = first_of_each([item for item in items if test_of(item) in near])
        return sorted(cases_for, key=lambda item: self._ms.get(test_of(item), 0.0))


def _under(item: pytest.Item, state: State, version: str) -> bool:
    parameter = parameter_of(item)
    return parameter is not None and under(parameter.point, state.catalogue, version)


def _selects(item: pytest.Item) -> bool:
    return name_of(item).startswith("3.8.1")


def _beside(path: str, other: Path) -> bool:
    return Path(path).parent == other.parent


def name_of(item: pytest.Item) -> str:
    """Return the name of an item's case."""
    parameter = parameter_of(item)
    return parameter.point.name if parameter else ""


def test_of(item: pytest.Item) -> str:
    """Return the name of an item's test, with domain, interface, and the variant if it has one: each journey is a test."""
    parameter = parameter_of(item)
    name = item.nodeid.split("[", maxsplit=1)[0]
    if parameter is None:
        return name
    point = parameter.point
    return " ".join(part for part in (name, point.domain, point.api, point.variant) if part)


def place_of(mutant: Mutant) -> tuple[str, int]:
    """Return the innermost function around a mutant: file and first line; 0 at the level of a module."""
    return str(mutant.path), mutant.first_lines[-1] if mutant.first_lines else 0


def first_of_each(items: Sequence[pytest.Item]) -> list[pytest.Item]:
    """Keep one point of each test, domain and interface."""
    firsts: dict[str, pytest.Item] = {}
    for item in items:
        firsts.setdefault(test_of(item), item)
    return list(firsts.values())


def reached(cases: Cases, state: State, mutants: Sequence[Mutant], notes: Path) -> Reached:
    """Read from the cache which functions the cases enter, or measure it, which takes a minute or two.

    Raises:
        RuntimeError: a child did not end properly.
    """
    paths = sorted({mutant.path for mutant in mutants})
    kept = notes / f"reach-{digest_of([*paths, *suite_files()])}.json"
    if kept.exists():
        return Reached(json.loads(kept.read_text(encoding="utf-8")))
    watch = Reach([str(path) for path in paths])
    measured: dict[str, Any] = {}

    def ended(job: Job, story: Story) -> None:
        if story.failure:
            raise RuntimeError(
                f"the functions entered by the cases of {job.name} could not be measured: {story.failure}"
            )
        for sight in story.sights:
            known = measured.setdefault(tests[sight.case], {"ms": 0.0, "places": []})
            known["ms"] = max(known["ms"], sight.note["ms"])
            known["places"] += sight.note["places"]

    today, old = tuple(first_of_each(cases.today)), tuple(first_of_each(cases.old))
    tests = {name_of(item): test_of(item) for item in (*today, *old)}
    jobs = [
        Job(
            "today", "reference", SETTINGS, VERSION, today, watch.start, note=watch.taken, seconds=600, case_ms=CASE_MS
        ),
        Job("old", "reference", OLD_SETTINGS, OLD, old, watch.start, note=watch.taken, seconds=600, case_ms=CASE_MS),
    ]
    fork_all(jobs, state, ended)
    notes.mkdir(parents=True, exist_ok=True)
    kept.write_text(json.dumps(measured), encoding="utf-8")
    return Reached(measured)


def suite_files() -> list[Path]:
    """Return the files of the suite."""
    return sorted((ROOT / "tck" / "suite").rglob("*.py"))


def digest_of(paths: Sequence[Path]) -> str:
    """Return a short digest of the content of files."""
    digest = hashlib.sha256()
    for path in paths:
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]
