"""Markup for the events of one attempt: the lanes, and all recorded facts below them.

The facts of a surprising case are a table; those of other cases are the lines of the bundle, which takes a tenth of the time
for thousands of cases. The layout is in `lanes` and `event_table`.
"""

from __future__ import annotations

import functools
from collections.abc import Collection, Sequence

from tck.record.lines import ascii_line, lines
from tck.record.rows import EventsRef
from tck.reports import show
from tck.reports.html import event_table, lanes
from tck.reports.html.lane_rows import MessageToken, RowText
from tck.reports.html.markup import Safe, escape, fill, join, plain
from tck.reports.read import Event

_TOKENS = 24
_NOTHING = Safe("")
_CITED = Safe(' <span class="tag cite">cited</span>')


def render(
    events: Sequence[Event], cites: Collection[int], prefix: str, place: EventsRef | None, *, table: bool
) -> Safe:
    """Render the events of one attempt.

    Args:
        events: The events, by number.
        cites: The numbers of the cited events.
        prefix: The prefix of this attempt's anchors: `e` gives `#e12` and, in the table, `#ef12`.
        place: The position of the events in the bundle, to point to the omitted ones.
        table: Render the facts as a table rather than as the lines of the bundle.
    """
    if not events:
        return _NOTHING
    cells = _table(events, cites, prefix, place) if table else _recorded(events, place)
    return join((draw(lanes.build(events, cites), prefix, linked=table), cells))


def draw(diagram: lanes.Diagram, prefix: str, *, linked: bool, numbers: str = "event") -> Safe:
    """Render lanes with the legend of their letters.

    Args:
        diagram: The lanes.
        prefix: The prefix of anchors, as for `render`.
        linked: Whether numbers link to the table below.
        numbers: The heading of the numbers.
    """
    return join((_legend(diagram), _lanes(diagram, prefix, numbers, linked=linked)))


@functools.lru_cache(maxsize=1024)
def _chip(token: MessageToken) -> Safe:
    return fill(
        '<span class="token h%s" data-token="%s" title="%s">%s</span>',
        token.hue,
        token.letter,
        token.body,
        token.letter,
    )


def _legend(diagram: lanes.Diagram) -> Safe:
    items = [
        fill('<li title="%s">%s %s</li>', token.id, _chip(token), token.body) for token in diagram.tokens[:_TOKENS]
    ]
    left = len(diagram.tokens) - _TOKENS
    if left > 0:
        items.append(fill('<li class="soft">and %s more</li>', left))
    items += [fill("<li><b>%s</b> %s</li>", place.short, place.label) for place in diagram.places[:_TOKENS]]
    return (
        fill('<ul class="tokens" aria-label="Messages and destinations">%s</ul>\n', join(items)) if items else _NOTHING
    )


def _lanes(diagram: lanes.Diagram, prefix: str, numbers: str, *, linked: bool) -> Safe:
    heads = [
        fill(
            '<div class="lane-head" style="grid-column:%s" role="presentation"><b>%s</b><span>%s</span></div>'
            '<i class="rail" style="grid-column:%s"></i>',
            column, lane.label, lane.note, column,
        )
        for column, lane in enumerate(diagram.lanes, start=3)
    ]  # fmt: skip
    who = [Safe(escape(lane.label)) for lane in diagram.lanes]
    rows = [_step(step, who, prefix, linked=linked, timed=diagram.timed) for step in diagram.steps]
    gaps = [
        fill(
            '<div class="gap" role="listitem" style="grid-row:%s">%s left out</div>',
            gap.row + 1,
            show.count(gap.count, "row"),
        )
        for gap in diagram.gaps
    ]
    return fill(
        '<div class="drawing">%s<div class="lanes-scroll%s" tabindex="0" role="region" aria-label="Events by session">'
        '<div class="lanes%s" role="list" style="--others:%s;--rows:%s">'
        '<div class="lane-head n" style="grid-column:1" role="presentation">%s</div>'
        '<div class="lane-head n ms" style="grid-column:2" role="presentation">%s</div>%s\n%s\n%s</div></div></div>\n',
        _fold(diagram), " wide" if len(diagram.lanes) > 4 else "",
        "" if diagram.timed else " timeless", max(len(diagram.lanes) - 1, 1), diagram.height, numbers,
        "ms" if diagram.timed else "", join(heads), join(rows, "\n"), join(gaps),
    )  # fmt: skip


def _fold(diagram: lanes.Diagram) -> Safe:
    setup = sum(1 for step in diagram.steps if step.setup)
    if not setup:
        return _NOTHING
    return fill(
        '<label class="fold"><input type="checkbox"> Show %s that set up connections, sessions and destinations</label>',
        show.count(setup, "call"),
    )


def _step(step: lanes.Step, who: Sequence[Safe], prefix: str, *, linked: bool, timed: bool) -> Safe:
    row, lane, places, at, kind, row_text, until, setup = step
    column = lane + 3
    marks = (" failed" if row_text.failed else "") + (" cited" if row_text.cited else "") + (" laying" if setup else "")
    bar = f'<i class="span" style="grid-column:{column};grid-row:{row + 1}/{until + 2}"></i>' if until else ""
    if linked:
        numbers = "\N{EN DASH}".join([f'<a id="{prefix}{n}" href="#{prefix}f{n}">{n}</a>' for n in places])
    else:
        numbers = "\N{EN DASH}".join([f'<span id="{prefix}{n}">{n}</span>' for n in places])
    # Unescaped parts are numbers or literals of this package.
    return Safe(
        f'{bar}<div class="step k-{kind}{marks}" role="listitem" style="grid-row:{row + 1}">'
        f'<span class="n">{numbers}</span><span class="at">{at if timed else ""}</span>'
        f'<div class="act" style="grid-column:{column}"><span class="who">{who[lane]}</span>{_row_text(row_text)}</div></div>'
    )


def _row_text(row_text: RowText) -> str:
    """Render the text of a row. Most of a report's time is spent here, so each row is built in one step."""
    subject, about, member, given, arguments, returned, got, answer, failed, tags, cited = row_text
    cells = f"<b>{escape(member)}</b>"
    if subject:
        cells = f'<span class="on">{escape(subject)}.</span><wbr>{cells}'
    if about:
        cells = f"{_chip(about)} {cells}"
    if given:
        cells = f"{cells} {_chip(given)}"
    if arguments:
        cells = f'{cells}<span class="args">{escape(arguments)}</span>'
    if returned:
        cells += " <i>returned</i>"
    if got or answer:
        whole = " whole" if len(answer) < 24 else ""
        cells = (
            f'{cells} <span class="answer{whole}">{"✗" if failed else "→"} '
            f"{_chip(got) if got else _NOTHING}{escape(answer)}</span>"
        )
    for tag in tags:
        cells = f'{cells} <span class="tag">{escape(tag)}</span>'
    return cells + _CITED if cited else cells


def _left_out(number: int, place: EventsRef | None) -> Safe:
    if not number or not place:
        return _NOTHING
    return fill(
        '<p class="notice">%s more in <code>%s</code> of the bundle, from byte %s on.</p>',
        show.count(number, "event"), place.file, place.offset,
    )  # fmt: skip


def _recorded(events: Sequence[Event], place: EventsRef | None) -> Safe:
    kept = []
    for event in events[: event_table.MOST]:
        cells = {key: item for key, item in event.items() if item is not None}
        cells.pop("case", None)
        kept.append(cells)
    recorded = plain(_as_lines(kept))
    return fill(
        '<details class="more"><summary>Every recorded fact <span class="soft">%s</span></summary>'
        '<p class="soft">The lines of the bundle, one for each event, without null values.</p><pre class="recorded">%s</pre>%s</details>\n',
        show.count(len(events), "event"), recorded, _left_out(len(events) - event_table.MOST, place),
    )  # fmt: skip


def _as_lines(rows: Sequence[Event]) -> str:
    block = lines(rows)
    return block.decode("ascii") if block.isascii() else "".join(map(ascii_line, rows))


def _table(events: Sequence[Event], cites: Collection[int], prefix: str, place: EventsRef | None) -> Safe:
    rows = event_table.rows(events, cites)
    return fill(
        '<details class="more"><summary>Every recorded fact <span class="soft">%s</span></summary>'
        '<p class="soft">Times in milliseconds since the first event, on the clock of the provider. What an earlier event told '
        "of the same message has are not repeated.</p>"
        '<div class="scroll"><table class="events"><thead><tr><th scope="col">#</th><th scope="col">ms</th>'
        '<th scope="col">Who</th><th scope="col">Call</th><th scope="col">Facts</th></tr></thead><tbody>\n%s\n</tbody></table></div>%s'
        "</details>\n",
        show.count(len(events), "event"), join([_row(row, prefix) for row in rows], "\n"), _left_out(len(events) - len(rows), place),
    )  # fmt: skip


def _row(row: event_table.FactRow, prefix: str) -> Safe:
    thread = fill('<br><span class="soft">%s</span>', row.thread) if row.thread not in {"", "main"} else _NOTHING
    cells = _NOTHING
    if row.message:
        cells = join([fill("<span><i>%s</i> %s</span>", key, item) for key, item in row.message], " ")
        if row.known_from:
            same = (
                '<span class="soft">as in #%s</span>'
                if len(row.message) == 1
                else '<span class="soft">as in #%s, but</span> '
            )
            cells = (
                join((fill(same, row.known_from), cells))
                if len(row.message) > 1
                else join((cells, Safe(" "), fill(same, row.known_from)))
            )
        cells = fill('<div class="message">%s</div>', cells)
    return fill(
        '<tr id="%sf%s"%s><td class="n"><a href="#%s%s">%s</a></td><td class="num">%s</td><td>%s%s</td>'
        '<td>%s <span class="p-%s">%s</span></td><td>%s%s</td></tr>',
        prefix, row.number, Safe(' class="cited"') if row.cited else _NOTHING, prefix, row.number, row.number, row.at,
        row.actor, thread, row.call, row.phase, row.phase, row.detail, cells,
    )  # fmt: skip
