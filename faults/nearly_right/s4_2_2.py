"""Narrow faults of section 4.2.2."""

from faults.kit import *
from faults.nearly_right.shared import *


@of_round(5)(
    "first-acknowledgement-deletes-the-stored-copies",
    "when one of several durable subscriptions has acknowledged a message, the others lose it at a restart",
    "4.2.2-6 4.2.11-5",
    around=(Delivery, "forget_statements"),
)
def _(original, self):
    if self.source.subscription is None:
        return original(self)
    number = (self.entry.number,)
    return [("delete from delivery where message = ?", number), ("delete from message where id = ?", number)]


@of_round(5)(
    "subscribers-share-the-read-position-of-bytes",
    "a NON_PERSISTENT bytes message of a topic goes on, for the next subscriber, where the one before stopped reading",
    "4.2.2-7 3.11-11 3.11-7",
)
def _(patch):
    last = {}

    def restore(original, self, snapshot, delivery, model):
        original(self, snapshot, delivery, model)
        if delivery.delivery_mode != DeliveryMode.NON_PERSISTENT or not isinstance(delivery.destination, Topic):
            return
        earlier = last.get(id(snapshot))
        if earlier is not None and earlier[1] is not delivery.source:
            self._position = earlier[2]._position
        last[id(snapshot)] = (snapshot, delivery.source, self)

    patch.around(ReferenceBytesMessage, "restore", restore)


@of_round(7)(
    "body-map-is-the-one-of-the-queue",
    "the Map that getBody of a received map message returns is no copy: what the client changes in it reaches the"
    " other subscribers of the topic, and the next delivery",
    "4.2.2-7 3.10-4 3.12-14",
    around=(ReferenceMapMessage, "_body_value"),
)
def _(original, self):
    return original(self) if self._writable else self._entries


@of_round(14)(
    "a14-rollback-counts-for-other-copies",
    "a rollback of a topic message also counts for the copies that wait in durable subscriptions",
    "4.2.2-9 3.5.11-1",
)
def _(patch):
    def others(deliveries):
        for one in deliveries:
            number = one.entry.number
            for queue in one.source.physical.delivery_queues():
                if queue is not one.source and queue.in_file and queue.level(one.priority).is_free(number):
                    queue.counts[number] = queue.counts.get(number, 0) + 1

    def roll_back(original, session, work):
        rolled_back = list(work.acks)
        original(session, work)
        if not session.closing:
            with session.broker.lock:
                others(rolled_back)

    patch.at(fault_points.ROLLBACK, roll_back)


# ActiveMQ with persistJMSRedelivered: the flag is written to the one stored message that all subscriptions share.
@of_round(2)(
    "durable-copies-share-delivery-count",
    "redelivering a stored message to one durable subscription marks the copies of the others",
    "4.2.2-9",
    around=(Delivery, "__init__"),
)
def _(original, self, source, entry, *rest):
    original(self, source, entry, *rest)
    if entry.stored and source.in_file and isinstance(source.physical, PhysicalTopic):
        counts = [one.counts.get(entry.number, 0) for one in source.physical.delivery_queues() if one.in_file]
        self.count = max(counts, default=0) + 1


@of_round(5)(
    "shared-subscriptions-count-deliveries-together",
    "a message that one shared subscription delivers again counts as delivered for the other shared ones too",
    "4.2.2-9 3.5.11-1",
    around=(DeliveryQueue, "put_back"),
)
def _(original, self, entry, deliveries):
    original(self, entry, deliveries)
    if not isinstance(self, StoredDeliveryQueue) or not isinstance(self.physical, PhysicalTopic):
        return
    shared = [one.delivery_queue for one in self.physical.subscriptions if one.shared]
    if any(one is self for one in shared):
        for one in shared:
            if one.level(entry.priority).is_free(entry.number):
                one.counts[entry.number] = max(deliveries, one.counts.get(entry.number, 0))


@of_round(7)(
    "shared-subscription-names-ignore-case",
    "shared non-durable subscriptions whose names differ only in case are one subscription",
    "4.2.2-16 4.2.4-8 8.3.2-2",
)
def _(patch):
    def shared(find, self, key):
        return find(self, (key[0], key[1].lower()))

    def add_shared(add, self, key, *others):
        return add(self, (key[0], key[1].lower()), *others)

    patch.around(Subscriptions, "shared", shared)
    patch.around(Subscriptions, "add_shared", add_shared)


@of_round(5)(
    "shared-subscription-ends-with-the-session-that-opened-it",
    "a shared non-durable subscription ends when the session of its first consumer is closed, whoever else uses it",
    "4.2.2-19 4.2.2-17",
)
def _(patch):
    first = {}

    def open_receiver(original, *arguments):
        receiver = original(*arguments)
        subscription = receiver.subscription
        if subscription is not None and subscription.shared and not subscription.durable:
            first.setdefault(id(subscription), (subscription, receiver))
        return receiver

    def detach(original, consumer):
        original(consumer)
        subscription = consumer.receiver.subscription
        if subscription is None or id(subscription) not in first:
            return
        if consumer.session.closed and first[id(subscription)][1] is consumer.receiver:
            consumer.session.broker.subscriptions.remove(subscription)

    patch.at(fault_points.SUBSCRIPTION_OPENED, open_receiver)
    patch.at(fault_points.CONSUMER_CLOSED, detach)


@nearly_right(
    "deleting-a-subscription-empties-another",
    "unsubscribe() drops what another inactive shared durable subscription of the topic holds",
    "4.2.2-21 8.3.4-17",
    origin="reported",
    at=fault_points.SUBSCRIPTION_DELETED,
)
def _(original, factory, name):
    """As andes issue 454."""
    subscriptions = factory.broker.subscriptions
    found = subscriptions.durable((factory.connection.client_id_or_none, name or ""))
    original(factory, name)
    with factory.broker.lock:
        for other in subscriptions.all_durable():
            same = found is not None and other.delivery_queue.physical is found.delivery_queue.physical
            if same and other.shared and not other.consumers:
                for entry in list(other.delivery_queue.free_entries()):
                    other.delivery_queue.remove(entry.number, entry.priority)


@of_round(3)(
    "receive-body-does-not-settle-durable",
    "what receiveBody took from a durable subscription in AUTO_ACKNOWLEDGE comes again to its next consumer",
    "4.2.2-22 4.2.11-5",
)
def _(patch):
    # receiveBody as a later addition with an acknowledgement of its own; compare AMQ-8464.
    owed = {}

    def body(hand_out_body, self, delivery, read):
        subscription = self.receiver.subscription
        if subscription is None or not subscription.durable or self.session.mode != Session.AUTO_ACKNOWLEDGE:
            return hand_out_body(self, delivery, read)
        result = read(self.session.message_of(delivery))
        owed.setdefault(id(self), (self, []))[1].append(delivery)
        return result

    def leave(detach, self):
        for delivery in owed.pop(id(self), (self, []))[1]:
            self.session.state.cancel_delivery(delivery)
        detach(self)

    patch.around(ReferenceConsumer, "hand_out_body", body)
    patch.around(ReferenceConsumer, "detach", leave)


@of_round(11)(
    "unsubscribe-deletes-rows-that-others-hold",
    "unsubscribe deletes from the file the messages that another durable subscription still has: it loses them at a restart",
    "4.2.2-23 8.3.3-9 7.7-4",
    around=(of_subscriptions, "deletion_statements"),
)
def _(original, subscription):
    row = subscription.delivery_queue.subscription
    shared = "delete from delivery where message in (select message from delivery where subscription = ?)"
    messages = "delete from message where id in (select message from delivery where subscription = ?)"
    return [(messages, (row,)), (shared, (row,)), *original(subscription)]


@of_round(11)(
    "replacement-removes-the-namesake-of-another-client",
    "a durable subscription resumed with another selector takes the one of the same name of another client along",
    "4.2.2-25 8.3.3-15 4.2.2-21",
    around=(Subscriptions, "store"),
)
def _(original, found, key, *terms, **named):
    if named["replaced"] is not None:
        for other in found.all_durable():
            if other.key is not None and other.key[0] != key[0] and other.key[1] == key[1] and not other.consumers:
                found.delete(other)
    return original(found, key, *terms, **named)


# Artemis: the queue of a durable subscription is called "clientID.name"; ARTEMIS-1205 is about escaping the dots.
@of_round(2)(
    "dots-confuse-durable-subscriptions",
    "client 'a' with subscription 'b.c' and client 'a.b' with 'c' share one durable subscription",
    "4.2.2-25 4.2.2-24",
)
def _(patch):
    def durable(self, key):
        found = self._durable.get(key)
        if found is None and key[0] is not None:
            for (client_id, name), one in self._durable.items():
                if client_id is not None and f"{client_id}.{name}" == f"{key[0]}.{key[1]}":
                    return one
        return found

    patch.replace(Subscriptions, "durable", durable)


@of_round(3)(
    "client-identifier-and-name-joined-by-a-dot",
    "subscription b.c of client a and subscription c of client a.b are one",
    "4.2.2-25 4.2.4-4",
)
def _(patch):
    # Brokers that make a queue for each subscription name it clientID.name (HornetQ, Artemis, see ARTEMIS-1205).

    def joined(key):
        return key if key[0] is None else ("", f"{key[0]}.{key[1]}")

    def opened(open_stored, self, topic, key, *arguments, **keywords):
        return open_stored(self, topic, joined(key), *arguments, **keywords)

    patch.around(ConsumerFactory, "open_stored", opened)
    patch.around(ConsumerFactory, "_delete", lambda delete, self, key: delete(self, joined(key)))


@of_round(5)(
    "client-identifier-and-name-are-joined-by-a-dot",
    "client 'a' with subscription 'b.c' and client 'a.b' with subscription 'c' have one durable subscription together",
    "4.2.2-25",
)
def _(patch):
    def known(factory, key):
        joined = None if key[0] is None else f"{key[0]}.{key[1]}"
        for subscription in factory.broker.subscriptions.all_durable():
            other = subscription.key
            if other is not None and other[0] is not None and f"{other[0]}.{other[1]}" == joined:
                return other
        return key

    def open_stored(original, factory, topic, key, *others, shared):
        return original(factory, topic, known(factory, key), *others, shared=shared)

    patch.at(fault_points.SUBSCRIPTION_STORED, open_stored)
    patch.around(ConsumerFactory, "_delete", lambda delete, self, key: delete(self, known(self, key)))


@of_round(2)(
    "shared-durable-falls-back-to-global",
    "a client with an identifier joins the shared durable subscription of that name which has none, if there is one",
    "4.2.2-27",
    around=(ConsumerFactory, "open_shared_durable"),
)
def _(original, self, topic, name, selector):
    found = self.broker.subscriptions.durable((None, name or ""))
    if found is not None and found.shared:
        return self.open_stored(topic, (None, name or ""), selector, None, shared=True)
    return original(self, topic, name, selector)


@of_round(2)(
    "no-local-lost-beside-a-selector",
    "noLocal has no effect on a subscriber with a selector",
    "4.2.2-29",
    around=(Subscription, "is_foreign"),
)
def _(original, self, entry):
    return self.matches is not None or original(self, entry)


class _Sender(str):
    """The identity of a sending connection that also knows the session."""

    __slots__ = ("session",)

    session: object


@of_round(5)(
    "no-local-leaves-out-the-own-session-only",
    "a non-durable subscriber with noLocal gets what other sessions of its connection publish",
    "4.2.2-29",
)
def _(patch):
    def fault(producer, _, entry, __):
        entry.sender = sender = _Sender(entry.sender)
        sender.session = producer.session

    def is_foreign(original, self, entry):
        other = isinstance(entry.sender, _Sender) and entry.sender.session is not self.session
        return original(self, entry) or (self.session is not None and other)

    after_send(patch, fault)
    patch.around(Subscription, "is_foreign", is_foreign)
