"""The proxies that consumers connect to: each has the queue of its consumer, and pushes from it or is pulled.

Imports `tck.interworking` only.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import ClassVar, TypeVar

from reference_interworking.channel import transacted
from reference_interworking.channel.acknowledged import Kept
from reference_interworking.channel.event_queue import EventQueue, Given, Waiting
from reference_interworking.channel.filtering import mapped
from reference_interworking.channel.proxies import Calling, Owner, StandInProxy
from reference_interworking.channel.settings import TICKS
from tck.api import Event
from tck.interworking import PRIORITY, TIMEOUT, StructuredEvent
from tck.interworking.acknowledgment import (
    SequenceNumbers,
    SequenceProxyPullSupplierAck,
    SequenceProxyPushSupplierAck,
    StructuredProxyPullSupplierAck,
    StructuredProxyPushSupplierAck,
)
from tck.interworking.channel import ConsumerAdmin, ProxyType
from tck.interworking.clients import (
    Batch,
    SequencePullConsumer,
    SequencePushConsumer,
    StructuredPullConsumer,
    StructuredPushConsumer,
)
from tck.interworking.filters import ValueFilter
from tck.interworking.qos import MAXIMUM_BATCH_SIZE, PACING_INTERVAL, Disconnected
from tck.interworking.transactions import Coordinator, TransactionPolicy

ClientT = TypeVar("ClientT")


class Supplying(StandInProxy[ConsumerAdmin, ClientT]):
    """A proxy with the queue of a consumer; it keeps events from the connection on."""

    keeping: ClassVar[type[Kept]] = Kept
    """What keeps events until they are acknowledged; a fault has another one."""

    def __init__(self, owner: Owner, admin: ConsumerAdmin, type_: ProxyType, proxy_id: int) -> None:
        super().__init__(owner, admin, type_, proxy_id)
        self.queue = EventQueue(self.qos, stable=self.core.options.stable_priority)
        self.kept = self.keeping(self.core, self.qos, self)
        self.out = 0  # how many events undecided transactions have taken
        self.core.sinks.append(self)
        self._priorities: ValueFilter | None = None
        self._lives: ValueFilter | None = None

    @property
    def priority_filter(self) -> ValueFilter | None:
        """What gives events their priority here."""
        return self._priorities

    @priority_filter.setter
    def priority_filter(self, new_filter: ValueFilter | None) -> None:
        with self.core.lock:
            self.check()
            self._priorities = new_filter

    @property
    def lifetime_filter(self) -> ValueFilter | None:
        """What gives events their life here."""
        return self._lives

    @lifetime_filter.setter
    def lifetime_filter(self, new_filter: ValueFilter | None) -> None:
        with self.core.lock:
            self.check()
            self._lives = new_filter

    def room(self, most: int) -> int | None:
        """Return how many more events may wait. Needs the lock."""
        return most - len(self.queue) - len(self.kept) - self.out if self.connected else None

    def offer(self, event: StructuredEvent, number: int, now: int, most: int) -> None:
        """Queue an event that passes. Needs the lock."""
        if self.connected and self.passes(event):
            given = Given(mapped(self._priorities, event, PRIORITY), mapped(self._lives, event, TIMEOUT))
            self.queue.put(event, number, now, most, given)
            self.arrived()

    def pending(self) -> tuple[Waiting, ...]:
        """Return the events that wait, but for those that are kept until an acknowledgment. Needs the lock."""
        return self.queue.all()

    def arrived(self) -> None:
        """Tell those who wait that the queue has changed. Needs the lock."""

    def leave(self) -> None:
        """Remove the proxy and its events. Needs the lock."""
        if self in self.core.sinks:
            self.core.sinks.remove(self)
        super().leave()
        self.arrived()

    def crash(self) -> None:
        """Let no consumer wait on. Needs the lock."""
        self.arrived()

    def recover(self) -> None:
        """Keep a persistent connection with its persistent events, and nothing else. Needs the lock."""
        if not self.lasting:
            self.leave()
        elif not self.transacts:
            self.queue.lose_volatile()
            self.kept.recover()

    def acknowledge(self, sequence_numbers: SequenceNumbers) -> None:
        """Remove what has these numbers; others stay."""
        with self.core.lock:
            self.check()
            self.kept.acknowledge(sequence_numbers)


class Pushing(Calling[ConsumerAdmin, ClientT], Supplying[ClientT]):
    """A proxy that pushes. Events leave it once the consumer has returned; those of a failed call are pushed again."""

    def __init__(self, owner: Owner, admin: ConsumerAdmin, type_: ProxyType, proxy_id: int) -> None:
        super().__init__(owner, admin, type_, proxy_id)
        self._owed: tuple[Waiting, ...] = ()

    def room(self, most: int) -> int | None:
        """Return how many more events may wait beside those of a call. Needs the lock."""
        room = super().room(most)
        return None if room is None else room - len(self._owed)

    def pending(self) -> tuple[Waiting, ...]:
        """Return also the events of a call that runs or failed. Needs the lock."""
        return (*self._owed, *super().pending())

    def next_call(self, client: ClientT, now: int) -> Callable[[], None] | None:
        """Return a push of what is owed, or else of the next events. Needs the lock."""
        if self.transacts:
            return self._transacted(client, now)
        if self.kept.on and not self._owed:
            return self.kept.next_call(self.collect, lambda events: self.hand(client, events), now)
        self._owed = tuple(each for each in self._owed if each.deadline > now) or self.collect(now)
        owed = self._owed
        return (lambda: self._push(client, owed)) if owed else None

    def next_time(self, now: int) -> int | None:
        """Return when a push or its repetition may be due. Needs the lock."""
        otherwise = super().next_time(now)
        idle = self.client is None or self.suspended or self.transacts or not self.kept.on or self._owed
        return otherwise if idle else self.kept.next_time(now, otherwise)

    def _transacted(self, client: ClientT, now: int) -> Callable[[], None] | None:
        self.queue.put_back(self._owed)
        self._owed = ()
        waiting = transacted.group(self, now)
        if not waiting:
            return None
        taken = self.core.kind(transacted.Taken)(self.core, self, waiting)
        return lambda: transacted.push(self, client, taken, waiting)

    def next_chance(self, now: int) -> int | None:
        """Return when a transaction may be due, or else what `next_push` says. Needs the lock."""
        return transacted.next_group(self, now) if self.transacts else self.next_push(now)

    def _push(self, client: ClientT, owed: tuple[Waiting, ...]) -> None:
        self.hand(client, tuple(each.event for each in owed))
        with self.core.lock:
            if self._owed is owed:  # not if the channel has crashed meanwhile
                self._owed = ()

    def crash(self) -> None:
        """Owe again what a running call was handed: nobody will learn whether it returns. Needs the lock."""
        self._owed = (*self._owed,)
        super().crash()

    def recover(self) -> None:
        """Keep of what is owed only what is persistent. Needs the lock."""
        self._owed = tuple(each for each in self._owed if each.persistent or self.transacts)
        super().recover()
        if not self.gone:
            self.serve()

    @property
    @abstractmethod
    def batch_size(self) -> int:
        """How many events one call hands over at most."""

    @abstractmethod
    def next_push(self, now: int) -> int | None:
        """Return when there may be something to push, unless something changes before. Needs the lock."""

    @abstractmethod
    def collect(self, now: int) -> tuple[Waiting, ...]:
        """Take the events of the next push from the queue. Needs the lock."""

    @abstractmethod
    def hand(self, client: ClientT, events: Batch) -> None:
        """Push events to the consumer."""


class StructuredPushing(Pushing[StructuredPushConsumer], StructuredProxyPushSupplierAck):
    """Pushes single events."""

    def connect_structured_push_consumer(self, push_consumer: StructuredPushConsumer) -> None:
        """Connect the consumer."""
        self.connect(push_consumer)

    def disconnect_structured_push_supplier(self) -> None:
        """End the connection."""
        self.disconnect()

    @property
    def batch_size(self) -> int:
        """One event."""
        return 1

    def collect(self, now: int) -> tuple[Waiting, ...]:
        """Take one event."""
        return self.queue.take(1, now)

    def next_push(self, now: int) -> int | None:
        """Return when StartTime lets an event go."""
        del now
        return self.queue.next_start()

    def hand(self, client: StructuredPushConsumer, events: Batch) -> None:
        """Push the event."""
        client.push_structured_event(events[0])

    def tell(self, client: StructuredPushConsumer) -> None:
        """Tell the consumer of the end."""
        client.disconnect_structured_push_consumer()


class SequencePushing(Pushing[SequencePushConsumer], SequenceProxyPushSupplierAck):
    """Pushes batches of MaximumBatchSize, and what there is once PacingInterval has passed; with 0 only full batches."""

    def connect_sequence_push_consumer(self, push_consumer: SequencePushConsumer) -> None:
        """Connect the consumer."""
        self.connect(push_consumer)

    def disconnect_sequence_push_supplier(self) -> None:
        """End the connection."""
        self.disconnect()

    @property
    def batch_size(self) -> int:
        """MaximumBatchSize."""
        return self.qos[MAXIMUM_BATCH_SIZE]

    def collect(self, now: int) -> tuple[Waiting, ...]:
        """Take a full batch, or what has waited long enough."""
        size = self.qos[MAXIMUM_BATCH_SIZE]
        ready, since = self.queue.ready(now)
        pacing = self._pacing()
        due = ready >= size or (ready and pacing and now >= since + pacing)
        return self.queue.take(size, now) if due else ()

    def next_push(self, now: int) -> int | None:
        """Return when a batch has waited long enough, or StartTime lets an event go."""
        ready, since = self.queue.ready(now)
        pacing = self._pacing()
        times = [since + pacing] if ready and pacing else []
        if (start := self.queue.next_start()) is not None:
            times.append(start)
        return min(times, default=None)

    def _pacing(self) -> int:
        """Return PacingInterval, rounded up to ms."""
        return -(-self.qos[PACING_INTERVAL] // TICKS)

    def hand(self, client: SequencePushConsumer, events: Batch) -> None:
        """Push the batch."""
        client.push_structured_events(events)

    def tell(self, client: SequencePushConsumer) -> None:
        """Tell the consumer of the end."""
        client.disconnect_sequence_push_consumer()


class Pulled(Supplying[ClientT]):
    """A proxy that is pulled; a pull waits on the clock."""

    def __init__(self, owner: Owner, admin: ConsumerAdmin, type_: ProxyType, proxy_id: int) -> None:
        super().__init__(owner, admin, type_, proxy_id)
        self._waiters: list[Event] = []

    def arrived(self) -> None:
        """Wake all who wait in a pull. Needs the lock."""
        waiters, self._waiters = self._waiters, []
        for each in waiters:
            each.set()

    def pull(self, most: int) -> Batch:
        """Return at least one and at most `most` events; wait for the first."""
        joined = transacted.joined(self)
        while True:
            with self.core.lock:
                events, change = self._taken(most, joined)
                if not events:
                    waiter = self.core.clock.event()
                    self._waiters.append(waiter)
                    now = self.core.clock.now()
                    times = [self.queue.next_start(), self.kept.next_time(now, None) if self.kept.on else None]
                    start = min((each for each in times if each is not None), default=None)
            if events:
                return _handed(events, change, joined)
            waiter.wait(None if start is None else max(1, start - now))
            with self.core.lock:
                if waiter in self._waiters:
                    self._waiters.remove(waiter)
                if self.gone:
                    raise Disconnected(f"{self} ended during a pull")

    def try_pull(self, most: int) -> Batch:
        """Return at most `most` events, without waiting."""
        joined = transacted.joined(self)
        with self.core.lock:
            events, change = self._taken(most, joined)
        return _handed(events, change, joined)

    @property
    def transaction_policy(self) -> TransactionPolicy:
        """Whether the proxy is pulled within a transaction."""
        return transacted.policy(self)

    def _taken(self, most: int, joined: Coordinator | None) -> tuple[Batch, transacted.Taken | None]:
        """Take events; within a transaction they may come back."""
        self.check()
        if not self.connected:
            raise Disconnected(f"{self} has no client that might pull")
        if self.kept.on and joined is None:
            return self.kept.pull(lambda now: self.queue.take(most, now), self.core.clock.now()), None
        waiting = self.queue.take(most, self.core.clock.now())
        change = self.core.kind(transacted.Taken)(self.core, self, waiting) if waiting and joined is not None else None
        return tuple(each.event for each in waiting), change


def _handed(events: Batch, change: transacted.Taken | None, joined: Coordinator | None) -> Batch:
    """Return events to a consumer, once its transaction knows of them."""
    if change is not None and joined is not None:
        change.register(joined)
    return events


class StructuredPulled(Pulled[StructuredPullConsumer], StructuredProxyPullSupplierAck):
    """Is pulled for single events."""

    def connect_structured_pull_consumer(self, pull_consumer: StructuredPullConsumer | None) -> None:
        """Connect the consumer."""
        self.connect(pull_consumer)

    def pull_structured_event(self) -> StructuredEvent:
        """Return the next event."""
        return self.pull(1)[0]

    def try_pull_structured_event(self) -> StructuredEvent | None:
        """Return the next event, if there is one."""
        return next(iter(self.try_pull(1)), None)

    def disconnect_structured_pull_supplier(self) -> None:
        """End the connection; pulls that wait raise Disconnected."""
        self.disconnect()

    def tell(self, client: StructuredPullConsumer) -> None:
        """Tell the consumer of the end."""
        client.disconnect_structured_pull_consumer()


class SequencePulled(Pulled[SequencePullConsumer], SequenceProxyPullSupplierAck):
    """Is pulled for batches; a pull returns what there is, without collecting more, and heeds its own limit only."""

    def connect_sequence_pull_consumer(self, pull_consumer: SequencePullConsumer | None) -> None:
        """Connect the consumer."""
        self.connect(pull_consumer)

    def pull_structured_events(self, max_number: int) -> Batch:
        """Return the next events, or raise ValueError for a limit below 1."""
        return self.pull(_at_least_one(max_number))

    def try_pull_structured_events(self, max_number: int) -> Batch:
        """Return the next events, if there are any, or raise ValueError for a limit below 1."""
        return self.try_pull(_at_least_one(max_number))

    def disconnect_sequence_pull_supplier(self) -> None:
        """End the connection; pulls that wait raise Disconnected."""
        self.disconnect()

    def tell(self, client: SequencePullConsumer) -> None:
        """Tell the consumer of the end."""
        client.disconnect_sequence_pull_consumer()


def _at_least_one(most: int) -> int:
    if most < 1:
        raise ValueError(f"at most {most} events are pulled; give at least 1")
    return most
