"""Red round 9, second part: faults in receiving, written without sight of the suite."""

from faults.kit import *

_COUNTED = 2


@of_round(9)(
    "inactive-no-local-knows-its-first-connection-only",
    "while no consumer is open, noLocal of a durable subscription leaves out what the connection that made it sends, "
    "but not what a later one with the same client identifier sends",
    "8.3.3-35",
)
def _first_connection(patch):
    is_foreign = Subscription.is_foreign
    makers = {}  # by identity of the subscription
    senders = {}  # by identity of the message

    def open_stored(original, factory, topic, key, *others, **named):
        before = factory.broker.subscriptions.durable(key)
        receiver = original(factory, topic, key, *others, **named)
        if receiver.subscription is not before:
            makers[id(receiver.subscription)] = receiver.subscription, factory.connection
        return receiver

    def prepare(original, producer, *arguments):
        physical, entry = original(producer, *arguments)
        senders[id(entry)] = entry, producer.session.connection
        return physical, entry

    def foreign(self, entry):
        _, maker = makers.get(id(self), (self, None))
        _, sender = senders.get(id(entry), (entry, maker))
        other_connection = maker is not None and sender is not maker
        return is_foreign(self, entry) or (self.durable and self.consumers == 0 and other_connection)

    patch.at(fault_points.SUBSCRIPTION_STORED, open_stored)
    patch.at(fault_points.SEND_PREPARED, prepare)
    patch.replace(Subscription, "is_foreign", foreign)


@of_round(9)(
    "paused-subscriber-misses-non-persistent-messages",
    "while the connection of a non-durable subscriber is stopped, having run before, NON_PERSISTENT messages pass it by",
    "8.3.1-7",
    "8.4-2",
    "6.1.5-6",
)
def _passed_by(patch):
    paused = {}  # connections by identity

    def stop(original, connection):
        ran = connection.running
        original(connection)
        if ran:
            paused[id(connection)] = connection

    def start(original, connection):
        original(connection)
        paused.pop(id(connection), None)

    def route(original, broker, physical, entry):
        delivery_queues = original(broker, physical, entry)
        if not isinstance(physical, PhysicalTopic) or entry.delivery_mode != DeliveryMode.NON_PERSISTENT:
            return delivery_queues
        passed_by = [
            one.delivery_queue
            for one in physical.subscriptions
            if id(getattr(one.session, "connection", None)) in paused
        ]
        return [one for one in delivery_queues if one not in passed_by]

    patch.at(fault_points.CONNECTION_STOPPED, stop)
    patch.at(fault_points.CONNECTION_STARTED, start)
    patch.at(fault_points.ROUTED, route)


@of_round(9)(
    "repeats-for-a-listener-are-counted-up-to-two",
    "JMSXDeliveryCount is 2 at the first repeat after a listener exception and is not raised by further ones",
    "8.7-5",
)
def _up_to_two(patch):
    original = Delivery.repeat

    def repeat(self, now):
        before = self.count
        original(self, now)
        if before >= _COUNTED:
            self.count = before

    patch.replace(Delivery, "repeat", repeat)


@of_round(9)(
    "shared-consumer-closed-by-its-listener-gives-the-message-back",
    "a message of a shared subscription whose listener closes its own consumer is not acknowledged but delivered again",
    "8.8-10",
    "8.3.4-13",
    at=fault_points.SETTLED,
)
def _(original, state, delivery):
    consumer = delivery.consumer
    subscription = consumer.receiver.subscription if isinstance(consumer, ReferenceConsumer) else None
    if subscription is not None and subscription.shared and consumer.closed and state.settles(delivery):
        state.broker.redelivery.redeliver([delivery])
    else:
        original(state, delivery)


@of_round(9)(
    "message-given-back-passes-by-the-selector",
    "a message that goes back to its queue is handed to the consumer that waits longest, whatever its selector says",
    "8.1-2",
    "8.2-4",
)
def _whatever_the_selector(patch):
    original = DeliveryQueue.put_back

    def put_back(self, entry, deliveries):
        first = next((one for one in self.waiting if one.is_open()), None)
        if first is None or first.matches is None:
            original(self, entry, deliveries)
            return
        self.counts[entry.number] = deliveries
        self._in_memory.setdefault(entry.number, entry)
        del self.waiting[first]
        first.hand_over(self, entry)

    patch.replace(DeliveryQueue, "put_back", put_back)


@of_round(9)(
    "delayed-backlog-outlives-unsubscribe",
    "messages that wait for their delivery time when a durable subscription is deleted come to the next of that name",
    "8.3.3-18",
    "8.3.4-17",
    "7.9-8",
)
def _outlives(patch):
    left = {}  # by client identifier and name

    def unsubscribe(original, factory, name):
        broker = factory.broker
        key = factory.connection.client_id_or_none, name
        with broker.lock:
            found = broker.subscriptions.durable(key)
            late = [] if found is None else list(broker.schedule.waiting_for(found.delivery_queue))
        original(factory, name)
        if found is not None and late:
            left[key] = found.delivery_queue.physical, late

    def open_stored(original, factory, topic, key, *others, **named):
        receiver = original(factory, topic, key, *others, **named)
        physical, late = left.pop(key, (None, []))
        if receiver.physical is physical:
            with factory.broker.lock:
                for entry in late:
                    factory.broker.admit(receiver.delivery_queue, entry)
        return receiver

    patch.at(fault_points.SUBSCRIPTION_DELETED, unsubscribe)
    patch.at(fault_points.SUBSCRIPTION_STORED, open_stored)
