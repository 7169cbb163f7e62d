"""Compare a run with a baseline or a history: new violations with their reasons, and fixed ones.

A violation is *known* if the last earlier run that decided the case had it too, if runs under the same conditions saw it
come and go (flaky), or if the row was violated before at another point and this point was not asked. All others are new,
including the first relapse after a fix. Works on verdicts only; the terms are defined in `tck.reports.changes`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from tck.record.outcomes import Exit, Verdict
from tck.reports.changes import HELD, UNDECIDED, changed_conditions, comes_and_goes, is_flaky, is_regression
from tck.reports.verdict_snapshot import CaseVerdict, Origin, Pair, VerdictSnapshot

RECENT = 10
"""The most earlier runs, with the conditions of the present one, that decide whether a case comes and goes."""

_FAILING = frozenset({Verdict.VIOLATION})
"""For a gate only a violation is a failure."""

KINDS = {
    "regression": "it held before",
    "undeclared": "it was a declared deviation, and no declaration covers it now",
    "undecided": "it was not decided before",
    "unsupported": "the feature was not claimed before",
    "advisory": "it was advice before, and is an obligation now",
    "unasked": "no earlier run asked it",
}
"""Why a violation is new."""


class IncomparableError(Exception):
    """Two runs cannot be compared; the message says why, and what to do."""


@dataclass(frozen=True, slots=True)
class Before:
    """The verdict of an earlier run on a case."""

    verdict: Verdict
    origin: Origin


@dataclass(frozen=True, slots=True)
class NewViolation:
    """A violation that was not there before.

    `before` is the last earlier judgement and `since` the first run that saw the violation; `changed` names what differs
    between the two runs: kit, provider, catalogue, profile, each with its old and new value.
    """

    assertion: str
    case: str
    kind: str
    before: Before | None
    since: Origin
    changed: Mapping[str, tuple[str, str]]
    failed: int
    attempts: int
    held_elsewhere: int
    """Other points of the row that held before."""

    @property
    def flaky(self) -> bool:
        """Whether the case both held and failed with nothing changed: among its attempts, or since the last run."""
        return bool(is_flaky(self.failed, self.attempts - self.failed)) or (
            self.kind == "regression" and not self.changed
        )


@dataclass(frozen=True, slots=True)
class KnownViolation:
    """A violation that is not new. `since` is the first run of the unbroken series of violations up to now."""

    assertion: str
    case: str
    why: str
    """`before`, `flaky` or `row`: see the module."""
    since: Origin
    broken: int
    asked: int
    """It was broken in `broken` of `asked` earlier runs."""


@dataclass(frozen=True, slots=True)
class ChangedCase:
    """A case whose verdict is another one now; `last` is the run with the earlier verdict."""

    assertion: str
    case: str
    now: Verdict
    last: Origin


@dataclass(frozen=True, slots=True)
class GateResult:
    """The result of a gate."""

    current: VerdictSnapshot
    past: VerdictSnapshot
    new: tuple[NewViolation, ...]
    known: tuple[KnownViolation, ...]
    fixed: tuple[ChangedCase, ...]
    unjudged: tuple[ChangedCase, ...]
    """Cases that were decided before and that this run could not decide."""
    gone: tuple[Pair, ...]
    """Earlier violations whose cases this run did not have."""
    unasked: int
    """The number of other cases that were decided before and that this run did not have."""
    common: int
    decided: int

    @property
    def exit(self) -> Exit:
        """The exit code: new violations fail, and so does a new harness error."""
        if any(each.now is Verdict.HARNESS_ERROR for each in self.unjudged):
            return Exit.KIT_ERROR
        if self.new:
            return Exit.VIOLATION
        return Exit.CONFORMANT if self.decided else Exit.NOTHING_JUDGED


def gate(current: VerdictSnapshot, past: VerdictSnapshot) -> GateResult:
    """Compare a run with earlier verdicts.

    Raises:
        IncomparableError: They have different profiles or tiers, are the same run, or have no case in common.
    """
    check(current, past)
    violated = [pair for pair, (entry, *_) in current.case_verdicts.items() if entry.verdict is Verdict.VIOLATION]
    rows = _PastRows(past)
    new: list[NewViolation] = []
    known: list[KnownViolation] = []
    for pair in violated:
        found = _known(pair, current, past, rows)
        if found:
            known.append(found)
        else:
            new.append(_new(pair, current, past, rows))
    fixed, unjudged, gone = _others(current, past)
    return GateResult(
        current,
        past,
        tuple(new),
        tuple(known),
        tuple(fixed),
        tuple(unjudged),
        tuple(gone),
        unasked=_unasked(current, past),
        common=sum(pair in past.case_verdicts for pair in current.case_verdicts),
        decided=sum(
            entry.verdict not in UNDECIDED | {Verdict.UNSUPPORTED} for entry, *_ in current.case_verdicts.values()
        ),
    )


def check(current: VerdictSnapshot, past: VerdictSnapshot) -> None:
    """Check that two snapshots can be compared.

    Raises:
        IncomparableError: See `gate`.
    """
    now, then = current.newest, past.newest
    if now.profile != then.profile:
        raise IncomparableError(
            f"{current.source} is of profile {now.profile}, {past.source} of profile {then.profile}: "
            "a baseline has to be of the same profile; take a run of the same provider"
        )
    if now.tier != then.tier:
        raise IncomparableError(
            f"{current.source} was judged by the rows of {now.tier}, {past.source} by those of {then.tier}: "
            "a baseline has to be of the same tier; run again with --tier, or take another baseline"
        )
    if now.kind != then.kind:
        raise IncomparableError(
            f"{current.source} is of a {now.kind}, {past.source} of a {then.kind}: "
            "compare a suite with a suite, and a workload with one of the same plan"
        )
    if past.kind != "history" and now.run == then.run:
        raise IncomparableError(f"{past.source} is the run itself ({now.run}): take an earlier one as baseline")
    if {assertion for assertion, _ in current.case_verdicts}.isdisjoint(
        {assertion for assertion, _ in past.case_verdicts}
    ):
        raise IncomparableError(
            f"{current.source} and {past.source} have no assertion in common: they were made with other selections; "
            "take a baseline that holds what the run asks"
        )


class _PastRows:
    """The last earlier verdict of each case, by assertion."""

    def __init__(self, past: VerdictSnapshot) -> None:
        self.last: dict[str, dict[str, CaseVerdict]] = defaultdict(dict)
        for (assertion, case), case_verdicts in past.case_verdicts.items():
            self.last[assertion][case] = case_verdicts[-1]

    def with_verdict(self, assertion: str, verdicts: frozenset[Verdict]) -> list[CaseVerdict]:
        return [entry for entry in self.last.get(assertion, {}).values() if entry.verdict in verdicts]


def _known(pair: Pair, current: VerdictSnapshot, past: VerdictSnapshot, rows: _PastRows) -> KnownViolation | None:
    """Return since when a violation is known; None if it is new."""
    assertion, case = pair
    case_verdicts = [entry for entry in past.case_verdicts.get(pair, ()) if entry.verdict not in UNDECIDED]
    broken = [entry for entry in case_verdicts if entry.verdict is Verdict.VIOLATION]
    if case_verdicts and case_verdicts[-1].verdict is Verdict.VIOLATION:
        return KnownViolation(assertion, case, "before", _streak(case_verdicts, past), len(broken), len(case_verdicts))
    alike = [entry for entry in case_verdicts if not changed_conditions(past.origins[entry.origin], current.newest)][
        -RECENT:
    ]
    if comes_and_goes(alike, _FAILING):
        flaky = [entry for entry in alike if entry.verdict is Verdict.VIOLATION]
        return KnownViolation(assertion, case, "flaky", past.origins[flaky[0].origin], len(flaky), len(alike))
    elsewhere = rows.with_verdict(assertion, frozenset({Verdict.VIOLATION}))
    if pair not in past.case_verdicts and elsewhere:
        first = min(elsewhere, key=lambda entry: entry.origin)
        return KnownViolation(assertion, case, "row", past.origins[first.origin], 0, 0)
    return None


def _streak(case_verdicts: list[CaseVerdict], past: VerdictSnapshot) -> Origin:
    since = case_verdicts[-1]
    for entry in reversed(case_verdicts):
        if entry.verdict is not Verdict.VIOLATION:
            break
        since = entry
    return past.origins[since.origin]


def _new(pair: Pair, current: VerdictSnapshot, past: VerdictSnapshot, rows: _PastRows) -> NewViolation:
    assertion, case = pair
    entry = current.case_verdicts[pair][-1]
    before = past.last(pair)
    decided = [each for each in past.case_verdicts.get(pair, ()) if each.verdict not in UNDECIDED]
    earlier = decided[-1] if decided else before
    then = past.origins[earlier.origin] if earlier else past.newest
    return NewViolation(
        assertion,
        case,
        _kind(earlier.verdict if earlier else None),
        Before(earlier.verdict, then) if earlier else None,
        current.newest,
        changed_conditions(then, current.newest),
        entry.failed,
        entry.attempts,
        len(rows.with_verdict(assertion, HELD)) if earlier is None else 0,
    )


def _kind(before: Verdict | None) -> str:
    if before is None:
        return "unasked"
    if before in UNDECIDED:
        return "undecided"
    return (
        "regression"
        if is_regression(before in HELD, 1, 1)
        else {Verdict.DECLARED: "undeclared"}.get(before, before.value)
    )


def _others(current: VerdictSnapshot, past: VerdictSnapshot) -> tuple[list[ChangedCase], list[ChangedCase], list[Pair]]:
    """Return the fixed violations, the cases no longer decided, and the violations no longer asked."""
    fixed: list[ChangedCase] = []
    unjudged: list[ChangedCase] = []
    gone: list[Pair] = []
    for pair, entry in _last_decided(past):
        now = current.last(pair)
        then = past.origins[entry.origin]
        if now is None:
            if entry.verdict is Verdict.VIOLATION:
                gone.append(pair)
        elif now.verdict in UNDECIDED:
            if entry.verdict is not Verdict.UNSUPPORTED:
                unjudged.append(ChangedCase(*pair, now.verdict, then))
        elif entry.verdict is Verdict.VIOLATION and now.verdict is not Verdict.VIOLATION:
            fixed.append(ChangedCase(*pair, now.verdict, then))
    return fixed, unjudged, gone


def _unasked(current: VerdictSnapshot, past: VerdictSnapshot) -> int:
    """Count the cases that were decided before without a violation and are not in this run."""
    return sum(
        pair not in current.case_verdicts and entry.verdict not in (Verdict.VIOLATION, Verdict.UNSUPPORTED)
        for pair, entry in _last_decided(past)
    )


def _last_decided(past: VerdictSnapshot) -> Iterator[tuple[Pair, CaseVerdict]]:
    for pair, case_verdicts in past.case_verdicts.items():
        decided = [entry for entry in case_verdicts if entry.verdict not in UNDECIDED]
        if decided:
            yield pair, decided[-1]


def by_assertion(found: Iterable[NewViolation]) -> dict[str, list[NewViolation]]:
    """Group new violations by assertion."""
    rows: dict[str, list[NewViolation]] = defaultdict(list)
    for each in found:
        rows[each.assertion].append(each)
    return dict(rows)
