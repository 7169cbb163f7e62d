"""Lay out events as lanes: a lane for each session, a row for each call, a bar for each call that others interrupt.

A call whose return is the next event takes one row with both numbers; any other call takes two rows, joined by a bar.
Produces no markup.
"""

from __future__ import annotations

import functools
from bisect import bisect_left
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from tck.reports import show
from tck.reports.html.lane_rows import TEXT, DestinationName, MessageToken, RowText, RowWriter, meaning
from tck.reports.read import Event

LONGEST = 400
"""The most rows of one trace; of a longer one the middle is left out, except around cited events."""

SETTING = "setting"
"""The lane of all objects that are neither sessions nor contexts."""

_SETUP = frozenset(
    {"Provider.create_queue", "Provider.create_topic", "Provider.drop", "Queue.queue_name", "Topic.topic_name"}
)
_SETUP_ENDS = (
    "connection_factory",
    "create_connection",
    "create_queue_connection",
    "create_topic_connection",
    "create_session",
    "create_queue_session",
    "create_topic_session",
    "create_context",
)
_ENDS = frozenset({"ok", "fail", "unknown"})
_STORY = 3
"""The fewest rows that must remain when setup calls are folded."""

_LANES = ("session-", "context-", "xa-session-", "xa-context-")
_AROUND = 12


@dataclass(frozen=True, slots=True)
class Lane:
    """A column of the diagram: a session, a context, or everything else."""

    label: str
    note: str


class Step(NamedTuple):
    """A row of the diagram.

    `kind` is call (invoke and return in one row), invoke, return, delivered, or delivery (both ends of a listener's call
    in one row). `until` is the row in which a call that other events interrupt ends; 0 for all other rows.
    """

    row: int
    lane: int
    numbers: tuple[int, ...]
    at: str
    kind: str
    row_text: RowText
    until: int = 0
    setup: bool = False
    """Whether the row only sets up connections, sessions or destinations. A page may fold it."""

    @property
    def failed(self) -> bool:
        """Whether the call raised."""
        return self.row_text.failed

    @property
    def cited(self) -> bool:
        """Whether the explanation cites an event of this row."""
        return self.row_text.cited


@dataclass(frozen=True, slots=True)
class Gap:
    """Rows that were left out of a long trace."""

    row: int
    count: int


@dataclass(frozen=True, slots=True)
class Diagram:
    """The layout of the lanes."""

    lanes: tuple[Lane, ...]
    steps: tuple[Step, ...]
    gaps: tuple[Gap, ...]
    tokens: tuple[MessageToken, ...]
    places: tuple[DestinationName, ...]
    height: int
    timed: bool
    """Whether time advanced: a virtual clock may stop for a whole case."""


class _Builder:
    """Builds the rows in the order of the events; a lane is added at its first event."""

    def __init__(self, events: Sequence[Event], cites: frozenset[int]) -> None:
        self.writer = RowWriter(events, cites)
        self.lanes = {SETTING: 0}
        self._start = int(events[0]["t_ns"]) if events else 0

    def step(self, row: int, kind: str, first: Event, last: Event | None) -> Step:
        actor = str(first.get("actor") or "")
        lane = self.lanes.setdefault(actor if actor.startswith(_LANES) else SETTING, len(self.lanes))
        number = int(first["seq"])
        numbers = (number, int(last["seq"])) if last else (number,)
        since = (int(first["t_ns"]) - self._start) / 1e6
        at = f"{since:,.0f}" if since >= 1000 else f"{since:.1f}"
        row_text = self.writer.row_text(kind, first, last)
        setup = kind == "call" and not row_text.failed and not row_text.cited and _sets_up(str(first["op"]))
        return Step(row, lane, numbers, at, kind, row_text, 0, setup)


@functools.lru_cache(maxsize=1024)
def _sets_up(op: str) -> bool:
    return op in _SETUP or op.endswith(_SETUP_ENDS)


def build(events: Sequence[Event], cites: Collection[int] = ()) -> Diagram:
    """Lay out the events of one case; `cites` are the numbers of the cited events."""
    ordered = sorted(events, key=lambda event: int(event["seq"]))
    builder = _Builder(ordered, frozenset(cites))
    rows = _steps(ordered, builder)
    if sum(1 for step in rows if not step.setup) < _STORY:
        rows = [step._replace(setup=False) for step in rows]
    steps, gaps = shorten(rows)
    created = {str(each.get("label")): each for event in ordered if isinstance(each := event.get("created"), dict)}
    return Diagram(
        lanes=tuple(_lane(key, created.get(key, {})) for key in builder.lanes),
        steps=steps,
        gaps=gaps,
        tokens=tuple(builder.writer.tokens.values()),
        places=tuple(builder.writer.places.values()),
        height=len(steps) + len(gaps),
        timed=any(step.at != "0.0" for step in steps),
    )


def text(diagram: Diagram) -> list[str]:
    """Return the diagram as lines of plain text."""
    lines = []
    for step in diagram.steps:
        numbers = "-".join(map(str, step.numbers))
        lines.append(f"{numbers:>9} {step.at:>10} ms  {diagram.lanes[step.lane].label:<12} {row_line(step.row_text)}")
    return lines


def row_line(row_text: RowText) -> str:
    """Return one row as plain text: `consumer-1.receive(timeout=5000) -> [A "x"]`."""
    about = f"[{row_text.about.letter}] " if row_text.about else ""
    given = f" [{row_text.given.letter} {row_text.given.body}]" if row_text.given else ""
    got = f"[{row_text.got.letter} {row_text.got.body}] " if row_text.got else ""
    answer = (
        f" -> {got}{'raised ' if row_text.failed else ''}{row_text.answer}".rstrip()
        if row_text.got or row_text.answer
        else ""
    )
    tags = "".join(f" ({tag})" for tag in (*row_text.tags, *(("cited",) if row_text.cited else ())))
    return f"{about}{row_text.subject}.{row_text.member}{given}{row_text.arguments}{' returned' if row_text.returned else ''}{answer}{tags}"


def _steps(events: Sequence[Event], builder: _Builder) -> list[Step]:
    ends = {int(event["call"]): event for event in events if event["phase"] in _ENDS and event.get("call") is not None}
    steps: list[Step] = []
    open_at: dict[int, int] = {}
    merged: set[int] = set()
    for place, event in enumerate(events, start=1):
        following = events[place] if place < len(events) else None
        number, row = int(event["seq"]), len(steps) + 1
        if number in merged:
            continue
        heard = event["phase"] == "delivered"
        if event["phase"] in _ENDS and event.get("call") is not None:
            steps.append(builder.step(row, "return", event, None))
            began = open_at.pop(int(event["call"]), None)
            if began is not None:
                steps[began] = steps[began]._replace(until=row)
        elif following is not None and ends.get(number) is following:
            merged.add(int(following["seq"]))
            steps.append(builder.step(row, "delivery" if heard else "call", event, following))
        else:
            open_at[number] = len(steps)
            steps.append(builder.step(row, "delivered" if heard else "invoke", event, None))
    for began in open_at.values():
        step = steps[began]
        tags = (*step.row_text.tags, "never returned")
        steps[began] = step._replace(until=len(steps), row_text=step.row_text._replace(tags=tags))
    return steps


def _lane(key: str, created: Mapping[str, Any]) -> Lane:
    if key == SETTING:
        return Lane("suite", "connections and others")
    parts = [str(created["type"])] if created.get("type") else []
    modes = [meaning(name, created[name]) for name in ("session_mode", "acknowledge_mode") if name in created]
    parts += ["transacted"] if created.get("transacted") is True else modes[:1]
    parts += [f"of {show.one_line(str(created['parent']), TEXT)}"] if created.get("parent") else []
    return Lane(show.one_line(key, TEXT), ", ".join(parts))


def shorten(steps: list[Step]) -> tuple[tuple[Step, ...], tuple[Gap, ...]]:
    """Leave out the middle of a long trace except around cited events, and number the rows again."""
    if len(steps) <= LONGEST:
        return tuple(steps), ()
    edge = LONGEST // 3
    kept = set(range(edge)) | set(range(len(steps) - edge, len(steps)))
    for place in (place for place, step in enumerate(steps) if step.cited):
        if len(kept) < 2 * LONGEST:
            kept.update(range(max(0, place - _AROUND), min(len(steps), place + _AROUND + 1)))
    places = sorted(kept)
    rows: list[int] = []
    gaps: list[Gap] = []
    for before, place in zip([-1, *places], places, strict=False):
        row = (rows[-1] if rows else 0) + 1
        if place != before + 1:
            gaps.append(Gap(row, place - before - 1))
            row += 1
        rows.append(row)

    def moved(until: int) -> int:
        return rows[min(bisect_left(places, until - 1), len(rows) - 1)] if until else 0

    numbered = (
        steps[place]._replace(row=row, until=moved(steps[place].until)) for place, row in zip(places, rows, strict=True)
    )
    return tuple(numbered), tuple(gaps)
