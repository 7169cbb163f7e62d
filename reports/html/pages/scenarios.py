"""The gallery of scenarios: each application with its steps, its claims and their verdicts, and a chart of its messages."""

from __future__ import annotations

from dataclasses import dataclass

from tck.catalogue import SCENARIOS, Scenario, load_scenarios
from tck.record.outcomes import Verdict, worst
from tck.reports.case_evidence import read_evidence
from tck.reports.html import paths, sequence
from tck.reports.html.frame import Page
from tck.reports.html.markup import Safe
from tck.reports.html.pages.suite import Site
from tck.reports.read import CaseReport
from tck.reports.verdict_tree import AssertionNode


@dataclass(frozen=True, slots=True)
class Played:
    """A scenario as it was played.

    Attributes:
        scenario: The scenario.
        claims: Its claims with their verdicts.
        cases: The cases that played it, the worst first.
        verdict: The worst verdict of its claims.
        chart: The messages of the first case.
        lanes: The number of the chart's lanes.
        more: The number of messages that the chart leaves out.
    """

    scenario: Scenario
    claims: tuple[AssertionNode, ...]
    cases: tuple[CaseReport, ...]
    verdict: Verdict
    chart: Safe
    lanes: int
    more: int


def has_scenarios(site: Site) -> bool:
    """Return whether the run played any scenario."""
    return any(chapter.key == SCENARIOS for chapter in site.tree.chapters)


def scenarios(site: Site) -> Page:
    """Build the page."""
    found = [_played(site, each) for each in load_scenarios()]
    return Page(paths.SCENARIOS, "scenarios", {"played": [each for each in found if each is not None]})


def _played(site: Site, scenario: Scenario) -> Played | None:
    numbers = range(1, len(scenario.asserts) + 1)
    nodes = [site.tree.by_id.get(f"{scenario.id}-{number}") for number in numbers]
    claims = tuple(node for node in nodes if node is not None)
    cases = tuple({case.name: case for node in claims for case in node.cases}.values())
    if not cases:
        return None
    first = min(cases, key=lambda case: (list(Verdict).index(case.verdict), case.name))
    attempts = read_evidence(site.tree.run, first).attempts
    drawn = sequence.build(attempts[0].events if attempts else ())
    ordered = (first, *(case for case in cases if case is not first))
    return Played(
        scenario,
        claims,
        ordered,
        worst(node.verdict for node in claims),
        sequence.draw(drawn, f"The messages of {first.name}"),
        len(drawn.lanes),
        drawn.more,
    )
