"""Judgements over values: equal, present, different, in a range, changed, one of several."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TypeVar

from tck.suite.support.harness import wording
from tck.suite.support.harness.current import current_case
from tck.suite.support.harness.outcome import Broken, KitFault, Observed, Undecided
from tck.suite.support.harness.soft import refute
from tck.suite.support.values.seen import shown

_Value = TypeVar("_Value")


def is_inert(value: object) -> bool:
    """Whether a provider that does nothing could show this value: None, False, zero, or an empty collection."""
    return value is None or value is False or value == 0 or (isinstance(value, Collection) and len(value) == 0)


def equal(what: str, seen: object, wanted: object) -> None:
    """Demand a value.

    `what` names it ("JMSPriority at the receiver"). A wanted value that an idle provider shows too (None, False, 0,
    empty) needs an earlier witness in the case. Destinations are compared by kind and name, tables key by key; keys that
    are not wanted do not count.
    """
    case = current_case()
    seen, wanted = shown(seen), shown(wanted)
    if isinstance(seen, Mapping) and isinstance(wanted, Mapping):
        _table(what, seen, wanted)
        return
    case.marks.expected.append(f"{what} is {wanted!r}")
    if seen != wanted or _unlike(seen, wanted):
        was, to_be = wording.differing(seen, wanted)
        refute(Broken(f"{what} was {was}", expected=f"{what} is {to_be}", cites=case.cites()))
        return
    _mark_or_refuse(f"{what} was {seen!r}", wanted)


def _unlike(seen: object, wanted: object) -> bool:
    return isinstance(seen, bool) is not isinstance(wanted, bool)


def _table(what: str, seen: Mapping[object, object], wanted: Mapping[object, object]) -> None:
    case = current_case()
    if not wanted:
        raise KitFault(f"{what}: nothing is wanted of the table, so it could not fail; compare lists of its keys")
    case.marks.expected.append(f"{what}: {', '.join(str(key) for key in wanted)} as wanted")
    different = [
        key for key in wanted if key not in seen or seen[key] != wanted[key] or _unlike(seen[key], wanted[key])
    ]
    if different:
        texts = {key: wording.differing(seen.get(key), wanted[key]) for key in different}
        refute(
            Broken(
                f"{what}: " + ", ".join(f"{wording.key(key)} was {was}" for key, (was, _) in texts.items()),
                expected=f"{what}: " + ", ".join(f"{wording.key(key)} is {to_be}" for key, (_, to_be) in texts.items()),
                cites=case.cites(),
            )
        )
        return
    speaking = {key: value for key, value in wanted.items() if not is_inert(value)}
    _mark_or_refuse(f"{what}: {speaking!r}", speaking)


def _mark_or_refuse(sight: str, wanted: object) -> None:
    case = current_case()
    if not is_inert(wanted):
        case.witness(sight)
    elif not (case.marks.witnesses or case.marks.failures):
        raise KitFault(f"{sight}: an idle provider shows that too; show a contrary or an arrival first")
    elif case.marks.row is not None and case.marks.witnesses:
        case.witness(sight)  # the case has shown that the provider is not idle


def true(claim: str, holds: object, otherwise: str) -> None:
    """Demand a condition; `otherwise` is the observation where it does not hold."""
    case = current_case()
    case.marks.expected.append(claim)
    if not holds:
        refute(Broken(otherwise, expected=claim, cites=case.cites()))
        return
    case.witness(claim)


def differs(what: str, seen: object, unwanted: object) -> None:
    """Demand a value other than `unwanted`, and none that an idle provider shows."""
    case = current_case()
    seen, unwanted = shown(seen), shown(unwanted)
    case.marks.expected.append(f"{what} is not {unwanted!r}")
    if seen == unwanted or is_inert(seen):
        refute(Broken(f"{what} was {seen!r}", expected=f"{what} is set, and not {unwanted!r}", cites=case.cites()))
        return
    case.witness(f"{what} was {seen!r}")


def between(what: str, seen: int, low: int, high: int) -> None:
    """Demand a number from `low` to `high`, both included, widened by the profile's clock tolerance."""
    case = current_case()
    slack = case.timing.tolerance
    wanted = f"{what} is {low}" if low == high else f"{what} lies in {low} to {high}"
    wanted += f" (give or take {slack})" if slack else ""
    case.marks.expected.append(wanted)
    if not low - slack <= seen <= high + slack:
        refute(Broken(f"{what} was {seen}", expected=wanted, cites=case.cites()))
        return
    _mark_or_refuse(f"{what} was {seen}", seen)


def distinct(what: str, seen: Sequence[object]) -> None:
    """Demand that all values are different and none is missing."""
    case = current_case()
    wanted = f"{len(seen)} different values of {what}"
    case.marks.expected.append(wanted)
    twice = sorted({str(value) for value in seen if seen.count(value) > 1})
    if twice or any(is_inert(value) for value in seen):
        refute(
            Broken(
                f"{len(set(seen))} different values in {len(seen)}; repeated or missing: {', '.join(twice[:5]) or 'null'}",
                expected=wanted,
                cites=case.cites(),
            )
        )
        return
    case.witness(f"{len(seen)} different values of {what}")


def present(what: str, value: _Value | None) -> _Value:
    """Demand that a value is not null; return it. No witness by itself."""
    case = current_case()
    case.marks.expected.append(f"{what} is not null")
    if value is None:
        raise Broken(f"{what} was null", expected=f"{what} is not null", cites=case.cites())
    return value


def becomes(what: str, read: Callable[[], object], before: object, after: object, *, by: Callable[[], object]) -> None:
    """Demand that an action changes a value from `before` to `after`; a wrong `before` leaves the case undecided."""
    case = current_case()
    claim = f"{what} turns from {shown(before)!r} to {shown(after)!r}"
    case.marks.expected.append(claim)
    seen = shown(read())
    if seen != shown(before):
        raise Undecided(f"{what} was {seen!r} at the outset", expected=claim)
    by()
    seen = shown(read())
    if seen != shown(after):
        raise Broken(f"{what} was {seen!r} afterwards", expected=claim, cites=case.cites())
    case.witness(f"{what} turned from {shown(before)!r} to {seen!r}")


def one_of(what: str, seen: object, permitted: Mapping[object, str]) -> None:
    """Demand one of several permitted outcomes, and record its name."""
    case = current_case()
    seen = shown(seen)
    claim = f"{what} is one of {list(permitted)!r}"
    case.marks.expected.append(claim)
    if seen not in permitted:
        refute(Broken(f"{what} was {seen!r}", expected=claim, cites=case.cites()))
        return
    record(permitted[seen])


def record(behaviour: str) -> None:
    """Record a permitted behaviour by name; needs an earlier witness. An UNDEFINED row ends as an observation.

    In a block for a row the case goes on, and may record more.
    """
    case = current_case()
    if not (case.marks.witnesses or case.marks.failures):
        raise KitFault(f"recording {behaviour!r} needs a witness first")
    if case.marks.row is not None:
        case.marks.rows[case.marks.row].append(behaviour)
        case.marks.behaviour = "; ".join(filter(None, (case.marks.behaviour, behaviour)))
        return
    case.marks.behaviour = behaviour
    if all(row.level == "UNDEFINED" for row in case.rows):
        raise Observed(behaviour, cites=case.cites())
