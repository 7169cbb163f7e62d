"""Judgements over calls: they work, raise, return in time, or still wait."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TypeVar

from tck.suite.support.expect.values import is_inert
from tck.suite.support.harness.current import current_case
from tck.suite.support.harness.outcome import Broken, KitFault, Undecided
from tck.suite.support.harness.soft import refute
from tck.suite.support.harness.threads import Call
from tck.suite.support.values.seen import shown

_Value = TypeVar("_Value")


def raises(
    wanted: type[BaseException],
    call: Callable[[], object],
    *,
    what: str,
    though_works: Callable[[], object] | None = None,
) -> BaseException:
    """Demand an exception of just this type, after having seen the same call work where it must.

    Args:
        wanted: the type; provider-made subclasses count.
        call: the call that must be refused.
        what: names the call in findings.
        though_works: an allowed form of the same call, tried first; needed unless the case has a witness already. An error
            in it makes the case undecided.

    Returns:
        The exception, for further demands.
    """
    case = current_case()
    if though_works is not None:
        sight = though_works()
        case.witness(f"{what} works where it must" + (f": {shown(sight)!r}" if not is_inert(sight) else ""))
    elif not (case.marks.witnesses or case.marks.failures):
        raise KitFault(f"{what}: show the call working, or an arrival, before demanding {wanted.__name__}")
    claim = f"{what} raises {wanted.__name__}"
    case.marks.expected.append(claim)
    try:
        value = case.refused(call)
    except wanted as error:
        case.witness(f"{what} raised {type(error).__name__}")
        return error
    except Exception as error:
        text = f"{what} raised {type(error).__name__}: {error}"
        raise Broken(text, expected=claim, cites=case.cites()) from error
    raise Broken(f"{what} returned {shown(value)!r}", expected=claim, cites=case.cites())


def all_raise(
    wanted: type[BaseException],
    calls: Mapping[str, Callable[[], object]],
    *,
    though_work: Mapping[str, Callable[[], object]],
) -> None:
    """Demand an exception of just this type from every call of a table, after each was seen working where it must.

    A finding names every call that does something else. `every_call` makes such tables.

    Args:
        wanted: the type; provider-made subclasses count.
        calls: the calls that must be refused, by the words for them.
        though_work: an allowed form of each call, under the same words, tried first.

    Raises:
        Undecided: a call fails where it must work.
    """
    case = current_case()
    if not calls or calls.keys() != though_work.keys():
        raise KitFault(f"give an allowed form of each call: {sorted(calls.keys() ^ though_work.keys())}")
    claim = f"each of these raises {wanted.__name__}: {', '.join(calls)}"
    case.marks.expected.append(claim)
    for what, call in though_work.items():
        seen = _ending(call)
        if isinstance(seen, Exception):
            text = f"{what} raised {type(seen).__name__} where it must work: {seen}"
            raise Undecided(text, expected=claim) from seen
    case.witness(f"these work where they must: {', '.join(though_work)}")
    endings = {what: _ending(partial(case.refused, call)) for what, call in calls.items()}
    other = {what: seen for what, seen in endings.items() if not isinstance(seen, wanted)}
    if other:
        text = "; ".join(f"{what} {_described(seen)}" for what, seen in other.items())
        refute(Broken(text, expected=claim, cites=case.cites()))
        return
    case.witness(f"{len(calls)} calls raised {wanted.__name__}")


def _ending(call: Callable[[], object]) -> object:
    """Call, and return the value or the exception."""
    try:
        return call()
    except Exception as error:  # noqa: BLE001 - the caller judges it
        return error


def _described(seen: object) -> str:
    return f"raised {type(seen).__name__}: {seen}" if isinstance(seen, Exception) else f"returned {shown(seen)!r}"


def works(what: str, call: Callable[[], _Value]) -> _Value:
    """Demand that a call raises nothing; return its value. No witness by itself."""
    case = current_case()
    claim = f"{what} raises nothing"
    case.marks.expected.append(claim)
    try:
        return call()
    except Exception as error:
        text = f"{what} raised {type(error).__name__}: {error}"
        raise Broken(text, expected=claim, cites=case.cites()) from error


def works_or(refused: type[Exception], call: Callable[[], object], *, what: str = "the call") -> bool:
    """Demand that a call works, or is refused with one type of exception; return whether it was refused. No witness by itself."""
    case = current_case()
    case.marks.expected.append(f"{what} is accepted, or refused with {refused.__name__}")
    try:
        case.refused(call)
    except refused:
        return True
    except Exception as error:
        text = f"{what} raised {type(error).__name__}: {error}"
        raise Broken(text, expected=f"at most {refused.__name__}", cites=case.cites()) from error
    return False


def returns(call: Call[_Value], what: str, within_ms: float | None = None) -> _Value:
    """Demand that a call on its own thread returns within a time (default: the profile's deadline); return its value.

    An exception of the call refutes the claim.
    """
    case = current_case()
    limit = case.timing.deadline if within_ms is None else within_ms
    claim = f"{what} returns within {limit:g} ms"
    case.marks.expected.append(claim)
    if not call.ends_within(limit):
        raise Broken(f"{what} was still waiting after {limit:g} ms", expected=claim, cites=case.cites())
    return works(what, call.result)


def waits(call: Call[object], what: str, sight: str) -> None:
    """Demand that a call waits, though it could be over; `sight` names the circumstances in findings.

    What might end the call, such as a message to a stopped connection, must be there before: see `Link.dispatched`.
    """
    case = current_case()
    claim = f"{what} still waits {sight}"
    case.marks.expected.append(claim)
    case.until_blocked(call, f"{what} must go on waiting")
    if call.returned:
        works(what, call.result)
        refute(Broken(f"{what} had returned", expected=claim, cites=case.cites()))
