"""Demands on the calls of a transaction manager: they are refused with a fitting code, or they work."""

from __future__ import annotations

from collections.abc import Callable

from tck.api import XAException
from tck.suite.support.harness.current import current_case
from tck.suite.support.harness.outcome import Broken
from tck.suite.support.harness.soft import refute
from tck.suite.support.values.seen import shown
from tck.suite.support.xa.manager import code_of

ROLLED_BACK = frozenset(range(XAException.XA_RBBASE, XAException.XA_RBEND + 1))
"""The codes of a branch that was rolled back."""
UNKNOWN = frozenset({XAException.XAER_NOTA})
"""The code for a branch that the resource manager does not know."""
HEURISTIC = {
    "commit": frozenset({XAException.XA_HEURCOM, XAException.XA_HEURHAZ}),
    "rollback": frozenset({XAException.XA_HEURRB, XAException.XA_HEURHAZ}),
}
"""The codes for a decision on a branch that an administrator has completed, by the administrator's outcome."""
ALREADY_THERE = frozenset({XAException.XAER_DUPID})
"""The code for a new branch whose identifier is in use."""
OUT_OF_PLACE = frozenset({XAException.XAER_PROTO, XAException.XAER_INVAL, XAException.XAER_RMFAIL})
"""The codes for a call in the wrong state; XAResource lists the last one too, without a word on when."""
UNKNOWN_OR_OUT_OF_PLACE = UNKNOWN | OUT_OF_PLACE
"""The codes for a branch that a resource does not work on."""
BUSY = OUT_OF_PLACE | {XAException.XAER_OUTSIDE}
"""The codes for a resource that is at work already."""


def refused(what: str, call: Callable[[], object], codes: frozenset[int]) -> XAException | None:
    """Demand XAException with one of these codes; return it, or None where a block collects another outcome."""
    case = current_case()
    wanted = f"{what} raises XAException with {_names(codes)}"
    case.marks.expected.append(wanted)
    try:
        value = call()
    except XAException as error:
        if error.error_code in codes:
            case.witness(f"{what} raised XAException with {code_of(error)}")
            return error
        _refute(f"{what} raised XAException with {code_of(error)}: {error.reason}", wanted)
    except Exception as error:  # noqa: BLE001 - any other exception refutes the claim
        _refute(f"{what} raised {type(error).__name__}: {error}", wanted)
    else:
        _refute(f"{what} returned {shown(value)!r}", wanted)
    return None


def _refute(observed: str, wanted: str) -> None:
    refute(Broken(observed, expected=wanted, cites=current_case().cites()))


def _names(codes: frozenset[int]) -> str:
    rest = codes - ROLLED_BACK if codes >= ROLLED_BACK else codes
    names = sorted(code_of(XAException(code)) for code in rest)
    return " or ".join([*names, *(["XA_RB*"] if rest != codes else [])])
