"""Faults of time to live, delivery delay and reliability (7.8, 7.9, 9.1) that show under one condition only."""

from faults.kit import *

# -- sends -------------------------------------------------------------------------------------------------------------


@nearly_right(
    "zero-argument-ignored",
    "a time to live of 0 as an argument takes that of the producer",
    "7.8-3",
    at=fault_points.HEADERS_COMPUTED,
)
def _(original, producer, physical, options):
    stamp = original(producer, physical, options)
    own = 0 if options.time_to_live else producer.time_to_live
    return stamp._replace(expiration=producer.session.broker.clock.now() + own) if own else stamp


@nearly_right(
    "sent-on-keeps-expiration", "a message that is sent on without time to live keeps its expiration", "7.8-9"
)
def _(patch):
    def fault(producer, message, entry, preset):
        message.jms_expiration = entry.expiration = preset

    with_preset(patch, "jms_expiration", fault, when=_sent_before_without_ttl)


def _sent_before_without_ttl(producer, message, options):
    return not options.time_to_live and message.jms_message_id is not None


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


@nearly_right("asynchronous-undelayed", "asynchronous sends ignore the delay", "7.9-3", "7.9-4")
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


# -- time to live ------------------------------------------------------------------------------------------------------


def _deathless(patch, entries):
    """Ignore the time to live of some messages."""

    def is_expired(original, broker, entry):
        return entry not in entries and original(broker, entry)

    patch.at(fault_points.EXPIRY_CHECKED, is_expired)


@nearly_right("returned-lives-for-ever", "a message that was redelivered once never expires", "7.8-7")
def _(patch):
    returned = Marked()

    def redeliver(original, redelivery, deliveries):
        for delivery in deliveries:
            returned.add(delivery.entry)
        original(redelivery, deliveries)

    patch.at(fault_points.REDELIVERED, redeliver)
    _deathless(patch, returned)


@nearly_right(
    "shared-durable-lives-for-ever", "messages of shared durable subscriptions never expire", "7.8-5", "7.8-7"
)
def _(patch):
    shared = Marked()

    def admit(original, broker, source, entry):
        subscription = subscription_of(source)
        if subscription is not None and subscription.shared and subscription.durable:
            shared.add(entry)
        original(broker, source, entry)

    patch.at(fault_points.ARRIVED, admit)
    _deathless(patch, shared)


@nearly_right(
    "expired-at-commit", "a message that expires before the commit of its send is delivered", "7.8-7", "7.8-2"
)
def _(patch):
    late = Marked()

    def fault(session):
        for _, entry in session.state.work.sends:
            if entry.expiration and entry.expiration <= session.broker.clock.now():
                late.add(entry)

    before_commit(patch, fault)
    _deathless(patch, late)


@nearly_right("restart-stops-expiry", "what was in the file at a restart never expires", "7.8-4", "7.8-5", "7.8-7")
def _(patch):
    sent = Marked()
    after_send(patch, lambda _producer, _message, entry, _options: sent.add(entry))

    def is_expired(original, broker, entry):
        return entry in sent and original(broker, entry)

    patch.at(fault_points.EXPIRY_CHECKED, is_expired)


@nearly_right("delayed-lives-for-ever", "a delayed message does not expire once it is due", "7.8-7")
def _(patch):
    due = Marked()

    def offer(original, broker, source, entry):
        if is_delayed(entry) and not broker.is_expired(entry):
            due.add(entry)
        original(broker, source, entry)

    patch.at(fault_points.OFFERED, offer)
    _deathless(patch, due)


# -- delivery delay ----------------------------------------------------------------------------------------------------


def _admitted(patch, due):
    """Let delayed messages be due at another time."""

    def admit(original, broker, source, entry):
        changed = due(broker, source, entry) if remains(broker, entry) > 0 else entry.delivery_time
        kept_until(original, broker, source, entry, changed)

    patch.at(fault_points.ARRIVED, admit)


@nearly_right(
    "urgent-undelayed", "a message of priority 9 is delivered without its delay", "7.9-3", "7.9-4", by=_admitted
)
def _(broker, _, entry):
    return broker.clock.now() if entry.priority == 9 else entry.delivery_time


@nearly_right("listener-undelayed", "a consumer with a listener gets delayed messages at once", "7.9-3", "7.9-4")
def _(patch):
    listening = set[StoredDeliveryQueue]()

    def add(original, dispatcher, consumer):
        listening.add(consumer.receiver.delivery_queue)
        original(dispatcher, consumer)

    patch.at(fault_points.LISTENER_ADDED, add)
    _admitted(patch, lambda broker, source, entry: broker.clock.now() if source in listening else entry.delivery_time)


@nearly_right("shared-undelayed", "a shared subscription delivers delayed messages at once", "7.9-4", by=_admitted)
def _(broker, source, entry):
    subscription = subscription_of(source)
    return broker.clock.now() if subscription is not None and subscription.shared else entry.delivery_time


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
    "7.9-3",
    "7.9-4",
    install=lambda patch: _at_restart(patch, lambda broker, source, entry: broker.offer(source, entry)),
)
nearly_right(
    "restart-forgets-delayed",
    "a restart loses the delayed messages that are not due yet",
    "7.9-5",
    "7.9-9",
    install=lambda patch: _at_restart(patch, lambda _broker, _source, _entry: None),
)


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


def _put_back_later(delivery):
    consumer = delivery.consumer
    broker = consumer.session.broker
    delay = delivery.entry.delivery_time - delivery.entry.timestamp

    def put_back():
        with broker.lock:
            delivery.redeliver()

    broker.clock.call_at(broker.clock.now() + delay, put_back)


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
    "unsubscribe-drops-delayed",
    "an unsubscribe drops the delayed messages of all subscriptions of the topic",
    "7.9-9",
    at=fault_points.SUBSCRIPTION_DELETED,
)
def _(original, factory, name):
    broker = factory.broker
    found = broker.subscriptions.durable((factory.connection.client_id_or_none, name))
    original(factory, name)
    if found is not None:
        with broker.lock:
            for source in found.delivery_queue.physical.delivery_queues():
                broker.schedule.drop(source)


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


# -- reliability -------------------------------------------------------------------------------------------------------


@nearly_right(
    "one-mode-per-transaction",
    "the last message of a transaction decides the delivery mode of all",
    "9.1-4",
    by=before_commit,
)
def _(session):
    sends = session.state.work.sends
    for _, entry in sends:
        entry.delivery_mode = sends[-1][1].delivery_mode


@nearly_right(
    "temporary-persistent", "a temporary destination delivers every message as NON_PERSISTENT", "9.1-4", by=after_send
)
def _(sender, message, entry, options):
    if entry.destination.kind.startswith("temporary"):
        entry.delivery_mode = DeliveryMode.NON_PERSISTENT
