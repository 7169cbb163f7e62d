"""A journey as a case: its point, and its verdict."""

from __future__ import annotations

from collections.abc import Sequence

from tck.suite.support.case import Case
from tck.suite.support.harness.outcome import Broken
from tck.suite.support.harness.point import Variant
from tck.suite.support.journeys.array import journeys
from tck.suite.support.journeys.judgement import findings
from tck.suite.support.journeys.rows import judged
from tck.suite.support.journeys.travel import Travel


def variants() -> Sequence[Variant]:
    """Return the point of each journey."""
    return [
        Variant(name, journey.domain, journey.interface, journey.ack, judged(journey), journey.offered)
        for name, journey in journeys().items()
    ]


def travelled(case: Case) -> None:
    """Travel the journey that the case names, and demand that every message is on all looks as it was sent."""
    name = case.point.variant
    travel = Travel(case, journeys()[name], int(name.rpartition("-")[2]))
    travel.run()
    found = list(findings(travel))
    if found:
        words = " ; ".join(f"{'+'.join(one.rows)}: {one.seen}" for one in found[:8])
        raise Broken(f"{len(found)} findings: {words}", cites=case.cites())
    case.witness(f"{len(travel.dispatch.manifest.sent)} messages arrived as they were sent")
