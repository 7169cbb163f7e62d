"""Red round 9, second part: faults in receiving, written without sight of the suite."""

from faults.kit import *

_COUNTED = 2


@of_round(9)(
    "shared-backlog-goes-with-its-founder",
    "when the consumer that has created a shared non-durable subscription closes, the others lose what is waiting",
    "8.3.2-11",
    noticed=False,
)
def _founder(patch):
    founders = {}  # by identity of the subscription

    def open_receiver(original, factory, *arguments):
        receiver = original(factory, *arguments)
        subscription = receiver.subscription
        if subscription is not None and subscription.shared and subscription.consumers == 1:
            founders.setdefault(id(subscription), (subscription, receiver))
        return receiver

    def detach(original, consumer):
        original(consumer)
        subscription = consumer.receiver.subscription
        _, founder = founders.get(id(subscription), (None, None))
        if founder is consumer.receiver and not subscription.durable and subscription.consumers:
            for entry in list(subscription.delivery_queue.free_entries()):
                subscription.delivery_queue.remove(entry.number, entry.priority)

    patch.at(fault_points.SUBSCRIPTION_OPENED, open_receiver)
    patch.at(fault_points.CONSUMER_CLOSED, detach)


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
    "failed-body-counts-if-the-call-had-to-wait",
    "a receiveBody that fails counts as a delivery if the message arrived while the call was waiting",
    "8.6-22",
    "8.6-23",
    "8.6-24",
    noticed=False,
)
def _failed_body(patch):
    hand_over = Receiver.hand_over
    handed = {}  # deliveries by identity

    def hand_over_and_note(self, delivery_queue, entry):
        hand_over(self, delivery_queue, entry)
        delivery = self.slot.handed
        if delivery is not None:
            handed[id(delivery)] = delivery

    def hand_out_body(original, consumer, delivery, read):
        try:
            return original(consumer, delivery, read)
        except MessageFormatException:
            if id(delivery) in handed and consumer.session.state.settles(delivery):
                with consumer.session.broker.lock:
                    delivery.source.counts[delivery.entry.number] = delivery.count
            raise

    patch.replace(Receiver, "hand_over", hand_over_and_note)
    patch.at(fault_points.BODY_RECEIVED, hand_out_body)


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
    "listener-set-again-beside-another-is-not-called",
    "a listener that was set to null while another one of its session was in place can be set again, but is not called",
    "8.7-1",
    "6.2.6-5",
    noticed=False,
)
def _set_again(patch):
    listener = vars(ReferenceConsumer)["message_listener"]
    deaf = {}

    def set_listener(self, value):
        had_one = self.listener is not None
        listener.fset(self, value)
        dispatcher = self.session.dispatcher
        if had_one and value is None and dispatcher is not None and dispatcher.consumers:
            deaf[id(self)] = self

    def add(original, dispatcher, consumer):
        if id(consumer) not in deaf:
            original(dispatcher, consumer)

    patch.replace(ReferenceConsumer, "message_listener", property(listener.fget, set_listener))
    patch.at(fault_points.LISTENER_ADDED, add)


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


class _StartedError(Exception):
    """The connection of a waiting receive was started."""


@of_round(9)(
    "endless-receive-ends-when-the-connection-starts",
    "a receive without time limit, called while the connection is stopped, returns null at start if nothing is there",
    "8.5-4",
    "8.5-6",
    noticed=False,
)
def _ends_at_start(patch):
    end_wait = ReferenceConsumer._end_wait
    calls = {}  # receive calls made on a stopped connection, by identity of the consumer

    def next_delivery(original, consumer, timeout):
        if timeout is None and not consumer.session.connection.running:
            calls[id(consumer)] = consumer
        try:
            return original(consumer, timeout)
        except _StartedError:
            return None
        finally:
            calls.pop(id(consumer), None)

    def end(self):
        delivery = end_wait(self)
        if delivery is None and id(self) in calls and self.session.may_deliver():
            del calls[id(self)]
            if not any(True for _ in self.receiver.delivery_queue.free_entries()):
                raise _StartedError
        return delivery

    patch.at(fault_points.MESSAGE_AWAITED, next_delivery)
    patch.replace(ReferenceConsumer, "_end_wait", end)


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
