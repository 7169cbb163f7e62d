"""A sequence chart of the messages of a case: who sent what to which destination, and who got it, as inline SVG.

A lane for each session or context that sends or gets a message, and for each destination; an arrow for each message on its way; rows of alike messages share one.
The chart shows the begin of a long case; the lanes of the case's own page show all of it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from tck.reports.html.markup import Safe, fill, join
from tck.reports.read import Event

LANES, ARROWS = 12, 30
"""The most lanes and arrows of a chart."""
_LANE, _ROW, _TOP = 150, 26, 64
_TEXT, _NAME = 20, 22
_SENDS, _RECEIVES = (".send", ".publish"), (".receive", ".receive_no_wait", ".on_message")


@dataclass(frozen=True, slots=True)
class Arrow:
    """A message on its way.

    Attributes:
        number: The number of the event.
        source: The lane that it leaves.
        target: The lane that it reaches.
        text: The begin of its body.
        heard: Whether a listener was called with it.
        times: How many messages one after the other it stands for; the text is that of the last.
    """

    number: int
    source: int
    target: int
    text: str
    heard: bool
    times: int = 1


@dataclass(slots=True)
class Chart:
    """The chart.

    Attributes:
        lanes: Name and note of each lane, by its key.
        arrows: The arrows, in the order of the events.
        more: The number of messages that the chart leaves out.
    """

    lanes: dict[str, tuple[str, str]] = field(default_factory=dict)
    arrows: list[Arrow] = field(default_factory=list)
    more: int = 0


def build(events: Sequence[Event]) -> Chart:
    """Find the messages of a case, in the order of the events."""
    found = Chart()
    for event, actor, place, heard, sent in _messages(events):
        names = dict(_lanes(found.lanes, event, actor, place))
        if len(found.arrows) >= ARROWS or len(found.lanes | names) > LANES:
            found.more += 1
            continue
        found.lanes |= names
        at = list(found.lanes)
        ends = (at.index(actor), at.index(place)) if sent else (at.index(place), at.index(actor))
        body = _clipped(str(_facts(event).get("body") or _facts(event).get("kind")), _TEXT)
        _add(found.arrows, Arrow(int(event["seq"]), *ends, body, heard))
    return found


def _add(arrows: list[Arrow], arrow: Arrow) -> None:
    """Add an arrow; the third and later ones of a row between the same lanes are one."""
    alike = [each for each in arrows[-2:] if (each.source, each.target) == (arrow.source, arrow.target)]
    if len(alike) < 2:
        arrows.append(arrow)
    else:
        arrows[-1] = dataclasses.replace(arrow, times=arrows[-1].times + 1)


def _messages(events: Sequence[Event]) -> Iterator[tuple[Event, str, str, bool, bool]]:
    """Yield each message that was sent or got: event, actor, destination, by a listener or not, sent or got."""
    for event in events:
        op, facts = str(event["op"]), _facts(event)
        heard = event["phase"] == "delivered"
        sent = event["phase"] == "ok" and op.endswith(_SENDS)
        got = heard or (event["phase"] == "ok" and op.endswith(_RECEIVES))
        place = event.get("destination") or facts.get("destination")
        if facts and place and (sent or got):
            yield event, str(event.get("actor")), str(place), heard, sent


def _facts(event: Event) -> Mapping[str, object]:
    facts = event.get("message")
    return facts if isinstance(facts, dict) else {}


def _lanes(
    known: Mapping[str, tuple[str, str]], event: Event, actor: str, place: str
) -> Iterator[tuple[str, tuple[str, str]]]:
    """Yield the lanes of an event that are new."""
    if actor not in known:
        thread = str(event.get("thread") or "")
        yield actor, (actor, "" if thread == "main" or thread.startswith("reference-provider") else thread)
    if place not in known:
        kind = place.partition(":")[0]
        number = 1 + sum(each.startswith(kind + ":") for each in known)
        yield place, (f"{kind} {number}", place.partition(":")[2])


def _clipped(text: str, most: int) -> str:
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 1] + "\N{HORIZONTAL ELLIPSIS}"


def draw(found: Chart, title: str) -> Safe:
    """Draw the chart; `title` is read aloud for it."""
    width, height = _LANE * len(found.lanes), _TOP + _ROW * (len(found.arrows) + 1)
    parts = [
        fill(
            '<svg class="sequence" role="img" viewBox="0 0 %s %s" width="%s" height="%s"><title>%s</title>',
            width,
            height,
            width,
            height,
            title,
        )
    ]
    parts += [_lane(at, name, note, height) for at, (name, note) in enumerate(found.lanes.values())]
    parts += [_arrow(row, arrow) for row, arrow in enumerate(found.arrows)]
    return join((*parts, Safe("</svg>")))


def _lane(at: int, name: str, note: str, height: int) -> Safe:
    x = _LANE * at + _LANE // 2
    return fill(
        '<g class="lane"><text class="seq-no" x="%s" y="14">%s</text><text class="seq-name" x="%s" y="30">%s</text>'
        '<text class="seq-note" x="%s" y="44">%s</text><path d="M%s %sV%s"/></g>',
        x,
        at + 1,
        x,
        _clipped(name, _NAME),
        x,
        _clipped(note, _NAME),
        x,
        _TOP - 12,
        height,
    )


def _arrow(row: int, arrow: Arrow) -> Safe:
    y = _TOP + _ROW * row + _ROW // 2
    start, end = (_LANE * lane + _LANE // 2 for lane in (arrow.source, arrow.target))
    head = -6 if end > start else 6
    side = 1 if end > start else -1
    return fill(
        '<g class="%s"><path d="M%s %sH%s"/><path class="head" d="M%s %sl%s -4v8z"/>'
        '<text x="%s" y="%s" text-anchor="%s">%s. %s</text></g>',
        "heard" if arrow.heard else "sent",
        start,
        y,
        end,
        end,
        y,
        head,
        start + side * 8,
        y - 4,
        "start" if side > 0 else "end",
        arrow.number,
        f"\N{HORIZONTAL ELLIPSIS} {arrow.text} ({arrow.times})" if arrow.times > 1 else arrow.text,
    )
