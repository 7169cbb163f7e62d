"""The pages of a suite run, except those of cases: each function takes the site and returns a page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from tck.catalogue import SCENARIOS, Catalogue
from tck.catalogue.sections import reading_order
from tck.catalogue.tier_differences import documentary_note, holds_since, tier_note, tier_notes
from tck.catalogue.versions import text_title, version_title
from tck.record.outcomes import Verdict
from tck.record.rows import ProfileRef
from tck.reports import show, surprises, unrun
from tck.reports.headline import headline
from tck.reports.html import paths
from tck.reports.html.detection import Detection
from tck.reports.html.frame import Frame, Page
from tck.reports.html.pages.reference_case import ReferenceRun
from tck.reports.html.pages.trends import since, strip
from tck.reports.html.site_paths import ALL, SitePaths
from tck.reports.official_ids import ApiType
from tck.reports.read import CaseReport
from tck.reports.row_coverage import Coverage, measure
from tck.reports.trends import Trends
from tck.reports.verdict_tree import AssertionNode, ChapterNode, RunTree, in_order
from tck.reports.workload_report import Workload

_CARDS = 25
_CAUSES = 8
"""Causes of a verdict that are in view: with the headline they fill one screen."""
_OPEN = 10
"""Cards of a verdict up to which all of them are unfolded; more are a line for each cause."""
_ALSO = 4
_OBSERVATIONS = 3
_POINTS = 12


@dataclass(slots=True)
class Site:
    """What all pages of one run share."""

    tree: RunTree
    catalogue: Catalogue
    detection: Detection | None
    workload: Workload | None = None
    trends: Trends | None = None
    cases: str = ALL
    """Which cases have pages: see `site_paths.KINDS`."""
    reference: ReferenceRun | None = None
    """A recorded run of the reference provider, to lay beside surprises."""
    paths: SitePaths = field(init=False)
    coverage: Coverage = field(init=False)
    frame: Frame = field(init=False)
    chapter_of: dict[str, ChapterNode] = field(init=False)

    def __post_init__(self) -> None:
        self.paths = SitePaths(self.tree, self.cases)
        self.coverage = measure(self.tree, self.catalogue)
        self.chapter_of = {node.id: chapter for chapter in self.tree.chapters for node in chapter.assertions}
        navigation = [("Overview", paths.INDEX)]
        if not self.workload:
            navigation.append(("Coverage", paths.COVERAGE))
        if any(chapter.key == SCENARIOS for chapter in self.tree.chapters):
            navigation.append(("Scenarios", paths.SCENARIOS))
        if self.detection:
            navigation.append(("Detection", paths.DETECTION))
        if self.trends:
            navigation.append(("Trends", paths.TRENDS))
        common = {
            "subject": self.tree.run.subject,
            "run": self.tree.run.run,
            "share": surprises.share,
            "paths": self.paths,
            "own": self.tree.own,
            "search": not self.workload,
        }
        self.frame = Frame(navigation, common)


@dataclass(frozen=True, slots=True)
class Hero:
    """The headline of the overview."""

    verdict: str
    mark: str
    text: str
    detail: str
    against: str


def overview(site: Site) -> Page:
    """Build the first page: surprises, chapters, coverage, provenance."""
    tree = site.tree
    context = {
        "tree": tree,
        "report": tree.run,
        "hero": _hero(tree),
        "notices": tuple(_notices(site)),
        "unrun": unrun.by_section(tree.run, site.catalogue),
        "since": since(site.trends),
        "surprises": surprises.find(tree),
        "limits": {
            "cards": _CARDS,
            "causes": _CAUSES,
            "open": _OPEN,
            "also": _ALSO,
            "observations": _OBSERVATIONS,
            "points": _POINTS,
        },
        "figures": _figures(site.coverage),
        "provenance": [(label, text) for label, text in provenance(tree) if text],
        "waits": _waits(tree),
    }
    return Page(paths.INDEX, "overview", context, standalone=True)


def chapter(site: Site, node: ChapterNode) -> Page:
    """Build the page of a chapter; an assertion without a page of its own unfolds there."""
    context = {
        "chapter": node,
        "verdicts": [each for each, _ in in_order(node.counts)],
        "unfolds": {each.id: _unfolded(each) for each in node.assertions if not site.paths.has_assertion(each)},
        "tier_notes": {
            each.id: tier_note(each.row, site.tree.run.run.profile.tier) for each in node.assertions if each.row
        },
        "every_case": f"python -m tck report {site.tree.run.run.run} --cases all",
    }
    return Page(paths.chapter(node.key), "chapter", context)


def _unfolded(node: AssertionNode) -> dict[str, Any]:
    """Return what the page of an assertion would show, in short."""
    facts = [(label, text) for label, text in row_facts(node) if text] if node.row else []
    return {"facts": facts, "how": node.row.how if node.row else "", "cases": _alike(node)}


def _alike(node: AssertionNode) -> list[tuple[str, str, str]]:
    """Return verdict, behaviour and the points of the cases that share both: hundreds of green cases are a few lines."""
    groups: dict[tuple[str, str], list[str]] = {}
    for case in node.cases:
        key = (case.verdict_of(node.id), case.shown.behaviour or "")
        groups.setdefault(key, []).append(case.point)
    return [(verdict, behaviour, ", ".join(points)) for (verdict, behaviour), points in groups.items()]


def assertion(site: Site, parent: ChapterNode, node: AssertionNode) -> Page:
    """Build the page of an assertion."""
    group = site.catalogue.group_of(node.id) if node.row else ()
    context = {
        "chapter": parent,
        "node": node,
        "facts": [(label, text) for label, text in row_facts(node) if text],
        "group": [(each, site.tree.by_id.get(each)) for each in group if each != node.id],
        "detection": _detected(site.detection, node.id, group),
        "cases": [_case_line(node.id, case) for case in node.cases],
        "verdicts": [each for each, _ in in_order(node.counts)],
        "rerun": site.tree.run.rerun(node.id),
        "before": strip(site.trends, node.id),
    }
    return Page(paths.assertion(node.id), "assertion", context)


def coverage(site: Site, official: Sequence[ApiType]) -> Page:
    """Build the coverage page, with the ids of the official API list."""
    tier = site.tree.run.run.profile.tier
    noted = [(row, note, site.tree.by_id.get(row.id)) for row, note in tier_notes(tier, site.catalogue)]
    context = {
        "coverage": site.coverage,
        "noted": noted,
        "documentary": documentary_note(tier),
        "figures": [*_figures(site.coverage), _api_figure(official)],
    }
    return Page(paths.COVERAGE, "coverage", {**context, "official": official})


def _api_figure(official: Sequence[ApiType]) -> dict[str, str]:
    return {
        "value": f"{sum(len(row.covered) for row in official)} / {sum(row.testable for row in official)}",
        "label": "testable numbers of the official API list covered by held cases",
    }


def detection(site: Site, found: Detection) -> Page:
    """Build the page on fault detection: the suite against deliberately broken providers."""
    rows = site.catalogue
    context = {
        "detection": found,
        "survivors": [(each, rows.get(each)) for each in found.survived],
        "collateral": sorted(found.collateral.items(), key=lambda item: reading_order(item[0])),
        "known": site.tree.by_id,
    }
    return Page(paths.DETECTION, "detection", context)


def _hero(tree: RunTree) -> Hero:
    run = tree.run.run
    cases = show.count(len(tree.run.cases), "case")
    detail = (
        f"{show.count(len(tree.assertions), 'assertion')} asked in {cases}, in {show.duration(tree.run.end.seconds)}."
        if tree.run.end
        else f"{cases}."
    )
    found = headline(tree)
    bridge = f"; bridge {tree.run.bridge} against Notification/JMS Interworking 1.0" if tree.run.bridge else ""
    return Hero(found.verdict, found.mark, found.sentence, detail, f"{against(run.profile)}{bridge}")


def against(profile: ProfileRef) -> str:
    """Return the version that a provider claims, and the one that it is judged by where that is another."""
    claimed = version_title(profile.claims.version)
    if profile.tier == profile.claims.version:
        return claimed
    return f"{claimed}, judged by the rows of {version_title(profile.tier)}"


def _notices(site: Site) -> Iterator[str]:
    report = site.tree.run
    note = documentary_note(report.run.profile.tier)
    if note:
        yield f"{note}."
    if report.end is None:
        yield "This bundle is truncated: the run did not end. The counts below are incomplete."
    if report.unfinished:
        yield unrun.sentence(report, site.catalogue)
    if lacks := unrun.for_lack(site.tree):
        yield f"{lacks[0].upper()}{lacks[1:]}."
    if report.run.catalogue.digest != site.catalogue.digest:
        yield "The run used another catalogue than this report; statements may differ from those that were judged."
    if len(site.tree.run.cases) and report.run.selection:
        yield f"Only a part of the suite ran: {', '.join(report.run.selection)}."
    if report.run.points == "one":
        yield "Only one point of each row ran (--points one); a full run takes every combination of domain, API and acknowledgment mode."


def _figures(found: Coverage) -> list[Any]:
    bridges = found.bridges
    of_bridges = (
        [{"value": f"{bridges.reached:,} / {bridges.judged:,}", "label": "rows on bridges tested, of those testable"}]
        if bridges is not None
        else []
    )
    return [
        {
            "value": f"{found.reached:,} / {found.judged:,}",
            "label": f"rows tested, of those testable in {found.tier}",
        },
        {"value": f"{found.decided:,}", "label": "rows decided"},
        {
            "value": f"{found.official_reached} / {found.official_testable}",
            "label": "testable numbers of the official specification list with a decided row",
        },
        *of_bridges,
    ]


def provenance(tree: RunTree) -> list[tuple[str, str]]:
    """Return the provenance of a run as labels and texts; a text may be empty."""
    run = tree.run.run
    environment = run.environment
    return [
        ("Provider", f"{tree.run.subject}, {run.provider.vendor}" if run.provider.vendor else tree.run.subject),
        ("Reached through", f"{run.provider.language} adapter, API {run.provider.api_version}"),
        ("Profile", f"{run.profile.title} ({run.profile.name})"),
        ("Bridge", tree.run.bridge),
        ("Claims", ", ".join([version_title(run.profile.claims.version), *run.profile.claims.features])),
        ("Tier", run.profile.tier),
        ("Hooks offered", ", ".join(run.provider.hooks)),
        ("Clock", f"{run.clock} time"),
        ("Seed", str(run.seed)),
        ("Selection", ", ".join(run.selection) or "everything"),
        ("Points", "every combination" if run.points == "all" else "one per row"),
        ("Strict", "yes" if run.strict else "no"),
        ("Repeats", str(run.repeat) if run.repeat > 1 else ""),
        ("Started", run.started),
        ("Duration", show.duration(tree.run.end.seconds) if tree.run.end else ""),
        ("Exit code", str(tree.run.end.exit) if tree.run.end else ""),
        (
            "Environment",
            f"Python {environment.python}, {environment.platform}, {show.count(environment.workers, 'worker')} on {show.count(environment.cpus, 'CPU')}",
        ),
        ("Kit", run.kit.version),
        ("Catalogue", run.catalogue.digest),
        ("Profile digest", run.profile.digest),
    ]


def _waits(tree: RunTree) -> dict[str, Any] | None:
    waits = tree.run.waits
    if not waits:
        return None
    return {
        "total": len(waits),
        "time": show.duration(sum(wait.ms for wait in waits) / 1000),
        "reasons": Counter(wait.why for wait in waits).most_common(20),
    }


def row_facts(node: AssertionNode) -> list[tuple[str, str]]:
    """Return the facts of a catalogue row as labels and texts; a text may be empty."""
    row = node.row
    if row is None:
        return []
    stated = "; ".join(f"{text_title(version)}: {place}" for version, place in row.sections.items())
    return [
        ("Level", row.level),
        ("In force", f"since {row.since}" + (f", until {row.until}" if row.until else "")),
        ("Section", str(node.own) if node.own.beside else ""),
        ("Stated in", stated),
        ("Replaced by", holds_since(row)),
        ("Also in", row.source.replace("javadoc:", "the API documentation of ")),
        ("Official numbers", ", ".join(row.official)),
        ("Domains", ", ".join(_DOMAINS.get(domain, domain) for domain in row.domains)),
        ("APIs", ", ".join(row.api)),
        ("Requires", ", ".join(row.features)),
        ("Needs", f"the hook “{row.hook}”" if row.hook else ""),
        ("The 2.0 draft", row.draft_difference),
    ]


_DOMAINS = {"ptp": "point-to-point", "pubsub": "publish/subscribe"}


def _detected(found: Detection | None, identifier: str, group: tuple[str, ...]) -> str:
    if found is None:
        return ""
    if not set(found.survived).isdisjoint({identifier, *group}):
        return "It survived: no case of this row detected it."
    return ""


def _case_line(identifier: str, case: CaseReport) -> dict[str, Any]:
    attempt = case.shown
    verdict = case.verdict_of(identifier)
    observed = "" if verdict is Verdict.CONFORMANT else surprises.expected_and_observed(case)[1]
    return {
        "name": case.name,
        "verdict": verdict,
        "point": case.point if case.name.startswith(f"{identifier}/") else case.name,
        "observed": show.one_line(observed, 200),
        "took": show.duration(attempt.ms / 1000),
    }
