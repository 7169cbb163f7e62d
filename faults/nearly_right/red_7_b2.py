"""Red round 7, fourth part: faults in sending, subscriptions and receiving, written without sight of the suite."""

from dataclasses import replace

from faults.kit import *


@of_round(7)(
    "used-producer-does-not-see-its-queue-deleted",
    "a producer that has sent to a temporary queue goes on sending to it, without an exception, after its deletion",
    "7.1-10",
    "7.2-5",
)
def _deleted(patch):
    original = ReferenceProducer.physical_destination

    def physical_destination(self, destination):
        used = self._physical
        if used is not None and used.temporary and destination is self._destination:
            return used
        return original(self, destination)

    patch.replace(ReferenceProducer, "physical_destination", physical_destination)


@of_round(7)(
    "failed-non-persistent-send-counts-as-complete",
    "an asynchronous send of a NON_PERSISTENT message that failed at the provider ends in onCompletion",
    "7.3-10",
    "7.3.2-3",
    at=fault_points.COMPLETION_QUEUED,
)
def _(original, callbacks, one):
    if one.error is not None and one.message.jms_delivery_mode == DeliveryMode.NON_PERSISTENT:
        one = replace(one, error=None)
    original(callbacks, one)


@of_round(7)(
    "delay-of-a-month-is-none",
    "a delivery delay of more than 2147483647 ms, which is 25 days, is negative within: the message comes at once",
    "7.9-3",
    "7.9-1",
    "7.9-4",
    "3.4.13-1",
)
def _month(patch):
    original = ReferenceProducer.delivery_time

    def delivery_time(self, now, delay):
        return original(self, now, (delay + 2**31) % 2**32 - 2**31)

    patch.replace(ReferenceProducer, "delivery_time", delivery_time)


@of_round(7)(
    "transaction-waits-for-its-delayed-message",
    "what a transaction sends to a destination after a delayed message does not arrive before that message",
    "7.9-6",
    "6.2.7-3",
)
def _waits(patch):
    original = Work.after

    def after(self):
        broker = self.broker
        due = {}
        routed = self.routed_sends
        at_once = []
        for physical, entry, delivery_queues in routed:
            wait_until = due.get(id(physical), 0)
            due[id(physical)] = max(wait_until, entry.delivery_time)
            if max(entry.delivery_time, broker.clock.now()) >= wait_until:
                at_once.append((physical, entry, delivery_queues))
            else:
                physical.in_file = physical.in_file or entry.stored
                _arrive_at(broker, wait_until, entry, delivery_queues)
        self.routed_sends = at_once
        original(self)

    patch.replace(Work, "after", after)


def _arrive_at(broker, when, entry, delivery_queues):
    def arrive():
        with broker.lock:
            for delivery_queue in delivery_queues:
                broker.admit(delivery_queue, entry)

    broker.clock.call_at(when, arrive)


@of_round(7)(
    "no-local-means-the-connection-that-subscribed",
    "noLocal of a durable subscription leaves out what the connection that created it publishes, but not what later"
    " connections with the same client identifier publish",
    "8.3.3-35",
)
def _no_local(patch):
    senders = {}
    creators = {}
    original = Subscription.is_foreign

    def note(producer, _, entry, __):
        connection = producer.session.connection
        if connection.client_id_or_none is not None:
            senders[id(entry)] = (entry, connection)

    def open_stored(original_open, factory, *rest, **named):
        receiver = original_open(factory, *rest, **named)
        if receiver.subscription is not None:
            creators.setdefault(id(receiver.subscription), (receiver.subscription, factory.connection))
        return receiver

    def is_foreign(self, entry):
        if original(self, entry) or id(self) not in creators or id(entry) not in senders:
            return original(self, entry)
        return senders[id(entry)][1] is not creators[id(self)][1]

    after_send(patch, note)
    patch.at(fault_points.SUBSCRIPTION_STORED, open_stored)
    patch.replace(Subscription, "is_foreign", is_foreign)


@of_round(7)(
    "durable-selector-stays-when-left-out",
    "a durable subscription that was made with a selector keeps it, and what it holds, when its consumer comes back"
    " through a method without selector",
    "8.3.3-28",
    "8.3.4-21",
    "8.3.3-37",
    at=fault_points.SUBSCRIPTION_STORED,
)
def _(original, factory, topic, key, selector, *rest, **named):
    found = factory.broker.subscriptions.durable(key)
    if selector is OMITTED and found is not None and found.delivery_queue.physical.destination == topic:
        selector = found.selector
    return original(factory, topic, key, selector, *rest, **named)


@of_round(7)(
    "unsubscribe-ends-the-non-durable-namesake",
    "unsubscribe of a durable subscription also ends the shared non-durable subscription of that name, whose consumers"
    " then receive nothing more",
    "8.3.2-20",
    "8.3.3-38",
    "8.3.4-26",
    at=fault_points.SUBSCRIPTION_DELETED,
)
def _(original, factory, name):
    original(factory, name)
    with factory.broker.lock:
        namesake = factory.broker.subscriptions.shared((factory.connection.client_id_or_none, name or ""))
        if namesake is not None and isinstance(namesake.delivery_queue.physical, PhysicalTopic):
            namesake.delivery_queue.physical.remove(namesake)


@of_round(7)(
    "expired-message-ends-receive-no-wait",
    "receiveNoWait returns null if it comes upon an expired message, although one that lives is behind it",
    "8.5-3",
    "8.6-3",
)
def _expired(patch):
    discarded = {}
    discard_one = Broker.discard

    def discard(self, delivery_queue, entry):
        discarded[id(delivery_queue)] = discarded.get(id(delivery_queue), 0) + 1
        discard_one(self, delivery_queue, entry)

    def next_delivery(original, consumer, timeout):
        key = id(consumer.receiver.delivery_queue)
        before = discarded.get(key, 0)
        delivery = original(consumer, timeout)
        if delivery is None or timeout != 0 or discarded.get(key, 0) == before:
            return delivery
        with consumer.session.broker.lock:
            consumer.session.state.cancel_delivery(delivery)
        return None

    patch.replace(Broker, "discard", discard)
    patch.at(fault_points.MESSAGE_AWAITED, next_delivery)


@of_round(7)(
    "consumer-closed-while-stopped-takes-a-message-along",
    "when a consumer of a queue is closed while its connection, once started, is stopped, the next message of the queue"
    " is lost with what was fetched ahead",
    "8.8-3",
    "8.4-2",
)
def _fetched(patch):
    started = []
    original = ReferenceConsumer.close

    def start(start_it, connection):
        start_it(connection)
        if connection not in started:
            started.append(connection)

    def close(self):
        session = self.session
        if not self.closed and not session.closing and session.connection in started:
            with session.broker.lock:
                if not session.connection.running and isinstance(self.receiver.physical, PhysicalQueue):
                    fetched = self.receiver.take()
                    if fetched is not None:
                        for owed in (session.state.unacknowledged, session.state.work.acks):
                            if fetched in owed:
                                owed.remove(fetched)
                        fetched.remove_from_queue()
        original(self)

    patch.at(fault_points.CONNECTION_STARTED, start)
    patch.replace(ReferenceConsumer, "close", close)


@of_round(7)(
    "listener-that-closed-its-consumer-owes-the-message",
    "in DUPS_OK_ACKNOWLEDGE mode the message whose listener closed its own consumer is not acknowledged, but comes again",
    "8.8-10",
    "8.8-12",
    at=fault_points.SETTLED,
)
def _(original, state, delivery):
    if state.mode == Session.DUPS_OK_ACKNOWLEDGE and getattr(delivery.consumer, "closed", False):
        state.broker.redelivery.redeliver([delivery])
    else:
        original(state, delivery)
