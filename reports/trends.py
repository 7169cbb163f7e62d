"""Trends: a run together with the runs before it. Verdicts by chapter, transitions, flaky cases, durations.

Made from the per-run tables of a history store, so that it needs no Spark, and from the run at hand, which need not be in
the store. May import `tck.catalogue`, `tck.record` and the modules of `reports` that read runs.
"""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tck.catalogue import Assertion, Catalogue
from tck.catalogue.citations import Citation, OwnSections
from tck.catalogue.sections import chapter_number, chapter_title
from tck.record.outcomes import Verdict, worst
from tck.record.reader import Bundle
from tck.reports import earlier_runs
from tck.reports.changes import (
    FAILED,
    HELD,
    changed_conditions,
    conditions,
    flips,
    is_flaky,
    is_transition,
    tally,
)
from tck.reports.pipeline.verdict_rows import PER_DOUBLING, bucket_of
from tck.reports.verdict_snapshot import CaseVerdict, Origin, Pair, of_bundle
from tck.reports.verdict_tree import RunTree

SHARES = (0.5, 0.95, 0.99)
"""The percentiles of the durations of cases."""

Counts = Counter[Verdict]


@dataclass(frozen=True, slots=True)
class ChapterTrend:
    """Assertions of a chapter by verdict, for each run; empty where the run had none."""

    key: str
    number: str
    title: str
    counts: tuple[Counts, ...]
    own: Citation
    """Where the version that the runs are judged by states most of its assertions."""


@dataclass(frozen=True, slots=True)
class Transition:
    """Cases of one assertion with the same transition between the same two runs."""

    assertion: str
    cases: tuple[str, ...]
    before: Verdict
    now: Verdict
    then: Origin
    origin: Origin

    @property
    def changed(self) -> Mapping[str, tuple[str, str]]:
        """The conditions that differ between the two runs."""
        return changed_conditions(self.then, self.origin)


@dataclass(frozen=True, slots=True)
class Flaky:
    """A flaky case; `flips` is how often it turned from held to failed or back."""

    assertion: str
    case: str
    failed: int
    runs: int
    flips: int
    last: Origin


@dataclass(frozen=True, slots=True)
class Trends:
    """All trends of a run; `origins` from the oldest run to the one at hand."""

    source: str
    origins: tuple[Origin, ...]
    total: tuple[Counts, ...]
    chapters: tuple[ChapterTrend, ...]
    transitions: tuple[Transition, ...]
    """The newest first."""
    flaky: tuple[Flaky, ...]
    latency: tuple[tuple[float, ...] | None, ...]
    """For each run the durations of its cases in milliseconds at each of `SHARES`; None if unknown."""
    rows: Mapping[str, tuple[Verdict | None, ...]] = field(repr=False)
    """For each assertion its verdict in each run; None where the run had no case of it."""

    @property
    def newest(self) -> tuple[Transition, ...]:
        """The transitions of the run at hand."""
        return tuple(each for each in self.transitions if each.origin == self.origins[-1])


def of_store(store: Path, bundle: Bundle, tree: RunTree, catalogue: Catalogue) -> Trends:
    """Return the trends of a run and of the comparable earlier runs in a history.

    Raises:
        HistoryError: The history cannot be read, or holds no earlier run of the kind.
    """
    current = of_bundle(bundle)
    with earlier_runs.unchanged(store):
        earlier = earlier_runs.comparable(store, current.newest)
        before = earlier_runs.case_verdicts(store, earlier)
        latency = [_percentiles(earlier_runs.durations(store, origin.run)) for origin in earlier]
    case_verdicts = _together(before, current.case_verdicts, len(earlier))
    origins = (*earlier, current.newest)
    rows = _rows(case_verdicts, len(origins))
    return Trends(
        str(store),
        origins,
        tuple(_counts(rows.values(), number) for number in range(len(origins))),
        tuple(_chapters(rows, catalogue, len(origins), origins[-1].tier)),
        tuple(_transitions(case_verdicts, origins)),
        tuple(_flaky(case_verdicts, origins)),
        (*latency, _percentiles(_durations(tree))),
        rows,
    )


def _together(
    earlier: Mapping[Pair, tuple[CaseVerdict, ...]], current: Mapping[Pair, tuple[CaseVerdict, ...]], number: int
) -> dict[Pair, tuple[CaseVerdict, ...]]:
    """Append the verdicts of the run at hand to the earlier ones."""
    every = dict(earlier)
    for pair, (entry, *_) in current.items():
        every[pair] = (*every.get(pair, ()), entry._replace(origin=number))
    return every


def _rows(case_verdicts: Mapping[Pair, Sequence[CaseVerdict]], runs: int) -> dict[str, tuple[Verdict | None, ...]]:
    found: dict[str, list[list[Verdict]]] = defaultdict(lambda: [[] for _ in range(runs)])
    for (assertion, _), listed in case_verdicts.items():
        for entry in listed:
            found[assertion][entry.origin].append(entry.verdict)
    return {
        assertion: tuple(worst(verdicts) if verdicts else None for verdicts in by_run)
        for assertion, by_run in found.items()
    }


def _counts(rows: Iterable[Sequence[Verdict | None]], number: int) -> Counts:
    return Counter(verdict for row in rows if (verdict := row[number]) is not None)


def _chapters(
    rows: Mapping[str, tuple[Verdict | None, ...]], catalogue: Catalogue, runs: int, tier: str
) -> Iterator[ChapterTrend]:
    parted: dict[str, list[tuple[Verdict | None, ...]]] = defaultdict(list)
    rows_of: dict[str, list[Assertion]] = defaultdict(list)
    for assertion, verdicts in rows.items():
        row = catalogue.get(assertion)
        if row is not None:
            parted[row.chapter].append(verdicts)
            rows_of[row.chapter].append(row)
    for key, listed in sorted(parted.items()):
        counts = tuple(_counts(listed, number) for number in range(runs))
        own = OwnSections.of(tier).chapter(key, rows_of[key])
        yield ChapterTrend(key, chapter_number(key), chapter_title(key), counts, own)


def _transitions(case_verdicts: Mapping[Pair, Sequence[CaseVerdict]], origins: Sequence[Origin]) -> list[Transition]:
    found: dict[tuple[int, str, Verdict, Verdict, int], list[str]] = defaultdict(list)
    for (assertion, case), listed in case_verdicts.items():
        for before, now in itertools.pairwise(listed):
            if is_transition(before.verdict, now.verdict):
                found[now.origin, assertion, before.verdict, now.verdict, before.origin].append(case)
    transitions = [
        Transition(assertion, tuple(sorted(cases)), before, now, origins[then], origins[at])
        for (at, assertion, before, now, then), cases in found.items()
    ]
    places = {origin.run: place for place, origin in enumerate(origins)}
    order = list(Verdict)
    return sorted(
        transitions,
        key=lambda each: (-places[each.origin.run], order.index(each.now), -len(each.cases), each.assertion),
    )


def _flaky(case_verdicts: Mapping[Pair, Sequence[CaseVerdict]], origins: Sequence[Origin]) -> list[Flaky]:
    """Find the cases that held and failed under equal conditions."""
    found = []
    for (assertion, case), listed in case_verdicts.items():
        alike: dict[tuple[str, ...], list[CaseVerdict]] = defaultdict(list)
        for entry in listed:
            if entry.verdict in HELD or entry.verdict in FAILED:
                alike[conditions(origins[entry.origin])].append(entry)
        for group in alike.values():
            if is_flaky(*tally(group, FAILED)):
                failed = [entry.verdict in FAILED for entry in group]
                last = origins[group[-1].origin]
                found.append(Flaky(assertion, case, sum(failed), len(failed), flips(failed), last))
    return sorted(found, key=lambda each: (-each.flips, -each.failed, each.case))


def _durations(tree: RunTree) -> Counter[int]:
    """Count the durations of a run's cases as a history does: once for each assertion of each attempt."""
    counts: Counter[int] = Counter()
    for case in tree.run.cases:
        for attempt in case.attempts:
            counts[bucket_of(attempt.ms)] += len(attempt.verdicts)
    return counts


def _percentiles(counts: Counter[int]) -> tuple[float, ...] | None:
    """Return the percentiles of counted buckets in milliseconds; None if all durations are 0."""
    total = counts.total()
    if not total or set(counts) == {0}:
        return None
    found = []
    for share in SHARES:
        reached = 0
        for bucket in sorted(counts):
            reached += counts[bucket]
            if reached >= share * total:
                found.append(2.0 ** ((bucket + 0.5) / PER_DOUBLING) / 1000)
                break
    return tuple(found)
