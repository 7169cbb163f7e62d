"""Detection: does each check bite? Every saboteur runs in a forked child of one collected process.

A saboteur breaks one row. Killed means that some case of the row (or of its restatement group) reports a violation. The
child runs all points of the row and one point of each other row of its section; other rows that fail are collateral,
which the saboteur's declaration explains or which is a defect. Journeys are not among them. A provider that is nearly right is caught if a case of one of
the rows it names reports a violation. The dummies run everything and must pass no case. The dummy with void hooks is right but
for its hooks: it runs the cases that try them, and each must be reported.

Rows that stay undecided on a broken provider are compared with the sound one, which runs the cases in question: no broken provider
may end a run as conformant with more of them.

Independent of pytest: the collector passes the cases in, and runs them in the children.
"""

from __future__ import annotations

import gc
import re
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tck.adapters.recording import warm_up
from tck.catalogue import INTERWORKING, IW, NEWEST, SCENARIOS, Assertion, Catalogue, Level, Selection
from tck.catalogue.versions import offers
from tck.detection import breadth
from tck.detection.children import CASE_MS, Item, Job, Runner, fork_all
from tck.detection.judge import FAILING, Detection, Story, judge_dummy, judge_hunt, judge_nearly_right
from tck.detection.loading import load_reference_provider
from tck.detection.undecided import NewlyUndecided, compare, in_question
from tck.detection.void_hooks import judge_void_hooks, tries_hooks
from tck.profile import load_profile
from tck.record import Exit
from tck.suite.support.harness.point import Point

DUMMIES = ("raises", "inert", "accepts")
VOID_HOOKS = "dummy void-hooks"
FAULTS_OF_BRIDGES = "faults.interworking"
DUMMY_BRIDGES = ("raising", "inert")
BRIDGE_MS = 3 * CASE_MS
"""Deadline of a case of a narrow fault of a bridge, real milliseconds: some bridges wait for what does not come."""


@dataclass(frozen=True, slots=True)
class Collected:
    """A case of the suite: its point, and the item that runs it."""

    point: Point
    item: Item


@dataclass(frozen=True, slots=True)
class Detector:
    """Runs saboteurs and dummies.

    Attributes:
        cases: The collected cases.
        catalogue: What they judge.
        selection: Which saboteurs to run; None for all.
        scope: Which other rows each saboteur runs: ``section``, ``all``, or ``own`` for none: only the cases of its own rows
            then, up to the first violation. With ``breadth`` the saboteurs alone run, and all cases of their own rows.
        through: The profile that each saboteur is reached by, for its own rows up to the first violation, without
            dummies; None for the reference provider itself.
    """

    cases: Sequence[Collected]
    catalogue: Catalogue
    selection: Selection | None
    scope: str
    through: str | None = None

    def run(self, runner: Runner, progress: Callable[[], None]) -> Detection:
        """Run all jobs and judge them.

        Args:
            runner: Runs the cases in a child.
            progress: Called when a child has ended.
        """
        from faults import all_bridge_saboteurs, all_nearly_right, all_nearly_right_bridges, all_saboteurs  # noqa: PLC0415
        from tck.check import judge_events  # noqa: PLC0415

        judge_events([], properties=[])  # load numpy once instead of in each child
        warm_up()
        load_reference_provider()
        began = time.monotonic()
        every: dict[str, Any] = {**all_saboteurs(), **({} if self.through else all_bridge_saboteurs())}
        saboteurs = {id_: found for id_, found in every.items() if self._wants(id_)}
        nearly_all: dict[str, Any] = {**all_nearly_right(), **({} if self.through else all_nearly_right_bridges())}
        collected = {row for case in self.cases for row in case.point.assertions}
        nearly = {  # with a selection the cases of some rows are not collected: then others might notice, and did not run
            name: found
            for name, found in nearly_all.items()
            if self.selection is None or (any(map(self._wants, found.rows)) and collected.issuperset(found.rows))
        }
        if self._measures:
            nearly = {}
        jobs = [self._hunt(id_, found.settings) for id_, found in saboteurs.items()]
        jobs += [self._near(name, found.rows) for name, found in nearly.items()]
        broken = list(jobs)
        jobs += [] if self.through or self._measures else [*self._dummies(), *self._void_hooks()]
        gc.collect()
        stories = dict[str, Story]()

        def ended(job: Job, story: Story) -> None:
            stories[job.name] = story
            progress()

        fork_all(jobs, runner, ended)
        second = self._look_again(broken, stories, runner)
        undecided = {} if self.through or self._measures else self._newly_undecided(broken, stories, runner)
        own = {case.point.name: frozenset(case.point.assertions) for case in self.cases}
        return Detection(
            hunts=[judge_hunt(id_, found, stories[id_], self.catalogue, own) for id_, found in saboteurs.items()],
            nearly_right=[
                judge_nearly_right(name, found, stories[_near(name)], self.catalogue.group_of(found.rows[0]))
                for name, found in nearly.items()
            ],
            dummies={
                name: judge_dummy(stories[_dummy(name)], self.catalogue)
                for name in (*DUMMIES, *(f"bridge {each}" for each in DUMMY_BRIDGES))
                if _dummy(name) in stories
            },
            void_hooks=judge_void_hooks(stories[VOID_HOOKS], self._trials()) if VOID_HOOKS in stories else {},
            undecided=undecided,
            through=self.through and load_profile(self.through).title,
            without=[]
            if self.through or self._measures
            else self._without(every, (found.rows[0] for found in all_nearly_right().values() if found.rows)),
            seconds=time.monotonic() - began,
            breadths=self._breadths(saboteurs, stories) if self._measures else None,
            second=second,
        )

    @property
    def _measures(self) -> bool:
        """Whether the breadth of saboteurs is wanted, and nothing else."""
        return self.scope == "breadth"

    def _breadths(self, saboteurs: Mapping[str, Any], stories: Mapping[str, Story]) -> breadth.Breadths:
        each = {
            id_: breadth.measure(id_, found.title, self.catalogue.group_of(id_), stories[id_])
            for id_, found in saboteurs.items()
        }
        return breadth.Breadths(each, breadth.listed(breadth.FILE.read_text(encoding="utf-8")))

    def _hunt(self, id_: str, settings: Mapping[str, object]) -> Job:
        version = str(settings.get("version", NEWEST))
        own = frozenset(self.catalogue.group_of(id_))
        if id_.startswith(IW):
            bridge = f"{FAULTS_OF_BRIDGES}:{re.sub('[-.]', '_', id_)}"
            return Job(
                id_,
                "reference",
                {"clock": "virtual"},
                version,
                self._party(id_, version),
                to_first=self._own_only,
                rows=own,
                bridge=bridge,
            )
        return self._job(id_, {**settings, "saboteur": id_}, version, self._party(id_, version), own)

    def _near(self, name: str, rows: Sequence[str]) -> Job:
        if rows[0].startswith(IW):
            bridge = f"{FAULTS_OF_BRIDGES}:{name.replace('-', '_')}"
            every = tuple(case.item for case in self._under(NEWEST) if case.point.assertions[0].startswith(IW))
            items = every if self.scope == "all" else self._naming(rows)
            settings = {"clock": "virtual"}
            near = Job(_near(name), "reference", settings, NEWEST, items, to_first=self._own_only, bridge=bridge)
            return replace(near, case_ms=BRIDGE_MS)
        return self._job(_near(name), {"saboteur": name}, NEWEST, self._naming(None if self.scope == "all" else rows))

    def _job(
        self,
        name: str,
        settings: Mapping[str, object],
        version: str,
        items: tuple[Item, ...],
        rows: frozenset[str] = frozenset(),
    ) -> Job:
        settings = {"clock": "virtual", **settings}
        return Job(name, self.through or "reference", settings, version, items, to_first=self._own_only, rows=rows)

    @property
    def _own_only(self) -> bool:
        """Whether a saboteur runs the cases of its own rows only, up to the first violation."""
        return self.scope == "own" or self.through is not None

    def _dummies(self) -> list[Job]:
        cases = [case for case in self._under(NEWEST) if self._selects(case.point)]
        items = tuple(case.item for case in cases)
        jobs = [Job(_dummy(name), f"dummy-{name}", {}, NEWEST, items) for name in DUMMIES] if items else []
        bridged = tuple(case.item for case in cases if case.point.assertions[0].startswith(IW))
        jobs += [
            Job(
                _dummy(f"bridge {name}"),
                "reference",
                {"clock": "virtual"},
                NEWEST,
                bridged,
                bridge=f"{FAULTS_OF_BRIDGES}:{name}",
            )
            for name in DUMMY_BRIDGES
            if bridged
        ]
        return jobs

    def _trials(self) -> list[Collected]:
        """Return the selected cases that try a hook."""
        return [case for case in self._under(NEWEST) if self._selects(case.point) and tries_hooks(case.point)]

    def _void_hooks(self) -> list[Job]:
        items = tuple(case.item for case in self._trials())
        return [Job(VOID_HOOKS, "dummy-void-hooks", {}, NEWEST, items)] if items else []

    def _look_again(self, broken: Sequence[Job], stories: dict[str, Story], runner: Runner) -> list[str]:
        """Run the faults once more that no case noticed or that did not finish; return those that fared better then.

        Some checks meet their fault in a race of threads, and a busy machine decides it. The table names them.
        """
        better = list[str]()

        def ended(job: Job, story: Story) -> None:
            if story.failure is None and _noticed(job, story):
                stories[job.name] = story
                better.append(job.name)

        unnoticed = [job for job in broken if stories[job.name].failure or not _noticed(job, stories[job.name])]
        fork_all([] if self._measures else unnoticed, runner, ended)
        return sorted(better)

    def _newly_undecided(
        self, broken: Sequence[Job], stories: Mapping[str, Story], runner: Runner
    ) -> dict[str, NewlyUndecided]:
        """Run the cases on the sound provider that left rows undecided on a broken one, and compare."""
        items = {case.point.name: case.item for case in self.cases}
        jobs: dict[str, Job] = {}
        if self._own_only:  # whoever shows a violation does not end as conformant, and the rest was not run
            broken = [job for job in broken if not stories[job.name].violates]
        for job in broken:
            names = in_question(stories[job.name])
            if names:
                settings = {key: value for key, value in job.settings.items() if key != "saboteur"}
                key = f"sound {job.version} {sorted(settings.items(), key=str)}"
                known = jobs[key].items if key in jobs else ()
                both = dict.fromkeys([*known, *(items[name] for name in names)])
                jobs[key] = Job(key, job.profile, settings, job.version, tuple(both))
        sound: dict[str, Story] = {}
        fork_all(jobs.values(), runner, lambda job, story: sound.__setitem__(job.name, story))
        found = {}
        for job in broken:
            settings = {key: value for key, value in job.settings.items() if key != "saboteur"}
            key = f"sound {job.version} {sorted(settings.items(), key=str)}"
            if key in sound and in_question(stories[job.name]):
                found[job.name] = compare(stories[job.name], sound[key])
        return {name: each for name, each in found.items() if each.rows or each.failure}

    def _without(self, hunted: Iterable[str], nearly: Iterable[str]) -> list[str]:
        """Return the judged rows that are tested and have no saboteur, nor a restatement with one.

        A row that journeys alone judge has a provider that is nearly right in its place. The rows of corpus and plans are about the
        kit's own tables of owners, which no fault of a provider breaks.

        Args:
            hunted: The rows of all saboteurs.
            nearly: The first row of each provider that is nearly right.
        """
        covered = {other for id_ in hunted for other in self.catalogue.group_of(id_)}
        chapters = [case.point for case in self.cases if not (case.point.corpus or case.point.plan)]
        tested = {id_ for point in chapters if not point.journey for id_ in point.assertions}
        travelled = {id_ for point in chapters if point.journey for id_ in point.assertions} - tested
        left = (tested - covered) | (travelled - covered - set(nearly))
        return sorted(id_ for id_ in left if self._wants(id_) and self._owes_a_saboteur(self.catalogue[id_]))

    @staticmethod
    def _owes_a_saboteur(row: Assertion) -> bool:
        """Return whether a tested row needs a saboteur: of scenarios those of grade MUST, on interworking those of MUST and SHOULD."""
        levels = {SCENARIOS: (Level.MUST,), INTERWORKING: (Level.MUST, Level.SHOULD)}
        return row.judged and row.level in levels.get(row.chapter, tuple(Level))

    # -- who runs what -------------------------------------------------------------------------------------------

    def _wants(self, id_: str) -> bool:
        return self.selection is None or self.selection.matches((id_,), id_)

    def _selects(self, point: Point) -> bool:
        return self.selection is None or self.selection.matches(point.selected_by, point.name)

    def _under(self, version: str) -> list[Collected]:
        return [case for case in self.cases if under(case.point, self.catalogue, version)]

    def _party(self, id_: str, version: str) -> tuple[Item, ...]:
        """Return all points of the row's group, then one point of each other row of the section (or all of everything).

        Journeys judge a hundred rows each: they are left to the providers that are nearly right, for a row has cases of its own.
        A fault of a bridge runs the cases of its row alone: one value that is wrong breaks what is read through it.
        """
        group = set(self.catalogue.group_of(id_))
        own: list[Item] = []
        others: dict[str, Item] = {}
        for case in self._under(version):
            if case.point.journey:
                continue
            if group & set(case.point.assertions):
                own.append(case.item)
            elif self._own_only or self._measures or id_.startswith(IW):
                continue
            elif self.scope == "all":
                others[case.item.nodeid] = case.item
            elif self.catalogue[case.point.assertions[0]].section == self.catalogue[id_].section:
                others.setdefault(case.item.nodeid.split("[", maxsplit=1)[0], case.item)
        return (*own, *others.values())

    def _naming(self, rows: Sequence[str] | None) -> tuple[Item, ...]:
        """Return all points of the cases that name one of the rows or of their groups, those of the first row first: it owns
        the fault, and the first violation ends the child. All cases without rows.
        """
        if rows is None:
            return tuple(case.item for case in self._under(NEWEST))
        named = {other for row in rows for other in self.catalogue.group_of(row)}
        owners = frozenset(self.catalogue.group_of(rows[0]))
        cases = [case for case in self._under(NEWEST) if not named.isdisjoint(case.point.assertions)]
        return tuple(case.item for case in sorted(cases, key=lambda case: owners.isdisjoint(case.point.assertions)))


def under(point: Point, catalogue: Catalogue, version: str) -> bool:
    """Return whether a case judges any row in force in a version of the specification."""
    return offers(version, point.api) and any(catalogue[id_].applies_to(version) for id_ in point.assertions)


def exit_code(detection: Detection | None, *, interrupted: bool, failed: bool) -> Exit:
    """Return the exit code of a detection.

    Args:
        detection: The table; None if detection did not finish.
        interrupted: Whether the user interrupted it.
        failed: Whether anything else went wrong.
    """
    if interrupted:
        return Exit.INTERRUPTED
    if detection is None:
        return Exit.KIT_ERROR if failed else Exit.CONFORMANT
    if detection.failures:
        return Exit.KIT_ERROR
    if not (detection.hunts or detection.nearly_right):
        return Exit.NOTHING_JUDGED
    return Exit.CONFORMANT if detection.good else Exit.VIOLATION


def _noticed(job: Job, story: Story) -> bool:
    """Return whether a row that counts for a job failed; any row for a job that names none."""
    failed = {row for sight in story.sights for row, verdict in sight.verdicts.items() if verdict in FAILING}
    return bool(failed & job.rows if job.rows else failed)


def _near(name: str) -> str:
    return f"nearly {name}"


def _dummy(name: str) -> str:
    return f"dummy {name}"
