"""Faults of bridges that route by transactions."""

import contextlib
from dataclasses import replace

from faults.interworking.kit import *


@declare(
    "iw-2.7.1-2 iw-2.7.1-10 iw-2.7.3.1-1 iw-2.7.3.2-1 iw-2.7.4-6 iw-2.7.5-2 iw-2.7.5-3 iw-2.7.5.1-2 iw-2.7.5.2-1 iw-2.7.5.2-2 "
    "iw-2.7.5.2-3",
    "the provider works outside the transaction",
    at="mixin",
)
class _:
    def _to_xa(self):
        pass

    def _from_xa(self):
        pass

    def enlist(self, found):
        pass


class _Bracketing:
    """Does something around each item that is carried."""

    def carry(self, event):
        self.around(lambda: super(_Bracketing, self).carry(event))

    def next_event(self, *, wait):
        return self.around(lambda: super(_Bracketing, self).next_event(wait=wait))

    def around(self, work):
        raise NotImplementedError

    @property
    def within_one(self):
        return self.current is not None and self.current.get_coordinator() is not None


@declare("iw-2.7.2-3 iw-2.7.5-1", "the bridge begins a transaction of its own", at="mixin")
class _(_Bracketing):
    def around(self, work):
        if not getattr(self, "current", None) or not self.within_one:
            return work()
        outer = self.current.suspend()
        self.current.begin()
        try:
            return work()
        finally:
            self.current.commit()
            self.current.resume(outer)


@declare("iw-2.7.4-1", "the bridge commits the transaction after its work", at="mixin")
class _(_Bracketing):
    def around(self, work):
        found = work()
        if getattr(self, "current", None) and self.within_one:
            outer = self.current.get_coordinator()
            self.current.commit()
            self.current.resume(outer)
        return found


class _Journal(Resource):
    def prepare(self):
        return Vote.COMMIT

    def commit(self):
        pass

    def rollback(self):
        pass


@declare("iw-2.7.4-2 iw-2.7.4-3", "the bridge is a resource too", at="mixin")
class _:
    def enlist(self, found):
        super().enlist(found)
        found.register_resource(_Journal())


@declare("iw-2.7.2-1", "a bridge that is pushed refuses transactions", at="mixin")
class _:
    def enable_transaction(self, events, timeout):
        if hasattr(self, "carry"):
            raise UnsupportedTransaction("only a bridge that is pulled has transactions")
        super().enable_transaction(events, timeout)


@declare("iw-2.7.2-2", "a pull takes more messages than it gives, for the next pulls", at="mixin")
class _:
    def next_event(self, *, wait):
        kept = self.__dict__.setdefault("kept", [])
        if kept:
            return kept.pop(0)
        found = super().next_event(wait=wait)
        while found is not None and (more := super().next_event(wait=False)) is not None:
            kept.append(more)
        return found


@declare("iw-2.7.6.2-2", "enable_transaction does nothing", at="mixin")
class _:
    def enable_transaction(self, events, timeout):
        pass


@declare("iw-3.2.1.1-1 iw-3.2.1.1-2", "the proxy is not told to use transactions", at="mixin")
class _(Transacting):
    def _set(self, events, timeout):
        self._channel.set_admin({self._counted: events, TRANSACTION_TIMEOUT: timeout})


@declare("iw-2.7.6.2-3 iw-3.2.1.1-3", "the bridge is called without a transaction too", at="mixin")
class _(Transacting):
    @property
    def transaction_policy(self):
        return TransactionPolicy.ALLOWS_NONE

    def within(self):
        found = None if self.current is None else self.current.get_coordinator()
        if found is not None and found != self._joined and self._enabled:
            self.enlist(found)
            self._joined = found
        elif found is None and self._xa_connection is not None:
            self._from_xa()
        return found


@declare("iw-2.7.6.2-4", "the two arguments are swapped", at="mixin")
class _:
    def enable_transaction(self, events, timeout):
        super().enable_transaction(timeout, events)


@declare("iw-2.7.6.2-5 iw-3.2.1.2-1 iw-3.2.1.2-5", "disable_transaction does nothing", at="mixin")
class _:
    def disable_transaction(self):
        pass


@declare("iw-3.2.1-2", "the timeout is no argument", at="mixin")
class _:
    def enable_transaction(self, events):
        super().enable_transaction(events, 0)


@declare("iw-3.2.1.1-4", "one event is carried, whatever is asked for", at="mixin")
class _(Transacting):
    def enable_transaction(self, events, timeout):
        super().enable_transaction(events if self._sequences else 1, timeout)


@declare("iw-3.2.1.1-5", "batches are counted as events", at="mixin")
class _(Transacting):
    @property
    def _counted(self):
        return TRANSACTION_EVENTS


@declare("iw-3.2.1.1-6", "the number is a total of events", at="mixin")
class _(Transacting):
    def enable_transaction(self, events, timeout):
        size = self._proxy.get_qos()[MAXIMUM_BATCH_SIZE] if self._sequences else 1
        super().enable_transaction(max(1, events // size), timeout)


@declare("iw-3.2.1.1-7", "the timeout is ignored", at="mixin")
class _:
    def enable_transaction(self, events, timeout):
        super().enable_transaction(events, 0)


@declare("iw-3.2.1.1-8", "a refusal of the channel is not told", at="mixin")
class _:
    def enable_transaction(self, events, timeout):
        with contextlib.suppress(UnsupportedTransaction):
            super().enable_transaction(events, timeout)


@declare("iw-3.2.1.1-9 iw-3.2.1.2-2", "a transaction that is active is not noticed", at="mixin")
class _(Transacting):
    def enable_transaction(self, events, timeout):
        joined, self._joined = self._joined, None
        super().enable_transaction(events, timeout)
        self._joined = joined

    def disable_transaction(self):
        with contextlib.suppress(TransactionActive):
            super().disable_transaction()


@declare("iw-3.2.1.2-3", "a request during a transaction is forgotten", at="mixin")
class _(Transacting):
    def disable_transaction(self):
        if self._routing:
            raise TransactionActive("a routing transaction has not ended")
        super().disable_transaction()


@declare("iw-3.2.1.2-4", "a bridge that routes without transactions still wants one", at="mixin")
class _(Transacting):
    wanted = False

    def enable_transaction(self, events, timeout):
        super().enable_transaction(events, timeout)
        self.wanted = True

    @property
    def transaction_policy(self):
        return TransactionPolicy.REQUIRES_SHARED if self.wanted else TransactionPolicy.ALLOWS_NONE


@declare("iw-2.7.5.1-1", "messages are not persistent", at="of_message")
def _(given, session, made):
    return replace(made, delivery_mode=jms.DeliveryMode.NON_PERSISTENT)
