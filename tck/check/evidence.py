"""The material of stories: rows of a trace as plain values, the names of their objects, and their events.

May import `columns` and `tables`; must not judge.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, Self, TypeAlias

import numpy as np

from tck.check.columns import ALWAYS, NEVER, NONE, Array, Op, Out, Table
from tck.check.tables import Tables

Labels: TypeAlias = Mapping[int, str]


@dataclass(frozen=True, slots=True)
class Names:
    """Names for the numbers in the columns; an object without a name is shown by kind and number."""

    messages: Labels = field(default_factory=dict)
    streams: Labels = field(default_factory=dict)
    sessions: Labels = field(default_factory=dict)
    connections: Labels = field(default_factory=dict)
    consumers: Labels = field(default_factory=dict)
    endpoints: Labels = field(default_factory=dict)
    destinations: Labels = field(default_factory=dict)
    selectors: Labels = field(default_factory=dict)

    def message(self, msg: int) -> str:
        """Name a message."""
        return self.messages.get(msg) or f"message {msg & 0xFFFFFFFF} of {self.stream(msg >> 32)}"

    def stream(self, stream: int) -> str:
        """Name a producer or context."""
        return self.streams.get(stream, f"producer {stream}")

    def session(self, session: int) -> str:
        """Name a session."""
        return self.sessions.get(session, f"session {session}")

    def connection(self, connection: int) -> str:
        """Name a connection."""
        return self.connections.get(connection, f"connection {connection}")

    def consumer(self, consumer: int) -> str:
        """Name a consumer."""
        return self.consumers.get(consumer, f"consumer {consumer}" if consumer >= 0 else "a consumer")

    def endpoint(self, end: int) -> str:
        """Name a queue or subscription."""
        return self.endpoints.get(end, f"endpoint {end}" if end >= 0 else "an unknown place")

    def destination(self, dest: int) -> str:
        """Name a queue or topic."""
        return self.destinations.get(dest, f"destination {dest}" if dest >= 0 else "a destination")


class TraceTime(int):
    """A time in nanoseconds since the run started; the format `time` shows it in milliseconds."""

    def __format__(self, spec: str) -> str:
        if spec != "time":
            return int.__format__(self, spec)
        if self >= NEVER or self <= ALWAYS:
            return "an unknown time"
        return f"+{self / 1_000_000:.3f} ms"


class EvidenceRow:
    """One row as plain values, with `message`, the name of its message."""

    __slots__ = ("message", "values")

    def __init__(self, values: dict[str, int], message: str) -> None:
        self.values = values
        self.message = message

    def __getattr__(self, name: str) -> object:
        try:
            value = self.values[name]
        except KeyError:
            raise AttributeError(name) from None
        if isinstance(value, bool):
            return "true" if value else "false"
        return TraceTime(value) if name in _TIMES else value


_TIMES: Final = frozenset({"t0", "t1", "open0", "open1", "gone0", "gone1"})


class RowText(str):  # noqa: SLOT000 - a str cannot hold a slot's value
    """Text about a row, with access to the row's values: `{other}`, `{other.prio}`, `{other.row.count}`."""

    row: EvidenceRow | None

    def __new__(cls, text: str, row: EvidenceRow | None = None) -> Self:
        """Make the text, about a row or about none."""
        phrase = super().__new__(cls, text)
        phrase.row = row
        return phrase

    def __getattr__(self, name: str) -> object:
        return getattr(self.row, name)


class Evidence:
    """The rows available to stories.

    `events` has the event numbers of a row by (session, seq), the one to cite first; without it a row is cited by session
    and seq. `differences` describes the differences between a delivery and its send.
    """

    def __init__(
        self,
        rows: Table,
        tables: Tables,
        names: Names,
        events: Mapping[tuple[int, int], tuple[int, ...]] | None = None,
        differences: Mapping[tuple[int, int], str] | None = None,
    ) -> None:
        self.rows = rows
        self.tables = tables
        self.names = names
        self.events = events
        self.differences = differences or {}

    @cached_property
    def _by_place(self) -> dict[tuple[int, int], int]:
        places = zip(self.rows.session.tolist(), self.rows.seq.tolist(), strict=True)
        return {place: index for index, place in enumerate(places)}

    def at(self, session: int, seq: int) -> EvidenceRow | None:
        """Find a row."""
        index = self._by_place.get((session, seq))
        return None if index is None else self.row(index)

    def row(self, index: int) -> EvidenceRow:
        """Return a row by number."""
        values = self.rows.row(index)
        return EvidenceRow(values, self.names.message(values["msg"]))

    def first(self, mask: Array) -> EvidenceRow | None:
        """Return the earliest marked row."""
        found = np.flatnonzero(mask)
        return self.row(int(found[np.argmin(self.rows.t0[found])])) if len(found) else None

    def send_of(self, msg: int) -> EvidenceRow | None:
        """Return the send of a message."""
        return self.first((self.rows.msg == msg) & (self.rows.op == Op.SEND))

    def end_of_unit(self, unit: int) -> EvidenceRow | None:
        """Return the settling call of a unit."""
        settling = np.isin(self.rows.op, (Op.ACK, Op.COMMIT, Op.ROLLBACK, Op.RECOVER, Op.CLOSE, Op.CRASH))
        ending = (self.rows.unit == unit) & settling & (self.rows.consumer == NONE)
        failed = (self.rows.op == Op.CLOSE) & (self.rows.out != Out.OK)
        return self.first(ending & ~failed) or self.first(ending)


@dataclass(frozen=True, slots=True)
class Trace:
    """A trace ready to be judged, with the material of its stories."""

    rows: Table
    tables: Tables
    evidence: Evidence
