"""The field report: the defects of several products in the releases that were run, worst first, and since when they are there.

A *product* is a profile without its releases; a *defect* is what one declaration, or one cause of violations, covers.
Reads no events; verdicts are those of the runs, and of a history for releases whose bundle is gone.
"""

from __future__ import annotations

import fnmatch
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from tck.catalogue.sections import reading_order
from tck.record.outcomes import Declared, Effect, Verdict
from tck.record.rows import Deviation
from tck.reports import surprises
from tck.reports.compare import cause
from tck.reports.read import CaseReport
from tck.reports.verdict_snapshot import Origin, VerdictSnapshot
from tck.reports.verdict_tree import RunTree

_RELEASED: Final = re.compile(r"(?P<product>.+?)-(?P<release>\d+(?:\.\d+)+(?:[.-][\w.-]+)?)")
_FAILED: Final = frozenset({Verdict.VIOLATION, Verdict.DECLARED})
_CLIP: Final = 300
_EVERY: Final = re.compile(".*", re.DOTALL)


class Seen(StrEnum):
    """What the run of a release says of a defect."""

    SHOWN = "shown"
    HELD = "held"
    NOT_ASKED = "not asked"


@dataclass(frozen=True, slots=True)
class ReleaseRun:
    """The newest run of one release of a product; `tree` is None where a history alone knows the run."""

    product: str
    release: str
    origin: Origin
    verdicts: Mapping[str, Mapping[str, Verdict]] = field(repr=False)
    """The verdict of each case on each assertion."""
    tree: RunTree | None = field(repr=False, default=None)


@dataclass(frozen=True, slots=True)
class Defect:
    """One defect of the newest release.

    Attributes:
        title: The reason of the declaration, with the setting under which it holds; else what was observed.
        effect: How bad it is for a user, by the profile; None if nobody has declared it.
        rows: The assertions that it breaks.
        cases: The cases in which it showed, those with the fewest events first.
        seen: What each release says, the oldest first.
        deviation: The first of its declarations; None if it is not declared.
        elsewhere: The other products that declare the same cause.
    """

    title: str
    effect: Effect | None
    rows: tuple[str, ...]
    cases: tuple[CaseReport, ...]
    seen: tuple[Seen, ...]
    deviation: Deviation | None = None
    elsewhere: tuple[str, ...] = ()

    @property
    def follows(self) -> bool:
        """Whether it only keeps cases from being decided, and so follows from another defect."""
        return self.deviation is not None and self.deviation.outcome == Declared.UNDECIDED

    @property
    def first(self) -> int:
        """The place of the first release of those up to the newest in which it never held; that of the newest if it held there."""
        at = len(self.seen) - 1
        for place in range(at, -1, -1):
            if self.seen[place] is Seen.HELD:
                break
            if self.seen[place] is Seen.SHOWN:
                at = place
        return at

    @property
    def before(self) -> Seen:
        """What the release before the first one says; not asked if there is none."""
        return self.seen[self.first - 1] if self.first else Seen.NOT_ASKED


@dataclass(frozen=True, slots=True)
class Gone:
    """An assertion that an older release broke and the newest one keeps; `seen` is by release, the oldest first."""

    row: str
    statement: str
    seen: tuple[Seen, ...]


@dataclass(frozen=True, slots=True)
class Product:
    """A product: its releases, the oldest first, and the defects of the newest, worst first."""

    name: str
    releases: tuple[ReleaseRun, ...]
    defects: tuple[Defect, ...]
    gone: tuple[Gone, ...]

    @property
    def newest(self) -> ReleaseRun:
        """The run of the newest release."""
        return self.releases[-1]

    @property
    def title(self) -> str:
        """The product with its newest release, as its profile names it."""
        tree = self.newest.tree
        return (tree.run.run.profile.title if tree else "") or self.newest.origin.subject

    @property
    def counts(self) -> tuple[Counter[Effect | None], ...]:
        """The defects that the newest release shows, by effect, as far as each release shows them."""
        shown = [each for each in self.defects if each.seen[-1] is Seen.SHOWN]
        return tuple(
            Counter(each.effect for each in shown if each.seen[place] is Seen.SHOWN)
            for place in range(len(self.releases))
        )


def product_and_release(origin: Origin) -> tuple[str, str]:
    """Return the product and the release of a run: ``artemis-2.30.0`` is a release of ``artemis``."""
    found = _RELEASED.fullmatch(origin.profile)
    return (found["product"], found["release"]) if found else (origin.profile, origin.version)


def release_run(snapshot: VerdictSnapshot, tree: RunTree | None = None) -> ReleaseRun:
    """Return the run that a snapshot of one run tells of."""
    verdicts: dict[str, dict[str, Verdict]] = defaultdict(dict)
    for (row, case), entries in snapshot.case_verdicts.items():
        verdicts[row][case] = entries[-1].verdict
    product, release = product_and_release(snapshot.newest)
    own = tree.run.run.profile.release if tree else ""
    return ReleaseRun(product, own or release, snapshot.newest, verdicts, tree)


def products(runs: Iterable[ReleaseRun]) -> tuple[Product, ...]:
    """Return the products of some runs by name; the releases of a product must come from the oldest to the newest.

    Args:
        runs: Of each release one run; the newest of each product needs its tree.
    """
    by_product: dict[str, list[ReleaseRun]] = defaultdict(list)
    for run in runs:
        by_product[run.product].append(run)
    declaring: dict[object, dict[str, None]] = defaultdict(dict)
    for name, releases in sorted(by_product.items()):
        for deviation in _deviations(releases[-1]):
            declaring[cause(deviation)][name] = None
    return tuple(_product(name, tuple(releases), declaring) for name, releases in sorted(by_product.items()))


def _product(name: str, releases: tuple[ReleaseRun, ...], declaring: Mapping[object, Iterable[str]]) -> Product:
    defects = [*_declared(name, releases, declaring), *_undeclared(releases)]
    order = {effect: place for place, effect in enumerate([None, *Effect])}
    defects.sort(
        key=lambda each: (
            order[each.effect],
            each.seen[-1] is not Seen.SHOWN,
            each.follows,
            -len(each.rows),
            reading_order(each.rows[0]),
        )
    )
    covered = {row for each in defects for row in each.rows}
    return Product(name, releases, tuple(defects), tuple(_gone(releases, covered)))


def _deviations(run: ReleaseRun) -> tuple[Deviation, ...]:
    return run.tree.run.run.profile.deviations if run.tree else ()


def _declared(name: str, releases: Sequence[ReleaseRun], declaring: Mapping[object, Iterable[str]]) -> Iterator[Defect]:
    groups: dict[str, list[Deviation]] = defaultdict(list)
    for deviation in _deviations(releases[-1]):
        groups[deviation.full_reason].append(deviation)
    for reason, together in groups.items():
        covers = _covered_by(together)
        cases = _shown_by(releases[-1], reason, covers)
        seen = [_seen(run, covers) for run in releases]
        if cases or seen[-1] is Seen.SHOWN:  # failures there may be those of another declaration for the same row
            seen[-1] = Seen.SHOWN if cases else Seen.NOT_ASKED
        effects = [Effect(each.effect) for each in together if each.effect]
        yield Defect(
            reason,
            min(effects, key=list(Effect).index, default=None),
            tuple(sorted({each.assertion for each in together}, key=reading_order)),
            cases,
            tuple(seen),
            together[0],
            tuple(other for other in declaring[cause(together[0])] if other != name),
        )


def _covered_by(deviations: Iterable[Deviation]) -> dict[str, re.Pattern[str]]:
    """Return the cases that declarations cover, by assertion."""
    globs: dict[str, list[str]] = defaultdict(list)
    for each in deviations:
        globs[each.assertion].append(fnmatch.translate(each.cases))
    return {row: re.compile("|".join(each)) for row, each in globs.items()}


def _shown_by(run: ReleaseRun, reason: str, covers: Mapping[str, re.Pattern[str]]) -> tuple[CaseReport, ...]:
    """Return the cases that failed as declared for a reason; a result names one of the declarations that it used."""
    found = []
    for case in run.tree.run.cases if run.tree else ():
        uses = [attempt.deviation for attempt in case.attempts if attempt.deviation]
        rows = [row for row in case.rows if case.verdict_of(row) is Verdict.DECLARED]
        known = {use.assertion for use in uses}
        left = [row for row in rows if not known & {row, "*"} and row in covers and covers[row].fullmatch(case.name)]
        if rows and (left or any(use.full_reason == reason for use in uses)):
            found.append(case)
    return _shortest_first(found)


def _undeclared(releases: Sequence[ReleaseRun]) -> Iterator[Defect]:
    tree = releases[-1].tree
    groups = surprises.find(tree) if tree else ()
    for card in (card for group in groups if group.word.verdict is Verdict.VIOLATION for card in group.cards):
        observed = card.observations[0].observed if card.observations else card.node.title
        covers = {
            node.id: re.compile("|".join(re.escape(case.name) for case in node.cases_with(Verdict.VIOLATION)))
            for node in card.nodes
        }
        yield Defect(
            card.cause or observed[:_CLIP],
            None,
            tuple(node.id for node in card.nodes),
            _shortest_first(card.cases),
            tuple(_seen(run, covers) for run in releases),
        )


def _shortest_first(cases: Iterable[CaseReport]) -> tuple[CaseReport, ...]:
    def events(case: CaseReport) -> tuple[int, str]:
        return (case.shown.events.count if case.shown.events else 0, case.name)

    return tuple(sorted(cases, key=events))


def _seen(run: ReleaseRun, covers: Mapping[str, re.Pattern[str]]) -> Seen:
    verdicts = {
        verdict
        for row, cases in covers.items()
        for case, verdict in run.verdicts.get(row, {}).items()
        if cases.fullmatch(case)
    }
    if verdicts & _FAILED:
        return Seen.SHOWN
    return Seen.HELD if verdicts & {Verdict.CONFORMANT, Verdict.STALE} else Seen.NOT_ASKED


def _gone(releases: Sequence[ReleaseRun], covered: set[str]) -> Iterator[Gone]:
    """Yield the assertions that older releases broke, the newest one keeps, and none of its defects breaks."""
    broken = {
        row for run in releases[:-1] for row, cases in run.verdicts.items() if Verdict.VIOLATION in cases.values()
    }
    newest = releases[-1].tree
    for row in sorted(broken - covered, key=reading_order):
        seen = tuple(_seen(run, {row: _EVERY}) for run in releases)
        if seen[-1] is Seen.HELD:
            node = newest.by_id.get(row) if newest else None
            yield Gone(row, node.statement if node else "", seen)
