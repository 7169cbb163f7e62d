"""Narrow faults of chapter 8 but for subscriptions and closing."""

import threading

from faults.kit import *
from faults.nearly_right.shared import *


@of_round(6)(
    "rollback-hands-over-without-the-selector",
    "a message given back by rollback is handed to the consumer that waits longest, even if its selector rejects it",
    "8.1-2",
)
def _(patch):
    rolling_back = threading.local()

    def roll_back(original, session, work):
        rolling_back.now = True
        try:
            original(session, work)
        finally:
            rolling_back.now = False

    def put_back(original, delivery_queue, entry, deliveries):
        taker = next((one for one in delivery_queue.waiting if one.is_open()), None)
        if taker is None or not getattr(rolling_back, "now", False):
            original(delivery_queue, entry, deliveries)
            return
        delivery_queue.counts[entry.number] = deliveries
        delivery_queue._in_memory.setdefault(entry.number, entry)
        delivery_queue.leave(taker)
        taker.hand_over(delivery_queue, entry)

    patch.at(fault_points.ROLLBACK, roll_back)
    patch.around(DeliveryQueue, "put_back", put_back)


@of_round(9)(
    "message-given-back-passes-by-the-selector",
    "a message that goes back to its queue is handed to the consumer that waits longest, whatever its selector says",
    "8.1-2 8.2-4",
    around=(DeliveryQueue, "put_back"),
)
def _(original, self, entry, deliveries):
    first = next((one for one in self.waiting if one.is_open()), None)
    if first is None or first.matches is None:
        original(self, entry, deliveries)
        return
    self.counts[entry.number] = deliveries
    self._in_memory.setdefault(entry.number, entry)
    del self.waiting[first]
    first.hand_over(self, entry)


@of_round(6)(
    "no-receive-after-a-listener-was-removed",
    "a consumer whose listener was set to null refuses to receive synchronously",
    "8.1-3 8.5-1 8.7-16",
)
def _(patch):
    once_listening = set()
    sound = ReferenceConsumer.message_listener

    def set_listener(consumer, listener):
        if listener is None and consumer.listener is not None:
            once_listening.add(consumer)
        elif listener is not None:
            once_listening.discard(consumer)
        sound.fset(consumer, listener)

    def receive_as(original, consumer, *arguments):
        consumer.session.check_open()
        if consumer in once_listening and not consumer.closed:
            raise IllegalStateException("the consumer has a message listener", "ASYNCHRONOUS")
        return original(consumer, *arguments)

    patch.replace(ReferenceConsumer, "message_listener", property(sound.fget, set_listener))
    patch.around(ReferenceConsumer, "receive_as", receive_as)


@nearly_right(
    "empty-selector-persistent-only",
    "a consumer of a queue with an empty selector in a transacted session gets PERSISTENT messages only",
    "8.1-5",
    at=fault_points.PLAIN_CONSUMER_OPENED,
)
def _(original, session, *arguments):
    receiver = original(session, *arguments)
    empty = isinstance(arguments[1], str) and not arguments[1]
    if empty and session.mode == Session.SESSION_TRANSACTED and isinstance(receiver.physical, PhysicalQueue):
        receiver.matches = sent_persistent
    return receiver


@of_round(7)(
    "expired-message-ends-receive-no-wait",
    "receiveNoWait returns null if it comes upon an expired message, although one that lives is behind it",
    "8.5-3 8.6-3",
)
def _(patch):
    discarded = {}

    def discard(discard_one, self, delivery_queue, entry):
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

    patch.around(Broker, "discard", discard)
    patch.at(fault_points.MESSAGE_AWAITED, next_delivery)


@of_round(14)(
    "a14-failed-topic-body-counted-when-lazy",
    "in DUPS_OK_ACKNOWLEDGE mode a failed receiveBody from a topic counts as a delivery",
    "8.6-24",
    at=fault_points.BODY_RECEIVED,
)
def _(original, consumer, delivery, read):
    try:
        return original(consumer, delivery, read)
    except MessageFormatException:
        lazy = consumer.session.mode == Session.DUPS_OK_ACKNOWLEDGE
        if lazy and isinstance(delivery.source.physical, PhysicalTopic):
            with consumer.session.broker.lock:
                delivery.source.counts[delivery.entry.number] = delivery.count
        raise


@of_round(8)(
    "second-listener-waits-for-a-new-message",
    "a listener set while another of its running session has one gets the waiting messages with the next arrival only",
    "8.7-1 6.2.6-5 6.1.4-7",
)
def _(patch):
    deaf = {}  # receivers by identity

    def add(original, dispatcher, consumer):
        others = [one for one in dispatcher.consumers if one is not consumer]
        if others and dispatcher.session.may_deliver():
            deaf[id(consumer.receiver)] = consumer.receiver
        original(dispatcher, consumer)

    def take(original, receiver):
        return None if id(receiver) in deaf else original(receiver)

    def offer(original, broker, delivery_queue, entry):
        for receiver in list(deaf.values()):
            if receiver.delivery_queue is delivery_queue:
                del deaf[id(receiver)]
        original(broker, delivery_queue, entry)

    patch.at(fault_points.LISTENER_ADDED, add)
    patch.at(fault_points.MESSAGE_TAKEN, take)
    patch.at(fault_points.OFFERED, offer)


@of_round(6)(
    "failed-message-waits-its-turn",
    "in a session with two listeners a message whose listener raised comes again after the other listener's next message",
    "8.7-2 8.7-3",
    around=(Dispatcher, "may_repeat"),
)
def _(original, dispatcher, delivery):
    return len(dispatcher.consumers) == 1 and original(dispatcher, delivery)


@of_round(14)(
    "a14-lazy-listener-count-stays-two",
    "in DUPS_OK_ACKNOWLEDGE mode JMSXDeliveryCount stays 2 from the second failure of a listener on",
    "8.7-5 3.5.11-2",
    around=(Delivery, "repeat"),
)
def _(original, delivery, now):
    session = getattr(delivery.consumer, "session", None)
    if delivery.count == 2 and session is not None and session.mode == Session.DUPS_OK_ACKNOWLEDGE:
        delivery.received_at = now
    else:
        original(delivery, now)


def _non_persistent_repeated(patch, mode):
    """Call a listener that failed again with a message that is not persistent, in a session that has sent nothing."""

    def call(original, dispatcher, listener, delivery):
        failed = original(dispatcher, listener, delivery)
        state = dispatcher.session.state
        plain = delivery.entry.delivery_mode == DeliveryMode.NON_PERSISTENT and not state.work.sends
        return original(dispatcher, listener, delivery) if failed and plain and state.mode == mode else failed

    patch.at(fault_points.LISTENER_CALLED, call)


@of_round(8)(
    "listener-that-failed-twice-is-called-no-more",
    "where a failed message is not repeated at once, a listener that has raised for two messages running gets no third",
    "8.7-7 8.7-9 8.7-1",
)
def _(patch):
    failures = {}  # by identity of the consumer

    def call_listener(original, dispatcher, listener, delivery):
        failed = original(dispatcher, listener, delivery)
        consumer = delivery.consumer
        _, before = failures.get(id(consumer), (consumer, 0))
        failures[id(consumer)] = consumer, before + 1 if failed else 0
        if failed and before and not dispatcher.session.state.settles(delivery):
            with dispatcher.session.broker.lock:
                dispatcher.remove(consumer)
        return failed

    patch.at(fault_points.LISTENER_CALLED, call_listener)


nearly_right(
    "transacted-listener-fails-twice-at-non-persistent",
    "in a transaction a listener that failed at a message that is not persistent gets it again",
    "8.7-9",
    install=lambda patch: _non_persistent_repeated(patch, Session.SESSION_TRANSACTED),
)
