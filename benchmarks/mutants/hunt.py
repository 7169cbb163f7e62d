"""Runs the cases against mutants, in forked children of one collected process, and keeps the results in a file."""

from __future__ import annotations

import hashlib
import json
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path

import pytest

from benchmarks.mutants.cases import (
    CASE_MS,
    OLD,
    OLD_SETTINGS,
    ROOT,
    SETTINGS,
    VERSION,
    Cases,
    Reached,
    digest_of,
    name_of,
    place_of,
    reached,
    suite_files,
)
from benchmarks.mutants.loading import install
from benchmarks.mutants.sites import Mutant, mutants_of
from tck.detection.children import Job, fork_all
from tck.detection.judge import Story
from tck.plugin.state import STATE, State

PROVIDER = ROOT / "reference_provider"
NOT_HUNTED = frozenset({"saboteurs", "fault_points.py", "__main__.py", "server.py"})
"""Files and folders of the provider that are not changed: they break it on purpose, or run it as a process of its own."""
PATIENCE = 240.0
"""Seconds for the cases of one mutant; without a violation by then it counts as survived."""
IN_OLD = " in 1.0"
UNJUDGED = frozenset({"undecided", "inconclusive", "harness-error"})


@dataclass(frozen=True, slots=True)
class Fate:
    """The outcome for a mutant.

    Attributes:
        id: identifies the mutant.
        place: file and line.
        fate: `killed`, `survived`, or `stillborn` if the provider could not be loaded.
        by: the case that reported the violation, or the end of the child.
        cases: the number of cases that ran.
        undecided: the number of cases that could not decide or ended with an error of the kit.
        suite: digest of the suite. A survivor is hunted again when the suite has changed.
    """

    id: str
    place: str
    fate: str
    by: str
    cases: int
    undecided: int
    suite: str = ""


@dataclass(slots=True)
class Hunt:
    """The pytest plugin: instead of a run of the suite, two children for each mutant.

    Attributes:
        seed: selects the mutants.
        count: requested number of mutants that change behaviour.
        seconds: duration of this slice.
        only: parts of ids; if given, only mutants that contain one are hunted.
        sections: beginnings of names of cases ("3.", "4."); if given, only mutants of functions that such a case enters.
        notes: folder for the functions that cases enter and the results so far.
        same: mutants that change nothing that the specification decides, by id or, for a whole function, by place.
    """

    seed: int
    count: int
    seconds: float
    only: Sequence[str]
    notes: Path
    same: Mapping[str, str]
    sections: Sequence[str] = ()
    fates: dict[str, Fate] = field(default_factory=dict)

    def pytest_configure(self, config: pytest.Config) -> None:
        """Register before the plugin of the kit, which would run the saboteurs: the last one registered is called first."""
        config.pluginmanager.register(_Loop(self))

    def run(self, session: pytest.Session) -> None:
        """Hunt.

        Raises:
            session.Interrupted: the suite could not be collected.
        """
        state = session.config.stash[STATE]
        if state is None or session.testsfailed:
            raise session.Interrupted("the suite could not be collected")
        mutants = list(all_mutants())
        began = time.monotonic()
        cases = Cases.of(session.items, state, self.seed)
        reach = reached(cases, state, mutants, self.notes)
        if self.sections:
            asked = [item for item in cases.today if name_of(item).startswith(tuple(self.sections))]
            entered = reach.places_of(asked)
            mutants = [mutant for mutant in mutants if place_of(mutant) in entered]
        self._hunt(mutants, cases, reach, state, began)

    def chosen(self, mutants: Sequence[Mutant]) -> Iterator[Mutant]:
        """Yield mutants not known to change nothing, until `count` of those that lived have been yielded.

        The order is that of digests of seed and id, so a change of the source leaves most of the selection as it was.
        """
        given = 0
        for mutant in sorted(mutants, key=lambda each: hashlib.sha256(f"{self.seed} {each.id}".encode()).digest()):
            stillborn = sum(fate.fate == "stillborn" for fate in self.fates.values())
            if given - stillborn >= self.count and not self.only:
                return
            if self.only and not any(part in mutant.id for part in self.only):
                continue
            if self.only or not (mutant.id in self.same or f"{mutant.place}: *" in self.same):
                given += 1
                yield mutant

    def _hunt(self, mutants: Sequence[Mutant], cases: Cases, reach: Reached, state: State, began: float) -> None:
        kept = self.notes / f"fates-{self.seed}-{digest_of(sorted({mutant.path for mutant in mutants}))}.ndjson"
        suite = digest_of(suite_files())
        known = {} if self.only or not kept.exists() else known_fates(kept, suite)
        by_id = {mutant.id: mutant for mutant in mutants}
        stories_of: dict[str, list[Story]] = {}

        def jobs() -> Iterator[Job]:
            for mutant in self.chosen(mutants):
                if mutant.id in known:
                    self.fates[mutant.id] = known[mutant.id]
                elif time.monotonic() - began < self.seconds:
                    yield from _jobs(mutant, reach, cases)
                else:
                    return

        def ended(job: Job, story: Story) -> None:
            name = job.name.removesuffix(IN_OLD)
            stories = stories_of.setdefault(name, [])
            stories.append(story)
            if len(stories) < 2:
                return
            fate = self.fates[name] = replace(fate_of(by_id[name], stories), suite=suite)
            print(f"{fate.fate:9} {fate.cases:4} cases  {fate.place}  {fate.id}", file=sys.stderr, flush=True)
            if not self.only:
                with kept.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(asdict(fate)) + "\n")

        fork_all(jobs(), state, ended)


class _Loop:
    def __init__(self, hunt: Hunt) -> None:
        self._hunt = hunt

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Hunt, and run nothing else."""
        self._hunt.run(session)
        return True


def all_mutants() -> Iterator[Mutant]:
    """Yield all mutants of the reference provider."""
    for path in sorted(PROVIDER.rglob("*.py")):
        if NOT_HUNTED.isdisjoint(path.relative_to(PROVIDER).parts):
            name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
            yield from mutants_of(name.removesuffix(".__init__"), path)


def fate_of(mutant: Mutant, stories: Sequence[Story]) -> Fate:
    """Judge the results of a mutant's children."""
    sights = [sight for story in stories for sight in story.sights]
    killer = next((sight for sight in sights if "violation" in sight.verdicts.values()), None)
    unjudged = [sight for sight in sights if UNJUDGED.issuperset(sight.verdicts.values())]
    undecided = len(unjudged)
    first = unjudged[0].observed if unjudged else ""
    failure = next((story.failure for story in stories if story.failure), None)
    if killer:
        fate, by = "killed", f"{killer.case}: {killer.observed}"
    elif sights and undecided == len(sights) and "cannot be imported" in first:
        fate, by = "stillborn", first
    else:
        fate, by = "survived", failure.strip().splitlines()[-1] if failure else first
    place = f"{mutant.path.relative_to(ROOT)}:{mutant.line}"
    return Fate(mutant.id, place, fate, by[:300], len(sights), undecided)


def _jobs(mutant: Mutant, reach: Reached, cases: Cases) -> Iterator[Job]:
    """Yield the two jobs of a mutant: the cases of the newest version, and those of the oldest."""

    def prepare() -> None:
        install(mutant)

    today, old = tuple(reach.cases_for(mutant, cases.today)), tuple(reach.cases_for(mutant, cases.old))
    job = partial(Job, profile="reference", prepare=prepare, to_first=True, seconds=PATIENCE, case_ms=CASE_MS)
    yield job(mutant.id, settings=SETTINGS, version=VERSION, items=today)
    yield job(mutant.id + IN_OLD, settings=OLD_SETTINGS, version=OLD, items=old)


def known_fates(kept: Path, suite: str) -> dict[str, Fate]:
    """Return the earlier results, without survivors of another suite."""
    fates = [Fate(**json.loads(line)) for line in kept.read_text(encoding="utf-8").splitlines()]
    return {fate.id: fate for fate in fates if fate.fate != "survived" or fate.suite == suite}
