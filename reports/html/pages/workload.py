"""The pages of a workload: the overview, a page for each property, a page for each violation.

The page of a property has the path of its case, so that the links of chapters and assertions lead to it. Loads numpy.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tck.catalogue.sections import reading_order
from tck.catalogue.versions import version_title
from tck.record.outcomes import Verdict
from tck.reports import show
from tck.reports.headline import none_seen
from tck.reports.html import charts, event_markup, paths
from tck.reports.html.charts import Line, Mark
from tck.reports.html.frame import Page
from tck.reports.html.markup import Safe, escape, fill, join
from tck.reports.html.operation_lanes import OperationLanes, OperationRow
from tck.reports.html.pages.suite import Site, provenance
from tck.reports.html.pages.trends import since
from tck.reports.labels import SURPRISES, WORDS, rank
from tck.reports.violation_operations import RunOperations, ViolationScene
from tck.reports.workload_report import PropertyResult, Sample, Workload, WorkloadFinding

MOST = 200
"""The most violations of one property that get their own page."""
CARDS = 3
"""The most violations of a property on the overview."""

_CITED = re.compile(r"\bno\. (\d{1,12})\b")
_STOPPED = {
    "time": "it ended at its time limit",
    "messages": "it ended with its last message",
    "interrupt": "it was interrupted",
    "provider-lost": "it ended because the connection to the provider was lost",
}


def build(site: Site) -> Iterator[Page]:
    """Build every page of a workload except chapters and assertions."""
    workload = site.workload
    if workload is None:
        raise ValueError("expected the site of a workload, saw that of a suite")
    yield overview(site, workload)
    operations = RunOperations(workload.packed)
    for seen in workload.properties:
        if seen.case is None:
            continue
        yield property_page(site, workload, seen)
        for scene in operations.scenes(seen.findings[:MOST]):
            yield finding_page(site, workload, seen, scene, operations)


# -- the overview ----------------------------------------------------------------------------------------------------------


def overview(site: Site, workload: Workload) -> Page:
    """Build the first page: violations, charts, every property, the plan, provenance."""
    judged = [seen for seen in workload.properties if seen.case]
    broken = sorted(
        (seen for seen in judged if seen.verdict in SURPRISES),
        key=lambda seen: rank(seen.verdict or Verdict.CONFORMANT),
    )
    context = {
        "workload": workload,
        "tree": site.tree,
        "hero": _hero(site, workload, judged),
        "counts": Counter(seen.verdict for seen in judged),
        "notices": tuple(_notices(site, workload)),
        "since": since(site.trends),
        "broken": broken,
        "declared": sum(seen.verdict is Verdict.DECLARED for seen in judged),
        "cards": CARDS,
        "most": MOST,
        "page_of": _page_of,
        "figures": _figures(workload),
        "curves": _curves(workload.samples),
        "faults": workload.about.get("faults") or (),
        "duration": show.duration,
        "judged": judged,
        "idle": [seen for seen in workload.properties if not seen.case],
        "plan": _plan(workload.about.get("plan") or {}),
        "provenance": [(label, text) for label, text in provenance(site.tree) if text],
        "rerun": site.tree.run.rerun(),
    }
    return Page(paths.INDEX, "workload", context, standalone=True)


def _page_of(workload: Workload, seen: PropertyResult) -> str:
    return paths.case(workload.case_name(seen.name))


def _hero(site: Site, workload: Workload, judged: Sequence[PropertyResult]) -> Mapping[str, str]:
    run = site.tree.run.run
    counts = Counter(seen.verdict for seen in judged)
    verdict = next((each for each in SURPRISES if counts[each]), None)
    held = counts[Verdict.CONFORMANT]
    if verdict is not None:
        number = show.count(counts[verdict], "property", "properties").capitalize()
        text = {
            Verdict.VIOLATION: f"{number} broken",
            Verdict.UNDECIDED: f"No violation found, but {number.lower()} could not be judged",
            Verdict.INCONCLUSIVE: f"No violation found, {number.lower()} undecided",
            Verdict.ADVISORY: f"No violation found, {number.lower()} with an advisory",
        }.get(verdict, f"{number}: {WORDS[verdict].label.lower()}")
    else:
        text = none_seen(counts[Verdict.DECLARED]) if held else "Nothing was judged"
    shown = verdict or (Verdict.CONFORMANT if held else Verdict.UNSUPPORTED)
    operations = site.tree.run.end.events if site.tree.run.end else 0
    stopped = _STOPPED.get(str(workload.about.get("stopped")), "")
    return {
        "verdict": shown.value,
        "mark": WORDS[shown].mark,
        "text": text,
        "against": f"{version_title(run.profile.tier)} under the workload “{workload.plan}”",
        "title": str((workload.about.get("plan") or {}).get("title") or ""),
        "detail": (
            f"{show.count(workload.total('sent'), 'message')} sent and {workload.total('delivered'):,} delivered in "
            f"{show.duration(max(len(workload.samples), 1))}; {show.count(operations, 'operation')} judged"
            f"{'; ' + stopped if stopped else ''}."
        ),
    }


def _notices(site: Site, workload: Workload) -> Iterator[str]:
    about = workload.about
    if about.get("stopped") in {"interrupt", "provider-lost"}:
        yield f"This workload did not finish: {_STOPPED[str(about['stopped'])]}. The results below cover only the recorded part."
    hanging = [str(name) for name in about.get("hanging") or ()]
    if hanging:
        yield f"{show.count(len(hanging), 'actor')} did not return from a call: {', '.join(hanging[:8])}{' …' if len(hanging) > 8 else ''}."
    if about.get("first_failure"):
        failures = ", ".join(f"{number} {kind}" for kind, number in (about.get("failures") or {}).items())
        yield f"Calls that failed: {failures or 'some'}. The first: {about['first_failure']}"
    if site.tree.run.run.catalogue.digest != site.catalogue.digest:
        yield "The workload was judged with another catalogue than this report uses; statements may differ."


def _figures(workload: Workload) -> list[Mapping[str, str]]:
    seconds = max(len(workload.samples), 1)
    median = _median(workload.samples)
    tail = sorted(sample.latency_ms[2] for sample in workload.samples if sample.latency_ms)
    figures = [
        (f"{workload.total('sent') / seconds:,.0f} / s", f"messages sent, {workload.total('sent'):,} in all"),
        (f"{workload.total('delivered') / seconds:,.0f} / s", f"deliveries, {workload.total('delivered'):,} in all"),
    ]
    if median is not None:
        label = "median time from send to delivery"
        figures.append((show.milliseconds(median), label))
        figures.append((show.milliseconds(tail[-1]), "99th percentile in the worst second"))
    if workload.about.get("faults"):
        figures.append((str(len(workload.about["faults"])), "faults injected"))
    return [{"value": value, "label": label} for value, label in figures]


def _median(samples: Sequence[Sample]) -> float | None:
    """Return the median of the medians from send to delivery, weighted by the deliveries of each second."""
    timed = sorted((each.latency_ms[0], each.counts["delivered"]) for each in samples if each.latency_ms)
    total = sum(delivered for _, delivered in timed)
    reached = 0
    for median, delivered in timed:
        reached += delivered
        if 2 * reached >= total:
            return median
    return None


def _curves(samples: Sequence[Sample]) -> Safe:
    if not samples:
        return Safe("")
    marks = [Mark(sample.second + 0.5, fault) for sample in samples for fault in sample.faults]
    rates = [("sent", 1), ("delivered", 2), ("settled", 3), ("browsed", 4), ("completed", 5), ("failed", 6)]
    lines = [
        Line(name, [float(sample.counts[name]) for sample in samples], style)
        for name, style in rates
        if style < 3 or any(sample.counts[name] for sample in samples)
    ]
    drawn = [charts.chart("Throughput", "operations each second", lines, marks)]
    for title, times in (
        ("From send to delivery", [sample.latency_ms for sample in samples]),
        ("Time of a send", [sample.send_ms for sample in samples]),
    ):
        quantiles = [
            Line(name, [each[at] if each else None for each in times], style)
            for at, (name, style) in enumerate(
                (("median", 1), ("95th percentile", 2), ("99th percentile", 3), ("longest", 6))
            )
        ]
        if any(times):
            drawn.append(charts.chart(title, "milliseconds", quantiles, marks, log=True))
    return join(drawn)


@dataclass(frozen=True, slots=True)
class _Part:
    """A line of the plan: name, number and settings."""

    name: str
    count: int
    does: str


def _plan(plan: Mapping[str, Any]) -> list[tuple[str, list[_Part]]]:
    """Return a plan by kinds of actors, without defaults."""
    rows = []
    for sort, key in (
        ("Destinations", "destinations"),
        ("Messages", "messages_of"),
        ("Producers", "producers"),
        ("Consumers", "consumers"),
        ("Browsers", "browsers"),
        ("Faults", "faults"),
    ):
        parts = [_part(each) for each in plan.get(key) or () if isinstance(each, Mapping)]
        if parts:
            rows.append((sort, parts))
    return rows


def _part(row: Mapping[str, Any]) -> _Part:
    silent: tuple[object, ...] = (None, 0, "", False, [], {}, [0, 0], [1, 1])
    does = [
        f"{key.replace('_', ' ')} {show.value(item)}"
        for key, item in row.items()
        if key not in {"name", "count"} and item not in silent
    ]
    count = row.get("count")
    return _Part(str(row.get("name") or row.get("kind") or ""), count if isinstance(count, int) else 1, ", ".join(does))


# -- a property, a violation -------------------------------------------------------------------------------------------------


def property_page(site: Site, workload: Workload, seen: PropertyResult) -> Page:
    """Build the page of a property: claim, figures, judged rows, violations."""
    if seen.case is None:
        raise ValueError(f"{seen.name}: nothing was judged, so there is no page")
    nodes = [(site.tree.by_id[id_], seen.case.verdict_of(id_)) for id_ in seen.case.rows]
    nodes.sort(key=lambda pair: (rank(pair[1]), reading_order(pair[0].id)))
    context = {
        "workload": workload,
        "seen": seen,
        "attempt": seen.case.shown,
        "judged": nodes,
        "left_out": [id_ for id_ in seen.assertions if id_ not in site.tree.by_id],
        "findings": [
            (finding, paths.finding(finding.key) if number < MOST else "")
            for number, finding in enumerate(seen.findings)
        ],
        "most": MOST,
        "rerun": site.tree.run.rerun(),
    }
    return Page(paths.case(workload.case_name(seen.name)), "property", context, standalone=seen.verdict in SURPRISES)


def finding_page(
    site: Site, workload: Workload, seen: PropertyResult, scene: ViolationScene, operations: RunOperations
) -> Page:
    """Build the page of a violation: the story, the operations as lanes, and all recorded facts."""
    drawing = OperationLanes(scene, operations.names, operations.objects)
    at = seen.findings.index(scene.finding)
    around = [
        seen.findings[place] if 0 <= place < min(len(seen.findings), MOST) else None for place in (at - 1, at + 1)
    ]
    diagram = drawing.diagram()
    drawn = {number for step in diagram.steps for number in step.numbers}
    facts = [fact for fact in drawing.facts() if fact.number in drawn]
    context = {
        "workload": workload,
        "seen": seen,
        "finding": scene.finding,
        "position": at + 1,
        "before": around[0],
        "after": around[1],
        "story": _linked(scene.finding, drawn),
        "begins": f"{show.duration(drawing.start / 1e9)} after the start of the run"
        if drawing.start
        else "at its start",
        "lanes": event_markup.draw(diagram, "e", linked=True, numbers="no."),
        "facts": _rows(facts),
        "left_out": len(scene.operations) - len(facts),
        "operations": len(scene.operations),
        "elsewhere": scene.elsewhere,
        "rerun": site.tree.run.rerun(),
    }
    return Page(paths.finding(scene.finding.key), "finding", context, standalone=True)


def _linked(finding: WorkloadFinding, known: set[int]) -> Safe:
    """Turn `no. 12` into a link to operation 12 if the page shows it."""
    parts: list[Safe] = []
    end = 0
    text = show.visible(finding.text)
    for match in _CITED.finditer(text):
        if int(match[1]) in known:
            parts += [Safe(escape(text[end : match.start()])), fill('<a href="#e%s">no. %s</a>', match[1], match[1])]
            end = match.end()
    return join([*parts, Safe(escape(text[end:]))])


def _rows(facts: Sequence[OperationRow]) -> Safe:
    return join(
        [
            fill(
                '<tr id="ef%s"%s><td class="n"><a href="#e%s">%s</a></td><td class="num">%s</td><td class="num">%s</td><td>%s</td><td>%s '
                '<span class="p-%s">%s</span></td><td><div class="message">%s</div></td></tr>',
                fact.number, Safe(' class="cited"') if fact.cited else Safe(""), fact.number, fact.number, fact.at, fact.took,
                fact.who, fact.call, {"ok": "ok", "failed": "fail"}.get(fact.outcome, "unknown"), fact.outcome,
                join([fill("<span><i>%s</i> %s</span>", name, text) for name, text in fact.facts], " "),
            )
            for fact in facts
        ],
        "\n",
    )  # fmt: skip
