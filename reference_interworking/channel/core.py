"""What all objects of one channel share: the lock, the clock, the consumers' queues, and whether the channel answers.

Imports `tck.api` and `tck.interworking` only.
"""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol, TypeVar, cast

from reference_interworking.channel.dispatcher import Dispatcher
from reference_interworking.channel.settings import ADMIN, QOS, TRANSACTED_ADMIN, TRANSACTED_QOS, Settings
from tck.api import Clock
from tck.interworking import StructuredEvent
from tck.interworking.acknowledgment import DeliveryFailure
from tck.interworking.qos import (
    MAX_CONSUMERS,
    MAX_QUEUE_LENGTH,
    MAX_SUPPLIERS,
    REJECT_NEW_EVENTS,
    CommFailure,
    ImpLimit,
    ObjectNotExist,
    UnsupportedAdmin,
    UnsupportedQoS,
)
from tck.interworking.transactions import Current

_Kind = TypeVar("_Kind")


@dataclass(frozen=True, slots=True)
class Options:
    """What a channel does where the service leaves it open.

    Attributes:
        tries: How often a call to a client is made that raises, before the channel disconnects it.
        retry_ms: Time from a failed call to the next.
        pull_ms: Time from a pull that finds nothing to the next, where PacingInterval is 0.
        stable_priority: Whether PriorityOrder keeps the order of arrival within a priority.
    """

    tries: int = 3
    retry_ms: int = 2_000
    pull_ms: int = 1_000
    stable_priority: bool = True


class Sink(Protocol):
    """A consumer's proxy. Both methods are called under the channel's lock."""

    def room(self, most: int) -> int | None:
        """Return how many more events may wait, if `most` may; None if the proxy takes none."""

    def offer(self, event: StructuredEvent, number: int, now: int, most: int) -> None:
        """Queue the event if it passes the filters; `most` events may wait, 0 for any number."""


class Undecided(Protocol):
    """A change that a transaction will decide on; see `transacted.Change`."""

    def crash(self) -> None:
        """Undo what is not prepared. Needs the lock."""

    def recover(self) -> None:
        """Ask for the decision. The lock may not be held."""


class Core:
    """The common part of a channel.

    `lock` guards everything of the channel. Under it filters are asked and events of the clock are set, and no client is called;
    the locks of a clock come after it.
    """

    def __init__(
        self,
        clock: Clock,
        options: Options,
        name: str,
        kinds: Mapping[type, type] | None = None,
        current: Current | None = None,
        lock: AbstractContextManager[object] | None = None,
        *,
        transacted: bool = False,
    ) -> None:
        self._kinds = kinds or {}
        self.clock = clock
        self.options = options
        self.lock = lock or threading.Lock()
        self.transacted = transacted or current is not None  # a channel from a file may get its service later
        self.qos = Settings(TRANSACTED_QOS if self.transacted else QOS, UnsupportedQoS)
        self.limits = Settings(TRANSACTED_ADMIN if self.transacted else ADMIN, UnsupportedAdmin)
        self.counts = {MAX_CONSUMERS: 0, MAX_SUPPLIERS: 0}  # proxies of each side, connected or not
        self.sinks: list[Sink] = []
        self.name = name
        self.dispatcher = Dispatcher(clock, self.lock, name)
        self.destroyed = False
        self.crashed = False
        self.failures: list[DeliveryFailure] = []  # of all channels of the factory
        self.current = current
        self.changes: list[Undecided] = []  # of transactions that have not ended
        self.made_changes = 0
        self.keepable: Callable[[StructuredEvent], object] = lambda _: (
            None
        )  # raises for an event that a file could not keep
        self._numbers = itertools.count()

    def number_from(self, upcoming: int) -> None:
        """Give the next event this number in the order of arrival. Needs the lock."""
        self._numbers = itertools.count(upcoming)

    def kind(self, kind: type[_Kind]) -> type[_Kind]:
        """Return the class that stands for a kind of proxy in this channel: itself, unless the factory was told otherwise."""
        return cast("type[_Kind]", self._kinds.get(kind, kind))

    def check(self) -> None:
        """Raise if the channel does not answer. Needs the lock."""
        if self.destroyed:
            raise ObjectNotExist(f"{self.name} is destroyed")
        if self.crashed:
            raise CommFailure(f"{self.name} has crashed and is not started again")

    def has_room(self, count: int) -> bool:
        """Return whether so many events would not be rejected. Needs the lock."""
        most = self.limits[MAX_QUEUE_LENGTH]
        if not most or not self.limits[REJECT_NEW_EVENTS]:
            return True
        rooms = (room for sink in self.sinks if (room := sink.room(most)) is not None)
        return min(rooms, default=most) >= count

    def publish(self, events: Sequence[StructuredEvent], *, promised: bool = False) -> None:
        """Queue events for all consumers, or raise ImpLimit and queue none, unless their room was promised. Needs the lock.

        MaxQueueLength bounds the queue of each consumer: what the channel keeps is what the slowest has yet to get.
        """
        most = self.limits[MAX_QUEUE_LENGTH]
        if not promised and not self.has_room(len(events)):
            raise ImpLimit(f"{self.name} is full: {most} events wait for a consumer, and it rejects new ones")
        now = self.clock.now()
        for event in events:
            number = next(self._numbers)
            for sink in self.sinks:
                sink.offer(event, number, now, most)
        self.dispatcher.wake()

    def start(self) -> None:
        """Start the dispatcher's thread, if there are connections to serve and it does not run. The lock may not be held."""
        with self.lock:
            dispatcher = self.dispatcher
            first = dispatcher.is_to_start()
        if first:
            dispatcher.start()

    def stop(self) -> None:
        """End the dispatcher's thread; a new one may serve later. Needs the lock."""
        self.dispatcher.close()
        self.dispatcher = Dispatcher(self.clock, self.lock, self.name)
