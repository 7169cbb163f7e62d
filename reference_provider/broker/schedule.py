"""Messages that are not due yet. Guarded by the broker lock, except for the timer of the clock."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator

from reference_provider.broker.physical_destinations import StoredDeliveryQueue
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.clock import ProviderClock, Timer


class Schedule:
    """Messages with their delivery queues, by delivery time and number; one timer of the clock for the earliest.

    The clock calls `release`, without any lock held, when a message is due.
    """

    __slots__ = ("_clock", "_heap", "_release", "_timer")

    def __init__(self, clock: ProviderClock, release: Callable[[], None]) -> None:
        self._clock = clock
        self._release = release
        self._heap: list[tuple[int, int, int, StoredDeliveryQueue, StoredMessage]] = []
        self._timer: Timer | None = None

    def add(self, delivery_queue: StoredDeliveryQueue, entry: StoredMessage) -> None:
        """Keep `entry` for `delivery_queue` until it is due."""
        heapq.heappush(self._heap, (entry.delivery_time, entry.number, id(delivery_queue), delivery_queue, entry))
        self._set_timer()

    def is_empty(self) -> bool:
        """Return whether no message waits for its delivery time."""
        return not self._heap

    def due(self) -> Iterator[tuple[StoredDeliveryQueue, StoredMessage]]:
        """Remove and yield the messages that are due now, in order of delivery time."""
        while self._heap and self._heap[0][0] <= self._clock.now():
            _, _, _, delivery_queue, entry = heapq.heappop(self._heap)
            yield delivery_queue, entry
        self._set_timer()

    def waiting_for(self, delivery_queue: StoredDeliveryQueue) -> Iterator[StoredMessage]:
        """Yield the messages of `delivery_queue` that are not due yet."""
        return (item[4] for item in self._heap if item[3] is delivery_queue)

    def drop(self, delivery_queue: StoredDeliveryQueue) -> None:
        """Forget all messages of `delivery_queue`."""
        self._heap = [item for item in self._heap if item[3] is not delivery_queue]
        heapq.heapify(self._heap)

    def stop(self) -> None:
        """Cancel the timer."""
        if self._timer is not None:
            self._timer.cancel()

    def _set_timer(self) -> None:
        if not self._heap:
            return
        when = self._heap[0][0]
        if self._timer is None or self._timer.callback is None or self._timer.when != when:
            if self._timer is not None:
                self._timer.cancel()
            self._timer = self._clock.call_at(when, self._release)
