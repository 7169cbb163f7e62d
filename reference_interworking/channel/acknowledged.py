"""Event acknowledgment on the connections of the stand-in: what a proxy keeps and repeats where DeliveryReliability is Acknowledgment.

`Kept` is the supplier side, behind the proxies for consumers: it numbers, keeps until the acknowledgment, and repeats. Pushes go
on without waiting for acknowledgments; one that raises is repeated before anything newer. A retry counts where it is that of
the oldest item that is kept. What was pulled and is not acknowledged within RetryInterval is given to the next pull again.
`Heard` is the consumer side, behind the proxies for suppliers: it ignores repetitions, and acknowledges what has been published,
from the thread of the channel. Both live as long as the proxy, so over suspension and crash. Guarded by the channel's lock.
Imports `tck.interworking` only.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from reference_interworking.channel.core import Core
from reference_interworking.channel.event_queue import Waiting
from reference_interworking.channel.settings import Settings
from reference_interworking.reliable import Repetitions, Series, Terms, number_of, with_number
from tck.interworking.acknowledgment import (
    DELIVERY_RELIABILITY,
    RETRIES,
    RETRY_INTERVAL,
    DeliveryFailure,
    SequencePullSupplierAck,
    SequencePushSupplierAck,
    StructuredPullSupplierAck,
    StructuredPushSupplierAck,
)
from tck.interworking.channel import Proxy
from tck.interworking.clients import Batch
from tck.interworking.qos import Disconnected, ImpLimit

_LOG: Final = logging.getLogger(__name__)

Hand: TypeAlias = Callable[[Batch], None]
Call: TypeAlias = Callable[[], None]

_ACKNOWLEDGED: Final = (
    StructuredPushSupplierAck,
    SequencePushSupplierAck,
    StructuredPullSupplierAck,
    SequencePullSupplierAck,
)


class Side:
    """What both sides have in common: the terms of the connection, and giving up."""

    def __init__(self, core: Core, qos: Settings, proxy: Proxy) -> None:
        self.core, self.proxy = core, proxy
        self._qos = qos
        self.stopped = False

    @property
    def terms(self) -> Terms:
        """What the quality of service of the proxy says now."""
        return Terms.of({name: self._qos[name] for name in (DELIVERY_RELIABILITY, RETRY_INTERVAL, RETRIES)})

    @property
    def on(self) -> bool:
        """Whether events are acknowledged on the connection."""
        return self.terms.on

    def give_up(self, operation: str) -> None:
        """Stop delivery on the connection, and report it."""
        self.stopped = True
        self.core.failures.append(DeliveryFailure(self.proxy, operation))
        _LOG.error("%s: all retries of %s have failed, delivery has stopped", self.proxy, operation)

    def resume(self) -> None:
        """Deliver again, with all retries; numbers and what was seen stay."""
        self.stopped = False
        self.core.dispatcher.wake()


@dataclass(slots=True)
class Item:
    """An event or a batch that is kept: its number, when it is tried again, and whether the last try raised."""

    number: int
    waiting: tuple[Waiting, ...]
    due: int = 0
    failed: bool = False


class Kept(Side):
    """The supplier side of a connection."""

    operation = "push"

    def __init__(self, core: Core, qos: Settings, proxy: Proxy) -> None:
        super().__init__(core, qos, proxy)
        self.series = Series()
        self.items: list[Item] = []
        self.retried = 0

    def __len__(self) -> int:
        return sum(len(each.waiting) for each in self.items)

    def add(self, waiting: tuple[Waiting, ...]) -> Item:
        """Number and keep what is sent."""
        item = Item(self.series.give(), waiting)
        self.items.append(item)
        return item

    def stamp(self, item: Item) -> Batch:
        """Return the events of an item, the first with its number."""
        return with_number(tuple(each.event for each in item.waiting), item.number)

    def acknowledge(self, numbers: Sequence[int]) -> None:
        """Remove what has these numbers, and nothing else."""
        before = len(self.items)
        self.items = [each for each in self.items if each.number not in numbers]
        if len(self.items) < before:
            self.retried = 0
            self.core.dispatcher.wake()

    # -- push ------------------------------------------------------------------------------------------------------

    def next_call(self, collect: Callable[[int], tuple[Waiting, ...]], hand: Hand, now: int) -> Call | None:
        """Return a push of what is to be repeated, or else of what `collect` gives."""
        if self.stopped:
            return None
        for item in self.items:
            if item.due <= now:
                if item is self.items[0] and item.due and not self._may_retry():
                    return None
                return lambda: self._attempt(item, hand)
            if item.failed:
                return None
        waiting = collect(now)
        if not waiting:
            return None
        fresh = self.add(waiting)
        return lambda: self._attempt(fresh, hand)

    def next_time(self, now: int, otherwise: int | None) -> int | None:
        """Return when there is something to repeat; `otherwise` is when there may be something new."""
        if self.stopped:
            return None
        times = [each.due for each in self.items]
        if otherwise is not None and not any(each.failed for each in self.items):
            times.append(otherwise)
        return max(now, min(times)) if times else None

    def _may_retry(self) -> bool:
        if self.retried >= self.terms.retries:
            self.give_up(self.operation)
            return False
        self.retried += 1
        return True

    def _attempt(self, item: Item, hand: Hand) -> None:
        failed = False
        try:
            hand(self.stamp(item))
        except Disconnected:
            raise
        except Exception as error:  # noqa: BLE001 - a client may raise anything
            _LOG.warning("the client of %s raised %s: %s", self.proxy, type(error).__name__, error)
            failed = True
        with self.core.lock:
            self.tried(item, failed=failed)

    def tried(self, item: Item, *, failed: bool) -> None:
        """Note the end of a push: it is repeated unless it is acknowledged before."""
        item.due, item.failed = self.core.clock.now() + self.terms.interval, failed

    # -- pull ------------------------------------------------------------------------------------------------------

    def pull(self, take: Callable[[int], tuple[Waiting, ...]], now: int) -> Batch:
        """Return what is given again, or else what `take` gives."""
        item = next((each for each in self.items if each.due <= now), None)
        if item is None:
            waiting = take(now)
            if not waiting:
                return ()
            item = self.add(waiting)
        item.due = now + self.terms.interval
        return self.stamp(item)

    # -- the life of the connection --------------------------------------------------------------------------------

    def recover(self) -> None:
        """Keep what is persistent, as the channel starts again after a crash; it is tried at once."""
        for each in self.items:
            each.waiting = tuple(waiting for waiting in each.waiting if waiting.persistent)
            each.due = min(each.due, self.core.clock.now())
        self.items = [each for each in self.items if each.waiting]

    def resume(self) -> None:
        """Deliver again, with all retries."""
        self.retried = 0
        super().resume()


class Heard(Side):
    """The consumer side of a connection; an `Active` of the dispatcher where a supplier pushes and is acknowledged."""

    def __init__(self, core: Core, qos: Settings, proxy: Proxy) -> None:
        super().__init__(core, qos, proxy)
        self.client: Any = None
        self.seen = Repetitions()
        self.owed: list[int] = []
        self.kept: Batch = ()
        self._not_before = 0
        self._failed_pulls = self._failed_acknowledgments = 0

    def serve(self, client: object) -> bool:
        """Acknowledge to a client from now on; return whether it can be acknowledged to."""
        self.client = client if isinstance(client, _ACKNOWLEDGED) else None
        return self.client is not None

    def repeated(self, events: Batch) -> bool:
        """Return whether a batch was stored before; then it is acknowledged again."""
        number = number_of(events)
        if number is None or not self.on or not self.seen.has(number):
            return False
        self._owe(number)
        return True

    def stored(self, events: Batch) -> None:
        """Note a batch as stored, and acknowledge it, unless it has no number."""
        number = number_of(events)
        if number is not None and self.on:
            self.seen.note(number)
            self._owe(number)

    def _owe(self, number: int) -> None:
        if self.client is not None:
            self.owed.append(number)
            self.core.dispatcher.wake()

    # -- push ------------------------------------------------------------------------------------------------------

    def next_step(self, now: int) -> Call | None:
        """Return an acknowledgment of what was pushed."""
        del now
        if not self.owed:
            return None
        number = self.owed.pop(0)
        return lambda: self._acknowledge_push(number)

    def next_time(self, now: int) -> int | None:
        """Return now while there is something to acknowledge."""
        return now if self.owed else None

    def _acknowledge_push(self, number: int) -> None:
        try:
            self.client.acknowledge((number,))
        except Exception as error:  # noqa: BLE001 - a client may raise anything; it will push again
            _LOG.warning(
                "the supplier of %s, told of %d, raised %s: %s", self.proxy, number, type(error).__name__, error
            )

    # -- pull ------------------------------------------------------------------------------------------------------

    def next_pull(self, ask: Callable[[], Batch], publish: Callable[[Batch], None], now: int) -> Call | None:
        """Return the next call to a supplier that is pulled: an acknowledgment that is owed, or else a pull.

        `publish` looks for repetitions, and raises ImpLimit where the channel is full.
        """
        if self.stopped or now < self._not_before:
            return None
        if self.owed:
            return self._acknowledge_pull
        return lambda: self._pull(ask, publish)

    def next_pull_time(self, now: int, otherwise: int | None) -> int | None:
        """Return when there is a call to make; `otherwise` is when a supplier without acknowledgment would be pulled."""
        if self.stopped or otherwise is None:
            return None
        return max(now, self._not_before, 0 if self.owed else otherwise)

    def _pull(self, ask: Callable[[], Batch], publish: Callable[[Batch], None]) -> None:
        try:
            events = self.kept or ask()
        except Disconnected:
            raise
        except Exception as error:  # noqa: BLE001 - a client may raise anything
            self._failed("pull", error)
            return
        if not events:
            self.pulled_nothing()
            return
        try:
            publish(events)
        except ImpLimit:
            self.kept = events
            self.pulled_nothing()
        else:
            self.kept = ()

    def pulled_nothing(self) -> None:
        """Pull again after a while; the pull has not failed."""
        with self.core.lock:
            self._failed_pulls = 0
            self._not_before = self.core.clock.now() + self.pause()

    pause: Callable[[], int] = staticmethod(lambda: 1_000)
    """The time from a pull that finds nothing to the next, in ms; the proxy has its own."""

    def _acknowledge_pull(self) -> None:
        numbers = tuple(self.owed)
        try:
            self.client.acknowledge(numbers)
        except Disconnected:
            raise
        except Exception as error:  # noqa: BLE001 - a client may raise anything
            self._failed("acknowledge", error)
            return
        with self.core.lock:
            del self.owed[: len(numbers)]
            self._reset()

    def _failed(self, operation: str, error: Exception) -> None:
        _LOG.warning("the supplier of %s raised %s: %s", self.proxy, type(error).__name__, error)
        with self.core.lock:
            terms = self.terms
            if self._count(operation) > terms.retries:
                self.give_up(operation)
            self._not_before = self.core.clock.now() + terms.interval

    def _count(self, operation: str) -> int:
        """Count a failure, and return how many there are of its kind."""
        if operation == "pull":
            self._failed_pulls += 1
            return self._failed_pulls
        self._failed_acknowledgments += 1
        return self._failed_acknowledgments

    def _reset(self) -> None:
        self._failed_pulls = self._failed_acknowledgments = 0

    def recover(self) -> None:
        """Forget what was pulled and not published, as the channel starts again after a crash: it is not acknowledged."""
        self.kept = ()

    def resume(self) -> None:
        """Deliver again, with all retries."""
        self._reset()
        super().resume()
