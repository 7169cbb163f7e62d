"""Red round 12: faults of bridges by somebody who has not seen the suite."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from faults.interworking.nearly_right.registry import nearly_right
from faults.interworking.registry import Faults
from reference_bridge import acknowledging
from reference_bridge.channel import StandInFactory, acknowledged, consumers, suppliers, transacted
from reference_bridge.channel.core import Core
from reference_bridge.channel.event_queue import Given
from reference_bridge.channel.filtering import EtclFilters, mapped
from reference_bridge.etcl import Filter
from reference_bridge.etcl.filters import _Compiled
from reference_bridge.reliable import Repetitions, number_of, with_number
from tck.interworking import BEST_EFFORT, EVENT_RELIABILITY, PRIORITY, TIMEOUT, StructuredEvent
from tck.interworking.acknowledgment import LAST_NUMBER
from tck.interworking.channel import Proxy
from tck.interworking.clients import Batch
from tck.interworking.filters import ConstraintExp
from tck.interworking.qos import MAXIMUM_BATCH_SIZE, ChannelError, Disconnected
from tck.interworking.transactions import ENABLE_TRANSACTION, TRANSACTION_EVENTS, Current

# -- sections 2.6 and 4.2: acknowledgment -----------------------------------------------------------------------------


def _keeping(kept: type[acknowledged.Kept]) -> Faults:
    """Return a fault of what the proxies for consumers keep."""
    return Faults(channel_mixins={suppliers.Supplying: type("_Keeping", (), {"keeping": kept})})


def _hearing(heard: type[acknowledged.Heard]) -> Faults:
    """Return a fault of what the proxies for suppliers know."""
    return Faults(channel_mixins={consumers.Consuming: type("_Hearing", (), {"hearing": heard})})


class _Ranges(acknowledged.Kept):
    def acknowledge(self, numbers: Sequence[int]) -> None:
        super().acknowledge(range(min(numbers), max(numbers) + 1) if len(numbers) > 1 else numbers)


nearly_right(
    "bridge-channel-acknowledges-ranges",
    "takes an acknowledge with several numbers for one of all numbers from the least to the greatest",
    "iw-4.2.3.1-3 iw-4.2.6-1 iw-2.6.1-1",
    _keeping(_Ranges),
)


class _Eight(Repetitions):
    def has(self, number: int) -> bool:
        recent = self._last is not None and (self._last - number) % (LAST_NUMBER + 1) < 8
        return recent and super().has(number)


class _HearsEight(acknowledged.Heard):
    def __init__(self, core: Core, qos: Any, proxy: Proxy) -> None:
        super().__init__(core, qos, proxy)
        self.seen = _Eight()


nearly_right(
    "bridge-channel-remembers-eight",
    "knows the last eight numbers of a supplier only, and publishes an older one again where it is repeated",
    "iw-4.2.7.1-5 iw-4.2.5.2-2 iw-2.6.1-2",
    _hearing(_HearsEight),
)


class _Idle(acknowledged.Kept):
    def acknowledge(self, numbers: Sequence[int]) -> None:
        before = self.retried
        super().acknowledge(numbers)
        if self.items:
            self.retried = before


nearly_right(
    "bridge-channel-counts-until-idle",
    "sets the count of retries back only by an acknowledge that leaves nothing unacknowledged",
    "iw-4.2.7.1-8",
    _keeping(_Idle),
)


class _Renumbers(acknowledged.Kept):
    def resume(self) -> None:
        for each in self.items:
            each.number = self.series.give()
        super().resume()


nearly_right(
    "bridge-channel-renumbers-on-recovery",
    "gives what was not acknowledged new numbers when delivery is taken up again after all retries had failed",
    "iw-4.2.7.3-4 iw-2.6.1-2",
    _keeping(_Renumbers),
)


class _StampsFirst(acknowledged.Kept):
    def stamp(self, item: acknowledged.Item) -> Batch:
        events = tuple(each.event for each in item.waiting)
        return (*with_number(events[:1], item.number), *events[1:])


nearly_right(
    "bridge-channel-leaves-old-numbers",
    "leaves the numbers of an earlier hop in all events of a batch but the first",
    "iw-4.2.5-3 iw-4.2.5-4",
    _keeping(_StampsFirst),
)


class _ForgetsSeen(acknowledged.Heard):
    def recover(self) -> None:
        super().recover()
        self.seen = Repetitions()


nearly_right(
    "bridge-channel-forgets-numbers-in-a-crash",
    "does not know after a crash of the channel which numbers of a persistent connection it has stored",
    "iw-2.6.1-2 iw-4.2.7.1-5 iw-4.2.5.1-3",
    _hearing(_ForgetsSeen),
)


class _BackOff(acknowledged.Kept):
    def tried(self, item: acknowledged.Item, *, failed: bool) -> None:
        super().tried(item, failed=failed)
        if failed and not self.retried:
            item.due = self.core.clock.now()


nearly_right(
    "bridge-channel-first-retry-at-once",
    "pushes again at once after the first push of an item has raised; the later retries keep RetryInterval",
    "iw-4.2.7.1-4 iw-4.2.8.3-1",
    _keeping(_BackOff),
)


class _NextPull(acknowledging.Supplying):
    def answer(self, take: Callable[[], Batch]) -> Batch:
        before = len(self._given)
        found = super().answer(take)
        with self._lock:
            if len(self._given) > before:
                self._given = self._given[-1:]
        return found


nearly_right(
    "bridge-next-pull-acknowledges",
    "takes a pull of something new for the acknowledgment of what was pulled before",
    "iw-4.2.3.2-3 iw-2.6.1-1",
    Faults(mixin=type("_Answers", (), {"supplying": _NextPull})),
)


class _AfterFirst(acknowledging.Consuming):
    def take(self, events: Batch) -> None:
        number = number_of(events) if self.terms.on else None
        if number is not None and len(events) > 1 and not self.seen.has(number) and self._part[0] != number:
            self.hand(events[0])
            self._part = number, 1
            with contextlib.suppress(ChannelError):
                self.stored(number)
        super().take(events)


nearly_right(
    "bridge-acknowledges-after-the-first",
    "acknowledges a batch once its first event was sent, before it sends the others",
    "iw-4.2.3.1-2 iw-2.6.1-1",
    Faults(mixin=type("_Takes", (), {"consuming": _AfterFirst})),
)


class _LastUnawaited(acknowledging.Supplying):
    def _push(
        self, number: int, events: Batch, hand: Callable[[Batch], None], stored: Any, wanted: Callable[[], bool]
    ) -> None:
        for left in range(self.terms.retries, -1, -1):
            try:
                hand(events)
            except Disconnected:
                raise
            except ChannelError:
                pass
            if self.terms.retries and not left:
                break
            if stored.wait(self.terms.interval):
                return
        raise self.gave_up(f"push of {number}")


nearly_right(
    "bridge-last-retry-not-awaited",
    "gives up right after the last retry of a push, without RetryInterval for its acknowledgment",
    "iw-4.2.7.1-2 iw-4.2.7.1-3",
    Faults(mixin=type("_Pushes", (), {"supplying": _LastUnawaited})),
)

# -- sections 2.7 and 3.2: transactions -------------------------------------------------------------------------------


class _BatchesOfOne:
    _sequences: bool
    _proxy: Any

    @property
    def _counted(self) -> str:
        if self._sequences and self._proxy.get_qos()[MAXIMUM_BATCH_SIZE] == 1:
            return TRANSACTION_EVENTS
        return str(super()._counted)  # type: ignore[misc]


nearly_right(
    "bridge-batches-of-one-count-as-events",
    "sets TransactionEvents in place of TransactionEventSequences where MaximumBatchSize is 1",
    "iw-3.2.1.1-5",
    Faults(mixin=_BatchesOfOne),
)


class _FirstTimeout:
    _first: int | None = None

    def _set(self, events: int, timeout: int) -> None:
        if self._first is None:
            self._first = timeout
        super()._set(events, self._first)  # type: ignore[misc]


nearly_right(
    "bridge-keeps-the-first-timeout",
    "sets the TransactionTimeout of its first enable_transaction again at each later one",
    "iw-3.2.1.1-7 iw-2.7.6.2-4",
    Faults(mixin=_FirstTimeout),
)


class _Behind(transacted.Taken):
    def undo(self) -> None:
        self._waiting = tuple(replace(each, number=next(self.core._numbers)) for each in self._waiting)
        super().undo()


def _kinds(stands: type, for_: type) -> Callable[[StandInFactory], None]:
    def change(factory: StandInFactory) -> None:
        factory.kinds[for_] = stands

    return change


nearly_right(
    "bridge-channel-rolls-back-to-the-end",
    "puts the events of a transaction that was rolled back behind those that wait already",
    "iw-2.7.1-4 iw-2.5.6-1",
    Faults(of_channels=_kinds(_Behind, transacted.Taken)),
)


class _KeepsPrepared(transacted.Stored):
    def undo(self) -> None:
        if self.prepared:
            self.keep()
        else:
            super().undo()


nearly_right(
    "bridge-channel-keeps-what-was-prepared",
    "publishes the events of a transaction that was rolled back after the channel had prepared",
    "iw-2.7.3.2-4 iw-2.7.3-4",
    Faults(of_channels=_kinds(_KeepsPrepared, transacted.Stored)),
)


class _UndoesGroups(transacted.Taken):
    def crash(self) -> None:
        if self.prepared and len(self._waiting) > 1:
            self._end(self.undo)
        else:
            super().crash()


nearly_right(
    "bridge-channel-forgets-groups-in-doubt",
    "forgets in a crash that it had prepared a transaction of several events, and routes them once more",
    "iw-2.7.3-4 iw-2.7.1-9 iw-2.7.3.1-3",
    Faults(of_channels=_kinds(_UndoesGroups, transacted.Taken)),
)


class _BestEffortOutside:
    _lock: Any
    _producer: Any
    _plain_session: Any
    _destination: Any

    def carry(self, item: Any) -> None:
        found = item.field(EVENT_RELIABILITY) if isinstance(item, StructuredEvent) else None
        if found is None or found.value != BEST_EFFORT or not getattr(self, "_enabled", False):
            super().carry(item)  # type: ignore[misc]
            return
        with self._lock:
            within, self._producer = self._producer, self._plain_session.create_producer(self._destination)
            try:
                super().carry(item)  # type: ignore[misc]
            finally:
                self._producer = within


nearly_right(
    "bridge-best-effort-outside-transaction",
    "sends an event whose own EventReliability is BestEffort by its plain session, outside the routing transaction",
    "iw-2.7.4-6 iw-2.7.5.1-2",
    Faults(mixin=_BestEffortOutside),
)


class _AsConnected:
    _then = False
    connected: bool
    qos: Any

    def connect(self, client: Any) -> None:
        self._then = super().transacts  # type: ignore[misc]
        super().connect(client)  # type: ignore[misc]

    @property
    def transacts(self) -> bool:
        now: bool = super().transacts  # type: ignore[misc]
        return self._then if self.connected and ENABLE_TRANSACTION not in self.qos._own else now


nearly_right(
    "bridge-channel-enables-new-connections",
    "applies EnableTransaction of an admin or of the channel only to proxies that are connected later",
    "iw-2.7.6.1-8 iw-2.7.6.1-9",
    Faults(channel_mixins={suppliers.Supplying: _AsConnected, consumers.Consuming: _AsConnected}),
)


class _KeepsLimit:
    def __init__(self, inner: Current) -> None:
        self._inner = inner

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def set_timeout(self, seconds: int) -> None:
        if seconds:
            self._inner.set_timeout(seconds)


def _keep_limit(factory: StandInFactory) -> None:
    use = factory.use_transactions
    factory.use_transactions = lambda current: use(_KeepsLimit(current))  # type: ignore[arg-type, method-assign]


nearly_right(
    "bridge-channel-keeps-an-old-limit",
    "does not tell the transaction service of a TransactionTimeout of 0, so that an earlier limit goes on",
    "iw-2.7.6.1-19",
    Faults(of_channels=_keep_limit),
)

# -- section 4.1: filters ---------------------------------------------------------------------------------------------


class _OneStar(Filter):
    def match_structured(self, event: StructuredEvent) -> bool:
        held, now = self._store.held, self._clock()
        return not held or any(_matches(info.constraint_expression, event, now) for info, _ in held.values())


def _matches(given: ConstraintExp, event: StructuredEvent, now: int) -> bool:
    types = tuple(each for each in given.event_types if "*" not in each.type_name.replace("*", "", 1))
    return (bool(types) or not given.event_types) and _Compiled(replace(given, event_types=types)).matches(event, now)


class _OneStarFilters(EtclFilters):
    def create_filter(self, constraint_grammar: str) -> Filter:
        super().create_filter(constraint_grammar)
        return _OneStar(self._clock.now)


nearly_right(
    "bridge-filter-one-star",
    "matches no event by a type of a constraint that has two stars in its type name, such as *Alarm*",
    "iw-4.1-1 iw-4.1-6",
    Faults(of_channels=lambda factory: setattr(factory, "filters", _OneStarFilters)),
)


class _NeverLower:
    def offer(self, event: StructuredEvent, number: int, now: int, most: int) -> None:
        if not self.connected or not self.passes(event):  # type: ignore[attr-defined]
            return
        priority, own = mapped(self._priorities, event, PRIORITY), event.field(PRIORITY)  # type: ignore[attr-defined]
        if priority is not None and own is not None and type(own.value) is int:
            priority = max(priority, own.value)
        self.queue.put(event, number, now, most, Given(priority, mapped(self._lives, event, TIMEOUT)))  # type: ignore[attr-defined]
        self.arrived()  # type: ignore[attr-defined]


nearly_right(
    "bridge-filter-never-lowers-priority",
    "lets a priority filter raise the priority that an event has of its own, and not lower it",
    "iw-4.1-1",
    Faults(channel_mixins={suppliers.Supplying: _NeverLower}),
)
