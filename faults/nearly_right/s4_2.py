"""Narrow faults of section 4.2 but for subscriptions."""

import threading

from faults.kit import *
from faults.nearly_right.shared import *


@of_round(11)(
    "closed-publisher-takes-its-messages-along",
    "closing a connection removes the messages that it published and that wait in non-durable subscriptions of others",
    "4.2.1-2 4.2.11-4 8.3.1-7",
    at=fault_points.CONNECTION_CLOSED,
)
def _(original, connection):
    original(connection)
    with connection.broker.lock:
        for physical in connection.broker.physical_destinations():
            for one in physical.subscriptions if isinstance(physical, PhysicalTopic) else []:
                queue = one.delivery_queue
                for entry in list(queue.free_entries()):
                    if not one.durable and entry.sender == connection.identity:
                        queue.remove(entry.number, entry.priority)


@of_round(2)(
    "shared-names-cut-at-sixty-four",
    "names of shared non-durable subscriptions count to their 64th character",
    "4.2.4-8 4.2.2-16",
    around=(ConsumerFactory, "open_shared"),
)
@of_round(14)(
    "a14-long-shared-name-cut",
    "the name of a shared non-durable subscription counts up to its 64th character only",
    "4.2.4-8 4.2.2-16",
    around=(ConsumerFactory, "open_shared"),
)
def _(original, factory, topic, name, selector):
    return original(factory, topic, name[:64] if name else name, selector)


@of_round(2)(
    "strangers-share-temporary-topics",
    "a shared consumer may be created on the temporary topic of another connection",
    "4.2.7-4",
)
def _(patch):
    opening = threading.local()

    def lenient(open_shared, self, topic, name, selector=OMITTED):
        opening.shared = True
        try:
            return open_shared(self, topic, name, selector)
        finally:
            opening.shared = False

    def check_consumable(check, self, physical):
        if not getattr(opening, "shared", False):
            check(self, physical)

    patch.around(ConsumerFactory, "open_shared", lenient)
    patch.around(TemporaryDestinations, "check_consumable", check_consumable)


# Artemis's client asks the session of the destination alone whether consumers are open.
@of_round(2)(
    "delete-asks-one-session-only",
    "a temporary topic is deleted although a subscriber of another session of its connection is open",
    "4.2.7-9",
    around=(ReferenceSession, "create_temporary_topic"),
)
def _(create, self):
    topic = create(self)
    temporaries = self.connection.temporaries

    def delete(destination):
        with self.broker.lock:
            physical = temporaries._physical.get(destination)
            if physical is None:
                return
            if not any(one.receiver.physical is physical for one in self.consumers):
                temporaries._remove(destination, physical)
                return
        temporaries.delete(destination)

    topic.deleter = delete  # of the reference provider
    return topic


@of_round(5)(
    "temporary-topic-with-shared-consumers-can-be-deleted",
    "a temporary topic can be deleted while a consumer of a shared subscription is open on it",
    "4.2.7-9",
    around=(TemporaryDestinations, "delete"),
)
@of_round(3)(
    "temporary-topic-with-shared-consumer-deleted",
    "a temporary topic can be deleted while a consumer of a shared subscription uses it",
    "4.2.7-9",
    around=(TemporaryDestinations, "delete"),
)
def _(original, self, destination):
    # Deletion is left to a check that counts the subscribers of one kind only.
    with self.broker.lock:
        physical = self._physical.get(destination)
        if isinstance(physical, PhysicalTopic) and all(one.shared for one in physical.subscriptions):
            self._remove(destination, physical)
            return
    original(self, destination)


@of_round(14)(
    "a14-selective-subscriber-loses-expiring",
    "recover does not bring a message with a time to live back to an unshared non-durable subscription with a selector",
    "4.2.8-1",
)
def _(patch):
    def is_lost(delivery):
        receiver = getattr(delivery.consumer, "receiver", None)
        subscription = None if receiver is None else receiver.subscription
        if subscription is None or subscription.durable or subscription.shared or subscription.selector is None:
            return False
        return delivery.transaction is None and delivery.expiration != 0

    def redeliver(original, redelivery, deliveries):
        lost = [one for one in deliveries if one.held and is_lost(one)]
        with redelivery._broker.lock:
            for one in lost:
                one.remove_from_queue()
        original(redelivery, [one for one in deliveries if one not in lost])

    patch.at(fault_points.REDELIVERED, redeliver)
