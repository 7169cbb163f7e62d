"""A badge as SVG: the tier and the number of violations. It never says "certified" or "passed", and shows no score."""

from __future__ import annotations

import json
from pathlib import Path

from tck.catalogue import Catalogue
from tck.catalogue.tier_differences import documentary_note
from tck.record.outcomes import Verdict
from tck.record.reader import Bundle
from tck.reports import show
from tck.reports.html.markup import fill
from tck.reports.read import load
from tck.reports.verdict_tree import RunTree, build

_RED, _AMBER, _GREEN, _GREY = "#c22f36", "#946200", "#217a42", "#636b74"
_EM = 6.7
"""Mean width of a letter in pixels; `textLength` makes the text fit in any font."""


def write(bundle: Bundle, target: Path, catalogue: Catalogue) -> Path:
    """Write the badge, and beside it the JSON of an endpoint of shields.io; return the path of the badge."""
    target.parent.mkdir(parents=True, exist_ok=True)
    tree = build(load(bundle), catalogue)
    target.write_text(render(tree), encoding="utf-8")
    target.with_suffix(".json").write_text(json.dumps(endpoint(tree)), encoding="utf-8")
    return target


def endpoint(tree: RunTree) -> dict[str, object]:
    """Return the same for shields.io, which draws a badge from such an object at an address of yours."""
    text, colour = message(tree)
    return {"schemaVersion": 1, "label": label(tree), "message": text, "color": colour[1:]}


def render(tree: RunTree) -> str:
    """Return the SVG."""
    left = label(tree)
    right, colour = message(tree)
    widths = [round(len(text) * _EM) + 12 for text in (left, right)]
    return fill(
        '<svg xmlns="http://www.w3.org/2000/svg" width="%s" height="20" role="img" aria-label="%s">'
        '<title>%s: %s</title><clipPath id="r"><rect width="%s" height="20" rx="3"/></clipPath><g clip-path="url(#r)">'
        '<rect width="%s" height="20" fill="#3f464d"/><rect x="%s" width="%s" height="20" fill="%s"/></g>'
        '<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">'
        '<text x="6" y="14" textLength="%s">%s</text><text x="%s" y="14" textLength="%s">%s</text></g></svg>\n',
        sum(widths), f"{left}: {right}", left, right, sum(widths), widths[0], widths[0], widths[1], colour,
        widths[0] - 12, left, widths[0] + 6, widths[1] - 12, right,
    )  # fmt: skip


def label(tree: RunTree) -> str:
    """Return what stands on the left: the tier, and whether it only documents a text."""
    tier = tree.run.run.profile.tier
    return f"JMS TCK {tier}{', documentary' if documentary_note(tier) else ''}"


def message(tree: RunTree) -> tuple[str, str]:
    """Return the text of the badge and its colour."""
    counts = tree.counts
    if counts[Verdict.VIOLATION]:
        return show.count(counts[Verdict.VIOLATION], "violation"), _RED
    if counts[Verdict.HARNESS_ERROR] or tree.run.end is None:
        return "run incomplete", _AMBER
    if not counts[Verdict.CONFORMANT]:
        return "nothing judged", _GREY
    cases = show.count(len(tree.run.cases), "case")
    undecided = counts[Verdict.UNDECIDED] + counts[Verdict.INCONCLUSIVE]
    if undecided:
        return f"no violation in {cases}, {undecided} undecided", _AMBER
    return f"no violation in {cases}", _GREEN
