"""Events as a diagram: a lane per session, a row per call, and open calls drawn as bars from invoke to return.

A call whose return is the very next event takes one row with both numbers; a call during which something else happened
takes two rows, joined by a bar. Knows no markup; imports nothing but how values are shown.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from reports import show
from reports.read import Event

LONGEST = 400
"""Rows shown of one trace; of a longer one the middle is left out, apart from what lies around cited events."""

SETTING = "setting"
"""The lane of whatever is neither a session nor a context."""

_LANES = ("session-", "context-", "xa-session-", "xa-context-")
_AROUND = 12
_TEXT = 60
_VERBS = ("set_", "write_", "read_", "get_", "send", "receive", "create_", "append")
_ANSWERS = ("receive", "get_", "read_", "lookup", "has_", "is_")
_QUALITIES = ("acknowledge_mode", "session_mode", "selector", "message_selector", "subscription", "name", "client_id")
_FLAGS = ("transacted", "durable", "shared", "no_local")
_MODES = {0: "transacted", 1: "auto", 2: "client", 3: "dups-ok"}


class Token(NamedTuple):
    """A message as the eye follows it: one letter and one hue for one JMSMessageID."""

    letter: str
    hue: int
    body: str
    id: str


@dataclass(frozen=True, slots=True)
class Lane:
    """A column: the session, context or connection that acts."""

    label: str
    note: str


class Act(NamedTuple):
    """What a row says.

    `given` is the message that went into the call, `got` the one that came out of it; `returned` marks the end of a call
    that began in an earlier row.
    """

    subject: str
    member: str
    given: Token | None
    arguments: str
    returned: bool
    got: Token | None
    answer: str
    failed: bool
    tags: tuple[str, ...]
    cited: bool


@dataclass(frozen=True, slots=True)
class Step:
    """A row of the diagram.

    `kind` is call (invoke and return in one row), invoke, return, delivered, delivery (both ends of a listener's call
    in one row). `until` is the row in which a call that other events interrupt ends; 0 for all other rows.
    """

    row: int
    lane: int
    numbers: tuple[int, ...]
    at: str
    kind: str
    act: Act
    until: int = 0

    @property
    def failed(self) -> bool:
        """Whether the call raised."""
        return self.act.failed

    @property
    def cited(self) -> bool:
        """Whether the explanation rests on an event of this row."""
        return self.act.cited


@dataclass(frozen=True, slots=True)
class Gap:
    """Rows that were left out of a long trace."""

    row: int
    count: int


@dataclass(frozen=True, slots=True)
class Diagram:
    """Everything a page needs to draw the lanes."""

    lanes: tuple[Lane, ...]
    steps: tuple[Step, ...]
    gaps: tuple[Gap, ...]
    tokens: tuple[Token, ...]
    height: int


@dataclass(slots=True)
class _Builder:
    cites: frozenset[int]
    start: int
    lanes: dict[str, int] = field(default_factory=lambda: {SETTING: 0})
    tokens: dict[str, Token] = field(default_factory=dict)

    def lane(self, actor: str) -> int:
        """Give the column of a session or context; connections and the suite itself share the first."""
        key = actor if actor.startswith(_LANES) else SETTING
        return self.lanes.setdefault(key, len(self.lanes))

    def token(self, *events: Event | None) -> Token | None:
        for event in reversed(events):
            facts = event.get("message") if event else None
            key = (facts.get("id") or facts.get("label")) if isinstance(facts, Mapping) else None
            if isinstance(facts, Mapping) and isinstance(key, str):
                return self.tokens.get(key) or self._mint(key, facts)
        return None

    def _mint(self, key: str, facts: Mapping[str, Any]) -> Token:
        number = len(self.tokens)
        letter = chr(ord("A") + number % 26) + (str(number // 26) if number >= 26 else "")
        body = show.value(facts["body"], 40) if facts.get("body") is not None else f"{facts.get('kind', '')} message"
        token = self.tokens[key] = Token(letter, number % 8, body, show.one_line(key, 80))
        return token

    def step(self, row: int, kind: str, first: Event, last: Event | None) -> Step:
        numbers = tuple(int(event["seq"]) for event in (first, last) if event)
        begins = first if kind != "return" else None
        args = first.get("args")
        ends = last or (first if kind == "return" else None)
        token = self.token(first, last)
        takes = begins is not None and isinstance(args, Mapping) and "message" in args
        given, got = (token, None) if takes else (None, token)
        act = Act(
            subject=show.one_line(str(first.get("on") or ""), _TEXT),
            member=show.one_line(str(first["op"]).rpartition(".")[2], _TEXT),
            given=given,
            arguments=_arguments(begins, has_token=given is not None) if begins else "",
            returned=begins is None,
            got=got,
            answer=_answer(ends, has_token=got is not None) if ends else "",
            failed=bool(ends and ends["phase"] == "fail"),
            tags=tuple(_tags(first, last)),
            cited=not self.cites.isdisjoint(numbers),
        )
        at = f"{(int(first['t_ns']) - self.start) / 1e6:,.1f}"
        return Step(row, self.lane(str(first.get("actor") or "")), numbers, at, kind, act)


def build(events: Sequence[Event], cites: Collection[int] = ()) -> Diagram:
    """Lay out the events of one case; `cites` are the numbers of those that the explanation rests on."""
    ordered = sorted(events, key=lambda event: int(event["seq"]))
    builder = _Builder(frozenset(cites), int(ordered[0]["t_ns"]) if ordered else 0)
    steps, gaps = _shorten(_steps(ordered, builder))
    created = {str(each.get("label")): each for event in ordered if isinstance(each := event.get("created"), Mapping)}
    return Diagram(
        lanes=tuple(_lane(key, created.get(key, {})) for key in builder.lanes),
        steps=steps,
        gaps=gaps,
        tokens=tuple(builder.tokens.values()),
        height=len(steps) + len(gaps),
    )


def text(diagram: Diagram) -> list[str]:
    """Tell the diagram in lines of plain text, for readers of logs."""
    lines = []
    for step in diagram.steps:
        act = step.act
        numbers = "-".join(map(str, step.numbers))
        given = f" [{act.given.letter} {act.given.body}]" if act.given else ""
        got = f"[{act.got.letter} {act.got.body}] " if act.got else ""
        answer = f" -> {got}{'raised ' if act.failed else ''}{act.answer}".rstrip() if act.got or act.answer else ""
        tags = "".join(f" ({tag})" for tag in (*act.tags, *(("cited",) if act.cited else ())))
        call = f"{act.subject}.{act.member}{given}{act.arguments}{' returned' if act.returned else ''}{answer}{tags}"
        lines.append(f"{numbers:>9} {step.at:>10} ms  {diagram.lanes[step.lane].label:<12} {call}")
    return lines


def _steps(events: Sequence[Event], builder: _Builder) -> list[Step]:
    ends = {int(event["call"]): event for event in events if _is_end(event)}
    steps: list[Step] = []
    open_at: dict[int, int] = {}
    merged: set[int] = set()
    for place, event in enumerate(events, start=1):
        following = events[place] if place < len(events) else None
        number, row = int(event["seq"]), len(steps) + 1
        if number in merged:
            continue
        heard = event["phase"] == "delivered"
        if _is_end(event):
            steps.append(builder.step(row, "return", event, None))
            began = open_at.pop(int(event["call"]), None)
            if began is not None:
                steps[began] = replace(steps[began], until=row)
        elif following is not None and ends.get(number) is following:
            merged.add(int(following["seq"]))
            steps.append(builder.step(row, "delivery" if heard else "call", event, following))
        else:
            open_at[number] = len(steps)
            steps.append(builder.step(row, "delivered" if heard else "invoke", event, None))
    for began in open_at.values():
        step = steps[began]
        tags = (*step.act.tags, "never returned")
        steps[began] = replace(step, until=len(steps), act=step.act._replace(tags=tags))
    return steps


def _is_end(event: Event) -> bool:
    return event["phase"] in {"ok", "fail", "unknown"} and event.get("call") is not None


def _arguments(event: Event, *, has_token: bool) -> str:
    given = event.get("args")
    if not isinstance(given, Mapping):
        return ""
    member = str(event["op"]).rpartition(".")[2]
    if set(given) == {"value"} and not member.startswith(_VERBS):
        return f" = {show.value(given['value'], _TEXT)}"
    shown = [f"{key}={show.value(item, _TEXT)}" for key, item in given.items() if not (key == "message" and has_token)]
    return f"({show.one_line(', '.join(shown), 4 * _TEXT)})" if shown else ""


def _answer(event: Event, *, has_token: bool) -> str:
    if event["phase"] == "fail":
        return show.error(event.get("error"), 4 * _TEXT)
    if event["phase"] == "unknown":
        return "outcome unknown"
    answer = event.get("value")
    if answer is None:
        member = str(event["op"]).rpartition(".")[2]
        return "null" if member.startswith(_ANSWERS) and not has_token else ""
    if has_token and show.is_label(str(answer)):
        return ""
    return show.value(answer, _TEXT)


def _tags(*events: Event | None) -> Iterator[str]:
    first = next(event for event in events if event)
    if first.get("thread") not in {None, "main"}:
        yield show.one_line(f"thread {first['thread']}", _TEXT)
    facts = [event["message"] for event in events if event and isinstance(event.get("message"), Mapping)]
    if facts and facts[-1].get("redelivered") is True:
        count = facts[-1].get("count")
        yield f"redelivered, delivery {count}" if isinstance(count, int) else "redelivered"


def _lane(key: str, created: Mapping[str, Any]) -> Lane:
    if key == SETTING:
        return Lane("suite", "connections and all else")
    return Lane(show.one_line(key, _TEXT), _note(created))


def _note(created: Mapping[str, Any]) -> str:
    parts = [str(created["type"])] if created.get("type") else []
    for key in _QUALITIES:
        item = created.get(key)
        if item not in {None, ""}:
            parts.append(
                _MODES.get(item, str(item)) if key.endswith("_mode") and isinstance(item, int) else show.value(item, 30)
            )
    parts += [flag.replace("_", "-") for flag in _FLAGS if created.get(flag) is True and flag not in parts]
    if created.get("parent"):
        parts.append(f"of {show.one_line(str(created['parent']), 30)}")
    return ", ".join(dict.fromkeys(parts))


def _shorten(steps: list[Step]) -> tuple[tuple[Step, ...], tuple[Gap, ...]]:
    """Leave out the middle of a long trace, keep what lies around cited events, and number the rows anew."""
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
        replace(steps[place], row=row, until=moved(steps[place].until)) for place, row in zip(places, rows, strict=True)
    )
    return tuple(numbered), tuple(gaps)
