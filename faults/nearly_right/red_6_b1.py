"""Red round 6, third part: faults in sending, and in what consumers are handed, written without sight of the suite."""

import threading
from dataclasses import replace

from faults.kit import *


class _Reporting(CompletionListener):
    """Passes callbacks on; what onCompletion raises is reported to onException as well."""

    def __init__(self, listener):
        self._listener = listener

    def on_completion(self, message):
        try:
            self._listener.on_completion(message)
        except Exception as error:
            self._listener.on_exception(message, JMSException(f"the completion failed: {error}"))
            raise

    def on_exception(self, message, exception):
        self._listener.on_exception(message, exception)


def _outside(physical, delivery_queues, left_out):
    """Return the delivery queues without those of the subscriptions that are left out."""
    gone = [one.delivery_queue for one in physical.subscriptions if left_out(one)]
    return [one for one in delivery_queues if not any(one is other for other in gone)]


@of_round(6)(
    "time-to-live-ignored-with-destination-argument",
    "a send that names its destination and gives a time-to-live uses the producer's time-to-live instead",
    "7.4-7",
    "7.8-1",
    "3.4.9-1",
    "3.4.9-5",
    "3.4.11-9",
    around=(ReferenceProducer, "send"),
)
def _(original, producer, message, **options):
    given = {name for name, value in options.items() if value is not OMITTED}
    if {"destination", "time_to_live"} <= given and "completion_listener" not in given:
        options["time_to_live"] = producer._time_to_live
    original(producer, message, **options)


@of_round(6)(
    "new-producer-has-the-delay-of-a-closed-one",
    "a producer made after another of the session for the same destination was closed starts with its delivery delay",
    "7.4-10",
    "7.4-4",
)
def _delay_kept(patch):
    kept = {}

    def close(original, producer):
        was_open = not producer.closed
        original(producer)
        if was_open and producer._delivery_delay:
            kept[producer.session, producer._destination] = producer._delivery_delay

    def add_producer(original, session, producer):
        producer._delivery_delay = kept.pop((session, producer._destination), producer._delivery_delay)
        return original(session, producer)

    around(patch, ReferenceProducer, "close", close)
    around(patch, ReferenceSession, "add_producer", add_producer)


@of_round(6)(
    "transacted-synchronous-send-overtakes",
    "in a transaction a synchronous send goes before the asynchronous sends to the same destination made just before it",
    "7.3.3-2",
    "6.2.9.2-10",
    "7.3.3-3",
)
def _overtakes(patch):
    sending = set()
    asynchronous = Marked()

    def send_later(original, producer, *arguments):
        sending.add(producer.session)
        try:
            original(producer, *arguments)
        finally:
            sending.discard(producer.session)

    def submit(original, session, physical, entry):
        original(session, physical, entry)
        if session in sending:
            asynchronous.add(entry)
        elif session.state.mode == Session.SESSION_TRANSACTED:
            sends = session.state.work.sends
            sent = sends.pop()
            position = len(sends)
            while position and sends[position - 1][0] is physical and sends[position - 1][1] in asynchronous:
                position -= 1
            sends.insert(position, sent)

    patch.at(fault_points.SENT_ASYNCHRONOUSLY, send_later)
    patch.at(fault_points.SEND_SUBMITTED, submit)


@of_round(6)(
    "failing-on-completion-is-followed-by-on-exception",
    "when onCompletion raises, onException is called for the same message as well",
    "7.3-6",
    at=fault_points.COMPLETION_CALLED,
)
def _(original, completions, completion):
    original(completions, replace(completion, listener=_Reporting(completion.listener)))


@of_round(6)(
    "producer-closed-by-on-exception",
    "close of its own producer is accepted in onException, while it is refused in onCompletion",
    "7.3.4-8",
    around=(ReferenceProducer, "close"),
)
def _(original, producer):
    completions = producer.session.completions
    running = completions._running
    if completions.is_current_thread() and running is not None and running.error is not None:
        producer.closed = True
        producer.session.forget_producer(producer)
        return
    original(producer)


@of_round(6)(
    "messages-given-back-to-a-queue-do-not-expire",
    "a queue message that was rolled back or recovered once is delivered however long its time-to-live is over",
    "7.8-4",
)
def _immortal(patch):
    given_back = set()

    def redeliver(original, redelivery, deliveries):
        given_back.update(one.entry.number for one in deliveries if not one.source.physical.routes_anew)
        original(redelivery, deliveries)

    def is_expired(original, broker, entry):
        return entry.number not in given_back and original(broker, entry)

    patch.at(fault_points.REDELIVERED, redeliver)
    patch.at(fault_points.EXPIRY_CHECKED, is_expired)


@of_round(6)(
    "restart-releases-delayed-messages-of-subscriptions",
    "after a restart a durable subscription delivers its delayed messages at once",
    "7.9-4",
    "7.9-9",
    "3.4.13-6",
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


@of_round(6)(
    "transaction-stored-by-its-first-message",
    "a transaction whose first message is NON_PERSISTENT is not stored, with the PERSISTENT messages in it",
    "7.7-5",
    "7.7-3",
)
def _first_message(patch):
    unstored = Marked()

    def committed(session):
        sends = session.state.work.sends
        if sends and sends[0][1].delivery_mode == DeliveryMode.NON_PERSISTENT:
            for _, entry in sends:
                unstored.add(entry)

    def stores(original, physical, entry, delivery_queues):
        return entry not in unstored and original(physical, entry, delivery_queues)

    before_commit(patch, committed)
    patch.at(fault_points.STORED, stores)


@of_round(6)(
    "rollback-hands-over-without-the-selector",
    "a message given back by rollback is handed to the consumer that waits longest, even if its selector rejects it",
    "8.1-2",
)
def _without_selector(patch):
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
    around(patch, DeliveryQueue, "put_back", put_back)


@of_round(6)(
    "non-persistent-dropped-while-subscriber-is-stopped",
    "a NON_PERSISTENT message does not join a non-durable subscription whose connection is stopped",
    "8.3.1-7",
    "8.4-2",
)
def _dropped(patch):
    def stopped(subscription):
        session = subscription.session  # only unshared non-durable subscriptions have one
        return session is not None and not session.connection.running

    def route(original, broker, physical, entry):
        routed = original(broker, physical, entry)
        if entry.delivery_mode == DeliveryMode.PERSISTENT or not isinstance(physical, PhysicalTopic):
            return routed
        return _outside(physical, routed, stopped)

    patch.at(fault_points.ROUTED, route)
