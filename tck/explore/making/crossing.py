"""Crossings: programs in which conditions that chance leaves apart meet, by a covering array, and what they send.

The circumstances of a crossing are a combination of `ARRAY`. What its messages hold is taken from `contents`, so that each of
these meets each circumstance of the axes in `CARRIED`: every way in and out with every class of values, sizes and names.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from tck.covering import Array
from tck.programs.program import Json
from tck.programs.values import (
    BODY_TYPES,
    CORRELATIONS,
    ENTRY_NAMES,
    OBJECTS,
    PROPERTY_NAMES,
    PROPERTY_TYPES,
    SIZED,
    TABLES,
    TYPES,
)

AXES: Final[Mapping[str, Sequence[str]]] = {
    "api": ("classic", "simplified", "domain-specific"),
    "end": ("queue", "plain", "shared", "durable", "shared_durable"),
    "mode": ("auto", "client", "dups_ok", "transacted"),
    "opened": ("before", "after"),
    "way": ("receive", "no wait", "body", "listener", "waiting", "browser", "server session"),
    "sending": (
        "plain", "unbound", "arguments", "asynchronous", "transacted", "rolled back first", "body", "publish", "foreign", "same session",
    ),
    "terms": ("none", "non-persistent", "priorities", "time to live", "delay", "delay and time to live"),
    "event": (
        "none", "given back", "given back twice", "consumer closed", "session closed", "connection closed", "restart", "kill", "sever",
        "stopped", "sent on", "sent again", "changed", "time passed", "refused call", "unsubscribed",
    ),
    "company": ("none", "consumer", "session", "connection", "subscription", "browser", "rival"),
    "life": ("first", "consumer", "session", "connection", "subscription", "destination object"),
    "count": ("1", "2", "3", "10", "17"),
}  # fmt: skip
"""The values of each axis. `opened` is when the consumer is; a rival consumes from the same end; `life` is what was there before, was used and closed."""
_SHARED: Final = ("shared", "shared_durable")
_TOPIC: Final = ("plain", "shared", "durable", "shared_durable")
_BRIEF: Final = ("plain", "shared")


def _apart(**values: str | Sequence[str]) -> Mapping[str, frozenset[str]]:
    return {axis: frozenset((each,) if isinstance(each, str) else each) for axis, each in values.items()}


EXCLUSIONS: Final = (
    _apart(api="domain-specific", end=_SHARED),
    _apart(api="domain-specific", sending="asynchronous"),
    _apart(api="simplified", sending=("unbound", "arguments", "publish")),
    _apart(api=("classic", "domain-specific"), sending="body"),
    _apart(api="classic", sending="publish"),
    _apart(end="queue", sending="publish"),
    _apart(api=("classic", "domain-specific"), way="body"),
    _apart(api="simplified", way="server session"),
    _apart(end=_TOPIC, way="browser"),
    _apart(end=_TOPIC, company="browser"),
    _apart(end="queue", company="subscription"),
    _apart(end=("plain", "durable"), company="rival"),
    _apart(end="queue", life="subscription"),
    _apart(end=("queue", *_BRIEF), event="unsubscribed"),
    _apart(end=_BRIEF, opened="after"),
    _apart(opened="after", way="waiting"),
    _apart(mode=("auto", "dups_ok"), event=("given back", "given back twice")),
    _apart(way=("listener", "server session"), sending="same session"),
    _apart(way=("listener", "server session"), event=("sent on", "changed")),
    _apart(way="browser", event=("given back", "given back twice", "sent on", "changed", "consumer closed")),
    _apart(way="body", event=("sent on", "changed")),
    _apart(end=_BRIEF, event=("consumer closed", "session closed", "connection closed", "restart", "kill", "sever")),
    _apart(sending="body", event="sent again"),
)
"""What no crossing has: the interface has it not, or nothing would be left to see."""
TRIPLES: Final = (
    ("end", "mode", "event"),
    ("end", "way", "event"),
    ("mode", "way", "event"),
    ("end", "sending", "terms"),
    ("end", "event", "company"),
    ("end", "event", "life"),
    ("api", "end", "way"),
)
ARRAY: Final = Array(AXES, EXCLUSIONS, TRIPLES)
CARRIED: Final = ("api", "end", "way", "sending", "event")
"""The axes with each value of which each content meets."""
LARGE: Final = 20_000
"""A crossing has at most one content of more characters."""
MESSAGES: Final = 3
"""So many messages of a crossing hold contents that were chosen."""
EACH: Final[Mapping[str, int]] = {
    "property": 5, "property name": 1, "text": 1, "object": 1, "entry": 4, "entry name": 1, "item": 5, "written": 5, "type": 1,
    "correlation": 1,
}  # fmt: skip
"""So many contents of each part a message holds, as far as its kind has them."""
KINDS: Final[Mapping[str, tuple[str, ...]]] = {
    "text": ("text",), "bytes": ("written",), "map": ("entry", "entry name"), "stream": ("item",), "object": ("object",), "message": (),
}  # fmt: skip
"""The parts of the body by the kind of message; the others all kinds have."""
CROSSING: Final = "crossing"
"""The theme of these programs."""
Content = tuple[str, Json]
"""A part of a message, and the value or name there."""


@dataclass(frozen=True, slots=True)
class Crossing:
    """The circumstances of a program, by axis, and the arguments of the messages that it makes."""

    circumstances: Mapping[str, str]
    messages: Sequence[Mapping[str, Json]]


@cache
def contents() -> Sequence[Content]:
    """Return all that a message of a crossing may hold: values of each type, sizes and names, by the part that holds them."""
    sized = [each for each, _ in SIZED]
    long_names = ["l" * size for size in (255, 500, 8192)]
    odd_names = [" edge ", "it's", "\t", "\U0001f600", *long_names]
    written = [["utf", each] for each, _ in TABLES["string"] if _utf(each)]
    written += [["utf", each] for each in sized if _utf(each)]
    values = {kind: [[kind, each] for each, _ in table] for kind, table in TABLES.items()}
    values["string"] += [["string", each] for each in sized]
    by_part: Mapping[str, Sequence[Json]] = {
        "property": [each for kind in PROPERTY_TYPES for each in values[kind]],
        "property name": [*(each for each, _ in PROPERTY_NAMES), *long_names],
        "text": values["string"],
        "object": [*(each for each, _ in OBJECTS), *values["string"]],
        "entry": [each for kind in BODY_TYPES for each in values[kind]],
        "entry name": [*(each for each, _ in ENTRY_NAMES), *odd_names],
        "item": [each for kind in BODY_TYPES for each in values[kind]],
        "written": [*(each for kind in BODY_TYPES if kind != "string" for each in values[kind]), *written],
        "type": [*TYPES, *odd_names],
        "correlation": [*CORRELATIONS, *odd_names],
    }
    return [(part, each) for part, every in by_part.items() for each in every]


def _utf(text: Json) -> bool:
    """Return whether a text fits the two bytes that hold its length in a BytesMessage."""
    return len(text) < LARGE if isinstance(text, str) else text["times"] * len(text["of"].encode()) < 2 * LARGE


def _size(content: Content) -> int:
    value = content[1][1] if isinstance(content[1], list) else content[1]
    return int(value["times"]) if isinstance(value, dict) else len(value) if isinstance(value, str) else 0


@cache
def crossings() -> Sequence[Crossing]:
    """Return all crossings, in a fixed order."""
    unmet = {number: {(axis, value) for axis in CARRIED for value in AXES[axis]} for number in range(len(contents()))}
    by_part: dict[str, list[int]] = {}
    for number, (part, _) in enumerate(contents()):
        by_part.setdefault(part, []).append(number)
    return [Crossing(each, list(_messages(each, by_part, unmet))) for each in ARRAY.generate()]


def _messages(
    circumstances: Mapping[str, str], by_part: Mapping[str, Sequence[int]], unmet: Mapping[int, set[tuple[str, str]]]
) -> Iterator[dict[str, Json]]:
    """Yield messages with the contents that have met fewest of these circumstances, of each kind in turn."""
    here = {(axis, circumstances[axis]) for axis in CARRIED}
    wanted = {part: sum(len(unmet[each] & here) for each in every) for part, every in by_part.items()}
    body = sorted(KINDS, key=lambda kind: -max((wanted[part] / EACH[part] for part in KINDS[kind]), default=0))
    large = False
    for kind in body[:MESSAGES]:
        parts: dict[str, list[Json]] = {}
        for part in ("property", "property name", "type", "correlation", *KINDS[kind]):
            for number in sorted(by_part[part], key=lambda each: -len(unmet[each] & here))[: EACH[part] + 3]:
                if len(parts.get(part, ())) == EACH[part] or (large and _size(contents()[number]) > LARGE):
                    continue
                large = large or _size(contents()[number]) > LARGE
                parts.setdefault(part, []).append(contents()[number][1])
                unmet[number].difference_update(here)
        yield _message(kind, parts)


def _message(kind: str, parts: Mapping[str, Sequence[Json]]) -> dict[str, Json]:
    """Return the arguments of the step that makes a message."""
    properties = [[f"c{number}", *each] for number, each in enumerate(parts.get("property", ()))]
    properties += [[each, "int", 5] for each in parts.get("property name", ())]
    headers = {part: parts[part][0] for part in ("type", "correlation") if parts.get(part)}
    found: dict[str, Json] = {"kind": kind, "headers": headers, "properties": properties}
    match kind:
        case "text" | "object":
            found["body"] = parts[kind][0] if parts.get(kind) else ["string", "text"]
        case "map":
            entries = [[f"e{number}", *each] for number, each in enumerate(parts.get("entry", ()))]
            found["body"] = [*entries, *([each, "int", 5] for each in parts.get("entry name", ()))]
        case "bytes":
            found["body"] = list(parts.get("written", ()))
        case "stream":
            found["body"] = list(parts.get("item", ()))
    return found
