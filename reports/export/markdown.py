"""A summary in Markdown, for the step summary of a continuous integration job or a comment on a change.

Short on purpose: surprises, chapters, provenance. Text of a provider is in code spans that it cannot end.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from tck.catalogue import Catalogue
from tck.catalogue.tier_differences import documentary_note
from tck.record.reader import Bundle
from tck.reports import show, unrun
from tck.reports.labels import NOT_A_CERTIFICATE, WORDS, counted
from tck.reports.read import load
from tck.reports.row_coverage import measure
from tck.reports.surprises import SurpriseCard, find, names
from tck.reports.verdict_tree import RunTree, build, in_order

_CARDS = 15
_TICKS = re.compile("`+")
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~&!])")


def write(bundle: Bundle, target: Path, catalogue: Catalogue) -> Path:
    """Write the file and return its path."""
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(render(bundle, catalogue), encoding="utf-8")
    return target


def render(bundle: Bundle, catalogue: Catalogue) -> str:
    """Return the summary."""
    tree = build(load(bundle), catalogue)
    return "\n".join([*_head(tree), *_surprises(tree), *_chapters(tree), *_foot(tree, catalogue)]) + "\n"


def code(text: str, limit: int = 300) -> str:
    """Return a text as a code span on one line, with a fence that the text does not contain."""
    line = show.one_line(text, limit) or " "
    fence = "`" * (1 + max((len(run) for run in _TICKS.findall(line)), default=0))
    pad = " " if line.startswith("`") or line.endswith("`") else ""
    return f"{fence}{pad}{line}{pad}{fence}"


def plain(text: str) -> str:
    """Escape a text outside of code spans."""
    return _SPECIAL.sub(r"\\\1", show.one_line(text))


def _head(tree: RunTree) -> Iterator[str]:
    yield f"## JMS TCK: {plain(tree.run.subject)}"
    yield ""
    counts = ", ".join(counted(verdict, number) for verdict, number in in_order(tree.counts))
    yield f"{show.count(len(tree.assertions), 'assertion')} in {show.count(len(tree.run.cases), 'case')}: {counts or 'nothing judged'}."
    yield ""
    note = documentary_note(tree.run.run.profile.tier)
    if note:
        yield f"**{plain(note)}.**"
        yield ""
    if tree.run.end is None:
        yield "**This bundle is truncated: the run did not end.**"
        yield ""


def _surprises(tree: RunTree) -> Iterator[str]:
    for group in find(tree):
        yield f"### {group.word.mark} {group.word.label}: {show.count(group.total, 'assertion')}"
        yield ""
        for card in group.cards[:_CARDS]:
            yield from _card(tree, card)
        if len(group.cards) > _CARDS:
            rest = ", ".join(card.node.id for card in group.cards[_CARDS:])
            yield f"- and {len(group.cards) - _CARDS} more: {rest}"
        yield ""


def _card(tree: RunTree, card: SurpriseCard) -> Iterator[str]:
    if card.cause:
        yield f"- **{plain(card.heading)}**: {names(card.nodes)}"
        yield f"  - observed {code(card.observations[0].observed)}"
        yield f"  - {code(tree.run.rerun(card.cases[0].name), 0)}"
        return
    ids = f"**{card.node.id}**" + (f", {names(card.also)}" if card.also else "")
    where = f"; {plain(str(card.node.own))}" if tree.own.text else ""
    yield f"- {ids} {plain(card.node.statement)} ({card.node.level}; {card.share}{where})"
    observation = card.observations[0]
    if observation.expected:
        yield f"  - expected {code(observation.expected)}"
    yield f"  - observed {code(observation.observed)}"
    if observation.because:
        yield f"  - because {code(observation.because)}"
    if len(card.observations) > 1:
        yield f"  - and {show.count(len(card.observations) - 1, 'other observation')}"
    yield f"  - {code(tree.run.rerun(observation.cases[0].name), 0)}"


def _chapters(tree: RunTree) -> Iterator[str]:
    present = [verdict for verdict, _ in in_order(tree.counts)]
    yield "| chapter | " + " | ".join(WORDS[verdict].label.lower() for verdict in present) + " | cases |"
    yield "|---|" + "---:|" * (len(present) + 1)
    for chapter in tree.chapters:
        cells = " | ".join(str(chapter.counts[verdict] or "") for verdict in present)
        yield f"| {plain(str(chapter.own))} | {cells} | {chapter.cases} |"
    yield ""


def _foot(tree: RunTree, catalogue: Catalogue) -> Iterator[str]:
    run, coverage = tree.run.run, measure(tree, catalogue)
    yield from (f"{each}\n" for each in [unrun.for_lack(tree)] if each)
    yield f"Coverage: {coverage.sentence}."
    yield ""
    yield (
        f"<sub>Run {run.run}, kit {run.kit.version}, profile {plain(run.profile.name)}, tier {run.profile.tier}, "
        f"seed {run.seed}, {run.clock} clock. {NOT_A_CERTIFICATE}</sub>"
    )
