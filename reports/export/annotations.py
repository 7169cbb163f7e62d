"""Annotations of GitHub Actions: a `::error` line for each surprise that fails a run, which GitHub shows beside the code."""

from __future__ import annotations

from collections.abc import Iterator

from tck.catalogue import Catalogue
from tck.record.outcomes import Verdict
from tck.record.reader import Bundle
from tck.reports import show
from tck.reports.read import load
from tck.reports.surprises import SurpriseCard, find
from tck.reports.verdict_tree import RunTree, build

_KINDS = {
    Verdict.VIOLATION: "error",
    Verdict.STALE: "error",
    Verdict.UNDECIDED: "error",
    Verdict.HARNESS_ERROR: "error",
    Verdict.ADVISORY: "warning",
    Verdict.INCONCLUSIVE: "notice",
}
_MOST = 10
"""GitHub shows ten of each kind for a step."""


def github(bundle: Bundle, catalogue: Catalogue) -> str:
    """Return the lines, at most ten of each kind, those of the widest causes first."""
    return "".join(f"{line}\n" for line in _lines(bundle, catalogue))


def _lines(bundle: Bundle, catalogue: Catalogue) -> Iterator[str]:
    shown = dict.fromkeys(("error", "warning", "notice"), 0)
    tree = build(load(bundle), catalogue)
    for group in find(tree):
        kind = _KINDS[group.word.verdict]
        for card in group.cards:
            if shown[kind] < _MOST:
                shown[kind] += 1
                yield _line(tree, kind, group.word.label, card)


def _line(tree: RunTree, kind: str, label: str, card: SurpriseCard) -> str:
    case = card.cases[0]
    what = card.heading if card.cause else f"{card.node.id} {card.node.title}"
    seen = card.observations[0]
    text = "\n".join(
        part
        for part in (
            f"section {card.node.own}" if tree.own.text and not card.cause else "",
            show.clip(card.node.statement, 300) if not card.cause else "",
            f"expected {seen.expected}" if seen.expected else "",
            f"observed {seen.observed}",
        )
        if part
    )
    place = f"file={_property(case.case.file)},line={case.case.line}"
    return f"::{kind} {place},title={_property(f'{label}: {what}')}::{_data(text)}"


def _data(text: str) -> str:
    return show.visible(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(show.one_line(text, 200)).replace(":", "%3A").replace(",", "%2C")
