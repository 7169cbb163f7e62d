"""Faults of bridges that route by transactions."""

import contextlib
from dataclasses import replace

from faults.interworking.kit import *


@declare(
    "iw-2.7.1-2 iw-2.7.1-10 iw-2.7.3.1-1 iw-2.7.3.2-1 iw-2.7.4-6 iw-2.7.5-2 iw-2.7.5-3 iw-2.7.5.1-2 iw-2.7.5.2-1 iw-2.7.5.2-2 "
    "iw-2.7.5.2-3",
    "the provider works outside the transaction",
)
class _(Transacting):
    def _to_xa(self):
        pass

    def _from_xa(self):
        pass

    def enlist(self, found):
        pass


class _Bracketing(Carrier):
    """Does something around each item that is carried."""

    def carry(self, event):
        self.around(lambda: super(_Bracketing, self).carry(event))

    def next_event(self, *, wait):
        return self.around(lambda: super(_Bracketing, self).next_event(wait=wait))

    def around(self, work):
        raise NotImplementedError

    @property
    def within_one(self):
        """The transaction service, where it has a transaction."""
        found = self.bridge.unit.current
        return found if found is not None and found.get_coordinator() is not None else None


@declare("iw-2.7.2-3 iw-2.7.5-1", "the bridge begins a transaction of its own")
class _(_Bracketing):
    def around(self, work):
        current = self.within_one
        if current is None:
            return work()
        outer = current.suspend()
        current.begin()
        try:
            return work()
        finally:
            current.commit()
            current.resume(outer)


@declare("iw-2.7.4-1", "the bridge commits the transaction after its work")
class _(_Bracketing):
    def around(self, work):
        found = work()
        if current := self.within_one:
            outer = current.get_coordinator()
            current.commit()
            current.resume(outer)
        return found


class _Journal(Resource):
    def prepare(self):
        return Vote.COMMIT

    def commit(self):
        pass

    def rollback(self):
        pass


@declare("iw-2.7.4-2 iw-2.7.4-3", "the bridge is a resource too")
class _(Transacting):
    def enlist(self, found):
        super().enlist(found)
        found.register_resource(_Journal())


@declare("iw-2.7.2-1", "a bridge that is pushed refuses transactions")
class _(ReferenceBridge):
    def enable_transaction(self, events, timeout):
        if isinstance(self.from_, at_channel.PushedTo):
            raise UnsupportedTransaction("only a bridge that is pulled has transactions")
        super().enable_transaction(events, timeout)


@declare("iw-2.7.2-2", "a pull takes more messages than it gives, for the next pulls")
class _(Carrier):
    def next_event(self, *, wait):
        kept = self.__dict__.setdefault("kept", [])
        if kept:
            return kept.pop(0)
        found = super().next_event(wait=wait)
        while found is not None and (more := super().next_event(wait=False)) is not None:
            kept.append(more)
        return found


@declare("iw-2.7.6.2-2", "enable_transaction does nothing")
class _(ReferenceBridge):
    def enable_transaction(self, events, timeout):
        pass


@declare("iw-3.2.1.1-1 iw-3.2.1.1-2", "the proxy is not told to use transactions")
class _(Transacting):
    def _set(self, events, timeout):
        self.bridge.channel.set_admin({self._counted: events, TRANSACTION_TIMEOUT: timeout})


@declare("iw-2.7.6.2-3 iw-3.2.1.1-3", "the bridge is called without a transaction too")
class _(Transacting):
    @property
    def transaction_policy(self):
        return TransactionPolicy.ALLOWS_NONE

    def within(self):
        found = None if self.current is None else self.current.get_coordinator()
        if found is not None and found != self.joined and self.enabled:
            self.enlist(found)
            self.joined = found
        elif found is None and self._xa_connection is not None:
            self._from_xa()
        return found


@declare("iw-2.7.6.2-4", "the two arguments are swapped")
class _(ReferenceBridge):
    def enable_transaction(self, events, timeout):
        super().enable_transaction(timeout, events)


@declare("iw-2.7.6.2-5 iw-3.2.1.2-1 iw-3.2.1.2-5", "disable_transaction does nothing")
class _(ReferenceBridge):
    def disable_transaction(self):
        pass


@declare("iw-3.2.1-2", "the timeout is no argument")
class _(ReferenceBridge):
    def enable_transaction(self, events):
        super().enable_transaction(events, 0)


@declare("iw-3.2.1.1-4", "one event is carried, whatever is asked for")
class _(ReferenceBridge):
    def enable_transaction(self, events, timeout):
        super().enable_transaction(events if self.sequences else 1, timeout)


@declare("iw-3.2.1.1-5", "batches are counted as events")
class _(Transacting):
    @property
    def _counted(self):
        return TRANSACTION_EVENTS


@declare("iw-3.2.1.1-6", "the number is a total of events")
class _(ReferenceBridge):
    def enable_transaction(self, events, timeout):
        size = self.proxy.get_qos()[MAXIMUM_BATCH_SIZE] if self.sequences else 1
        super().enable_transaction(max(1, events // size), timeout)


@declare("iw-3.2.1.1-7", "the timeout is ignored")
class _(ReferenceBridge):
    def enable_transaction(self, events, timeout):
        super().enable_transaction(events, 0)


@declare("iw-3.2.1.1-8", "a refusal of the channel is not told")
class _(ReferenceBridge):
    def enable_transaction(self, events, timeout):
        with contextlib.suppress(UnsupportedTransaction):
            super().enable_transaction(events, timeout)


@declare("iw-3.2.1.1-9 iw-3.2.1.2-2", "a transaction that is active is not noticed")
class _(Transacting):
    def enable(self, events, timeout):
        joined, self.joined = self.joined, None
        super().enable(events, timeout)
        self.joined = joined

    def disable(self):
        with contextlib.suppress(TransactionActive):
            super().disable()


@declare("iw-3.2.1.2-3", "a request during a transaction is forgotten")
class _(Transacting):
    def disable(self):
        if self.routing:
            raise TransactionActive("a routing transaction has not ended")
        super().disable()


@declare("iw-3.2.1.2-4", "a bridge that routes without transactions still wants one")
class _(Transacting):
    wanted = False

    def enable(self, events, timeout):
        super().enable(events, timeout)
        self.wanted = True

    @property
    def transaction_policy(self):
        return TransactionPolicy.REQUIRES_SHARED if self.wanted else TransactionPolicy.ALLOWS_NONE


@declare("iw-2.7.5.1-1", "messages are not persistent", at="of_message")
def _(given, session, made):
    return replace(made, delivery_mode=jms.DeliveryMode.NON_PERSISTENT)
