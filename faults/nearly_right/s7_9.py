"""Narrow faults of section 7.9."""

from faults.kit import *
from faults.nearly_right.shared import *


@nearly_right(
    "non-persistent-undelayed",
    "a queue delivers messages that are not persistent without their delay",
    "7.9-3",
    at=fault_points.ARRIVED,
)
def _(original, broker, queue, entry):
    honest = entry.delivery_time
    if entry.delivery_mode == DeliveryMode.NON_PERSISTENT and isinstance(queue.physical, PhysicalQueue):
        entry.delivery_time = min(honest, broker.clock.now())
    original(broker, queue, entry)
    entry.delivery_time = honest


@nearly_right("asynchronous-undelayed", "asynchronous sends ignore the delay", "7.9-3 7.9-4")
def _(patch):
    sending = []

    def send_later(original, *arguments):
        sending.append(True)
        try:
            return original(*arguments)
        finally:
            sending.pop()

    def stamp_for(original, producer, *arguments):
        stamp = original(producer, *arguments)
        return stamp._replace(delivery_time=stamp.timestamp) if sending else stamp

    patch.at(fault_points.SENT_ASYNCHRONOUSLY, send_later)
    patch.at(fault_points.HEADERS_COMPUTED, stamp_for)


def _admitted(patch, due):
    """Let delayed messages be due at another time."""

    def admit(original, broker, source, entry):
        changed = due(broker, source, entry) if remains(broker, entry) > 0 else entry.delivery_time
        kept_until(original, broker, source, entry, changed)

    patch.at(fault_points.ARRIVED, admit)


@nearly_right("urgent-undelayed", "a message of priority 9 is delivered without its delay", "7.9-3 7.9-4", by=_admitted)
def _(broker, _, entry):
    return broker.clock.now() if entry.priority == 9 else entry.delivery_time


@nearly_right("listener-undelayed", "a consumer with a listener gets delayed messages at once", "7.9-3 7.9-4")
def _(patch):
    listening = set[StoredDeliveryQueue]()

    def add(original, dispatcher, consumer):
        listening.add(consumer.receiver.delivery_queue)
        original(dispatcher, consumer)

    patch.at(fault_points.LISTENER_ADDED, add)
    _admitted(patch, lambda broker, source, entry: broker.clock.now() if source in listening else entry.delivery_time)


def _at_restart(patch, change):
    """Change what becomes of each message that is not due yet when the provider is restarted."""

    def restart(original, server):
        original(server)
        broker = server.broker
        with broker.lock:
            for physical in list(broker.physical_destinations()):
                for source in physical.delivery_queues():
                    waiting = list(broker.schedule.waiting_for(source))
                    broker.schedule.drop(source)
                    for entry in waiting:
                        change(broker, source, entry)

    patch.at(fault_points.PROVIDER_RESTARTED, restart)


nearly_right(
    "restart-ends-delays",
    "a restart makes all delayed messages available",
    "7.9-3 7.9-4",
    install=lambda patch: _at_restart(patch, lambda broker, source, entry: broker.offer(source, entry)),
)


@of_round(7)(
    "delay-of-a-month-is-none",
    "a delivery delay of more than 2147483647 ms, which is 25 days, is negative within: the message comes at once",
    "7.9-3 7.9-1 7.9-4 3.4.13-1",
    around=(ReferenceProducer, "delivery_time"),
)
def _(original, self, now, delay):
    return original(self, now, (delay + 2**31) % 2**32 - 2**31)


@of_round(6)(
    "restart-releases-delayed-messages-of-subscriptions",
    "after a restart a durable subscription delivers its delayed messages at once",
    "7.9-4 7.9-9 3.4.13-6",
    at=fault_points.PROVIDER_RESTARTED,
)
def _(original, server):
    original(server)
    broker = server.broker
    with broker.lock:
        durable = [one.delivery_queue for one in broker.subscriptions.all_durable()]
        for delivery_queue in durable:
            delayed = list(broker.schedule.waiting_for(delivery_queue))
            broker.schedule.drop(delivery_queue)
            for entry in delayed:
                broker.offer(delivery_queue, entry)


nearly_right(
    "restart-forgets-delayed",
    "a restart loses the delayed messages that are not due yet",
    "7.9-5 7.9-9",
    install=lambda patch: _at_restart(patch, lambda _broker, _source, _entry: None),
)


def _put_back_later(delivery):
    consumer = delivery.consumer
    broker = consumer.session.broker
    delay = delivery.entry.delivery_time - delivery.entry.timestamp

    def put_back():
        with broker.lock:
            delivery.redeliver()

    broker.clock.call_at(broker.clock.now() + delay, put_back)


@nearly_right(
    "returned-delayed-again",
    "a delayed message that is returned waits for its delay again",
    "7.9-5",
    at=fault_points.REDELIVERED,
)
def _(original, redelivery, deliveries):
    delayed = [one for one in deliveries if is_delayed(one.entry)]
    original(redelivery, [one for one in deliveries if one not in delayed])
    for one in delayed:
        _put_back_later(one)


@nearly_right("stopped-loses-due", "what becomes due while the connection of its consumer is stopped is lost", "7.9-5")
def _(patch):
    stopped = set[object]()

    def stop(original, connection):
        original(connection)
        stopped.update(one.receiver.delivery_queue for each in connection.sessions for one in each.consumers)

    def offer(original, broker, source, entry):
        if source not in stopped or not is_delayed(entry):
            original(broker, source, entry)

    patch.at(fault_points.CONNECTION_STOPPED, stop)
    patch.at(fault_points.OFFERED, offer)


@nearly_right(
    "released-by-next-send", "a message that becomes due while nobody consumes is released by the next send", "7.9-5"
)
def _(patch):
    late = {}

    def offer(original, broker, source, entry):
        if is_delayed(entry) and not source.physical.consumers:
            late.setdefault(source, []).append(entry)
            return
        for one in late.pop(source, []):
            original(broker, source, one)
        original(broker, source, entry)

    patch.at(fault_points.OFFERED, offer)


@nearly_right("delayed-holds-up-transaction", "a delayed message holds up those behind it in its transaction", "7.9-6")
def _(patch):
    held = {}

    def fault(session):
        due = 0
        for _, entry in session.state.work.sends:
            due = max(due, entry.delivery_time)
            held[id(entry)] = due

    def admit(original, broker, source, entry):
        kept_until(original, broker, source, entry, max(entry.delivery_time, held.pop(id(entry), 0)))

    before_commit(patch, fault)
    patch.at(fault_points.ARRIVED, admit)


def _arrive_at(broker, when, entry, delivery_queues):
    def arrive():
        with broker.lock:
            for delivery_queue in delivery_queues:
                broker.admit(delivery_queue, entry)

    broker.clock.call_at(when, arrive)


@of_round(7)(
    "transaction-waits-for-its-delayed-message",
    "what a transaction sends to a destination after a delayed message does not arrive before that message",
    "7.9-6 6.2.7-3",
    around=(Work, "after"),
)
def _(original, self):
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


@nearly_right(
    "delayed-message-goes-to-the-newest-subscription",
    "a delayed message goes to a durable subscription that is made before its delivery time, and to no other",
    "7.9-8",
    origin="reported",
)
def _(patch):
    """As openmq issue 184."""
    waiting = dict[int, tuple[StoredDeliveryQueue, StoredMessage]]()
    moved = dict[int, StoredDeliveryQueue]()

    def admit(original, broker, queue, entry):
        if entry.delivery_time > broker.clock.now():
            waiting[entry.number] = queue, entry
        original(broker, queue, entry)

    def open_stored(original, factory, *given, **named):
        known = set(factory.broker.subscriptions.all_durable())
        receiver = original(factory, *given, **named)
        with factory.broker.lock:
            for number, (queue, entry) in list(waiting.items()):
                if receiver.subscription not in known and queue.physical is receiver.physical:
                    moved[number] = receiver.delivery_queue
                    factory.broker.schedule.add(receiver.delivery_queue, entry)
        return receiver

    def offer(original, broker, queue, entry):
        waiting.pop(entry.number, None)
        if moved.get(entry.number, queue) is queue:
            original(broker, queue, entry)

    patch.at(fault_points.ARRIVED, admit)
    patch.at(fault_points.SUBSCRIPTION_STORED, open_stored)
    patch.at(fault_points.OFFERED, offer)


@nearly_right(
    "delayed-follows-name", "a durable subscription made again gets what was delayed for the first of its name", "7.9-8"
)
def _(patch):
    left = {}

    def unsubscribe(original, factory, name):
        broker = factory.broker
        key = (factory.connection.client_id_or_none, name)
        found = broker.subscriptions.durable(key)
        waiting = [] if found is None else list(broker.schedule.waiting_for(found.delivery_queue))
        original(factory, name)
        left[key] = waiting

    def open_stored(original, factory, topic, key, *rest, **named):  # fmt: skip
        receiver = original(factory, topic, key, *rest, **named)
        with factory.broker.lock:
            for entry in left.pop(key, []):
                factory.broker.admit(receiver.delivery_queue, entry)
        return receiver

    patch.at(fault_points.SUBSCRIPTION_DELETED, unsubscribe)
    patch.at(fault_points.SUBSCRIPTION_STORED, open_stored)


@nearly_right(
    "delayed-lost-with-consumer",
    "a shared subscription loses its delayed messages when one of its consumers closes",
    "7.9-9",
    at=fault_points.CONSUMER_CLOSED,
)
def _(original, consumer):
    original(consumer)
    subscription = consumer.receiver.subscription
    if subscription is not None and subscription.shared and subscription.consumers:
        consumer.session.broker.schedule.drop(consumer.receiver.delivery_queue)


@of_round(11)(
    "closing-one-shared-consumer-drops-delayed-messages",
    "closing one of several consumers of a shared non-durable subscription drops its messages that are not due yet",
    "7.9-9 8.3.2-11",
    around=(ConsumerFactory, "close"),
)
def _(original, factory, receiver):
    original(factory, receiver)
    subscription = receiver.subscription
    if subscription is not None and subscription.shared and not subscription.durable and subscription.consumers:
        factory.broker.schedule.drop(receiver.delivery_queue)


@nearly_right(
    "sent-on-delayed-again",
    "a message that is sent on is delayed as it was before",
    "7.9-10",
    at=fault_points.SEND_PREPARED,
)
def _(original, producer, message, *others):
    before = message.jms_delivery_time - message.jms_timestamp if message.jms_message_id else 0
    physical, entry = original(producer, message, *others)
    entry.delivery_time = max(entry.delivery_time, entry.timestamp + before)
    return physical, entry


@nearly_right(
    "subscription-outlives-expiry",
    "an inactive durable subscription gets what expired before it was due",
    "7.9-11",
    at=fault_points.OFFERED,
)
def _(original, broker, source, entry):
    if is_delayed(entry) and source.subscription is not None and not source.physical.consumers:
        source.put(entry)
        entry.expiration = 0
    else:
        original(broker, source, entry)
