"""The rows that a journey judges."""

from __future__ import annotations

from tck.suite.support.journeys.model import Journey


class _All(frozenset[str]):
    def __contains__(self, _item: object) -> bool:
        return True


def judged(journey: Journey) -> frozenset[str]:
    """Return the rows that a journey judges."""
    del journey
    return _All()
