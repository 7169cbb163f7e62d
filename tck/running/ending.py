"""The end of a case, from its body to its result, in one line: what it has done, whom that blames, and its closing."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Final

from tck.blame.around import harms, second_lifetimes
from tck.blame.causes import Cause, Kind
from tck.blame.lacking import lacks
from tck.blame.refusals import Inquiry
from tck.record import Outcome, Result
from tck.running.attempt import Tracked
from tck.running.watchdog import LaneWatch, Watchdog
from tck.running.worker import Worker
from tck.suite.support.harness.outcome import Broken, CaseCut, Undecided

DOUBTFUL: Final = frozenset({Outcome.BROKEN, Outcome.UNDECIDED, Outcome.CUT, Outcome.CUT_SETUP, Outcome.ERROR})
"""Outcomes after which the provider is asked whether it is still there."""


def end(
    worker: Worker, watchdog: Watchdog | LaneWatch, tracked: Tracked, phase: str, error: BaseException | None
) -> Result:
    """End a case whose set-up raised, or whose body returned or raised; return its result.

    Args:
        worker: Has the provider.
        watchdog: Guards the case: its deadline ends here, and closing has another.
        tracked: The attempt.
        phase: ``setup`` or ``call``.
        error: What was raised; None if the body returned.
    """
    inquiry, around, means = tracked.inquiry, list[Cause](), list[Cause]()
    try_means = worker.trials.failing_means

    # What the case has done to others, or what it needed and lacked: still within the deadline of its body.
    if inquiry is not None and phase == "call":
        if error is None:
            error = _raised(lambda: _look_around(inquiry, around))
        if isinstance(error, Broken | Undecided):
            error = _raised(lambda: means.extend(try_means(inquiry, watchdog.arm, tracked.notes))) or error
    error = _raised(watchdog.disarm) or error
    watchdog.disarm()  # the cut may have come just before the deadline was ended

    # How the case ended.
    if error is None:
        tracked.returned()
    else:
        tracked.raised(phase, error)
    tracked.seconds = time.perf_counter() - tracked.began

    # Whom that blames.
    if inquiry is not None:
        tracked.causes = [*_causes(tracked, inquiry, error, around), *means]
    _ask_for_the_provider(worker, tracked)

    # Closing, where a refusal breaks a case that has held until here.
    if inquiry is not None and tracked.outcome not in {Outcome.CUT, Outcome.CUT_SETUP}:
        errors = _close(worker, watchdog, tracked)
        if tracked.outcome is Outcome.HELD:
            tracked.causes += inquiry.refused(errors)
    return tracked.result(worker.profile)


def _raised(call: Callable[[], None]) -> BaseException | None:
    """Make a call; return what it raised, in place of the end of the body."""
    try:
        call()
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001 - the case is judged by it, whatever it is
        return error
    return None


def _look_around(inquiry: Inquiry, found: list[Cause]) -> None:
    """Look at the bystander of a case and at second lifetimes; an exit in a call of theirs is a fault of the provider's code."""
    try:
        for look in (harms, second_lifetimes):
            found.extend(look(inquiry))
    except SystemExit as ending:
        raise RuntimeError(f"a call of the provider raised SystemExit: {ending}") from ending


def _causes(tracked: Tracked, inquiry: Inquiry, error: BaseException | None, around: list[Cause]) -> Iterator[Cause]:
    """Yield what a case breaks beside what it has seen of its rows, calls first; note which rows lack a call."""
    differs = [inquiry.cause(Kind.DIFFERS, each) for each in inquiry.case.marks.elsewhere]
    lacking = lacks(inquiry, error)
    tracked.lacked(lacking)
    if tracked.outcome is Outcome.CUT:
        yield from inquiry.hung()
    else:
        met = [*_met(inquiry, error), *(lack.error for lack in lacking.values())]
        yield from inquiry.refused({id(each): each for each in met}.values())
    if not (tracked.point.corpus and any(lack.part for lack in lacking.values())):  # else all follows from the lack
        yield from (*around, *differs)


def _met(inquiry: Inquiry, error: BaseException | None) -> Iterator[BaseException | None]:
    """Yield the exceptions that ended a case or a block of it where the case did not plan them."""
    if not isinstance(error, Broken):
        yield error
        if isinstance(error, Undecided):
            yield error.__cause__
    for left_open in inquiry.case.marks.open.values():
        yield left_open
        yield left_open.__cause__


def _ask_for_the_provider(worker: Worker, tracked: Tracked) -> None:
    """Ask after a case that went wrong whether the provider is there, and whether the adapter answered as one may."""
    doubtful = tracked.outcome in DOUBTFUL
    how = worker.hung_at_adapter(tracked) or (worker.gone() if doubtful else None)
    if how is not None:
        tracked.lost(how)
    elif doubtful and tracked.outcome is not None and (how := worker.misfit(tracked.outcome)) is not None:
        tracked.misfit(how)


def _close(worker: Worker, watchdog: Watchdog | LaneWatch, tracked: Tracked) -> list[Exception]:
    """Close a case's connections within a deadline of its own; return the errors, which are noted."""
    errors = list[Exception]()
    try:
        watchdog.arm()
        errors = worker.close_case(tracked)
        tracked.closed = True
    except CaseCut:
        tracked.notes.append(
            "closing the case's connections did not end within its deadline; a fresh provider was opened"
        )
    except (Exception, SystemExit) as error:  # noqa: BLE001 - it decides nothing
        tracked.closed = True
        tracked.notes.append(f"teardown: {type(error).__name__}: {error}")
    finally:
        watchdog.disarm()
    tracked.notes += [f"closing: {type(error).__name__}: {error}" for error in errors]
    return errors
