"""Red round 3a, first part: faults of redelivery, delay and restart, written without sight of the suite."""

from array import array
from itertools import chain

from faults.kit import *


@of_round(3)(
    "delayed-to-durable-due-at-restart",
    "after a restart a durable subscription gives out at once what is not due yet",
    "3.4.13-6",
    "3.4.13-7",
)
def _due_at_restart(patch):
    """As apache/pulsar #22716: after a restart delayed messages of a subscription are delivered immediately."""
    original = recovery._recover_deliveries

    def recover(broker, delivery_queues, delayed):
        early = []
        original(broker, delivery_queues, early)
        for delivery_queue, number in early:
            for entry in broker.load(delivery_queue, array("q", [number])):
                delivery_queue.load_order(number, entry.priority, 0)

    patch.replace(recovery, "_recover_deliveries", recover)


@of_round(3)(
    "redelivered-of-durable-forgotten-at-restart",
    "after a restart a durable subscription no longer knows what it has delivered before",
    "3.4.7-1",
    "3.5.11-2",
    "3.4.7-2",
)
def _forgotten_at_restart(patch):
    """As cloudamqp/lavinmq #1911: the redelivery state lives in memory only."""
    original = StoredDeliveryQueue.load_order

    def load_order(self, number, priority, deliveries):
        original(self, number, priority, deliveries if self.subscription is None else 0)

    patch.replace(StoredDeliveryQueue, "load_order", load_order)


@of_round(3)(
    "delivery-time-lost-at-restart",
    "a delayed message that is read from the file when it is due has its timestamp as JMSDeliveryTime",
    "3.4.13-5",
)
def _delivery_time_lost(patch):
    """As ARTEMIS-4768 (apache/artemis #4929): the time of a scheduled message is lost after a broker restart."""
    original = Broker.load_numbers

    def load_numbers(self, numbers):
        found = original(self, numbers)
        for entry in found:
            if entry.delivery_time <= self.clock.now() and entry.timestamp:
                entry.delivery_time = entry.timestamp
        return found

    patch.replace(Broker, "load_numbers", load_numbers)


@of_round(3)(
    "small-integers-widened-at-restart",
    "byte and short properties of a message that is read from the file after a restart are int",
    "3.5.4-9",
    "3.5.5-3",
)
def _widened(patch):
    """Likely in stores that keep properties as JSON, which has one kind of integer."""
    original = broker_module.entry_of

    def entry_of(row):
        entry = original(row)
        wide = {
            name: Int(value.value) if isinstance(value, (Byte, Short)) else value
            for name, value in entry.snapshot.properties.items()
        }
        entry.snapshot = entry.snapshot._replace(properties=wide)
        return entry

    patch.replace(broker_module, "entry_of", entry_of)


@of_round(3)(
    "not-redelivered-after-closed-consumer",
    "messages received but not acknowledged by a consumer that closed before its session come back as new",
    "3.4.7-2",
    "3.5.11-2",
)
def _closed_consumer(patch):
    """As ARTEMIS-1868 (apache/artemis #2090): a client-acknowledge consumer closes without acknowledging."""
    original = ReferenceSession.shut

    def shut(self):
        for delivery in self.state.unacknowledged:
            if getattr(delivery.consumer, "closed", False):
                delivery.count -= 1
        return original(self)

    patch.replace(ReferenceSession, "shut", shut)


@of_round(3)(
    "severed-link-redelivers-with-count-one-less",
    "what a severed link has given back is redelivered with a JMSXDeliveryCount that leaves that delivery out",
    "3.5.11-3",
    "3.5.11-2",
)
def _severed(patch):
    """Likely with AMQP 1.0: a detached link ends as 'released', which does not raise delivery-count."""
    original = ReferenceSession.abandon
    released = set()

    def abandon(self):
        for delivery in [*self.state.unacknowledged, *self.state.work.acks]:
            released.add((delivery.source, delivery.entry.number))
        original(self)

    def properties(self):
        less = (self.source, self.entry.number) in released and self.count > 1
        return receipt_properties(
            self.count - 1 if less else self.count, timestamp=self.received_at, transaction=self.transaction
        )

    patch.replace(ReferenceSession, "abandon", abandon)
    patch.replace(Delivery, "properties", property(properties))


@of_round(3)(
    "delays-of-one-transaction-merged",
    "messages sent with different delays in one transaction all become due with the first of them",
    "3.4.13-6",
    "3.4.13-5",
)
def _merged(patch):
    original = Work.perform

    def perform(self):
        if self.sends:
            now = self.broker.clock.now()
            delayed = [entry for _, entry in self.sends if entry.delivery_time > now]
            for entry in delayed:
                entry.delivery_time = min(one.delivery_time for one in delayed)
        original(self)

    patch.replace(Work, "perform", perform)


@of_round(3)(
    "browser-with-selector-shows-the-future",
    "a browser with a selector also shows messages whose delivery time has not come",
    "3.4.13-7",
    "3.4.13-6",
)
def _future(patch):
    """The question of eclipse-ee4j/openmq #184: browsers and delivery delay."""
    original = ReferenceBrowser.get_enumeration

    def get_enumeration(self):
        shown = original(self)
        broker = self.session.broker
        if self._matches is not None:
            with broker.lock:
                waiting = broker.schedule.waiting_for(self._physical.delivery_queue)
                shown._seen = chain(shown._seen, [self._view(entry) for entry in waiting if self.shows(entry)])
        return shown

    patch.replace(ReferenceBrowser, "get_enumeration", get_enumeration)


@of_round(3)(
    "shared-durable-shows-its-own-queue",
    "JMSDestination of what a shared durable subscription delivers is a queue with the subscription's name",
    "3.4.1-3",
)
def _own_queue(patch):
    """Likely where subscriptions are queues; KxSystems/solace #45 asks which of the two names is shown."""
    original = Delivery.destination.fget

    def destination(self):
        physical = self.source.physical
        subscriptions = physical.subscriptions if isinstance(physical, PhysicalTopic) else ()
        for one in subscriptions:
            if one.delivery_queue is self.source and one.shared and one.durable:
                return ReferenceQueue(one.key[1])
        return original(self)

    patch.replace(Delivery, "destination", property(destination))


@of_round(3)(
    "redelivered-flag-travels-on",
    "a message that was received as redelivered and is sent on arrives as redelivered",
    "3.4.11-5",
    "3.5.11-4",
)
def _travels_on(patch):
    """Seen in ActiveMQ: redeliveryCounter stays in a received message that is sent to the next queue."""
    freeze = ReferenceProducer.freeze
    sent_on = set()

    def keep(self, message, stamp, properties):
        entry = freeze(self, message, stamp, properties)
        if isinstance(message, ReferenceMessage) and message._acknowledge is not None and message.jms_redelivered:
            sent_on.add(entry)
        return entry

    patch.replace(ReferenceProducer, "freeze", keep)
    patch.replace(Delivery, "redelivered", property(lambda self: self.count > 1 or self.entry in sent_on))
