"""The run on a terminal: verdicts by chapter, then every surprise with claim, expected, observed and a command to rerun it.

Text of a provider is never interpreted as markup and cannot move the cursor.
"""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterator

from rich import box
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from tck.catalogue import Catalogue
from tck.record.outcomes import Verdict
from tck.record.reader import Bundle
from tck.reports import show
from tck.reports.labels import counted
from tck.reports.read import load
from tck.reports.row_coverage import measure
from tck.reports.surprises import SurpriseCard, find, names
from tck.reports.verdict_tree import RunTree, build, in_order

_STYLES = {
    Verdict.HARNESS_ERROR: "magenta",
    Verdict.VIOLATION: "red",
    Verdict.STALE: "yellow",
    Verdict.UNDECIDED: "red",
    Verdict.INCONCLUSIVE: "yellow",
    Verdict.ADVISORY: "cyan",
    Verdict.DECLARED: "blue",
    Verdict.UNSUPPORTED: "dim",
    Verdict.OBSERVATION: "blue",
    Verdict.CONFORMANT: "green",
}
_CARDS = 20
_LIMIT = 400


def render_run(bundle: Bundle, catalogue: Catalogue, *, width: int = 100, colour: bool = False) -> str:
    """Return the text that `tck run` prints at its end.

    Args:
        bundle: The bundle, opened.
        catalogue: For statements and titles.
        width: Columns of the terminal.
        colour: Whether the terminal supports colour.
    """
    out = io.StringIO()
    console = Console(
        file=out,
        width=max(60, width),
        force_terminal=colour,
        no_color=not colour,
        highlight=False,
        emoji=False,
        markup=False,
    )
    console.print(renderable(build(load(bundle), catalogue), catalogue))
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines()) + "\n"


def renderable(tree: RunTree, catalogue: Catalogue) -> RenderableType:
    """Return the same as a renderable for rich."""
    return Group(_chapters(tree), *_surprises(tree), *_closing(tree, catalogue))


def _chapters(tree: RunTree) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_footer=len(tree.chapters) > 1)
    table.add_column("chapter", "all", no_wrap=True)
    table.add_column("assertions", f"{len(tree.assertions):,}", justify="right", no_wrap=True)
    table.add_column("cases", f"{len(tree.run.cases):,}", justify="right", no_wrap=True)
    table.add_column("verdicts, worst first", _tally(tree.counts), overflow="fold")
    for chapter in tree.chapters:
        name = Text(f"{chapter.number:>2} {chapter.title}")
        table.add_row(name, f"{len(chapter.assertions):,}", f"{chapter.cases:,}", _tally(chapter.counts))
    return table


def _tally(counts: Counter[Verdict]) -> Text:
    return Text(", ").join(
        Text(counted(verdict, number), style=_STYLES[verdict]) for verdict, number in in_order(counts)
    )


def _surprises(tree: RunTree) -> Iterator[RenderableType]:
    for group in find(tree):
        style = f"bold {_STYLES[group.word.verdict]}"
        yield Text(f"{group.word.label}: {show.count(group.total, 'assertion')}", style=style)
        for card in group.cards[:_CARDS]:
            yield Padding(_card(tree, card), (0, 0, 1, 2))
        if len(group.cards) > _CARDS:
            rest = " ".join(card.node.id for card in group.cards[_CARDS:])
            yield Padding(Text(f"and {len(group.cards) - _CARDS} more: {rest}\n"), (0, 0, 0, 2))


def _card(tree: RunTree, card: SurpriseCard) -> RenderableType:
    head = Text.assemble((card.node.id, "bold"), f" {card.node.level}  {card.node.title}  ", (card.share, "dim"))
    if card.also:
        head.append(f"; with it {names(card.also)}", "dim")
    grid = Table.grid(padding=(0, 1))
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column(overflow="fold")
    grid.add_row("claim", Text(card.node.statement))
    for observation in card.observations[:2]:
        if observation.expected:
            grid.add_row("expected", Text(show.visible(show.clip(observation.expected, _LIMIT))))
        grid.add_row(
            "observed", Text(show.visible(show.clip(observation.observed, _LIMIT)), style=_STYLES[card.node.verdict])
        )
        if observation.because:
            grid.add_row("because", Text(show.visible(show.clip(observation.because, _LIMIT))))
        grid.add_row("rerun", Text(tree.run.rerun(observation.cases[0].name)))
    if len(card.observations) > 2:
        grid.add_row("", Text(f"and {show.count(len(card.observations) - 2, 'other observation')}"))
    return Group(head, Padding(grid, (0, 0, 0, 2)))


def _closing(tree: RunTree, catalogue: Catalogue) -> Iterator[RenderableType]:
    waits = tree.run.waits
    if waits:
        total = show.duration(sum(wait.ms for wait in waits) / 1000)
        yield Text(f"{show.count(len(waits), 'bounded wait')} without proof, {total} in all")
    coverage = measure(tree, catalogue)
    yield Text(f"coverage: {coverage.reached:,} of {coverage.judged:,} testable rows in {coverage.tier}")
