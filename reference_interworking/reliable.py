"""Numbers of events on one connection: giving them, reading them, and knowing those that came already.

Shared by the channel and the bridges; not safe between threads, each owner has its lock. Imports `tck.interworking` only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from tck.interworking import Any_, Kind, Property, StructuredEvent
from tck.interworking.acknowledgment import (
    ACKNOWLEDGMENT,
    DELIVERY_RELIABILITY,
    LAST_NUMBER,
    RETRIES,
    RETRY_INTERVAL,
    SEQUENCE_NUMBER,
)
from tck.interworking.clients import Batch
from tck.interworking.qos import Properties

_TICKS: Final = 10_000
_MANY: Final = 10_000
"""More numbers than this are not taken for a gap: a supplier that began elsewhere than at 0."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What the quality of service says on the delivery of a connection.

    Attributes:
        on: Whether events are acknowledged.
        interval: Time before a retry, in ms, at least 1.
        retries: How often a call is repeated.
    """

    on: bool
    interval: int
    retries: int

    @classmethod
    def of(cls, qos: Properties) -> Terms:
        """Read them; a channel that does not know the properties has no acknowledgment."""
        return cls(
            qos.get(DELIVERY_RELIABILITY) == ACKNOWLEDGMENT,
            max(1, -(-qos.get(RETRY_INTERVAL, 0) // _TICKS)),
            qos.get(RETRIES, 0),
        )


class Series:
    """The numbers that a supplier side gives: 0, 1, 2 ... `LAST_NUMBER`, 0."""

    def __init__(self) -> None:
        self.upcoming = 0

    def give(self) -> int:
        """Return the next number."""
        given = self.upcoming
        self.upcoming = 0 if given == LAST_NUMBER else given + 1
        return given


def number_of(events: Sequence[StructuredEvent]) -> int | None:
    """Return the number of an event or batch; None for one without, or of another type."""
    found = events[0].field(SEQUENCE_NUMBER) if events else None
    return found.value if found is not None and found.type.kind is Kind.LONG and type(found.value) is int else None


def with_number(events: Batch, number: int) -> Batch:
    """Return a batch whose first event has a number; what was left from an earlier hop is gone from all."""
    item = Property(SEQUENCE_NUMBER, Any_.of(Kind.LONG, number))
    bare = [_without(each) for each in events]
    header = replace(bare[0].header, variable_header=(*bare[0].header.variable_header, item))
    return (replace(bare[0], header=header), *bare[1:])


def _without(event: StructuredEvent) -> StructuredEvent:
    items = tuple(each for each in event.header.variable_header if each.name != SEQUENCE_NUMBER)
    return replace(event, header=replace(event.header, variable_header=items))


class Repetitions:
    """Which numbers a consumer side has stored: all up to the last, in a circle, but for those left out."""

    def __init__(self) -> None:
        self._last: int | None = None
        self._missing: set[int] = set()

    @property
    def state(self) -> tuple[int | None, list[int]]:
        """The last number, and those left out; to be kept and set again."""
        return self._last, sorted(self._missing)

    @state.setter
    def state(self, kept: tuple[int | None, list[int]]) -> None:
        self._last, self._missing = kept[0], set(kept[1])

    def has(self, number: int) -> bool:
        """Return whether a number was stored."""
        return self._last is not None and not _is_after(number, self._last) and number not in self._missing

    def note(self, number: int) -> None:
        """Note a number as stored."""
        before, self._missing = self._last, self._missing - {number}
        if before is not None and not _is_after(number, before):
            return
        gap = (number - (-1 if before is None else before)) % (LAST_NUMBER + 1)
        if gap <= _MANY:
            self._missing |= {(number - back) % (LAST_NUMBER + 1) for back in range(1, gap)}
        self._last = number


def _is_after(number: int, last: int) -> bool:
    """Return whether a number is in the half of the circle that follows another."""
    return 0 < (number - last) % (LAST_NUMBER + 1) <= LAST_NUMBER // 2
