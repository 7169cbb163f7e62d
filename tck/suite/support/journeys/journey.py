"""A journey as a case: its point, and its verdict."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tck import api
from tck.suite.support.case import Case
from tck.suite.support.expect import all_of, for_row
from tck.suite.support.harness.outcome import Broken, NoHook
from tck.suite.support.harness.point import Variant
from tck.suite.support.harness.soft import refute
from tck.suite.support.journeys.array import journeys
from tck.suite.support.journeys.judgement import findings
from tck.suite.support.journeys.receiving import breaking_hook
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
    journey = journeys()[name]
    if case.second is not None:  # the sender is a client of the other library then
        journey = replace(journey, session="other connection")
    breaking_hook(case, journey.delivery)  # to find out whether it has an effect breaks connections: before any is open
    travel = Travel(case, journey, int(name.rpartition("-")[2]))
    travel.run()
    broken: dict[str, list[str]] = {}
    lacking = {row.id: row.hook for row in case.rows if row.hook and not case.has(api.Hook(row.hook))}
    for finding in findings(travel):
        rows = [row for row in finding.rows if row in case.point.assertions and row not in lacking]
        owner = rows[0] if rows else case.point.assertions[0]
        broken.setdefault(owner, []).append(finding.seen)
    how = ", ".join(f"{axis} {value}" for axis, value in travel.journey.conditions.items())
    with all_of():
        for judged_row in case.rows:
            with for_row(judged_row.id):
                if judged_row.id in broken:
                    refute(
                        Broken(
                            _words(broken[judged_row.id]),
                            expected="every message is at both ends, at each look, as it was sent",
                            explanation=f"The journey: {how}",
                            cites=case.cites(),
                        )
                    )
                elif judged_row.id in lacking:
                    raise NoHook(f"needs hook {lacking[judged_row.id]}")
                else:
                    case.witness(f"{len(travel.dispatch.manifest.sent)} messages arrived as they were sent")


def _words(seen: Sequence[str]) -> str:
    """Return the first observation of a row, and the number of the others."""
    return seen[0] if len(seen) == 1 else f"{seen[0]} (and {len(seen) - 1} more)"
