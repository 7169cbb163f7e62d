"""Faults of channels that route by transactions."""

from faults.interworking.kit import *


@declare(
    "iw-2.6-1 iw-2.7.1-4 iw-2.7.1-9 iw-2.7.3.1-4", "the return of a push ends what the channel has to do", by=in_place
)
class _(Taken):
    def undo(self):
        self.keep()


@declare("iw-2.7.1-3", "events stay in the queue after the commit, once", by=in_place)
class _(Taken):
    def keep(self):
        proxy = self._proxy
        if proxy.__dict__.get("doubled"):
            super().keep()
        else:
            proxy.doubled = True
            self.undo()


@declare("iw-2.7.3-1", "the queue is changed outside any resource", by=in_place)
class _(Taken):
    def register(self, coordinator):
        with self.core.lock:
            self._end(self.keep)
            self.over = False


@declare("iw-2.7.3.1-3", "events leave the queue when they are pushed", by=in_place)
class _(Taken):
    def __init__(self, core, proxy, waiting):
        super().__init__(core, proxy, waiting)
        proxy.out -= len(waiting)

    def keep(self):
        self._proxy.out += len(self._waiting)
        super().keep()

    def undo(self):
        self._proxy.out += len(self._waiting)
        super().undo()


@declare("iw-2.7.1-5 iw-2.7.3.2-2", "events are published before the commit", by=in_place)
class _(Stored):
    def register(self, coordinator):
        pass

    def add(self, events):
        self.core.publish(events)


@declare("iw-2.7.3.2-4", "events of a rollback stay", by=in_place)
class _(Stored):
    def undo(self):
        self.keep()


@declare("iw-2.7.3-4", "prepare saves nothing", by=in_place)
class _(Taken):
    def crash(self):
        self._end(self.undo)


@declare("iw-2.7.1-1", "an event is published as soon as it is pushed", by=into(StructuredTaking))
class _(StructuredTaking):
    def accept(self, events):
        self.publish(events)


@declare("iw-2.7.1-8 iw-2.7.3.2-3", "queues live in memory only", by=into(Supplying))
class _:
    def recover(self):
        super().recover()
        self.queue.take(2**31, self.core.clock.now())


@declare("iw-2.7.5.1-3", "a rollback waits for a new event", by=into(Pushing))
class _:
    def _transacted(self, client, now):
        there = len(self.queue)
        if there and there == self.__dict__.get("failed"):
            return None
        step = super()._transacted(client, now)
        if step is None:
            return None

        def push():
            step()
            with self.core.lock:
                self.failed = there if len(self.queue) >= there else None

        return push


@declare("iw-2.7.3.1-2", "the commit is never asked for", by=served_by)
class _(Passing):
    def commit(self):
        self.inner.suspend()


@declare("iw-2.7.6.1-18", "the timeout counts milliseconds", by=served_by)
class _(Passing):
    def set_timeout(self, seconds):
        self.inner.set_timeout(seconds / 1000)


@declare("iw-2.7.6.1-19", "a timeout of 0 ends a transaction at once", by=served_by)
class _(Passing):
    def set_timeout(self, seconds):
        self.inner.set_timeout(seconds or 1 / 1000)


@declare("iw-2.7.6.1-20", "the timeout is not passed on", by=served_by)
class _(Passing):
    def set_timeout(self, seconds):
        pass


# -- the properties ------------------------------------------------------------------------------------------------


@declare("iw-2.7.6.1-1", "EnableTransaction is no boolean", by=into(StandInProxy))
class _:
    def set_qos(self, qos):
        if isinstance(qos.get(ENABLE_TRANSACTION), bool):
            raise UnsupportedQoS(PropertyError(QoSErrorCode.BAD_TYPE, ENABLE_TRANSACTION))
        super().set_qos(qos)


@declare("iw-2.7.6.1-2", "proxies have no policy", by=into(StandInProxy))
class _:
    def accept(self, events):
        self.publish(events)


@declare("iw-2.7.6.1-3 iw-4.3-1", "the property is kept, and has no effect", by=into(Pushing, Pulling))
class _:
    transacts = False


@declare("iw-2.7.6.1-5", "transactions are on by default", by=into(Pushing, Pulling))
class _:
    @property
    def transacts(self):
        return self.core.current is not None


@declare("iw-2.7.6.1-6", "a call without a transaction is taken", by=into(StructuredTaking))
class _(StructuredTaking):
    @property
    def transaction_policy(self):
        current = self.core.current
        within = current is not None and current.get_coordinator() is not None
        return TransactionPolicy.REQUIRES_SHARED if within else TransactionPolicy.ALLOWS_NONE


@declare("iw-2.7.6.1-7", "a transaction is wanted by default", by=into(StructuredTaking))
class _(StructuredTaking):
    @property
    def transaction_policy(self):
        return TransactionPolicy.REQUIRES_SHARED


class _Shown(StandInProxy):
    """A proxy that tells another quality of service."""

    def get_qos(self):
        return {**super().get_qos(), **self.shown()}

    def shown(self):
        raise NotImplementedError


@declare("iw-2.7.6.1-8", "an admin's proxies keep what held when they were made", by=into(StandInProxy))
class _(_Shown):
    def __init__(self, *given):
        super().__init__(*given)
        self._born = self.core.current is not None and bool(self.qos[ENABLE_TRANSACTION])
        self._own = None

    def set_qos(self, qos):
        super().set_qos(qos)
        if ENABLE_TRANSACTION in qos:
            self._own = bool(qos[ENABLE_TRANSACTION])

    @property
    def transacts(self):
        return self._born if self._own is None else self._own

    def shown(self):
        return {ENABLE_TRANSACTION: self.transacts}


@declare("iw-2.7.6.1-9", "the channel's property reaches the default admins only", by=into(StandInProxy))
class _(_Shown):
    def shown(self):
        return {} if self.admin.id == 0 else {ENABLE_TRANSACTION: False}


@declare("iw-2.7.6.1-11", "events stay best effort", by=into(StandInProxy))
class _(_Shown):
    def shown(self):
        return {EVENT_RELIABILITY: BEST_EFFORT}


@declare("iw-2.7.6.1-12", "what was reliable stays so", by=into(StandInProxy))
class _(_Shown):
    ever = False

    def set_qos(self, qos):
        super().set_qos(qos)
        self.ever = self.ever or bool(qos.get(ENABLE_TRANSACTION))

    def shown(self):
        return {EVENT_RELIABILITY: PERSISTENT, CONNECTION_RELIABILITY: PERSISTENT} if self.ever else {}


@declare("iw-2.7.6.1-14", "each event has its own transaction", by=into(Pushing, Pulling))
class _:
    transaction_size = 1


@declare(
    "iw-2.7.6.1-15 iw-2.7.6.1-24", "TransactionEvents counts batches too", by=into(SequencePushing, SequencePulling)
)
class _:
    counted = TRANSACTION_EVENTS


@declare("iw-2.7.6.1-16", "TransactionEventSequences counts events", by=into(SequencePushing))
class _(SequencePushing):
    @property
    def transaction_size(self):
        return max(1, self.core.limits[TRANSACTION_EVENT_SEQUENCES] // self.batch_size)


@declare("iw-2.7.6.1-17", "TransactionEventSequences counts single events", by=into(StructuredPushing))
class _:
    counted = TRANSACTION_EVENT_SEQUENCES


@declare("iw-2.7.6.1-21", "batches have no timeout", by=into(SequencePushing, SequencePulling))
class _:
    transaction_timeout = 0


@declare("iw-2.7.6.1-22", "a timeout ends the calls of suppliers", by=into(StructuredTaking))
class _(StructuredTaking):
    born = 0

    def connect_structured_push_supplier(self, push_supplier):
        self.born = self.core.clock.now()
        super().connect_structured_push_supplier(push_supplier)

    def accept(self, events):
        limit = self.core.limits[TRANSACTION_TIMEOUT] if self.core.current is not None else 0
        if limit and self.core.clock.now() >= self.born + limit * 1000:
            raise CommFailure("the time is up")
        super().accept(events)


@declare("iw-2.7.6.1-23", "set_admin knows no transactions", by=each_channel)
def _(channel):
    accept = channel.set_admin

    def refuse(admin):
        if {TRANSACTION_EVENTS, TRANSACTION_EVENT_SEQUENCES, TRANSACTION_TIMEOUT} & set(admin):
            raise UnsupportedAdmin(PropertyError(QoSErrorCode.BAD_PROPERTY, "transactions"))
        accept(admin)

    channel.set_admin = refuse
