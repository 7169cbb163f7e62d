"""Check a run of a store: judge its properties, write findings and verdicts.

A small run is judged in this process, a large one on Spark, with the same result. A property is judged again only if its
definition or the run has changed.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from fnmatch import fnmatchcase
from typing import Any, Final

from tck.catalogue import Assertion, Catalogue, load_catalogue
from tck.catalogue.tier_differences import in_force
from tck.catalogue.versions import BY_NAME
from tck.check.properties import PROPERTIES
from tck.check.registry import Property
from tck.record import Deviation, Exit, Outcome, Run, Verdict, exit_code, judge
from tck.reports.pipeline.digests import digests
from tck.reports.pipeline.errors import PartError
from tck.reports.pipeline.in_process import judge_in_process
from tck.reports.pipeline.parquet import rows_to_arrow, write_parquet
from tck.reports.pipeline.run_info import RunInfo, run_replaced
from tck.reports.pipeline.store import Store
from tck.reports.pipeline.store_columns import CHECKED
from tck.reports.pipeline.stories import build_stories, case_of
from tck.reports.pipeline.task_answers import Answer, Count
from tck.reports.pipeline.tasks import Job, buckets_for

SMALL: Final = 2_000_000
"""Operations (about 3 million events) up to which a run is judged without Spark."""
STORIES: Final = 100
"""The most findings of a property that get a story; all are kept, up to the cap."""

Spark = Callable[[Job, int], Answer]


class Plan(StrEnum):
    """How a run is judged."""

    AUTO = "auto"
    """In this process if the run is small, else on Spark with shuffle files."""
    HERE = "here"
    """In this process."""
    FILES = "files"
    """On Spark; rows pass between tasks through shuffle files that all workers see."""
    SHUFFLE = "shuffle"
    """On Spark; rows pass between tasks through Spark's own shuffle, for workers that share only the store."""


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The result of a check; `judged` names the properties that were judged now."""

    run: str
    rows: int
    plan: str
    judged: tuple[str, ...]
    seconds: float
    verdicts: tuple[dict[str, Any], ...] = field(repr=False)

    @property
    def properties(self) -> dict[str, Count]:
        """The counts of each property."""
        return {
            row["property"]: Count(row["obligations"], row["violations"], row["undecided"]) for row in self.verdicts
        }

    @property
    def exit(self) -> Exit:
        """The exit code for the verdicts."""
        judged = [(Outcome(row["outcome"]), Verdict(row["verdict"])) for row in self.verdicts if row["outcome"]]
        return exit_code(judged)


def check(
    store: Store,
    run: str,
    *,
    spark: Callable[[Plan], Spark],
    plan: Plan = Plan.AUTO,
    again: bool = False,
    stories: int = STORIES,
) -> CheckResult:
    """Judge a run of the store.

    Args:
        store: The store.
        run: The run.
        spark: Returns the function that judges on Spark by a plan; called only if Spark is needed.
        plan: How to judge.
        again: Judge every property, even if nothing has changed.
        stories: How many findings of a property get a story.

    Raises:
        StoreError: there is no such run, or it was replaced meanwhile.
        PartError: a file of the run is missing or damaged.
        NoSparkError: Spark is needed and is not there.
        NoRoomError: the disk is full.
    """
    start = time.perf_counter()
    info = store.run(run)
    now = digests(info, PROPERTIES)
    before = {} if again else _before(store, run)
    missing = tuple(name for name, digest in now.items() if before.get(name) != digest)
    if not missing:
        rows = tuple(store.table("trace_verdict", run))
        return CheckResult(run, info.rows, "none", (), time.perf_counter() - start, rows)
    chosen = plan
    if plan is Plan.AUTO:
        chosen = Plan.HERE if info.rows <= SMALL else Plan.FILES
    judge_by = judge_in_process if chosen is Plan.HERE else spark(chosen)
    with store.staging() as staged:
        job = Job(store.path, run, missing, buckets_for(info.rows), staged)
        with _meanwhile(store, info):
            answer = judge_by(job, len(info.parts))
        known = set(now) - set(missing)
        findings = _kept(store, "findings", run, known) + _findings(store, info, answer, stories)
        cases: dict[str, set[str]] = {}
        for row in findings:
            cases.setdefault(row["property"], set()).add(row["case"])
        fresh = _verdicts(info.bundle, {name: answer.counts[name] for name in missing}, cases)
        verdicts = _kept(store, "trace_verdict", run, known) + fresh
        for name, rows_ in (("findings", findings), ("trace_verdict", verdicts)):
            write_parquet(staged / name, rows_to_arrow(CHECKED[name], rows_))
        store.keep(staged, info, now)
    return CheckResult(run, info.rows, chosen.value, missing, time.perf_counter() - start, tuple(verdicts))


@contextmanager
def _meanwhile(store: Store, info: RunInfo) -> Iterator[None]:
    """Raise a damaged file as a replaced run if the run was replaced meanwhile.

    Raises:
        StoreError: the run was replaced.
    """
    try:
        yield
    except PartError as error:
        if store.run(info.run) != info:
            raise run_replaced(store.path, info.run) from error
        raise


def _before(store: Store, run: str) -> dict[str, str]:
    try:
        found = json.loads(store.marker(run).read_bytes())["properties"]
    except (OSError, ValueError, KeyError, TypeError):
        return {}
    return found if isinstance(found, dict) else {}


def _kept(store: Store, table: str, run: str, known: Collection[str]) -> list[dict[str, Any]]:
    """Return the rows of properties that are not judged again; read no file if all are."""
    return [row for row in store.table(table, run) if row["property"] in known] if known else []


def _findings(store: Store, info: RunInfo, answer: Answer, stories: int) -> list[dict[str, Any]]:
    hits = [
        (PROPERTIES[name], hits.row(index), index < stories)
        for name, hits in sorted(answer.hits.items())
        for index in range(len(hits))
    ]
    if not hits:
        return []
    found_stories = iter(build_stories(store, info, [(kind, hit) for kind, hit, wanted in hits if wanted]))
    _, cases = store.names(info)
    rows = []
    for kind, hit, wanted in hits:
        finding = next(found_stories).finding if wanted else None
        rows.append(
            {
                "property": kind.name,
                "key": f"{kind.name}/{hit['msg']}@{hit['end']}/{hit['session']}.{hit['seq']}",
                "case": case_of(cases, hit),
                "text": finding.text if finding else "",
                "cites": list(finding.cites) if finding else [],
                **hit,
            }
        )
    return rows


def _verdicts(run: Run, counts: dict[str, Count], cases: dict[str, set[str]]) -> list[dict[str, Any]]:
    catalogue = load_catalogue()
    rows = []
    for name, count in counts.items():
        kind = PROPERTIES[name]
        names = {case or _trace_name(run, name) for case in cases.get(name, {""})}
        for assertion in _in_force(kind, catalogue, run.profile.tier):
            outcome = _outcome(kind, count, assertion, run)
            declared = _declared(run.profile.deviations, assertion.id, names)
            rows.append(
                {
                    "property": name,
                    "assertion": assertion.id,
                    "level": assertion.level.value,
                    "obligations": count.obligations,
                    "violations": count.violations,
                    "undecided": count.undecided,
                    "observes": kind.observes,
                    "outcome": outcome.value if outcome else "",
                    "verdict": judge(outcome, assertion.level, declared, asked=False).value if outcome else "",
                }
            )
    return rows


def _trace_name(run: Run, name: str) -> str:
    """Return the case name that declared deviations match: that of a workload's property, or of a suite's whole trace."""
    return f"workload/{run.selection[0]}/{name}" if run.kind == "workload" and run.selection else f"trace/{name}"


def _in_force(kind: Property, catalogue: Catalogue, tier: str) -> Iterable[Assertion]:
    rows = [catalogue[each] for each in kind.assertions if each in catalogue]
    return [row for row in rows if tier not in BY_NAME or in_force(row, tier)]


def _outcome(kind: Property, count: Count, assertion: Assertion, run: Run) -> Outcome | None:
    """Return the outcome of an assertion; None if the trace does not show one."""
    if not set(assertion.features) <= set(run.profile.claims.features):
        return Outcome.UNSUPPORTED
    if not count.obligations and not count.undecided:
        return None
    if kind.observes:
        return Outcome.OBSERVED
    if count.violations:
        # The run says nothing about an assertion that no violation is about.
        return Outcome.BROKEN if assertion.id in kind.blamed(count.blamed) else None
    return Outcome.HELD if count.obligations else Outcome.UNDECIDED


def _declared(deviations: Sequence[Deviation], assertion: str, cases: set[str]) -> str | None:
    """Return the declared outcome of an assertion, if the profile declares it for all these cases."""
    mine = [each for each in deviations if each.assertion == assertion]
    for each in mine:
        if all(fnmatchcase(case, each.cases) for case in cases):
            return each.outcome
    return None
