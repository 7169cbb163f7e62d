"""Faults of channels that route by transactions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from faults.interworking.registry import Faults, declare
from reference_bridge.channel import StandInFactory
from reference_bridge.channel.consumers import Pulling, SequencePulling, StructuredTaking
from reference_bridge.channel.proxies import StandInProxy
from reference_bridge.channel.suppliers import Pushing, SequencePushing, StructuredPushing, Supplying
from reference_bridge.channel.transacted import Stored, Taken
from tck.interworking import BEST_EFFORT, EVENT_RELIABILITY, PERSISTENT, StructuredEvent
from tck.interworking.qos import (
    CONNECTION_RELIABILITY,
    CommFailure,
    Properties,
    PropertyError,
    QoSErrorCode,
    UnsupportedAdmin,
    UnsupportedQoS,
)
from tck.interworking.transactions import (
    ENABLE_TRANSACTION,
    TRANSACTION_EVENT_SEQUENCES,
    TRANSACTION_EVENTS,
    TRANSACTION_TIMEOUT,
    Coordinator,
    Current,
    TransactionPolicy,
)


def _of_changes(rows: str, title: str) -> Callable[[type], type]:
    """Declare a class that stands for the change it is derived from as a fault."""

    def note(kind: type) -> type:
        base = Taken if issubclass(kind, Taken) else Stored

        def change(factory: StandInFactory) -> None:
            factory.kinds[base] = kind

        declare(rows, title, Faults(of_channels=change))
        return kind

    return note


@_of_changes("iw-2.6-1 iw-2.7.1-4 iw-2.7.1-9 iw-2.7.3.1-4", "the return of a push ends what the channel has to do")
class Discarded(Taken):
    def undo(self) -> None:
        self.keep()


@_of_changes("iw-2.7.1-3", "events stay in the queue after the commit, once")
class Kept(Taken):
    def keep(self) -> None:
        proxy: Any = self._proxy
        if proxy.__dict__.get("doubled"):
            super().keep()
        else:
            proxy.doubled = True
            self.undo()


@_of_changes("iw-2.7.3-1", "the queue is changed outside any resource")
class Unregistered(Taken):
    def register(self, coordinator: Coordinator) -> None:
        del coordinator
        with self.core.lock:
            self._end(self.keep)
            self.over = False


@_of_changes("iw-2.7.3.1-3", "events leave the queue when they are pushed")
class Early(Taken):
    def __init__(self, core: Any, proxy: Any, waiting: Any) -> None:
        super().__init__(core, proxy, waiting)
        proxy.out -= len(waiting)

    def keep(self) -> None:
        self._proxy.out += len(self._waiting)
        super().keep()

    def undo(self) -> None:
        self._proxy.out += len(self._waiting)
        super().undo()


@_of_changes("iw-2.7.1-5 iw-2.7.3.2-2", "events are published before the commit")
class AtOnce(Stored):
    def register(self, coordinator: Coordinator) -> None:
        pass

    def add(self, events: Sequence[StructuredEvent]) -> None:
        self.core.publish(events)


@_of_changes("iw-2.7.3.2-4", "events of a rollback stay")
class Doubled(Stored):
    def undo(self) -> None:
        self.keep()


@_of_changes("iw-2.7.3-4", "prepare saves nothing")
class Forgetful(Taken):
    def crash(self) -> None:
        self._end(self.undo)


def _of_proxies(rows: str, title: str, *bases: type) -> Callable[[type], type]:
    """Declare a class that is mixed into proxies as a fault."""

    def note(mixin: type) -> type:
        declare(rows, title, Faults(channel_mixins=dict.fromkeys(bases, mixin)))
        return mixin

    return note


@_of_proxies("iw-2.7.1-1", "an event is published as soon as it is pushed", StructuredTaking)
class Hasty(StructuredTaking):
    def accept(self, events: Any) -> None:
        self.publish(events)


@_of_proxies("iw-2.7.1-8 iw-2.7.3.2-3", "queues live in memory only", Supplying)
class Volatile:
    def recover(self) -> None:
        super().recover()  # type: ignore[misc]
        self.queue.take(2**31, self.core.clock.now())  # type: ignore[attr-defined]


@_of_proxies("iw-2.7.5.1-3", "a rollback waits for a new event", Pushing)
class Waiting:
    def _transacted(self, client: Any, now: int) -> Callable[[], None] | None:
        there = len(self.queue)  # type: ignore[attr-defined]
        if there and there == self.__dict__.get("failed"):
            return None
        step = super()._transacted(client, now)  # type: ignore[misc]
        if step is None:
            return None

        def push() -> None:
            step()
            with self.core.lock:  # type: ignore[attr-defined]
                self.failed = there if len(self.queue) >= there else None  # type: ignore[attr-defined]

        return push


class _Passing(Current):
    """A transaction service that is that of the case."""

    def __init__(self, inner: Current) -> None:
        self.inner = inner

    def set_timeout(self, seconds: int) -> None:
        self.inner.set_timeout(seconds)

    def begin(self) -> None:
        self.inner.begin()

    def commit(self) -> None:
        self.inner.commit()

    def rollback(self) -> None:
        self.inner.rollback()

    def rollback_only(self) -> None:
        self.inner.rollback_only()

    def get_coordinator(self) -> Coordinator | None:
        return self.inner.get_coordinator()

    def suspend(self) -> Coordinator | None:
        return self.inner.suspend()

    def resume(self, coordinator: Coordinator | None) -> None:
        self.inner.resume(coordinator)


def _of_service(rows: str, title: str) -> Callable[[type[_Passing]], type[_Passing]]:
    """Declare a class that stands for the channel's access to the transaction service as a fault."""

    def note(kind: type[_Passing]) -> type[_Passing]:
        def change(factory: StandInFactory) -> None:
            use = factory.use_transactions
            factory.use_transactions = lambda current: use(kind(current))  # type: ignore[method-assign]

        declare(rows, title, Faults(of_channels=change))
        return kind

    return note


@_of_service("iw-2.7.3.1-2", "the commit is never asked for")
class LeftOpen(_Passing):
    def commit(self) -> None:
        self.inner.suspend()


@_of_service("iw-2.7.6.1-18", "the timeout counts milliseconds")
class Milliseconds(_Passing):
    def set_timeout(self, seconds: int) -> None:
        self.inner.set_timeout(seconds / 1000)  # type: ignore[arg-type]


@_of_service("iw-2.7.6.1-19", "a timeout of 0 ends a transaction at once")
class AtOnceOver(_Passing):
    def set_timeout(self, seconds: int) -> None:
        self.inner.set_timeout(seconds or 1 / 1000)  # type: ignore[arg-type]


@_of_service("iw-2.7.6.1-20", "the timeout is not passed on")
class NoTimeout(_Passing):
    def set_timeout(self, seconds: int) -> None:
        pass


# -- the properties ------------------------------------------------------------------------------------------------


@_of_proxies("iw-2.7.6.1-1", "EnableTransaction is no boolean", StandInProxy)
class NoBoolean:
    def set_qos(self, qos: Properties) -> None:
        if isinstance(qos.get(ENABLE_TRANSACTION), bool):
            raise UnsupportedQoS(PropertyError(QoSErrorCode.BAD_TYPE, ENABLE_TRANSACTION))
        super().set_qos(qos)  # type: ignore[misc]


@_of_proxies("iw-2.7.6.1-2", "proxies have no policy", StandInProxy)
class NoPolicy:
    def accept(self, events: Any) -> None:
        self.publish(events)  # type: ignore[attr-defined]


@_of_proxies("iw-2.7.6.1-3 iw-4.3-1", "the property is kept, and has no effect", Pushing, Pulling)
class NoEffect:
    transacts = False


@_of_proxies("iw-2.7.6.1-5", "transactions are on by default", Pushing, Pulling)
class ByDefault:
    @property
    def transacts(self) -> bool:
        return self.core.current is not None  # type: ignore[attr-defined]


@_of_proxies("iw-2.7.6.1-6", "a call without a transaction is taken", StructuredTaking)
class Lax(StructuredTaking):
    @property
    def transaction_policy(self) -> TransactionPolicy:
        current = self.core.current
        within = current is not None and current.get_coordinator() is not None
        return TransactionPolicy.REQUIRES_SHARED if within else TransactionPolicy.ALLOWS_NONE


@_of_proxies("iw-2.7.6.1-7", "a transaction is wanted by default", StructuredTaking)
class Strict(StructuredTaking):
    @property
    def transaction_policy(self) -> TransactionPolicy:
        return TransactionPolicy.REQUIRES_SHARED


class _Told(StandInProxy[Any, Any]):
    """A proxy that tells another quality of service."""

    def get_qos(self) -> Properties:
        return {**super().get_qos(), **self.told()}

    def told(self) -> Properties:
        raise NotImplementedError


@_of_proxies("iw-2.7.6.1-8", "an admin's proxies keep what held when they were made", StandInProxy)
class AtBirth(_Told):
    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._born = self.core.current is not None and bool(self.qos[ENABLE_TRANSACTION])
        self._own: bool | None = None

    def set_qos(self, qos: Properties) -> None:
        super().set_qos(qos)
        if ENABLE_TRANSACTION in qos:
            self._own = bool(qos[ENABLE_TRANSACTION])

    @property
    def transacts(self) -> bool:
        return self._born if self._own is None else self._own

    def told(self) -> Properties:
        return {ENABLE_TRANSACTION: self.transacts}


@_of_proxies("iw-2.7.6.1-9", "the channel's property reaches the default admins only", StandInProxy)
class DefaultOnly(_Told):
    def told(self) -> Properties:
        return {} if self.admin.id == 0 else {ENABLE_TRANSACTION: False}


@_of_proxies("iw-2.7.6.1-11", "events stay best effort", StandInProxy)
class OnlyConnections(_Told):
    def told(self) -> Properties:
        return {EVENT_RELIABILITY: BEST_EFFORT}


@_of_proxies("iw-2.7.6.1-12", "what was reliable stays so", StandInProxy)
class StillReliable(_Told):
    ever = False

    def set_qos(self, qos: Properties) -> None:
        super().set_qos(qos)
        self.ever = self.ever or bool(qos.get(ENABLE_TRANSACTION))

    def told(self) -> Properties:
        return {EVENT_RELIABILITY: PERSISTENT, CONNECTION_RELIABILITY: PERSISTENT} if self.ever else {}


@_of_proxies("iw-2.7.6.1-14", "each event has its own transaction", Pushing, Pulling)
class Alone:
    transaction_size = 1


@_of_proxies("iw-2.7.6.1-15 iw-2.7.6.1-24", "TransactionEvents counts batches too", SequencePushing, SequencePulling)
class CountsBatches:
    counted = TRANSACTION_EVENTS


@_of_proxies("iw-2.7.6.1-16", "TransactionEventSequences counts events", SequencePushing)
class CountsEvents(SequencePushing):
    @property
    def transaction_size(self) -> int:
        return max(1, self.core.limits[TRANSACTION_EVENT_SEQUENCES] // self.batch_size)


@_of_proxies("iw-2.7.6.1-17", "TransactionEventSequences counts single events", StructuredPushing)
class CountsSingle:
    counted = TRANSACTION_EVENT_SEQUENCES


@_of_proxies("iw-2.7.6.1-21", "batches have no timeout", SequencePushing, SequencePulling)
class EndlessBatches:
    transaction_timeout = 0


@_of_proxies("iw-2.7.6.1-22", "a timeout ends the calls of suppliers", StructuredTaking)
class Impatient(StructuredTaking):
    born = 0

    def connect_structured_push_supplier(self, push_supplier: Any) -> None:
        self.born = self.core.clock.now()
        super().connect_structured_push_supplier(push_supplier)

    def accept(self, events: Any) -> None:
        limit = self.core.limits[TRANSACTION_TIMEOUT] if self.core.current is not None else 0
        if limit and self.core.clock.now() >= self.born + limit * 1000:
            raise CommFailure("the time is up")
        super().accept(events)


def _stiff(factory: StandInFactory) -> None:
    create = factory.create_channel

    def make(initial_qos: Properties, initial_admin: Properties) -> Any:
        made, number = create(initial_qos, initial_admin)
        accept = made.set_admin

        def refuse(admin: Properties) -> None:
            if {TRANSACTION_EVENTS, TRANSACTION_EVENT_SEQUENCES, TRANSACTION_TIMEOUT} & set(admin):
                raise UnsupportedAdmin(PropertyError(QoSErrorCode.BAD_PROPERTY, "transactions"))
            accept(admin)

        made.set_admin = refuse  # type: ignore[method-assign]
        return made, number

    factory.create_channel = make  # type: ignore[method-assign]


declare("iw-2.7.6.1-23", "set_admin knows no transactions", Faults(of_channels=_stiff))
