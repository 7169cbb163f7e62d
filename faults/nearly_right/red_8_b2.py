"""Red round 8, second part: faults in connections, sending and receiving, written without sight of the suite."""

from faults.kit import *


@of_round(8)(
    "delayed-sends-outlive-the-rollback",
    "rollback drops what the transaction has sent, except messages with a delivery delay",
    "6.2.7-5",
    "6.2.7-4",
    at=fault_points.ROLLBACK,
)
def _(original, session, work):
    original(session, work)
    now = session.broker.clock.now()
    left = Work(session.broker)
    left.sends = [(physical, entry) for physical, entry in work.sends if entry.delivery_time > now]
    if not session.closing:
        left.perform()


@of_round(8)(
    "acknowledge-on-a-stopped-connection-is-lost",
    "acknowledge has no effect while the connection is stopped: the messages come again",
    "6.2.10-7",
    "6.2.10-8",
    "6.2.10-14",
    at=fault_points.ACKNOWLEDGED,
)
def _(original, session):
    connection = session.connection
    if connection.running or connection.is_down():
        original(session)


@of_round(8)(
    "closed-producer-takes-its-uncommitted-sends-along",
    "the close of a producer drops what it has sent in the open transaction, and commit does not bring it",
    "6.2.7-3",
    "6.2.7-11",
)
def _uncommitted_dropped(patch):
    original_close = ReferenceProducer.close
    senders = {}

    def prepare(original, producer, *arguments):
        physical, entry = original(producer, *arguments)
        if producer.session.state.mode == Session.SESSION_TRANSACTED:
            senders[id(entry)] = entry, producer
        return physical, entry

    def close(self):
        original_close(self)
        work = self.session.state.work
        work.sends = [one for one in work.sends if senders.get(id(one[1]), (None, None))[1] is not self]

    patch.at(fault_points.SEND_PREPARED, prepare)
    patch.replace(ReferenceProducer, "close", close)


@of_round(8)(
    "temporary-queues-are-consumed-outside-the-transaction",
    "a message that a transacted session receives from a temporary queue is gone at once: rollback does not return it",
    "6.2.7-6",
    "8.5-8",
    at=fault_points.HANDED_OVER,
)
def _(original, state, consumer, queue, entry):
    delivery = original(state, consumer, queue, entry)
    if queue.physical.temporary and queue.physical.destination.kind == "temporary-queue" and delivery.transaction:
        state.work.acks.remove(delivery)
        delivery.held = False
        delivery.remove_from_queue()
    return delivery


@of_round(8)(
    "shared-durable-without-client-id-is-not-found-after-a-restart",
    "after a restart a shared durable subscription that was made without client identifier is another one, and empty",
    "8.3.4-8",
    "8.3.4-4",
    "4.2.2-22",
    at=fault_points.PROVIDER_RESTARTED,
)
def _(original, server):
    original(server)
    subscriptions = server.broker.subscriptions
    with server.broker.lock:
        for subscription in subscriptions.all_durable():
            client_id, name = subscription.key
            if client_id is None:
                subscriptions._durable[("", name)] = subscriptions._durable.pop((None, name))
                subscription.key = ("", name)


@of_round(8)(
    "clear-properties-of-a-producer-clears-its-headers",
    "clearProperties of a JMSProducer also forgets the JMSType, JMSCorrelationID and JMSReplyTo set on it",
    "7.6-10",
    "7.6-8",
    "7.5-7",
)
def _headers_cleared(patch):
    original = ReferenceJMSProducer.clear_properties

    def clear_properties(self):
        self.set_jms_type(None).set_jms_correlation_id(None).set_jms_reply_to(None)
        return original(self)

    patch.replace(ReferenceJMSProducer, "clear_properties", clear_properties)


@of_round(8)(
    "deleted-destination-is-reported-twice",
    "an asynchronous send to a deleted temporary destination throws, and onException is called as well",
    "7.3.2-2",
    at=fault_points.SENT_ASYNCHRONOUSLY,
)
def _(original, producer, message, destination, options, listener, sender):
    try:
        original(producer, message, destination, options, listener, sender)
    except InvalidDestinationException as error:
        if isinstance(destination, TemporaryQueue | TemporaryTopic):
            producer.session.completions.add(Completion(sender, listener, message, error))
        raise


@of_round(8)(
    "sends-of-a-callback-get-no-callback",
    "an asynchronous send that a completion callback makes through its own session is never reported",
    "7.3-6",
    "7.3.7-3",
    at=fault_points.COMPLETION_QUEUED,
)
def _(original, completions, completion):
    if not completions.is_current_thread():
        original(completions, completion)


@of_round(8)(
    "second-listener-waits-for-a-new-message",
    "a listener set while another of its running session has one gets the waiting messages with the next arrival only",
    "8.7-1",
    "6.2.6-5",
    "6.1.4-7",
)
def _waits_for_a_new_one(patch):
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


@of_round(8)(
    "listener-that-failed-twice-is-called-no-more",
    "where a failed message is not repeated at once, a listener that has raised for two messages running gets no third",
    "8.7-7",
    "8.7-9",
    "8.7-1",
)
def _called_no_more(patch):
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
