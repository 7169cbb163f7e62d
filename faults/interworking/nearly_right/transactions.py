"""Narrow faults of bridges and channels that route by transactions."""

from dataclasses import replace

from faults.interworking.kit import *


@round_12(
    "bridge-batches-of-one-count-as-events",
    "sets TransactionEvents in place of TransactionEventSequences where MaximumBatchSize is 1",
    "iw-3.2.1.1-5",
)
class _(Transacting):
    @property
    def _counted(self):
        if self.bridge.sequences and self.bridge.proxy.get_qos()[MAXIMUM_BATCH_SIZE] == 1:
            return TRANSACTION_EVENTS
        return str(super()._counted)


@round_12(
    "bridge-keeps-the-first-timeout",
    "sets the TransactionTimeout of its first enable_transaction again at each later one",
    "iw-3.2.1.1-7",
    "iw-2.7.6.2-4",
)
class _(Transacting):
    _first = None

    def _set(self, events, timeout):
        if self._first is None:
            self._first = timeout
        super()._set(events, self._first)


@round_12(
    "bridge-channel-rolls-back-to-the-end",
    "puts the events of a transaction that was rolled back behind those that wait already",
    "iw-2.7.1-4",
    "iw-2.5.6-1",
    by=in_place,
)
class _(Taken):
    def undo(self):
        self._waiting = tuple(replace(each, number=next(self.core._numbers)) for each in self._waiting)
        super().undo()


@round_12(
    "bridge-channel-keeps-what-was-prepared",
    "publishes the events of a transaction that was rolled back after the channel had prepared",
    "iw-2.7.3.2-4",
    "iw-2.7.3-4",
    by=in_place,
)
class _(Stored):
    def undo(self):
        if self.prepared:
            self.keep()
        else:
            super().undo()


@round_12(
    "bridge-channel-forgets-groups-in-doubt",
    "forgets in a crash that it had prepared a transaction of several events, and routes them once more",
    "iw-2.7.3-4",
    "iw-2.7.1-9",
    "iw-2.7.3.1-3",
    by=in_place,
)
class _(Taken):
    def crash(self):
        if self.prepared and len(self._waiting) > 1:
            self._end(self.undo)
        else:
            super().crash()


@round_12(
    "bridge-best-effort-outside-transaction",
    "sends an event whose own EventReliability is BestEffort by its plain session, outside the routing transaction",
    "iw-2.7.4-6",
    "iw-2.7.5.1-2",
)
class _(Carrier):
    def carry(self, item):
        found = item.field(EVENT_RELIABILITY) if isinstance(item, StructuredEvent) else None
        unit, end = self.bridge.unit, self.bridge.jms_end
        if found is None or found.value != BEST_EFFORT or not unit.enabled:
            super().carry(item)
            return
        with self.bridge.lock:
            within, end.producer = end.producer, unit._plain_session.create_producer(self.bridge.destination)
            try:
                super().carry(item)
            finally:
                end.producer = within


@round_12(
    "bridge-channel-enables-new-connections",
    "applies EnableTransaction of an admin or of the channel only to proxies that are connected later",
    "iw-2.7.6.1-8",
    "iw-2.7.6.1-9",
    by=into(Supplying, Consuming),
)
class _:
    _then = False

    def connect(self, client):
        self._then = super().transacts
        super().connect(client)

    @property
    def transacts(self):
        now = super().transacts
        return self._then if self.connected and ENABLE_TRANSACTION not in self.qos.own else now


@round_12(
    "bridge-channel-keeps-an-old-limit",
    "does not tell the transaction service of a TransactionTimeout of 0, so that an earlier limit goes on",
    "iw-2.7.6.1-19",
    by=served_by,
)
class _(Passing):
    def set_timeout(self, seconds):
        if seconds:
            self.inner.set_timeout(seconds)


@round_13(
    "bridge-batches-counted-as-events",
    "With sequences and MaximumBatchSize above 1 the argument of enable_transaction is divided by it.",
    "iw-3.2.1.1-5",
    "iw-3.2.1.1-6",
)
class _(Transacting):
    def _set(self, events, timeout):
        if self.bridge.sequences:
            events = max(1, events // self.bridge.proxy.get_qos()[MAXIMUM_BATCH_SIZE])
        super()._set(events, timeout)


@round_13(
    "bridge-channel-undoes-the-last-pull",
    "When a transaction of several pulls is rolled back, the channel deletes only what the last pull brought.",
    "iw-2.7.3.2-4",
    "iw-2.7.1-4",
    by=in_place,
)
class _(Stored):
    _last = 0

    def add(self, events):
        self._last = len(events)
        super().add(events)

    def undo(self):
        stay = self.events[: len(self.events) - self._last]
        if stay and not self.core.crashed:
            self.core.publish(stay, promised=True)
        super().undo()
