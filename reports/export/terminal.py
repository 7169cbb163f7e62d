"""The run on a terminal: verdicts by chapter, then every surprise with claim, expected, observed and a command to rerun it.

Text of a provider is never interpreted as markup and cannot move the cursor.
"""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence

from rich import box
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from tck.catalogue import Catalogue
from tck.catalogue.versions import NUMBERING
from tck.record.outcomes import Verdict
from tck.record.reader import Bundle
from tck.reports import show, unrun
from tck.reports.headline import headline
from tck.reports.labels import WORDS, counted
from tck.reports.read import CaseReport, load
from tck.reports.row_coverage import measure
from tck.reports.surprises import SurpriseCard, SurpriseGroup, find, names
from tck.reports.verdict_tree import ChapterNode, RunTree, build, in_order

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
LINES = 42
"""How many lines the end of a run takes, so that with its head, five lines of progress and the places it stays below 60."""
_MARGINS = 8
"""Columns between the cells of the table."""
_NARROW = 60
"""Columns below which the table has no more than numbers."""
_CARDS = 20
_NAMED = 8
_PLACES = 3
"""Sections of the assertions with one cause that are named."""
_LIMIT = 400
_BRIEF = 120
_FRAME = re.compile(r'File "([^"]+)", line (\d+), in (\S+)')


def render_run(
    bundle: Bundle, catalogue: Catalogue, *, width: int = 100, colour: bool = False, lines: int | None = LINES
) -> str:
    """Return the text that `tck run` prints at its end.

    Args:
        bundle: The bundle, opened.
        catalogue: For statements and titles.
        width: Columns of the terminal.
        colour: Whether the terminal supports colour.
        lines: The most lines to print, None for all. Surprises are left out by name where there are too many.
    """
    tree = build(load(bundle), catalogue)
    page = _Page(max(40, width), colour)
    found = headline(tree)
    first = page.text(Text(found.line, style=f"bold {_STYLES[found.verdict]}"), _chapters(tree, page.width))
    closing = page.text(*_closing(tree, catalogue))
    left = None if lines is None else lines - first.count("\n") - closing.count("\n")
    return first + _surprises(tree, page, left) + closing


class _Page:
    """Renders to text of one width."""

    def __init__(self, width: int, colour: bool) -> None:
        self.width = width
        self._colour = colour

    def text(self, *parts: RenderableType) -> str:
        """Render the parts, without spaces at the ends of lines."""
        out = io.StringIO()
        console = Console(
            file=out,
            width=self.width,
            force_terminal=self._colour,
            no_color=not self._colour,
            highlight=False,
            emoji=False,
            markup=False,
        )
        console.print(Group(*parts), end="")
        return "".join(f"{line.rstrip()}\n" for line in out.getvalue().splitlines())


def _chapters(tree: RunTree, width: int) -> RenderableType:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_footer=len(tree.chapters) > 1)
    if width < _NARROW:
        table.add_column("chapter", "all", no_wrap=True)
        table.add_column("verdicts", _marks(tree.counts), overflow="fold")
        for chapter in tree.chapters:
            table.add_row(Text(_narrow(chapter)), _marks(chapter.counts))
        return Group(table, _legend(tree), Text())
    names = [str(chapter.own) if tree.own.text else f"{chapter.number:>2} {chapter.title}" for chapter in tree.chapters]
    room = width - max(map(len, [*names, "chapter"]), default=0) - len("assertions") - len("cases") - _MARGINS
    widest = max(len(_tally(counts).plain) for counts in (tree.counts, *(each.counts for each in tree.chapters)))
    tally = _tally if widest <= room else _marks
    table.add_column("chapter", "all", overflow="fold")
    table.add_column("assertions", f"{len(tree.assertions):,}", justify="right", no_wrap=True)
    table.add_column("cases", f"{len(tree.run.cases):,}", justify="right", no_wrap=True)
    table.add_column("verdicts, worst first" if tally is _tally else "verdicts", tally(tree.counts), overflow="fold")
    for name, chapter in zip(names, tree.chapters, strict=True):
        table.add_row(Text(name), f"{len(chapter.assertions):,}", f"{chapter.cases:,}", tally(chapter.counts))
    return table if tally is _tally else Group(table, _legend(tree), Text())


def _narrow(chapter: ChapterNode) -> str:
    """Return the number of a chapter; none is a sign."""
    return chapter.own.short if chapter.own.places else f"- ({NUMBERING}: {chapter.number})"


def _legend(tree: RunTree) -> Text:
    words = (WORDS[verdict] for verdict, _ in in_order(tree.counts))
    return Text(", ".join(f"{word.mark} {word.label.lower()}" for word in words))


def _tally(counts: Counter[Verdict]) -> Text:
    return Text(", ").join(
        Text(counted(verdict, number), style=_STYLES[verdict]) for verdict, number in in_order(counts)
    )


def _marks(counts: Counter[Verdict]) -> Text:
    return Text("  ").join(
        Text(f"{WORDS[verdict].mark} {number:,}", style=_STYLES[verdict]) for verdict, number in in_order(counts)
    )


def _surprises(tree: RunTree, page: _Page, lines: int | None) -> str:
    """Render the groups with as many cards as there are lines for, the first card of each group before any second one."""
    groups = find(tree)
    made = [[page.text(_padded(_card(tree, card))) for card in group.cards[:_CARDS]] for group in groups]
    heads = [
        page.text(
            Text(
                f"{group.word.label}: {show.count(group.total, 'assertion')}",
                style=f"bold {_STYLES[group.word.verdict]}",
            )
        )
        for group in groups
    ]
    most = None if lines is None else _NAMED

    def rest(place: int, shown: int) -> str:
        group = groups[place]
        return page.text(_padded(_rest(group, shown, most))) if shown < len(group.cards) else ""

    shown = [len(cards) for cards in made]
    if lines is not None:
        around = [max(rest(place, 0).count("\n"), rest(place, 1).count("\n")) + 1 for place in range(len(groups))]
        brief = [page.text(_padded(_card(tree, group.cards[0], brief=True))) for group in groups]
        shown = _fit(made, brief, lines - sum(around))
    return "".join(
        head + "".join(cards[:number]) + rest(place, number)
        for place, (head, cards, number) in enumerate(zip(heads, made, shown, strict=True))
    )


def _padded(part: RenderableType) -> Padding:
    return Padding(part, (0, 0, 1, 2))


def _fit(made: Sequence[list[str]], brief: Sequence[str], left: int) -> list[int]:
    """Return how many cards of each group fit; a first card for which there is no room stands in its brief form in `made`."""
    shown = [0] * len(made)
    room = dict.fromkeys(range(len(made)), 0)
    for place, text in enumerate(brief):
        if (length := text.count("\n")) <= left or place == 0:
            room[place], shown[place] = length, 1
            left -= length
    for place, cards in enumerate(made):
        length = cards[0].count("\n")
        if shown[place] and length - room[place] <= left:
            left -= length - room[place]
        elif shown[place]:
            cards[0], room[place] = brief[place], -1
    full = [shown[place] == 0 or room[place] < 0 for place in range(len(made))]
    for card, place in sorted((card, place) for place, cards in enumerate(made) for card in range(1, len(cards))):
        length = made[place][card].count("\n")
        full[place] = full[place] or length > left
        if not full[place]:
            shown[place] += 1
            left -= length
    return shown


def _rest(group: SurpriseGroup, shown: int, most: int | None) -> Text:
    nodes = [node.id for card in group.cards[shown:] for node in card.nodes]
    listed = ", ".join(nodes[:most]) + (", …" if most and len(nodes) > most else "")
    return Text(f"and {len(nodes):,} more: {listed}" if shown else listed)


def _card(tree: RunTree, card: SurpriseCard, *, brief: bool = False) -> RenderableType:
    """Render a card; in brief what was observed and how to see it again."""
    grid = Table.grid(padding=(0, 1))
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column(overflow="fold")
    limit = _BRIEF if brief else _LIMIT
    if card.cause:
        head = Text(show.visible(card.heading), style="bold")
        grid.add_row("rows", Text(names(card.nodes, 4 if brief else 8)))
    else:
        head = Text.assemble((card.node.id, "bold"), f" {card.node.level}  {card.node.title}  ", (card.share, "dim"))
        if card.also and not brief:
            head.append(f"; with it {names(card.also)}", "dim")
        if not brief:
            grid.add_row("claim", Text(card.node.statement))
    if tree.own.text:
        grid.add_row("section", Text(_sections(card)))
    observations = card.observations[: 1 if card.cause or brief else 2]
    for observation in observations:
        if observation.expected and not card.cause and not brief:
            grid.add_row("expected", Text(show.visible(show.clip(observation.expected, limit))))
        grid.add_row(
            "observed", Text(show.visible(show.clip(observation.observed, limit)), style=_STYLES[card.node.verdict])
        )
        if where := _last_frame(observation.cases[0]):
            grid.add_row("where", Text(show.visible(where)))
        if observation.because and not brief:
            grid.add_row("because", Text(show.visible(show.clip(observation.because, limit))))
        grid.add_row("rerun", Text(tree.run.rerun(observation.cases[0].name)))
    if len(card.observations) > len(observations) and not card.cause and not brief:
        grid.add_row("", Text(f"and {show.count(len(card.observations) - len(observations), 'other observation')}"))
    return Group(head, Padding(grid, (0, 0, 0, 2)))


def _sections(card: SurpriseCard) -> str:
    """Return where the version under test states the assertion of a card, or the numbers of those with one cause."""
    if not card.cause:
        return str(card.node.own)
    places = list(dict.fromkeys(node.own.short for node in card.nodes))
    more = f" and {len(places) - _PLACES} more" if len(places) > _PLACES else ""
    return ", ".join(places[:_PLACES]) + more


def _last_frame(case: CaseReport) -> str:
    """Return the place where a fault of the kit or an adapter was raised."""
    error = case.shown.error
    if error is None or case.verdict is not Verdict.HARNESS_ERROR:
        return ""
    found = _FRAME.findall(error.trace)
    return "{}:{} in {}".format(*found[-1]) if found else ""


def _closing(tree: RunTree, catalogue: Catalogue) -> Iterator[RenderableType]:
    if tree.run.unfinished:
        yield Text(unrun.sentence(tree.run, catalogue), style=f"bold {_STYLES[Verdict.UNDECIDED]}")
    if lacks := unrun.for_lack(tree):
        yield Text(lacks)
    waits = tree.run.waits
    if waits:
        total = show.duration(sum(wait.ms for wait in waits) / 1000)
        yield Text(f"{show.count(len(waits), 'bounded wait')} without proof, {total} in all")
    coverage = measure(tree, catalogue)
    yield Text(f"coverage: {coverage.sentence}")
