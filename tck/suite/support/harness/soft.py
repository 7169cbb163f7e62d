"""Soft expectations: a case that checks several things notes each failure and goes on, and judges its rows one by one.

`collecting` opens a block; `refute` notes a failure inside one and raises it outside.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence

from tck.suite.support.harness.current import current_case
from tck.suite.support.harness.outcome import Broken, KitFault, NoHook, Undecided, Unsupported
from tck.suite.support.harness.running import Failure, RunningCase

_LEFT_OPEN = (Undecided, NoHook, Unsupported)
"""The endings that a block for a row keeps to itself."""


def refute(broken: Broken) -> None:
    """Note a refuted claim if a block collects, else end the case with it.

    Raises:
        Broken: nothing collects.
    """
    marks = current_case().marks
    if not marks.collecting:
        raise broken
    marks.failures.append(Failure(marks.row, broken))


@contextlib.contextmanager
def collecting(row: str | None = None) -> Iterator[None]:
    """Note failures within a block, for a row if one is named; the outermost block ends with one `Broken` for all.

    Within the block of a row, a step that did not work and a call that the provider refused leave that row undecided, a hook
    that is not offered leaves it inconclusive, a feature that is not claimed unsupported, and the case goes on behind the block. A claim of a scenario that holds from a later version only is played and not judged.

    Raises:
        Broken: there were failures, and no other block is open.
        KitFault: the case does not judge that row.
    """
    case = current_case()
    marks = case.marks
    if row is not None:
        if _of_a_later_version(case, row):
            with _unjudged(case, row):
                yield
            return
        if row not in {known.id for known in case.rows}:
            raise KitFault(f"the case does not name row {row} in @asserts")
        marks.rows.setdefault(row, [])
    outer, marks.row = marks.row, row or marks.row
    marks.collecting += 1
    try:
        yield
    except Broken as broken:
        marks.failures.append(Failure(marks.row, broken))
    except _LEFT_OPEN as ending:
        if row is None:
            raise
        _leave_open(case, row, ending)
    except Exception as error:
        if row is None or not case.evidence.raised(error):
            raise
        _leave_open(case, row, error)
    finally:
        marks.collecting -= 1
        marks.row = outer
    if marks.failures and not marks.collecting:
        raise joined(marks.failures)


def _of_a_later_version(case: RunningCase, row: str) -> bool:
    scenario = case.rows[0].section
    return row.rpartition("-")[0] == scenario and row not in {known.id for known in case.rows}


@contextlib.contextmanager
def _unjudged(case: RunningCase, row: str) -> Iterator[None]:
    """Run a block, and forget what fails in it."""
    marks = case.marks
    outer, failures, expected = marks.row, list(marks.failures), list(marks.expected)
    marks.row = row
    marks.rows[row] = []
    marks.collecting += 1
    try:
        yield
    except (Broken, *_LEFT_OPEN):
        pass
    except Exception as error:
        if not case.evidence.raised(error):
            raise
    finally:
        marks.collecting -= 1
        marks.row = outer
        marks.failures, marks.expected = failures, expected
        del marks.rows[row]


def joined(failures: Sequence[Failure]) -> Broken:
    """Return one ending for all failures; where they are of several rows, each names its own."""
    several = len({failure.row for failure in failures}) > 1

    def text(failure: Failure, words: str) -> str:
        return f"{failure.row}: {words}" if several and failure.row else words

    every = [failure.broken for failure in failures]
    return Broken(
        "; ".join(text(failure, failure.broken.observed) for failure in failures),
        expected="; ".join(
            dict.fromkeys(text(failure, failure.broken.expected) for failure in failures if failure.broken.expected)
        ),
        explanation="\n".join(dict.fromkeys(broken.explanation for broken in every if broken.explanation)),
        cites=tuple(dict.fromkeys(seq for broken in every for seq in broken.cites)),
    )


def _leave_open(case: RunningCase, row: str, error: BaseException) -> None:
    case.marks.open[row] = error
