"""Red round 2, part b: faults in subscriptions and temporary destinations; see `red_2_b`."""

import threading

from faults.kit import *

# --- subscriptions ----------------------------------------------------------------------------------------------


# OpenMQ, openmq #167 and #196.
@of_round(2)(
    "empty-selector-of-durable-selects-nothing",
    "a durable subscription created with the selector '' gets no messages",
    "3.8.1.1-1",
    "4.2.2-2",
)
def _empty_durable(patch):
    original = ConsumerFactory.open_stored

    def open_stored(self, topic, key, selector, no_local, *, shared):
        receiver = original(self, topic, key, selector, no_local, shared=shared)
        if selector == "" and receiver.subscription is not None:
            receiver.subscription.matches = lambda _: False
        return receiver

    patch.replace(ConsumerFactory, "open_stored", open_stored)


# Artemis: the queue of a durable subscription is called "clientID.name"; ARTEMIS-1205 is about escaping the dots.
@of_round(2)(
    "dots-confuse-durable-subscriptions",
    "client 'a' with subscription 'b.c' and client 'a.b' with 'c' share one durable subscription",
    "4.2.2-25",
    "4.2.2-24",
)
def _dotted(patch):
    def durable(self, key):
        found = self._durable.get(key)
        if found is None and key[0] is not None:
            for (client_id, name), one in self._durable.items():
                if client_id is not None and f"{client_id}.{name}" == f"{key[0]}.{key[1]}":
                    return one
        return found

    patch.replace(Subscriptions, "durable", durable)


@of_round(2)(
    "shared-names-cut-at-sixty-four",
    "names of shared non-durable subscriptions count to their 64th character",
    "4.2.4-8",
    "4.2.2-16",
)
def _cut_names(patch):
    original = ConsumerFactory.open_shared

    def open_shared(self, topic, name, selector):
        return original(self, topic, name[:64] if name else name, selector)

    patch.replace(ConsumerFactory, "open_shared", open_shared)


@of_round(2)(
    "shared-durable-falls-back-to-global",
    "a client with an identifier joins the shared durable subscription of that name which has none, if there is one",
    "4.2.2-27",
)
def _global_shared(patch):
    original = ConsumerFactory.open_shared_durable

    def open_shared_durable(self, topic, name, selector):
        found = self.broker.subscriptions.durable((None, name or ""))
        if found is not None and found.shared:
            return self.open_stored(topic, (None, name or ""), selector, None, shared=True)
        return original(self, topic, name, selector)

    patch.replace(ConsumerFactory, "open_shared_durable", open_shared_durable)


# ActiveMQ with persistJMSRedelivered: the flag is written to the one stored message that all subscriptions share.
@of_round(2)(
    "durable-copies-share-delivery-count",
    "redelivering a stored message to one durable subscription marks the copies of the others",
    "4.2.2-9",
)
def _shared_count(patch):
    original = Delivery.__init__

    def init(self, source, entry, *rest):
        original(self, source, entry, *rest)
        if entry.stored and source.in_file and isinstance(source.physical, PhysicalTopic):
            counts = [one.counts.get(entry.number, 0) for one in source.physical.delivery_queues() if one.in_file]
            self.count = max(counts, default=0) + 1

    patch.replace(Delivery, "__init__", init)


# Artemis, in its own names: the address and the queue of the subscription as "address::queue".
@of_round(2)(
    "shared-subscription-in-destination",
    "JMSDestination of a message from a shared subscription names the subscription too",
    "3.4.1-3",
)
def _fully_qualified(patch):
    original = ReferenceMessage.restore

    def restore(self, snapshot, delivery, model):
        original(self, snapshot, delivery, model)
        physical = delivery.source.physical
        if isinstance(physical, PhysicalTopic) and not physical.temporary:
            for one in physical.subscriptions:
                if one.delivery_queue is delivery.source and one.shared and one.key is not None:
                    self.jms_destination = ReferenceTopic(f"{physical.destination.name}::{one.key[1]}")

    patch.replace(ReferenceMessage, "restore", restore)


@of_round(2)("no-local-lost-beside-a-selector", "noLocal has no effect on a subscriber with a selector", "4.2.2-29")
def _no_local(patch):
    original = Subscription.is_foreign

    def is_foreign(self, entry):
        return self.matches is not None or original(self, entry)

    patch.replace(Subscription, "is_foreign", is_foreign)


# --- temporary destinations -------------------------------------------------------------------------------------


@of_round(2)(
    "strangers-share-temporary-topics",
    "a shared consumer may be created on the temporary topic of another connection",
    "4.2.7-4",
)
def _strangers(patch):
    opening = threading.local()
    open_shared, check = ConsumerFactory.open_shared, TemporaryDestinations.check_consumable

    def lenient(self, topic, name, selector=OMITTED):
        opening.shared = True
        try:
            return open_shared(self, topic, name, selector)
        finally:
            opening.shared = False

    def check_consumable(self, physical):
        if not getattr(opening, "shared", False):
            check(self, physical)

    patch.replace(ConsumerFactory, "open_shared", lenient)
    patch.replace(TemporaryDestinations, "check_consumable", check_consumable)


# Seen in AMQP clients that declare temporary queues exclusive to the channel of their session.
@of_round(2)(
    "temporary-queue-ends-with-transacted-session",
    "closing the transacted session that made a temporary queue removes the queue",
    "4.1.5-3",
)
def _ends_with_session(patch):
    made = {}
    create, end = ReferenceSession.create_temporary_queue, ReferenceSession._end

    def create_temporary_queue(self):
        queue = create(self)
        if self.mode == ReferenceSession.SESSION_TRANSACTED:
            made.setdefault(id(self), []).append(queue.queue_name)
        return queue

    def ending(self):
        end(self)
        names = made.pop(id(self), [])
        temporaries = self.connection.temporaries
        with self.broker.lock:
            for identity, physical in list(temporaries._physical.items()):
                if identity.name in names and not physical.consumers:
                    temporaries._remove(identity, physical)

    patch.replace(ReferenceSession, "create_temporary_queue", create_temporary_queue)
    patch.replace(ReferenceSession, "_end", ending)


# Artemis's client asks the session of the destination alone whether consumers are open.
@of_round(2)(
    "delete-asks-one-session-only",
    "a temporary topic is deleted although a subscriber of another session of its connection is open",
    "4.2.7-9",
)
def _one_session(patch):
    create = ReferenceSession.create_temporary_topic

    def create_temporary_topic(self):
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

    patch.replace(ReferenceSession, "create_temporary_topic", create_temporary_topic)
