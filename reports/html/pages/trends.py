"""Earlier runs on the site: the page of trends, a sentence on the overview, a strip on the page of an assertion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tck.record.outcomes import Verdict
from tck.reports import show
from tck.reports.html import charts, paths
from tck.reports.html.charts import Line
from tck.reports.html.frame import Page
from tck.reports.html.markup import Safe, fill, join
from tck.reports.labels import SURPRISES, WORDS, counted
from tck.reports.trends import ChapterTrend, Counts, Transition, Trends
from tck.reports.verdict_snapshot import Origin
from tck.reports.verdict_tree import RunTree, in_order

MOST = 200
"""The most transitions, and the most flaky cases, that are listed."""
STRIP = 40
"""The most runs in the strip of an assertion."""


def trends_page(trends: Trends, tree: RunTree) -> Page:
    """Build the page of trends."""
    days = [_day(origin) for origin in trends.origins]
    along = days if len(set(days)) == len(days) else [origin.at[5:16].replace("T", " ") for origin in trends.origins]
    context = {
        "trends": trends,
        "known": tree.by_id,
        "first": trends.origins[0],
        "versions": list(dict.fromkeys(origin.subject for origin in trends.origins)),
        "along": along,
        "few": len(trends.origins) < charts.FEW,
        "total": columns(trends.total, trends.origins),
        "totals": [_by_verdict(counts) for counts in trends.total],
        "chapters": [(each, columns(each.counts, trends.origins), _violations(each)) for each in trends.chapters],
        "by_run": [(each, [_by_verdict(counts) for counts in each.counts]) for each in trends.chapters],
        "verdicts": [verdict for verdict in Verdict if any(counts[verdict] for counts in trends.total)],
        "changes": _groups(trends.transitions[:MOST]),
        "left_out": max(0, len(trends.transitions) - MOST),
        "flaky": trends.flaky[:MOST],
        "more_flaky": max(0, len(trends.flaky) - MOST),
        "latency": _latency(trends, along),
        "sparks": _sparks(trends),
    }
    return Page(paths.TRENDS, "trends", context)


def since(trends: Trends | None) -> Mapping[str, Any] | None:
    """Return a sentence on the transitions of the run at hand; None without a history."""
    if trends is None:
        return None
    changed = trends.newest
    worse = sum(len(each.cases) for each in changed if each.now in SURPRISES and each.before not in SURPRISES)
    better = sum(len(each.cases) for each in changed if each.before in SURPRISES and each.now not in SURPRISES)
    before = trends.origins[-2]
    text = f"Since run {before.run} of {_day(before)}: "
    if not changed:
        text += "no verdict changed."
    else:
        text += f"{show.count(sum(len(each.cases) for each in changed), 'verdict')} changed, {worse:,} for the worse and {better:,} for the better."
    return {"text": text, "runs": len(trends.origins)}


def strip(trends: Trends | None, assertion: str) -> Safe:
    """Draw the verdicts of one assertion, a mark for each run."""
    if trends is None or assertion not in trends.rows:
        return Safe("")
    marks = []
    for verdict, origin in list(zip(trends.rows[assertion], trends.origins, strict=True))[-STRIP:]:
        label = WORDS[verdict].label if verdict else "not tested"
        style = Safe(f"s-{verdict}") if verdict else Safe("none")
        marks.append(
            fill(
                '<i class="%s" title="%s: %s"></i>', style, f"{_day(origin)}, {origin.subject}, run {origin.run}", label
            )
        )
    asked = [verdict for verdict in trends.rows[assertion] if verdict]
    label = f"{WORDS[asked[-1]].label} now; over {show.count(len(trends.origins), 'run')} {', '.join(f'{WORDS[each].label.lower()} {asked.count(each)}' for each in dict.fromkeys(asked))}"
    return fill('<span class="strip" role="img" aria-label="%s">%s</span>', label, join(marks))


def columns(counts: Sequence[Counts], origins: Sequence[Origin]) -> Safe:
    """Draw a column for each run; its height is the number of assertions."""
    top = max((each.total() for each in counts), default=0) or 1
    drawn = []
    for each, origin in zip(counts, origins, strict=True):
        parts = [
            fill('<i class="%s" style="height:%s%%"></i>', Safe(f"s-{verdict}"), f"{100 * number / top:.2f}")
            for verdict, number in in_order(each)
        ]
        label = ", ".join(counted(verdict, number) for verdict, number in in_order(each)) or "nothing tested"
        drawn.append(
            fill(
                '<span title="%s">%s</span>',
                f"{_day(origin)}, {origin.subject}, run {origin.run}: {label}",
                join(parts),
            )
        )
    last = ", ".join(counted(verdict, number) for verdict, number in in_order(counts[-1])) or "nothing tested"
    return fill(
        '<div class="columns" role="img" aria-label="%s">%s</div>',
        f"{show.count(len(counts), 'run')}, the last with {last}",
        join(drawn),
    )


def _by_verdict(counts: Counts | None) -> list[tuple[Verdict, int]]:
    return list(in_order(counts)) if counts else []


def _groups(transitions: Sequence[Transition]) -> list[tuple[Transition, str, list[Transition]]]:
    """Group transitions by their two runs: the first of them, the changed conditions, and all of them."""
    groups: dict[tuple[str, str], list[Transition]] = {}
    for each in transitions:
        groups.setdefault((each.origin.run, each.then.run), []).append(each)
    return [(listed[0], _changed(listed[0]), listed) for listed in groups.values()]


def _violations(chapter: ChapterTrend) -> Safe:
    values = [float(counts[Verdict.VIOLATION]) if counts else None for counts in chapter.counts]
    known = [int(value) for value in values if value is not None]
    if not any(known):
        return Safe('<span class="soft">none</span>')
    label = f"violations: {known[0]} in the first run, {known[-1]} in the last, at most {max(known)}"
    return fill("%s <b>%s</b>", charts.sparkline(values, label), known[-1])


def _latency(trends: Trends, along: Sequence[str]) -> Safe:
    if sum(each is not None for each in trends.latency) < 2:
        return Safe("")
    lines = [
        Line(name, [each[at] if each else None for each in trends.latency], style)
        for at, (name, style) in enumerate((("median", 1), ("95th percentile", 2), ("99th percentile", 3)))
    ]
    return charts.chart("Duration of a case", "milliseconds", lines, log=True, along=along)


def _sparks(trends: Trends) -> list[tuple[str, Safe, str]]:
    sparks = []
    for at, name in enumerate(("median", "95th percentile", "99th percentile")):
        values = [each[at] if each else None for each in trends.latency]
        known = [value for value in values if value is not None]
        if len(known) > 1:
            label = f"{name} of the durations of cases, {show.milliseconds(known[0])} at first, {show.milliseconds(known[-1])} in the last run"
            sparks.append((name, charts.sparkline(values, label), show.milliseconds(known[-1])))
    return sparks


def _changed(transition: Transition) -> str:
    """Return the changed conditions between two runs as text."""
    parts = [
        f"{name} {show.one_line(old, 60)} → {show.one_line(new, 60)}"
        if name in {"provider", "kit"}
        else f"another {name}"
        for name, (old, new) in transition.changed.items()
    ]
    return ", ".join(parts) or "none recorded"


def _day(origin: Origin) -> str:
    return show.one_line(origin.at[:10], 10)
