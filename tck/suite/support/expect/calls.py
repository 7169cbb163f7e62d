"""Judgements over calls: they work, raise, return in time, or still wait."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from tck.suite.support.expect.values import is_inert
from tck.suite.support.harness.current import current_case
from tck.suite.support.harness.outcome import Broken, KitFault
from tck.suite.support.harness.threads import Call
from tck.suite.support.values.seen import shown

Value = TypeVar("Value")


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
        call: what must be refused.
        what: names the call in texts.
        though_works: an allowed form of the same call, tried first; needed unless the case has a witness already. What
            fails in it makes the case undecided.

    Returns:
        The exception, for further demands.
    """
    case = current_case()
    if though_works is not None:
        sight = though_works()
        case.witness(f"{what} works where it must" + (f": {shown(sight)!r}" if not is_inert(sight) else ""))
    elif not case.marks.witnesses:
        raise KitFault(f"{what}: show the call working, or an arrival, before demanding {wanted.__name__}")
    claim = f"{what} raises {wanted.__name__}"
    case.marks.expected.append(claim)
    try:
        value = call()
    except wanted as error:
        case.witness(f"{what} raised {type(error).__name__}")
        return error
    except Exception as error:
        text = f"{what} raised {type(error).__name__}: {error}"
        raise Broken(text, expected=claim, cites=case.cites()) from error
    raise Broken(f"{what} returned {shown(value)!r}", expected=claim, cites=case.cites())


def works(what: str, call: Callable[[], Value]) -> Value:
    """Demand that a call of the provider is accepted; returns its value. No witness by itself."""
    case = current_case()
    claim = f"{what} raises nothing"
    case.marks.expected.append(claim)
    try:
        return call()
    except Exception as error:
        text = f"{what} raised {type(error).__name__}: {error}"
        raise Broken(text, expected=claim, cites=case.cites()) from error


def works_or(refused: type[Exception], call: Callable[[], object]) -> bool:
    """Try a call that a provider may refuse with one type of exception; returns whether it did. No witness by itself."""
    case = current_case()
    case.marks.expected.append(f"the call is accepted, or refused with {refused.__name__}")
    try:
        call()
    except refused:
        return True
    except Exception as error:
        text = f"the call raised {type(error).__name__}: {error}"
        raise Broken(text, expected=f"at most {refused.__name__}", cites=case.cites()) from error
    return False


def returns(call: Call[Value], what: str, within_ms: float | None = None) -> Value:
    """Demand that a call running on its own thread returns by itself, within the profile's deadline unless told else.

    What it returns is for further demands; an exception it raised refutes the claim.
    """
    case = current_case()
    limit = case.timing.deadline if within_ms is None else within_ms
    claim = f"{what} returns within {limit:g} ms"
    case.marks.expected.append(claim)
    if not call.ends_within(limit):
        raise Broken(f"{what} was still waiting after {limit:g} ms", expected=claim, cites=case.cites())
    return works(what, call.result)


def waits(call: Call[object], what: str, sight: str) -> None:
    """Demand that a call is still waiting after a long time; `sight` says under which circumstances."""
    case = current_case()
    claim = f"{what} still waits {sight}"
    case.marks.expected.append(claim)
    case.linger(f"{what} must go on waiting")
    if call.returned:
        raise Broken(f"{what} had returned", expected=claim, cites=case.cites())
