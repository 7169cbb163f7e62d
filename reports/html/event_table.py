"""Events as a table: every recorded fact as text, one row for each event, without repeating unchanged message facts."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tck.reports import show
from tck.reports.read import Event

MOST = 2000
"""The most events of one trace; the page says how many are left out and where they are."""

_LIMIT = 400


@dataclass(frozen=True, slots=True)
class FactRow:
    """One event, as text."""

    number: int
    at: str
    thread: str
    actor: str
    call: str
    phase: str
    detail: str
    message: tuple[tuple[str, str], ...]
    known_from: int
    """The event with the other facts of the message; 0 if they are all in this row."""
    cited: bool


def rows(events: Sequence[Event], cites: Collection[int] = ()) -> list[FactRow]:
    """Return the rows of one case; message facts of an earlier row are not repeated."""
    start = int(events[0]["t_ns"]) if events else 0
    seen: dict[str, tuple[int, Mapping[str, Any]]] = {}
    return [_row(event, start, seen, cites) for event in events[:MOST]]


def _row(event: Event, start: int, seen: dict[str, tuple[int, Mapping[str, Any]]], cites: Collection[int]) -> FactRow:
    number = int(event["seq"])
    facts = event.get("message")
    message: tuple[tuple[str, str], ...] = ()
    since = 0
    if isinstance(facts, Mapping):
        label = str(facts.get("label"))
        since, before = seen.get(label, (0, {}))
        seen[label] = (number, facts)
        message = tuple(
            (show.one_line(str(key), 80), show.value(item, _LIMIT))
            for key, item in facts.items()
            if (item != before.get(key) if since else item is not None) or key == "label"
        )
    subject = show.one_line(str(event.get("on") or ""), 80)
    op = show.one_line(str(event["op"]), 80)
    return FactRow(
        number=number,
        at=f"{(int(event['t_ns']) - start) / 1e6:,.3f}",
        thread=show.one_line(str(event.get("thread") or ""), 40),
        actor=show.one_line(str(event.get("actor") or ""), 80),
        call=f"{subject}: {op}" if subject else op,
        phase=str(event["phase"]),
        detail=_detail(event),
        message=message,
        known_from=since,
        cited=number in cites,
    )


def _detail(event: Event) -> str:
    parts: list[str] = []
    given = event.get("args")
    if isinstance(given, Mapping) and given:
        parts.append(", ".join(f"{key}={show.value(item, _LIMIT)}" for key, item in given.items()))
    call = event.get("call")
    if call is not None:
        parts.append(f"of #{call}")
    if event["phase"] == "fail":
        parts.append("raised " + show.error(event.get("error"), _LIMIT))
    elif event.get("value") is not None:
        parts.append("→ " + show.value(event["value"], _LIMIT))
    created = event.get("created")
    if isinstance(created, Mapping):
        parts.append("created " + show.value(dict(created), _LIMIT))
    parts += [f"{key} {show.value(event[key], _LIMIT)}" for key in ("destination", "subscription") if event.get(key)]
    return show.visible("; ".join(parts))
