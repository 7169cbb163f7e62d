"""Transactions of the stand-in channel: proxies that begin them, proxies that are called within one, and what a crash leaves.

A proxy push supplier or proxy pull consumer with EnableTransaction is the client of routing transactions (section 2.7.3): it begins one,
hands or asks for a number of events or batches, and asks for the commit; after a rollback it tries again later, for as long as it takes.
A group that is not full goes once PacingInterval, or else TransactionTimeout, has passed. A proxy push consumer or proxy pull supplier
takes part in the transaction of its caller: Requires_shared, and else Allows_none (2.7.6.1). Imports `tck.interworking` only.
"""

from __future__ import annotations

import logging
from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, Final, Protocol

from reference_interworking.channel.core import Core
from reference_interworking.channel.event_queue import EventQueue, Waiting
from reference_interworking.channel.settings import TICKS
from tck.interworking import StructuredEvent
from tck.interworking.qos import (
    MAX_QUEUE_LENGTH,
    PACING_INTERVAL,
    REJECT_NEW_EVENTS,
    CommFailure,
    Disconnected,
    ImpLimit,
)
from tck.interworking.transactions import (
    Coordinator,
    Current,
    InvalidTransaction,
    Resource,
    TransactionPolicy,
    TransactionRequired,
    TransactionRolledBack,
    Vote,
)

_LOG: Final = logging.getLogger(__name__)


class Change(Resource):
    """A change of the channel's events that a transaction decides on; it outlives a crash once it is prepared.

    Made with the channel's lock.

    Attributes:
        number: Names the change in its channel, also after a restart of the process from the channel's file.
    """

    def __init__(self, core: Core) -> None:
        self.core = core
        self.prepared = self.over = False
        self.coordinator: Coordinator | None = None
        core.made_changes += 1
        self.number = core.made_changes
        core.changes.append(self)

    def register(self, coordinator: Coordinator) -> None:
        """Let the transaction decide. The lock may not be held."""
        self.coordinator = coordinator
        coordinator.register_resource(self)

    def prepare(self) -> Vote:
        """Promise that a commit will succeed, unless the channel has crashed or is full."""
        with self.core.lock:
            self.core.check()
            if self.over or not self.possible():
                return Vote.ROLLBACK
            self.prepared = True
            return Vote.COMMIT

    def commit(self) -> None:
        """Let the change take effect."""
        self._decide(self.keep)

    def rollback(self) -> None:
        """Undo the change."""
        self._decide(self.undo)

    def _decide(self, effect: Callable[[], None]) -> None:
        with self.core.lock:
            if self.over:
                return
            self.core.check()
            self._end(effect)

    def _end(self, effect: Callable[[], None]) -> None:
        self.over = True
        self.core.changes.remove(self)
        effect()
        self.core.dispatcher.wake()

    def crash(self) -> None:
        """Undo the change unless it is prepared: its transaction cannot commit any more. Needs the lock."""
        if not self.prepared:
            self._end(self.undo)

    def recover(self) -> None:
        """Ask for the decision that the crash has kept from the channel. The lock may not be held."""
        if self.coordinator is not None:
            self.coordinator.replay_completion(self)

    def possible(self) -> bool:
        """Return whether the change can take effect. Needs the lock."""
        return True

    @abstractmethod
    def keep(self) -> None:
        """Take effect. Needs the lock."""

    @abstractmethod
    def undo(self) -> None:
        """Put everything back. Needs the lock."""


class Queued(Protocol):
    """A proxy with a queue, as far as `Taken` knows it."""

    queue: EventQueue
    out: int

    def arrived(self) -> None:
        """Tell those who wait that the queue has changed."""


class Taken(Change):
    """Events that a transaction takes from a consumer's queue; they count as queued until it commits."""

    def __init__(self, core: Core, proxy: Queued, waiting: tuple[Waiting, ...]) -> None:
        super().__init__(core)
        self._proxy, self._waiting = proxy, waiting
        proxy.out += len(waiting)

    def taken_from(self, proxy: object) -> tuple[Waiting, ...]:
        """Return what the change takes from a proxy's queue. Needs the lock."""
        return self._waiting if proxy is self._proxy else ()

    def keep(self) -> None:
        """Forget the events."""
        self._proxy.out -= len(self._waiting)

    def undo(self) -> None:
        """Put the events back to their places."""
        self._proxy.out -= len(self._waiting)
        self._proxy.queue.put_back(self._waiting)
        self._proxy.arrived()


class Stored(Change):
    """Events that a transaction brings into the channel; no consumer gets them before it commits."""

    def __init__(self, core: Core) -> None:
        super().__init__(core)
        self.events: list[StructuredEvent] = []

    def add(self, events: Sequence[StructuredEvent]) -> None:
        """Bring more events. Needs the lock."""
        self.events += events

    def possible(self) -> bool:
        """Return whether the channel has room, or discards events."""
        return self.core.has_room(len(self.events))

    def keep(self) -> None:
        """Publish the events: their room was looked for when the change was prepared."""
        self.core.publish(self.events, promised=True)

    def undo(self) -> None:
        """Forget the events."""
        self.events.clear()


def policy(proxy: Any) -> TransactionPolicy:  # noqa: ANN401 - any proxy that is called by its client
    """Return whether a proxy is called within a transaction."""
    return TransactionPolicy.REQUIRES_SHARED if proxy.transacts else TransactionPolicy.ALLOWS_NONE


def joined(proxy: Any) -> Coordinator | None:  # noqa: ANN401 - any proxy that is called by its client
    """Return the transaction of a proxy's caller, or None, as the proxy's policy wants it.

    Raises:
        TransactionRequired: It wants one, and there is none.
        InvalidTransaction: It wants none, and there is one.
    """
    current: Current | None = proxy.core.current
    if current is None:
        return None
    found, wanted = current.get_coordinator(), proxy.transaction_policy
    if wanted == TransactionPolicy.REQUIRES_SHARED and found is None:
        raise TransactionRequired(f"{proxy} is called within a transaction only")
    if wanted == TransactionPolicy.ALLOWS_NONE and found is not None:
        raise InvalidTransaction(f"{proxy} is not called within a transaction")
    return found


def group(proxy: Any, now: int) -> tuple[Waiting, ...]:  # noqa: ANN401 - a proxy that pushes
    """Take the events of the next transaction from a proxy's queue: a full group, or one that has waited long enough. Needs the lock."""
    most = proxy.batch_size * proxy.transaction_size
    ready, since = proxy.queue.ready(now)
    wait = _wait(proxy)
    due = ready >= most or (ready and wait and now >= since + wait)
    taken: tuple[Waiting, ...] = proxy.queue.take(most, now) if due else ()
    return taken


def next_group(proxy: Any, now: int) -> int | None:  # noqa: ANN401 - a proxy that pushes
    """Return when a group may be due, unless something comes before. Needs the lock."""
    ready, since = proxy.queue.ready(now)
    wait = _wait(proxy)
    times = [since + wait] if ready and wait else []
    if (start := proxy.queue.next_start()) is not None:
        times.append(start)
    return min(times, default=None)


def _wait(proxy: Any) -> int:  # noqa: ANN401 - a proxy that pushes
    """Return how long a group is waited for, in ms; 0 for ever."""
    pacing = -(-proxy.qos[PACING_INTERVAL] // TICKS)
    return int(pacing or proxy.transaction_timeout * 1000)


def push(proxy: Any, client: Any, taken: Taken, waiting: tuple[Waiting, ...]) -> None:  # noqa: ANN401 - a proxy and its client
    """Push a group of events within a transaction. The lock may not be held."""
    with proxy.core.lock:
        size = proxy.batch_size
    events = [each.event for each in waiting]
    batches = [tuple(events[at : at + size]) for at in range(0, len(events), size)]

    def work(coordinator: Coordinator) -> bool:
        taken.register(coordinator)
        for batch in batches:
            if taken.over:
                raise CommFailure(f"{proxy.core.name} has crashed")
            proxy.hand(client, batch)
        return True

    _routed(proxy, work)


def pull(proxy: Any, client: Any) -> None:  # noqa: ANN401 - a proxy and its client
    """Pull a group of events within a transaction. The lock may not be held."""

    def work(coordinator: Coordinator) -> bool:
        with proxy.core.lock:
            stored = proxy.core.kind(Stored)(proxy.core)
            most = proxy.transaction_size
        stored.register(coordinator)
        some = False
        for _ in range(most):
            batch = proxy.ask(client)
            if not batch:
                break
            some = True
            with proxy.core.lock:
                stored.add([each for each in batch if proxy.passes(each)])
        if not some:
            proxy.idle()
        return some

    _routed(proxy, work)


def _routed(proxy: Any, work: Callable[[Coordinator], bool]) -> None:  # noqa: ANN401 - a proxy that begins transactions
    """Do work in a new transaction, and commit it; roll it back if there was nothing to do, or if it failed."""
    current: Current = proxy.core.current
    with proxy.core.lock:
        seconds = proxy.transaction_timeout
    current.set_timeout(seconds)
    current.begin()
    try:
        coordinator = current.get_coordinator()
        assert coordinator is not None  # noqa: S101 - it has begun
        some = work(coordinator)
    except Disconnected:
        current.rollback()
        raise
    except Exception as error:  # noqa: BLE001 - a client may raise anything
        _LOG.warning("the client of %s raised %s: %s", proxy, type(error).__name__, error)
        current.rollback()
        _later(proxy)
        return
    if not some:
        current.rollback()
        return
    try:
        current.commit()
    except TransactionRolledBack as error:
        _LOG.warning("%s tries again later: %s", proxy, error)
        _later(proxy)


def _later(proxy: Any) -> None:  # noqa: ANN401 - a proxy that begins transactions
    with proxy.core.lock:
        proxy.not_before = proxy.core.clock.now() + proxy.core.options.retry_ms


def store(proxy: Any, events: Sequence[StructuredEvent], coordinator: Coordinator) -> None:  # noqa: ANN401 - a proxy
    """Take events that a supplier pushed within its transaction."""
    with proxy.core.lock:
        proxy.check()
        if not proxy.connected:
            raise Disconnected(f"{proxy} has no client that might push")
        if not proxy.core.has_room(len(events)):
            raise ImpLimit(f"{proxy.core.name} is full; see {MAX_QUEUE_LENGTH} and {REJECT_NEW_EVENTS}")
        stored = proxy.core.kind(Stored)(proxy.core)
        stored.add([each for each in events if proxy.passes(each)])
    stored.register(coordinator)
