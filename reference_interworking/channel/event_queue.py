"""The events that wait for one consumer: their order, their lives, and which of them go when there are too many.

An event's own header comes before the quality of service of the proxy. AnyOrder is order of arrival. Of events with one
priority or one deadline the older is delivered first; the younger is discarded first. An event that StartTime holds back counts
as waiting, and takes the place of its arrival once it is due. An event is dead from the millisecond in which its life
ends. Guarded by the channel's lock. Imports `tck.interworking` only.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from reference_interworking.channel.settings import TICKS, Settings
from tck.interworking import EVENT_RELIABILITY, PERSISTENT, PRIORITY, STOP_TIME, TIMEOUT, StructuredEvent
from tck.interworking.qos import (
    DEADLINE_ORDER,
    DISCARD_POLICY,
    FIFO_ORDER,
    LIFO_ORDER,
    MAX_EVENTS_PER_CONSUMER,
    ORDER_POLICY,
    PRIORITY_ORDER,
    START_TIME,
)

_EPOCH: Final = 122_192_928_000_000_000
"""Units of 100 ns from 1582-10-15, where UtcT begins, to 1970-01-01."""
_NEVER: Final = 2**64


@dataclass(frozen=True, slots=True)
class Waiting:
    """An event that waits for one consumer.

    Attributes:
        event: The event.
        number: Its place in the order of arrival at the channel.
        priority: Of the event, else of the proxy.
        since: From when it may be delivered, ms since the epoch.
        deadline: When its life ends, ms since the epoch.
        persistent: Whether it outlives a crash.
    """

    event: StructuredEvent
    number: int
    priority: int
    since: int
    deadline: int
    persistent: bool


@dataclass(frozen=True, slots=True)
class Given:
    """What mapping filters give an event: its priority, and its life in units of 100 ns; None for what it has without them."""

    priority: int | None = None
    life: int | None = None


_Key = Callable[[Waiting], tuple[int, int]]

_DISCARDED_FIRST: Final[Mapping[int, _Key]] = {
    LIFO_ORDER: lambda each: (-each.number, 0),
    PRIORITY_ORDER: lambda each: (each.priority, -each.number),
    DEADLINE_ORDER: lambda each: (each.deadline, -each.number),
}


_AS_IT_IS: Final = Given()


class EventQueue:
    """The events that wait for one consumer.

    Args:
        qos: Of the consumer's proxy; a change holds for events that wait already, but for their priorities and lives.
        stable: Whether PriorityOrder keeps the order of arrival within a priority; a channel that does not turns it round.
    """

    __slots__ = ("_held", "_next_deadline", "_policy", "_qos", "_ready", "_stable")

    def __init__(self, qos: Settings, *, stable: bool) -> None:
        self._qos = qos
        self._stable = stable
        self._policy = FIFO_ORDER
        self._ready: list[Waiting] = []  # in the order of delivery
        self._held: list[Waiting] = []  # by the time from which they may be delivered
        self._next_deadline = _NEVER

    def __len__(self) -> int:
        return len(self._ready) + len(self._held)

    def put(self, event: StructuredEvent, number: int, now: int, most: int, given: Given = _AS_IT_IS) -> None:
        """Add an event; where more than `most` (0: any number) or than MaxEventsPerConsumer wait, discard one by DiscardPolicy.

        Args:
            event: The event.
            number: Greater than that of any event before.
            now: ms since the epoch.
            most: A limit beside that of the quality of service.
            given: What the event has instead of its own priority and life.
        """
        self._settle(now)
        added = self._waiting(event, number, now, given)
        self._next_deadline = min(self._next_deadline, added.deadline)
        if added.since > now:
            insort(self._held, added, key=lambda each: each.since)
        else:
            insort(self._ready, added, key=self._key())
        limits = [limit for limit in (most, self._qos[MAX_EVENTS_PER_CONSUMER]) if limit]
        if limits and len(self) > min(limits):
            key = _DISCARDED_FIRST.get(self._qos[DISCARD_POLICY], lambda each: (each.number, 0))
            self._forget({min([*self._ready, *self._held], key=key).number})

    def take(self, most: int, now: int) -> tuple[Waiting, ...]:
        """Remove and return at most `most` events that may be delivered now."""
        self._settle(now)
        taken = tuple(self._ready[:most])
        del self._ready[:most]
        return taken

    def put_back(self, events: tuple[Waiting, ...]) -> None:
        """Add events again that were taken, each in its place."""
        for each in events:
            insort(self._ready, each, key=self._key())
            self._next_deadline = min(self._next_deadline, each.deadline)

    def all(self) -> tuple[Waiting, ...]:
        """Return all events that wait."""
        return (*self._ready, *self._held)

    def fill(self, events: list[Waiting]) -> None:
        """Let these events wait, and no others."""
        self._held = sorted(events, key=lambda each: each.since)
        self._forget(set())

    def ready(self, now: int) -> tuple[int, int]:
        """Return how many events may be delivered now, and since when the first of them may, ms since the epoch."""
        self._settle(now)
        return len(self._ready), min((each.since for each in self._ready), default=now)

    def next_start(self) -> int | None:
        """Return when the next event that is held back may be delivered, ms since the epoch; None if there is none."""
        return self._held[0].since if self._held else None

    def lose_volatile(self) -> None:
        """Forget all events that are not persistent."""
        self._forget({each.number for each in (*self._ready, *self._held) if not each.persistent})

    def _waiting(self, event: StructuredEvent, number: int, now: int, given: Given) -> Waiting:
        start, stop = _time(event, START_TIME), _time(event, STOP_TIME)
        life = _number(event, TIMEOUT, self._qos[TIMEOUT]) if given.life is None else given.life
        ends = [_NEVER]
        if stop is not None:
            ends.append(stop)
        if life:
            ends.append(now - -life // TICKS)
        return Waiting(
            event,
            number,
            _number(event, PRIORITY, self._qos[PRIORITY]) if given.priority is None else given.priority,
            now if start is None else max(now, start),
            min(ends),
            _number(event, EVENT_RELIABILITY, self._qos[EVENT_RELIABILITY]) == PERSISTENT,
        )

    def _key(self) -> _Key:
        sign = 1 if self._stable else -1
        if self._policy == PRIORITY_ORDER:
            return lambda each: (-each.priority, sign * each.number)
        if self._policy == DEADLINE_ORDER:
            return lambda each: (each.deadline, each.number)
        return lambda each: (each.number, 0)

    def _settle(self, now: int) -> None:
        """Drop what is dead, move what is due, and follow a changed policy."""
        if self._next_deadline <= now:
            self._forget({each.number for each in (*self._ready, *self._held) if each.deadline <= now})
        due = [each for each in self._held if each.since <= now]
        if due or self._policy != self._qos[ORDER_POLICY]:
            self._policy = self._qos[ORDER_POLICY]
            del self._held[: len(due)]
            self._ready = sorted([*self._ready, *due], key=self._key())

    def _forget(self, gone: set[int]) -> None:
        self._ready = [each for each in self._ready if each.number not in gone]
        self._held = [each for each in self._held if each.number not in gone]
        self._next_deadline = min((each.deadline for each in (*self._ready, *self._held)), default=_NEVER)


def _number(event: StructuredEvent, name: str, default: int) -> int:
    """Return an item of the header if it is a whole number, else the default."""
    found = event.field(name)
    return default if found is None or type(found.value) is not int else found.value


def _time(event: StructuredEvent, name: str) -> int | None:
    """Return an item of the header that is a UtcT, rounded up to ms since the epoch; None for anything else."""
    found = event.field(name)
    if found is None or not isinstance(found.value, tuple) or not found.value or type(found.value[0]) is not int:
        return None
    return -((_EPOCH - found.value[0]) // TICKS)
