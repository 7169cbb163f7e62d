"""Red round 3a, first part: faults of redelivery, delay and restart, written without sight of the suite."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import chain
from typing import Any

from faults.kit.declaring import nearly_right
from faults.kit.patch import Patch
from reference_provider.broker import broker as broker_module
from reference_provider.broker import recovery
from reference_provider.broker.broker import Broker
from reference_provider.broker.delivery import Delivery
from reference_provider.broker.physical_destinations import PhysicalTopic, StoredDeliveryQueue
from reference_provider.broker.transactions import Work
from reference_provider.client.browsers import ReferenceBrowser
from reference_provider.client.producers import ReferenceProducer
from reference_provider.client.sessions import ReferenceSession
from reference_provider.destinations import ReferenceQueue
from reference_provider.messages.jmsx import receipt_properties
from reference_provider.messages.message import ReferenceMessage
from tck.api import Byte, Int, Short


@nearly_right(
    "delayed-to-durable-due-at-restart",
    "after a restart a durable subscription gives out at once what is not due yet",
    "3.4.13-6",
    "3.4.13-7",
)
def _due_at_restart(patch: Patch) -> None:
    """As apache/pulsar #22716: after a restart delayed messages of a subscription are delivered immediately."""
    original = recovery._recover_deliveries

    def recover(broker: Broker, delivery_queues: dict[int, StoredDeliveryQueue], delayed: Any) -> None:
        del delayed
        early: list[tuple[StoredDeliveryQueue, int]] = []
        original(broker, delivery_queues, early)
        for delivery_queue, number in early:
            for entry in broker.load(delivery_queue, array("q", [number])):
                delivery_queue.load_order(number, entry.priority, 0)

    patch.replace(recovery, "_recover_deliveries", recover)


@nearly_right(
    "redelivered-of-durable-forgotten-at-restart",
    "after a restart a durable subscription no longer knows what it has delivered before",
    "3.4.7-1",
    "3.5.11-2",
    "3.4.7-2",  # added after the round: a restart makes the session another one
)
def _forgotten_at_restart(patch: Patch) -> None:
    """As cloudamqp/lavinmq #1911: the redelivery state lives in memory only."""
    original = StoredDeliveryQueue.load_order

    def load_order(self: StoredDeliveryQueue, number: int, priority: int, deliveries: int) -> None:
        original(self, number, priority, deliveries if self.subscription is None else 0)

    patch.replace(StoredDeliveryQueue, "load_order", load_order)


@nearly_right(
    "delivery-time-lost-at-restart",
    "a delayed message that is read from the file when it is due has its timestamp as JMSDeliveryTime",
    "3.4.13-5",
)
def _delivery_time_lost(patch: Patch) -> None:
    """As ARTEMIS-4768 (apache/artemis #4929): the time of a scheduled message is lost after a broker restart."""
    original = Broker.load_numbers

    def load_numbers(self: Broker, numbers: Any) -> list[Any]:
        found = original(self, numbers)
        for entry in found:
            if entry.delivery_time <= self.clock.now() and entry.timestamp:
                entry.delivery_time = entry.timestamp
        return found

    patch.replace(Broker, "load_numbers", load_numbers)


@nearly_right(
    "small-integers-widened-at-restart",
    "byte and short properties of a message that is read from the file after a restart are int",
    "3.5.4-9",
    "3.5.5-3",
)
def _widened(patch: Patch) -> None:
    """Likely in stores that keep properties as JSON, which has one kind of integer."""
    original = broker_module.entry_of  # type: ignore[attr-defined]

    def entry_of(row: Any) -> Any:
        entry = original(row)
        wide = {
            name: Int(value.value) if isinstance(value, (Byte, Short)) else value
            for name, value in entry.snapshot.properties.items()
        }
        entry.snapshot = entry.snapshot._replace(properties=wide)
        return entry

    patch.replace(broker_module, "entry_of", entry_of)


@nearly_right(
    "not-redelivered-after-closed-consumer",
    "messages received but not acknowledged by a consumer that closed before its session come back as new",
    "3.4.7-2",
    "3.5.11-2",
)
def _closed_consumer(patch: Patch) -> None:
    """As ARTEMIS-1868 (apache/artemis #2090): a client-acknowledge consumer closes without acknowledging."""
    original = ReferenceSession.shut

    def shut(self: ReferenceSession) -> bool:
        for delivery in self.state.unacknowledged:
            if getattr(delivery.consumer, "closed", False):
                delivery.count -= 1
        return original(self)

    patch.replace(ReferenceSession, "shut", shut)


@nearly_right(
    "severed-link-redelivers-with-count-one-less",
    "what a severed link has given back is redelivered with a JMSXDeliveryCount that leaves that delivery out",
    "3.5.11-3",
    "3.5.11-2",
)
def _severed(patch: Patch) -> None:
    """Likely with AMQP 1.0: a detached link ends as 'released', which does not raise delivery-count."""
    original = ReferenceSession.abandon
    released: set[tuple[StoredDeliveryQueue, int]] = set()

    def abandon(self: ReferenceSession) -> None:
        for delivery in [*self.state.unacknowledged, *self.state.work.acks]:
            released.add((delivery.source, delivery.entry.number))
        original(self)

    def properties(self: Delivery) -> Any:
        less = (self.source, self.entry.number) in released and self.count > 1
        return receipt_properties(
            self.count - 1 if less else self.count, timestamp=self.received_at, transaction=self.transaction
        )

    patch.replace(ReferenceSession, "abandon", abandon)
    patch.replace(Delivery, "properties", property(properties))


@nearly_right(
    "delays-of-one-transaction-merged",
    "messages sent with different delays in one transaction all become due with the first of them",
    "3.4.13-6",
    "3.4.13-5",
)
def _merged(patch: Patch) -> None:
    original = Work.perform

    def perform(self: Work) -> None:
        if self.sends:
            now = self.broker.clock.now()  # type: ignore[attr-defined]
            delayed = [entry for _, entry in self.sends if entry.delivery_time > now]
            for entry in delayed:
                entry.delivery_time = min(one.delivery_time for one in delayed)
        original(self)

    patch.replace(Work, "perform", perform)


@nearly_right(
    "browser-with-selector-shows-the-future",
    "a browser with a selector also shows messages whose delivery time has not come",
    "3.4.13-7",
    "3.4.13-6",
)
def _future(patch: Patch) -> None:
    """The question of eclipse-ee4j/openmq #184: browsers and delivery delay."""
    original = ReferenceBrowser.get_enumeration

    def get_enumeration(self: ReferenceBrowser) -> Any:
        shown: Any = original(self)
        broker = self.session.broker
        if self._matches is not None:
            with broker.lock:
                waiting = broker.schedule.waiting_for(self._physical.delivery_queue)
                shown._seen = chain(shown._seen, [self._view(entry) for entry in waiting if self.shows(entry)])
        return shown

    patch.replace(ReferenceBrowser, "get_enumeration", get_enumeration)


@nearly_right(
    "shared-durable-shows-its-own-queue",
    "JMSDestination of what a shared durable subscription delivers is a queue with the subscription's name",
    "3.4.1-3",
)
def _own_queue(patch: Patch) -> None:
    """Likely where subscriptions are queues; KxSystems/solace #45 asks which of the two names is shown."""
    original: Any = Delivery.destination.fget  # type: ignore[attr-defined]

    def destination(self: Delivery) -> Any:
        physical = self.source.physical
        subscriptions: Sequence[Any] = physical.subscriptions if isinstance(physical, PhysicalTopic) else ()
        for one in subscriptions:
            if one.delivery_queue is self.source and one.shared and one.durable:
                return ReferenceQueue(one.key[1])
        return original(self)

    patch.replace(Delivery, "destination", property(destination))


@nearly_right(
    "redelivered-flag-travels-on",
    "a message that was received as redelivered and is sent on arrives as redelivered",
    "3.4.11-5",
    "3.5.11-4",
)
def _travels_on(patch: Patch) -> None:
    """Seen in ActiveMQ: redeliveryCounter stays in a received message that is sent to the next queue."""
    freeze = ReferenceProducer.freeze
    sent_on: set[Any] = set()

    def keep(self: ReferenceProducer, message: Any, stamp: Any, properties: Any) -> Any:
        entry = freeze(self, message, stamp, properties)
        if isinstance(message, ReferenceMessage) and message._acknowledge is not None and message.jms_redelivered:
            sent_on.add(entry)
        return entry

    patch.replace(ReferenceProducer, "freeze", keep)
    patch.replace(Delivery, "redelivered", property(lambda self: self.count > 1 or self.entry in sent_on))
