"""The case that runs in this context, so that `expect` needs no argument for it.

Set by the runner around each case; a test never touches it.
"""

from __future__ import annotations

from contextvars import ContextVar

from tck.suite.support.harness.outcome import KitFault
from tck.suite.support.harness.running import RunningCase

_current: ContextVar[RunningCase | None] = ContextVar("tck_case", default=None)


def current_case() -> RunningCase:
    """Return the running case.

    Raises:
        KitFault: called outside a case, for instance from a thread; judge in the test's own thread.
    """
    case = _current.get()
    if case is None:
        msg = "expect was used outside a case; judge in the test's own thread"
        raise KitFault(msg)
    return case


def set_current_case(case: RunningCase | None) -> None:
    """Make `case` the running one, or none."""
    _current.set(case)
