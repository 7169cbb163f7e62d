"""The kinds of calls that the attempts of a run made, each once: what the coverage of the official API list counts.

A worker notes a kind of call when an attempt that held, or recorded a behaviour, made it for the first time, so that nobody has
to read the events of thousands of cases again for it. In `calls.ndjson.zst` each is an object with these keys:

    op       the member, as in an event
    args     its arguments, as in an event; left out: none
    message  the label of the message of the call's beginning; left out: it has none
    error    the type of the exception that it raised; left out: it returned
    made     the type of the exception that the provider made on request
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple, Self, TypeAlias

from tck.record import compressed, lines
from tck.record.outcomes import Outcome

CALLS = f"calls.ndjson{compressed.SUFFIX}"
"""The file of a run that ended; bundles of earlier kits lack it."""

COUNTED = frozenset({Outcome.HELD, Outcome.OBSERVED})
"""Outcomes of attempts whose calls count."""


class Call(NamedTuple):
    """One call and its end. `made` is the type of an exception that the provider made on request."""

    op: str
    args: Mapping[str, Any]
    message: str | None = None
    error: str | None = None
    made: str | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the object of its line."""
        return {name: value for name, value in self._asdict().items() if value not in (None, {})}

    @classmethod
    def from_json(cls, row: Mapping[str, Any]) -> Self:
        """Return the call of a line.

        Raises:
            TypeError: The line is none.
        """
        return cls(**{"args": {}, **row})


Kinds: TypeAlias = Mapping[Hashable, Call]
"""A call of each kind; calls with equal keys resolve to the same overload and ended alike."""


def calls_of(events: Iterable[Mapping[str, Any]]) -> Iterator[Call]:
    """Yield the calls among the events of an attempt that returned or raised, in the order of their ends."""
    begun: dict[int, Mapping[str, Any]] = {}
    for event in events:
        if event["phase"] in {"invoke", "delivered"}:
            begun[event["seq"]] = event
        elif event["phase"] in {"ok", "fail"} and event["call"] in begun:
            yield _ended(begun[event["call"]], event)


def _ended(begun: Mapping[str, Any], end: Mapping[str, Any]) -> Call:
    message = (begun.get("message") or {}).get("label")
    if end["phase"] == "fail":
        return Call(begun["op"], begun.get("args") or {}, message, end["error"]["type"])
    return Call(begun["op"], begun.get("args") or {}, message, None, made_by(end.get("value")))


def made_by(value: object) -> str | None:
    """Return the type of a recorded value that is an object, None for any other."""
    kind = value.get("type") if isinstance(value, dict) else None
    return kind if isinstance(kind, str) else None


def merge(parts: Collection[Path], out: Path, *, todo: str) -> None:
    """Write the kinds of calls of all workers as one file, each line once; a torn last line is left out."""
    rows = {lines.line(row) for path in parts for _, row in lines.read_lines(path, todo=todo, torn=True)}
    lines.write_whole(out, compressed.pack(b"".join(sorted(rows)), compressed.SMALL))
