"""A red round: faults of messages, factories, connections, sessions, transactions, acknowledgement, order and closing."""

from dataclasses import replace

from faults.kit import *


def _from_queue(delivery):
    return isinstance(delivery.source.physical, PhysicalQueue)


def _drop(queue, unwanted):
    """Lose the waiting messages that are NON_PERSISTENT and unwanted. Needs B."""
    for entry in list(queue.free_entries()):
        if entry.delivery_mode == DeliveryMode.NON_PERSISTENT and unwanted(entry):
            queue.remove(entry.number, entry.priority)


class _Senders:
    """Which producer sent what in a transaction; keeps the entries alive, so that no identity is used twice."""

    def __init__(self, patch):
        self._found = {}
        patch.at(fault_points.SEND_PREPARED, self._prepare)

    def _prepare(self, original, producer, *arguments):
        physical, entry = original(producer, *arguments)
        if producer.session.state.mode == Session.SESSION_TRANSACTED:
            self._found[id(entry)] = entry, producer
        return physical, entry

    def of(self, entry):
        """Return the producer that sent an entry."""
        found = self._found.get(id(entry))
        return None if found is None else found[1]


# --- messages and factories -------------------------------------------------------------------------------------------


@of_round(14)(
    "fourteen-b-reply-gone-in-repeat",
    "A message of a subscription that is delivered again has lost its JMSReplyTo.",
    "3.4.6-1",
    "3.4.6-2",
    "3.4-1",
    by=as_received,
)
def _(message, delivery):
    if delivery.count > 1 and isinstance(delivery.source.physical, PhysicalTopic):
        message.jms_reply_to = None


@of_round(14)(
    "fourteen-b-correlation-latin",
    "NON_PERSISTENT messages carry a JMSCorrelationID set as text in Latin-1: other characters become question marks.",
    "3.4.5-2",
    by=after_send,
)
def _(sender, message, entry, options):
    text = entry.snapshot.correlation
    if entry.delivery_mode == DeliveryMode.NON_PERSISTENT and isinstance(text, str):
        entry.snapshot = entry.snapshot._replace(correlation=text.encode("latin-1", "replace").decode("latin-1"))


@of_round(14)(
    "fourteen-b-negative-short-widened",
    "A negative short read from the file after a restart has become an int.",
    "3.5.4-9",
    "3.5.4-2",
    "3.5.5-3",
    "3.5.2-3",
)
def _(patch):
    def read(content):
        return Int(content) if content < 0 else Short(content)

    patch.replace(codec, "VALUE_READERS", {**codec.VALUE_READERS, "short": read})


@of_round(14)(
    "fourteen-b-own-user-no-identifier",
    "A factory's configured client identifier is not applied for a client that gives its own user name.",
    "5.3-1",
    "6.1.2-1",
    at=fault_points.CONNECTION_OPENED,
)
def _(original, factory, kind, user, password):
    if user is not OMITTED and factory.parameters.client_id is not None:
        factory = type(factory)(factory._server, replace(factory.parameters, client_id=None))
    return original(factory, kind, user, password)


# --- connections ------------------------------------------------------------------------------------------------------


@of_round(14)(
    "fourteen-b-arrived-while-stopped",
    "NON_PERSISTENT messages that reach an unshared non-durable subscription while its connection is stopped are lost "
    "when it is started again.",
    "6.1.5-6",
    "8.4-2",
    "8.4-7",
    "8.3.1-7",
)
def _(patch):
    stopped = {}

    def queues(connection):
        receivers = [consumer.receiver for session in connection.sessions for consumer in session.consumers]
        return [one.delivery_queue for one in receivers if one.subscription is not None and not one.subscription.key]

    def stop(original, connection):
        was_running = connection.running
        original(connection)
        if was_running:
            with connection.broker.lock:
                stopped[connection] = {queue: set(queue.numbers()) for queue in queues(connection)}

    def start(original, connection):
        before = stopped.pop(connection, {})
        with connection.broker.lock:
            for queue, kept in before.items():
                _drop(queue, lambda entry, kept=kept: entry.number not in kept)
        original(connection)

    patch.at(fault_points.CONNECTION_STOPPED, stop)
    patch.at(fault_points.CONNECTION_STARTED, start)


@of_round(14)(
    "fourteen-b-identifier-kept-by-durable",
    "A client identifier that the client has set stays taken when its connection is closed with a durable consumer open.",
    "6.1.2-17",
    "6.1.8-16",
)
def _(patch):
    def durable(connection):
        consumers = [consumer for session in connection.sessions for consumer in session.consumers]
        subscriptions = [one.receiver.subscription for one in consumers if not one.closed]
        return any(one is not None and one.durable for one in subscriptions)

    def close(original, connection):
        kept = not connection.is_down() and not connection._client_id_configured and durable(connection)
        original(connection)
        if kept and connection.closed and (client_id := connection.client_id_or_none) is not None:
            connection.server._client_ids.setdefault(client_id, connection)

    patch.at(fault_points.CONNECTION_CLOSED, close)


# --- transactions and order -------------------------------------------------------------------------------------------


@of_round(14)(
    "fourteen-b-closed-publisher-forgotten",
    "What a producer has sent to a topic in a transaction is dropped when the producer is closed before the commit.",
    "6.2.7-11",
    "6.2.7-3",
)
def _(patch):
    senders = _Senders(patch)

    def close(original, producer):
        was_open = not producer.closed
        original(producer)
        session = producer.session
        if was_open and producer.closed and session.state.mode == Session.SESSION_TRANSACTED:
            with session.broker.lock:
                session.state.work.sends = [
                    (physical, entry)
                    for physical, entry in session.state.work.sends
                    if senders.of(entry) is not producer or not isinstance(physical, PhysicalTopic)
                ]

    around(patch, ReferenceProducer, "close", close)


@of_round(14)(
    "fourteen-b-commit-by-producer",
    "A commit sends the messages of a transaction producer by producer, not in the order of the sends.",
    "6.2.9.2-10",
    "6.2.9.1-1",
)
def _(patch):
    senders = _Senders(patch)

    def commit(session):
        sends = list(session.state.work.sends)
        first = {}
        for position, (_, entry) in enumerate(sends):
            first.setdefault(id(senders.of(entry)), position)
        session.state.work.sends = sorted(sends, key=lambda send: first[id(senders.of(send[1]))])

    before_commit(patch, commit)


# --- acknowledgement and redelivery -----------------------------------------------------------------------------------


@of_round(14)(
    "fourteen-b-acknowledge-open-only",
    "acknowledge leaves out what a consumer of a shared durable subscription had received before it was closed.",
    "6.2.10-11",
    "8.8-13",
    "8.3.4-13",
)
def _(patch):
    def left_out(delivery):
        consumer = delivery.consumer
        subscription = consumer.receiver.subscription if isinstance(consumer, ReferenceConsumer) else None
        return subscription is not None and consumer.closed and subscription.durable and subscription.shared

    def acknowledge(original, session):
        state = session.state
        with session.broker.lock:
            kept = [one for one in state.unacknowledged if left_out(one)]
            state.unacknowledged = [one for one in state.unacknowledged if one not in kept]
        original(session)
        with session.broker.lock:
            state.unacknowledged[:0] = kept

    patch.at(fault_points.ACKNOWLEDGED, acknowledge)


@of_round(14)(
    "fourteen-b-rolled-back-to-another",
    "A queue message that was rolled back once comes to another consumer without JMSRedelivered.",
    "6.2.10-33",
    "3.4.7-2",
    "3.4.7-1",
)
def _(patch):
    rolled_back = {}

    def roll_back(original, session, work):
        if not session.closing:
            rolled_back.update({id(one.entry): (one.entry, one.consumer) for one in work.acks if _from_queue(one)})
        original(session, work)

    def fault(message, delivery):
        _, former = rolled_back.get(id(delivery.entry), (None, delivery.consumer))
        if delivery.count == 2 and former is not delivery.consumer and isinstance(delivery.consumer, ReferenceConsumer):
            message.jms_redelivered = False

    patch.at(fault_points.ROLLBACK, roll_back)
    as_received(patch, fault)
