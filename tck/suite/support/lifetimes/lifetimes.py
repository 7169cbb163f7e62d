"""`look`: opens second lifetimes of what a case has ended, and says what is wrong with them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from tck import api
from tck.suite.support.company import choice
from tck.suite.support.harness.running import Elsewhere, RunningCase
from tck.suite.support.lifetimes.connecting import FreshConnection, ResumedSubscription, SameIdentifier, SameName
from tck.suite.support.lifetimes.ground import Ground, NoGroundError
from tck.suite.support.lifetimes.history import History, Records
from tck.suite.support.lifetimes.lives import (
    FreshConsumer,
    FreshJMSProducer,
    FreshProducer,
    FreshSession,
    FreshTemporary,
    Lifetime,
    NextTransaction,
    StartedAgain,
)

KINDS: Final[tuple[type[Lifetime], ...]] = (
    NextTransaction,
    FreshProducer,
    FreshJMSProducer,
    FreshConsumer,
    ResumedSubscription,
    SameName,
    FreshTemporary,
    StartedAgain,
    FreshSession,
    SameIdentifier,
    FreshConnection,
)
"""The kinds, the nearest to the case's own objects first."""
EXCUSED: Final = (
    api.JMSSecurityException,
    api.JMSSecurityRuntimeException,
    api.ResourceAllocationException,
    api.ResourceAllocationRuntimeException,
    api.TransactionRolledBackException,
    api.TransactionRolledBackRuntimeException,
)
"""Refusals that a legal call may meet."""


def wanted(case: RunningCase, seed: int = 0) -> bool:
    """Return whether a case is given second lifetimes: the half that has no company, and the first point of each test."""
    alone = case.point.plain or case.point.journey or case.rows[0].chapter == "scenarios"
    return not alone and (case.point.first or choice(case, seed) is None)


def look(
    case: RunningCase, records: Records, judged: Callable[[str], bool], kinds: tuple[type[Lifetime], ...] = KINDS
) -> Iterator[Elsewhere]:
    """Yield what is wrong with the second lifetimes of what a case has ended, each by the row that it breaks.

    Args:
        case: The case, whose body has returned.
        records: Its recorder.
        judged: Says whether a row, by its id, is judged of this provider.
        kinds: The kinds to look at.

    Raises:
        Exception: One that no provider raises: a fault of the adapter or the kit, which is not blamed on a row.
    """
    ground = Ground(case, records.behind(case.provider), judged)
    history = History(records, by_domain=ground.by_domain)
    if history.unsure:
        return
    try:
        for kind in kinds:
            wrong = _look(kind(history, ground))
            if wrong is not None and judged(wrong.row):
                yield wrong
    finally:
        ground.close()


def _look(lifetime: Lifetime) -> Elsewhere | None:
    try:
        end = lifetime.end = lifetime.ending()
        wrong = lifetime.look(end) if end is not None else None
    except (NoGroundError, *EXCUSED):
        return None
    except (api.JMSException, api.JMSRuntimeException, api.JavaException) as error:  # others are no provider's word
        wrong = f"{type(error).__name__}: {error}"
    call = lifetime.call
    return (
        None
        if wrong is None or not lifetime.claim
        else Elsewhere(lifetime.claim, call, f"{lifetime.words}, after {call}: {wrong}")
    )
