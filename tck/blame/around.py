"""What a case whose body has returned has done beside its rows: to its bystander, by its refused calls, to second lifetimes."""

from __future__ import annotations

from collections.abc import Iterator

from tck.blame.causes import Cause, Kind
from tck.blame.refusals import Inquiry
from tck.suite.support import lifetimes


def harms(inquiry: Inquiry) -> Iterator[Cause]:
    """Yield the traces of refused calls, and what the bystander suffered."""
    for trace in inquiry.company.refused.traces:
        if inquiry.judges(trace.row):
            yield inquiry.cause(Kind.LEFT, trace)
    harmed = inquiry.company.look()
    if harmed is not None:
        yield inquiry.cause(Kind.HARMED, harmed)


def second_lifetimes(inquiry: Inquiry) -> Iterator[Cause]:
    """Open second lifetimes of what the case has ended, if it is given them, and yield what is wrong with them."""
    if not lifetimes.wanted(inquiry.case):
        return

    def judged(row: str) -> bool:
        return inquiry.catalogue[row].judged and inquiry.judges(row)

    for wrong in lifetimes.look(inquiry.case, inquiry.recorder, judged):
        yield inquiry.cause(Kind.AGED, wrong)
