"""Red round 11, fourth part: what one message, consumer or subscription does to another, or to the next of its kind.

Declared by `nearly_right`; written without sight of the suite.
"""

from functools import partial

from faults.kit import *
from faults.nearly_right.red_11_a1 import Notes

# --- chapter 7 --------------------------------------------------------------------------------------------------------


@of_round(11)(
    "expired-message-takes-its-neighbour-along",
    "when a message that expired in a queue is discarded, the next one of its priority is discarded too",
    "7.8-3",
    "7.8-1",
    around=(Broker, "discard"),
)
def _(original, broker, queue, entry):
    original(broker, queue, entry)
    for number in queue.level(entry.priority).free_after(entry.number, 1):
        queue.remove(number, entry.priority)


@of_round(11)(
    "closing-one-shared-consumer-drops-delayed-messages",
    "closing one of several consumers of a shared non-durable subscription drops its messages that are not due yet",
    "7.9-9",
    "8.3.2-11",
    around=(ConsumerFactory, "close"),
)
def _(original, factory, receiver):
    original(factory, receiver)
    subscription = receiver.subscription
    if subscription is not None and subscription.shared and not subscription.durable and subscription.consumers:
        factory.broker.schedule.drop(receiver.delivery_queue)


# --- chapter 8 --------------------------------------------------------------------------------------------------------


@of_round(11)(
    "refused-second-consumer-keeps-the-subscription-in-use",
    "a second consumer of an unshared durable subscription that was refused leaves it in use after the first is closed",
    "8.3.3-25",
    "8.3.3-4",
    "4.2.2-22",
    by=partial(after_refused_opening, of=JMSException, shared=False),
)
def _(factory, subscription, selector):
    if subscription.consumers:
        subscription.consumers += 1


@of_round(11)(
    "no-local-of-a-closed-consumer-stays",
    "a topic consumer without noLocal, made after one with noLocal was closed in the session, leaves out local messages",
    "8.3.1-16",
)
def _no_local_stays(patch):
    closed = []

    def detach(original, consumer):
        original(consumer)
        subscription = consumer.receiver.subscription
        if subscription is not None and subscription.no_local is not None and not subscription.durable:
            closed.append((consumer.session, consumer.receiver.physical))

    def open_plain(original, session, *arguments):
        receiver = original(session, *arguments)
        if receiver.subscription is not None and (session, receiver.physical) in closed:
            receiver.subscription.no_local = session.connection.identity
        return receiver

    patch.at(fault_points.CONSUMER_CLOSED, detach)
    patch.at(fault_points.PLAIN_CONSUMER_OPENED, open_plain)


@of_round(11)(
    "failed-unsubscribe-ends-the-shared-non-durable",
    "unsubscribe of a name without a durable subscription throws, and ends the shared non-durable subscription of that name",
    "8.3.2-10",
    "4.2.2-19",
    "8.3.2-20",
    at=fault_points.SUBSCRIPTION_DELETED,
)
def _(original, factory, name):
    try:
        original(factory, name)
    except InvalidDestinationException:
        with factory.broker.lock:
            found = factory.broker.subscriptions.shared((factory.connection.client_id_or_none, name or ""))
            if found is not None:
                factory.broker.subscriptions.remove(found)
        raise


@of_round(11)(
    "refused-selector-becomes-that-of-the-subscription",
    "a consumer of a shared durable subscription that is refused for its selector changes what joins the subscription",
    "8.3.4-25",
    "8.3.4-23",
)
def _selector_taken(patch):
    def change(factory, subscription, selector):
        physical = subscription.delivery_queue.physical
        if subscription.consumers and isinstance(physical, PhysicalTopic):
            text = selector_text(selector)
            with factory.broker.lock:
                subscription.matches = factory.broker.predicate(text, factory.connection.model.version)
                physical._fanout.change()

    after_refused_opening(patch, change, of=JMSException, shared=True)


@of_round(11)(
    "closing-one-shared-durable-consumer-returns-what-others-hold",
    "closing a consumer of a shared durable subscription frees messages that another session holds unacknowledged",
    "8.3.4-6",
    "8.3.4-7",
    "4.2.2-10",
    at=fault_points.CONSUMER_CLOSED,
)
def _(original, consumer):
    original(consumer)
    subscription = consumer.receiver.subscription
    if subscription is None or not (subscription.shared and subscription.durable and subscription.consumers):
        return
    for connection in consumer.session.connection.server.connections:
        for session in getattr(connection, "sessions", []):
            for delivery in session.state.unacknowledged:
                if session is not consumer.session and delivery.source is subscription.delivery_queue:
                    delivery.redeliver()


@of_round(11)(
    "failed-receive-body-loses-the-message-on-close",
    "closing a consumer of a session that acknowledges by itself loses the message whose receiveBody failed last",
    "8.8-3",
    "8.6-21",
    "8.6-24",
)
def _lost(patch):
    failed = Notes()

    def open_delivery(original, state, consumer, *others):
        failed.put(consumer, None)
        return original(state, consumer, *others)

    def hand_out_body(original, consumer, delivery, read):
        try:
            return original(consumer, delivery, read)
        except MessageFormatException:
            if consumer.session.state.settles(delivery):
                failed.put(consumer, delivery)
            raise

    def detach(original, consumer):
        original(consumer)
        delivery = failed.get(consumer)
        if delivery is not None and delivery.source.take_number(delivery.entry.number, delivery.entry.priority):
            delivery.remove_from_queue()

    patch.at(fault_points.HANDED_OVER, open_delivery)
    patch.at(fault_points.BODY_RECEIVED, hand_out_body)
    patch.at(fault_points.CONSUMER_CLOSED, detach)


@of_round(11)(
    "restart-gives-all-subscriptions-of-a-client-one-selector",
    "after a restart all durable subscriptions of a client that have a selector filter by that of the last one",
    "8.3.3-33",
    "8.3.3-9",
)
def _one_selector(patch):
    original = recovery._recover_subscriptions

    def recover_subscriptions(broker, destinations):
        found = original(broker, destinations)
        last = {}
        for one in reversed(broker.subscriptions.all_durable()):
            if one.matches is not None and one.key is not None:
                one.matches = last.setdefault(one.key[0], one.matches)
        return found

    patch.replace(recovery, "_recover_subscriptions", recover_subscriptions)
