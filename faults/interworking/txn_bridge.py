"""Faults of bridges that route by transactions."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from faults.interworking.registry import Faults, declare
from reference_bridge.transacting import Transacting
from tck.api import DeliveryMode
from tck.interworking import Converted, StructuredEvent
from tck.interworking.qos import MAXIMUM_BATCH_SIZE
from tck.interworking.transactions import (
    TRANSACTION_EVENTS,
    TRANSACTION_TIMEOUT,
    Coordinator,
    Resource,
    TransactionActive,
    TransactionPolicy,
    UnsupportedTransaction,
    Vote,
)


def _mixed(rows: str, title: str) -> Callable[[type], type]:
    """Declare a class that is mixed into every bridge as a fault; those without transactions ignore it."""

    def note(mixin: type) -> type:
        declare(rows, title, Faults(mixin=mixin))
        return mixin

    return note


@_mixed(
    "iw-2.7.1-2 iw-2.7.1-10 iw-2.7.3.1-1 iw-2.7.3.2-1 iw-2.7.4-6 iw-2.7.5-2 iw-2.7.5-3 iw-2.7.5.1-2 iw-2.7.5.2-1 iw-2.7.5.2-2 "
    "iw-2.7.5.2-3",
    "the provider works outside the transaction",
)
class Outside:
    def _to_xa(self) -> None:
        pass

    def _from_xa(self) -> None:
        pass

    def enlist(self, found: Coordinator) -> None:
        pass


class _Bracketing:
    """Does something around each item that is carried."""

    current: Any

    def carry(self, event: Any) -> None:
        self.around(lambda: super(_Bracketing, self).carry(event))  # type: ignore[misc]

    def next_event(self, *, wait: bool) -> StructuredEvent | None:
        found: StructuredEvent | None = self.around(lambda: super(_Bracketing, self).next_event(wait=wait))  # type: ignore[misc]
        return found

    def around(self, work: Callable[[], Any]) -> Any:
        raise NotImplementedError

    @property
    def within_one(self) -> bool:
        return self.current is not None and self.current.get_coordinator() is not None


@_mixed("iw-2.7.2-3 iw-2.7.5-1", "the bridge begins a transaction of its own")
class OwnTransaction(_Bracketing):
    def around(self, work: Callable[[], Any]) -> Any:
        if not getattr(self, "current", None) or not self.within_one:
            return work()
        outer = self.current.suspend()
        self.current.begin()
        try:
            return work()
        finally:
            self.current.commit()
            self.current.resume(outer)


@_mixed("iw-2.7.4-1", "the bridge commits the transaction after its work")
class OwnCommit(_Bracketing):
    def around(self, work: Callable[[], Any]) -> Any:
        found = work()
        if getattr(self, "current", None) and self.within_one:
            outer = self.current.get_coordinator()
            self.current.commit()
            self.current.resume(outer)
        return found


class _Journal(Resource):
    def prepare(self) -> Vote:
        return Vote.COMMIT

    def commit(self) -> None:
        pass

    def rollback(self) -> None:
        pass


@_mixed("iw-2.7.4-2 iw-2.7.4-3", "the bridge is a resource too")
class Voting:
    def enlist(self, found: Coordinator) -> None:
        super().enlist(found)  # type: ignore[misc]
        found.register_resource(_Journal())


@_mixed("iw-2.7.2-1", "a bridge that is pushed refuses transactions")
class OnlyPulled:
    def enable_transaction(self, events: int, timeout: int) -> None:
        if hasattr(self, "carry"):
            raise UnsupportedTransaction("only a bridge that is pulled has transactions")
        super().enable_transaction(events, timeout)  # type: ignore[misc]


@_mixed("iw-2.7.2-2", "a pull takes more messages than it gives, for the next pulls")
class Buffered:
    buffer: list[StructuredEvent]

    def next_event(self, *, wait: bool) -> StructuredEvent | None:
        kept = self.__dict__.setdefault("kept", [])
        if kept:
            first: StructuredEvent = kept.pop(0)
            return first
        found: StructuredEvent | None = super().next_event(wait=wait)  # type: ignore[misc]
        while found is not None and (more := super().next_event(wait=False)) is not None:  # type: ignore[misc]
            kept.append(more)
        return found


@_mixed("iw-2.7.6.2-2", "enable_transaction does nothing")
class Flag:
    def enable_transaction(self, events: int, timeout: int) -> None:
        pass


@_mixed("iw-3.2.1.1-1 iw-3.2.1.1-2", "the proxy is not told to use transactions")
class OneSide(Transacting):
    def _set(self, events: int, timeout: int) -> None:
        self._channel.set_admin({self._counted: events, TRANSACTION_TIMEOUT: timeout})


@_mixed("iw-2.7.6.2-3 iw-3.2.1.1-3", "the bridge is called without a transaction too")
class Lax(Transacting):
    @property
    def transaction_policy(self) -> TransactionPolicy:
        return TransactionPolicy.ALLOWS_NONE

    def within(self) -> Coordinator | None:
        found = None if self.current is None else self.current.get_coordinator()
        if found is not None and found != self._joined and self._enabled:
            self.enlist(found)
            self._joined = found
        elif found is None and self._xa_connection is not None:
            self._from_xa()
        return found


@_mixed("iw-2.7.6.2-4", "the two arguments are swapped")
class Swapped:
    def enable_transaction(self, events: int, timeout: int) -> None:
        super().enable_transaction(timeout, events)  # type: ignore[misc]


@_mixed("iw-2.7.6.2-5 iw-3.2.1.2-1 iw-3.2.1.2-5", "disable_transaction does nothing")
class Forever:
    def disable_transaction(self) -> None:
        pass


@_mixed("iw-3.2.1-2", "the timeout is no argument")
class OneArgument:
    def enable_transaction(self, events: int) -> None:
        super().enable_transaction(events, 0)  # type: ignore[misc]


@_mixed("iw-3.2.1.1-4", "one event is carried, whatever is asked for")
class Single(Transacting):
    def enable_transaction(self, events: int, timeout: int) -> None:
        super().enable_transaction(events if self._sequences else 1, timeout)


@_mixed("iw-3.2.1.1-5", "batches are counted as events")
class WrongCount(Transacting):
    @property
    def _counted(self) -> str:
        return TRANSACTION_EVENTS


@_mixed("iw-3.2.1.1-6", "the number is a total of events")
class Total(Transacting):
    def enable_transaction(self, events: int, timeout: int) -> None:
        size = self._proxy.get_qos()[MAXIMUM_BATCH_SIZE] if self._sequences else 1
        super().enable_transaction(max(1, events // size), timeout)


@_mixed("iw-3.2.1.1-7", "the timeout is ignored")
class Endless:
    def enable_transaction(self, events: int, timeout: int) -> None:
        del timeout
        super().enable_transaction(events, 0)  # type: ignore[misc]


@_mixed("iw-3.2.1.1-8", "a refusal of the channel is not told")
class Hopeful:
    def enable_transaction(self, events: int, timeout: int) -> None:
        with contextlib.suppress(UnsupportedTransaction):
            super().enable_transaction(events, timeout)  # type: ignore[misc]


@_mixed("iw-3.2.1.1-9 iw-3.2.1.2-2", "a transaction that is active is not noticed")
class Unaware(Transacting):
    def enable_transaction(self, events: int, timeout: int) -> None:
        joined, self._joined = self._joined, None
        super().enable_transaction(events, timeout)
        self._joined = joined

    def disable_transaction(self) -> None:
        with contextlib.suppress(TransactionActive):
            super().disable_transaction()


@_mixed("iw-3.2.1.2-3", "a request during a transaction is forgotten")
class Forgetful(Transacting):
    def disable_transaction(self) -> None:
        if self._routing:
            raise TransactionActive("a routing transaction has not ended")
        super().disable_transaction()


@_mixed("iw-3.2.1.2-4", "a bridge that routes without transactions still wants one")
class StillRequired(Transacting):
    wanted = False

    def enable_transaction(self, events: int, timeout: int) -> None:
        super().enable_transaction(events, timeout)
        self.wanted = True

    @property
    def transaction_policy(self) -> TransactionPolicy:
        return TransactionPolicy.REQUIRES_SHARED if self.wanted else TransactionPolicy.ALLOWS_NONE


def _not_persistent(given: StructuredEvent, session: Any, made: Converted) -> Converted:
    del given, session
    return replace(made, delivery_mode=DeliveryMode.NON_PERSISTENT)


declare("iw-2.7.5.1-1", "messages are not persistent", Faults(of_message=_not_persistent))
