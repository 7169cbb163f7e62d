"""The order of delivery, in memory: ten priority levels per queue, waiting consumers, and which messages are taken.

A delivery queue holds the messages of a JMS queue or of one subscription. A level holds message numbers in ascending
order in an `array` and their states in a `bytearray`: nine bytes a message, a C scan to find the next one, and a
redelivered message returns to its own position. Everything here is guarded by the broker lock. Must not know rows or
sessions.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from functools import partial
from itertools import compress
from typing import Protocol

from reference_provider.broker.stored_message import StoredMessage

GONE, FREE, TAKEN = 0, 1, 2
_FREE_BYTE = b"\x01"
_COMPACT_FROM = 64
_RUN = re.compile(b"[^\\0]+")  # of messages that are not removed
_LONG_RUN = 8
_LOADED_AT_ONCE = 256
_TESTED_AT_ONCE = 1000  # messages tested against a selector while the lock is held


class PriorityLevel:
    """The messages of one priority."""

    __slots__ = ("_cursors", "_gone", "_head", "numbers", "states")

    def __init__(self) -> None:
        self.numbers = array("q")
        self.states = bytearray()
        self._head = 0  # no free message is before this position
        self._gone = 0
        self._cursors: dict[object, int] = {}  # per selecting consumer: it wants no free message before this position

    def __len__(self) -> int:
        return len(self.numbers) - self._gone

    def add(self, number: int, state: int = FREE) -> None:
        """Add a message at its position by number, usually the end."""
        numbers = self.numbers
        if not numbers or number > numbers[-1]:
            numbers.append(number)
            self.states.append(state)
            return
        position = bisect_left(numbers, number)
        numbers.insert(position, number)
        self.states.insert(position, state)
        self._lower(position)

    def take(self) -> int | None:
        """Take the first free message."""
        position = self.states.find(_FREE_BYTE, self._head)
        if position < 0:
            self._head = len(self.states)
            return None
        self._head = position + 1
        self.states[position] = TAKEN
        return self.numbers[position]

    def take_matching(self, consumer: object, matches: Callable[[int], bool | None]) -> int | None:
        """Take the first free message that `matches`; each consumer tests a message once.

        If `matches` returns None the search stops, and the next call continues there.
        """
        states, numbers = self.states, self.numbers
        position = self._cursors.get(consumer, 0)
        while (position := states.find(_FREE_BYTE, position)) >= 0:
            matching = matches(numbers[position])
            if matching is None:
                self._cursors[consumer] = position
                return None
            if matching:
                states[position] = TAKEN
                self._cursors[consumer] = position + 1
                return numbers[position]
            position += 1
        self._cursors[consumer] = len(states)
        return None

    def take_number(self, number: int) -> bool:
        """Take the message with this number; return False if it is not free."""
        if not self.is_free(number):
            return False
        self.states[bisect_left(self.numbers, number)] = TAKEN
        return True

    def put_back(self, number: int) -> None:
        """Make a taken message free again, in its own position."""
        position = bisect_left(self.numbers, number)
        self.states[position] = FREE
        self._lower(position)

    def remove(self, number: int) -> None:
        """Remove a message for good; no effect if it is not here."""
        position = bisect_left(self.numbers, number)
        if position == len(self.states) or self.states[position] == GONE:
            return
        self.states[position] = GONE
        self._gone += 1
        if self._gone > _COMPACT_FROM and self._gone * 2 > len(self.states):
            if self._gone == len(self.states):
                self._clear()
            else:
                self._compact()

    def forget(self, consumer: object) -> None:
        """Drop the cursor of a closed consumer."""
        self._cursors.pop(consumer, None)

    def is_free(self, number: int) -> bool:
        """Return whether the message with this number is here and free."""
        position = bisect_left(self.numbers, number)
        return position < len(self.numbers) and self.numbers[position] == number and self.states[position] == FREE

    def free(self) -> Iterator[int]:
        """Yield the numbers of the free messages, in order."""
        return (number for number, state in zip(self.numbers, self.states, strict=True) if state == FREE)

    def free_after(self, number: int, limit: int) -> list[int]:
        """Return up to `limit` free messages after `number`, in order."""
        found: list[int] = []
        position = bisect_right(self.numbers, number)
        while len(found) < limit and (position := self.states.find(_FREE_BYTE, position)) >= 0:
            found.append(self.numbers[position])
            position += 1
        return found

    def present(self) -> Iterator[int]:
        """Yield the numbers of all messages that are not gone, in order."""
        return compress(self.numbers, self.states)

    def next_from(self, number: int, count: int) -> array[int]:
        """Return up to `count` numbers from the position of `number` on, removed ones included."""
        position = bisect_left(self.numbers, number)
        return self.numbers[position : position + count]

    def _lower(self, position: int) -> None:
        self._head = min(self._head, position)
        for consumer, cursor in self._cursors.items():
            if cursor > position:
                self._cursors[consumer] = position

    def _clear(self) -> None:
        self.numbers = array("q")
        self.states = bytearray()
        self._head = self._gone = 0
        for consumer in self._cursors:
            self._cursors[consumer] = 0

    def _compact(self) -> None:
        def moved(position: int) -> int:
            return position - self.states.count(0, 0, position)

        self._head = moved(self._head)
        for consumer, cursor in self._cursors.items():
            self._cursors[consumer] = moved(cursor)
        self.numbers = self._numbers_left()
        self.states = self.states.translate(None, bytes([GONE]))
        self._gone = 0

    def _numbers_left(self) -> array[int]:
        """Return the numbers of messages that are not removed; long runs are copied whole."""
        states, numbers = self.states, self.numbers
        runs = states.count(bytes([GONE, FREE])) + states.count(bytes([GONE, TAKEN]))
        if runs * _LONG_RUN > len(states):
            return array("q", compress(numbers, states))
        left = array("q")
        for run in _RUN.finditer(states):
            left += numbers[run.start() : run.end()]
        return left


class Taker(Protocol):
    """The interface that a delivery queue needs from a consumer."""

    @property
    def matches(self) -> Callable[[StoredMessage], bool] | None:
        """The selector as a predicate, or None for all messages."""
        ...

    def is_open(self) -> bool:
        """Return whether a message may be handed over now: a thread waits, the connection runs, nothing is closed."""
        ...

    def hand_over(self, delivery_queue: DeliveryQueue, entry: StoredMessage) -> None:
        """Accept a message that the delivery queue has marked as taken."""
        ...


class DeliveryQueue:
    """The messages of a queue or of one subscription, in the order of delivery.

    Attributes:
        counts: delivery counts of redelivered messages.
        waiting: the waiting consumers, in the order in which they are served.
        cut_short: the last `take` found nothing but has not tested all messages, to release the lock soon: take again,
            and let other threads have the lock in between.
    """

    __slots__ = ("_by_urgency", "_in_memory", "_levels", "_memory_limit", "_owner", "counts", "cut_short", "waiting")

    def __init__(self, owner: DeliveryQueueOwner, memory_limit: int = 10_000) -> None:
        self._owner = owner
        self._levels: list[PriorityLevel | None] = [None] * 10
        self._by_urgency: list[tuple[int, PriorityLevel]] = []
        self._in_memory: dict[int, StoredMessage] = {}
        self._memory_limit = memory_limit
        self.counts: dict[int, int] = {}
        self.waiting: dict[Taker, None] = {}
        self.cut_short = False

    def __len__(self) -> int:
        return sum(len(level) for _, level in self._by_urgency)

    def level(self, priority: int) -> PriorityLevel:
        """Return the level of a priority, created when first needed."""
        level = self._levels[priority]
        if level is None:
            level = self._levels[priority] = PriorityLevel()
            self._by_urgency = [(p, one) for p in range(9, -1, -1) if (one := self._levels[p]) is not None]
        return level

    def levels(self) -> Iterator[PriorityLevel]:
        """Yield the levels, highest priority first."""
        return (level for _, level in self._by_urgency)

    def put(self, entry: StoredMessage) -> None:
        """Add a message: hand it to the first waiting consumer that wants it, otherwise keep it in order."""
        if not entry.stored or len(self._in_memory) < self._memory_limit:
            self._in_memory[entry.number] = entry
        taker = self._find_waiting(entry) if self.waiting else None
        if taker is None:
            self.level(entry.priority).add(entry.number)
            return
        self.level(entry.priority).add(entry.number, TAKEN)
        taker.hand_over(self, entry)

    def load_order(self, number: int, priority: int, deliveries: int) -> None:
        """Add a message read from the file at start, without its body."""
        self.level(priority).add(number)
        if deliveries:
            self.counts[number] = deliveries

    def take(self, taker: Taker) -> StoredMessage | None:
        """Take the next message for `taker`, highest priority first; discard expired ones on the way.

        Only a limited number are tested against a selector in one call: see `cut_short`.
        """
        self.cut_short = False
        for priority, level in self._by_urgency:
            while True:
                number = level.take() if taker.matches is None else self._next_match(level, taker, taker.matches)
                if number is None:
                    if self.cut_short:
                        return None
                    break
                entry = self._in_memory.get(number) or self._taken_entry(number, level)
                if entry is not None and not (entry.expiration and self._owner.is_expired(entry)):
                    return entry
                self.remove(number, priority)
                if entry is not None:
                    self._owner.discard(self, entry)
        return None

    def _taken_entry(self, number: int, level: PriorityLevel) -> StoredMessage | None:
        try:
            return self.entry(number, level)
        except BaseException:
            level.put_back(number)  # it cannot be read now, but it is not lost
            raise

    def take_number(self, number: int, priority: int) -> bool:
        """Take the message with this number; return False if it is not there or not free."""
        return self.level(priority).take_number(number)

    def _next_match(self, level: PriorityLevel, taker: Taker, matches: Callable[[StoredMessage], bool]) -> int | None:
        tested = loads = 0

        def wanted(number: int) -> bool | None:
            nonlocal tested, loads
            tested += 1
            entry = self._in_memory.get(number)
            if tested > _TESTED_AT_ONCE or (entry is None and loads):
                self.cut_short = True
                return None
            if entry is None:
                loads += 1
                entry = self.entry(number, level)
            return entry is None or matches(entry)

        return level.take_matching(taker, wanted)

    def entry(self, number: int, level: PriorityLevel) -> StoredMessage | None:
        """Return a message, read from the file if its body is no longer in memory; None if it has no row."""
        entry = self._in_memory.get(number)
        if entry is None:
            self._make_room()
            for loaded in self._owner.load(self, level.next_from(number, _LOADED_AT_ONCE)):
                self._in_memory.setdefault(loaded.number, loaded)
            entry = self._in_memory.get(number)
        return entry

    def _make_room(self) -> None:
        """Drop the oldest half of the bodies from memory if too many have been read."""
        if len(self._in_memory) < self._memory_limit + _LOADED_AT_ONCE:
            return
        readable = [number for number, entry in self._in_memory.items() if entry.stored]
        for number in readable[: len(readable) // 2]:
            del self._in_memory[number]

    def put_back(self, entry: StoredMessage, deliveries: int) -> None:
        """Make a taken message free again, with `deliveries` counted, or hand it to a waiting consumer."""
        self.counts[entry.number] = deliveries
        self._in_memory.setdefault(entry.number, entry)
        level = self.level(entry.priority)
        taker = self._find_waiting(entry)
        if taker is None:
            level.put_back(entry.number)
        else:
            taker.hand_over(self, entry)

    def remove(self, number: int, priority: int) -> None:
        """Remove a message for good."""
        self.level(priority).remove(number)
        self._in_memory.pop(number, None)
        if self.counts:
            self.counts.pop(number, None)

    def wait(self, taker: Taker) -> None:
        """Put `taker` at the end of the waiting line."""
        self.waiting.pop(taker, None)
        self.waiting[taker] = None

    def leave(self, taker: Taker) -> None:
        """Take `taker` out of the waiting line; no effect if it does not wait."""
        self.waiting.pop(taker, None)

    def forget(self, taker: Taker) -> None:
        """Remove all traces of a closed consumer."""
        self.leave(taker)
        for _, level in self._by_urgency:
            level.forget(taker)

    def free_entries(self) -> Iterator[StoredMessage]:
        """Yield the messages that could be delivered now, highest priority first, each level in order."""
        for _, level in self._by_urgency:
            for number in list(level.free()):
                entry = self.entry(number, level)
                if entry is not None:
                    yield entry

    def free_in_parts(self) -> Iterator[Callable[[], list[StoredMessage]]]:
        """Yield functions that return the free messages part by part, without those taken in the meantime.

        All numbers are listed at the first step; the lock may be released between the calls.
        """
        listed = [(level, array("q", level.free())) for _, level in self._by_urgency]
        for level, numbers in listed:
            for start in range(0, len(numbers), _LOADED_AT_ONCE):
                yield partial(self._still_free, level, numbers[start : start + _LOADED_AT_ONCE])

    def _still_free(self, level: PriorityLevel, numbers: array[int]) -> list[StoredMessage]:
        found = (self.entry(number, level) for number in numbers if level.is_free(number))
        return [entry for entry in found if entry is not None]

    def numbers(self) -> list[int]:
        """Return the numbers of all messages here, taken ones included."""
        return [number for _, level in self._by_urgency for number in level.present()]

    def _find_waiting(self, entry: StoredMessage) -> Taker | None:
        """Take the first waiting consumer that wants `entry` out of the line; drop those that no longer wait."""
        for taker in list(self.waiting):
            if not taker.is_open():
                del self.waiting[taker]
            elif (matches := taker.matches) is None or matches(entry):
                del self.waiting[taker]
                return taker
        return None


class DeliveryQueueOwner(Protocol):
    """The interface that a delivery queue needs from the broker."""

    def is_expired(self, entry: StoredMessage) -> bool:
        """Return whether `entry` has expired."""
        ...

    def discard(self, delivery_queue: DeliveryQueue, entry: StoredMessage) -> None:
        """Discard an expired message that has just been taken out."""
        ...

    def load(self, delivery_queue: DeliveryQueue, numbers: array[int]) -> list[StoredMessage]:
        """Read messages from the file; those without a row are left out."""
        ...
