"""Red round 6, fourth part: faults in subscriptions and receiving, written without sight of the suite."""

import threading

from faults.kit import *

Routed = list[StoredDeliveryQueue]


def _change_fanout(subscription):
    physical = subscription.delivery_queue.physical
    if isinstance(physical, PhysicalTopic):
        physical._fanout.change()


def _nothing(entry):
    return False


@of_round(6)(
    "empty-selector-of-a-durable-subscriber-matches-nothing",
    "createDurableSubscriber with the selector '' and a noLocal argument makes a subscription that collects nothing",
    "8.3.3-31",
    "8.1-5",
    "8.3.3-3",
    around=(ReferenceSession, "create_durable_subscriber"),
)
def _(original, session, topic, name, message_selector=OMITTED, no_local=OMITTED):
    made = original(session, topic, name, message_selector, no_local)
    if message_selector == "" and no_local is not OMITTED:
        made.receiver.subscription.matches = _nothing
        _change_fanout(made.receiver.subscription)
    return made


@of_round(6)(
    "last-subscriber-takes-the-topic-along",
    "when the last open consumer of a topic is a non-durable one and closes, durable subscriptions collect nothing "
    "until the next consumer comes",
    "8.3.3-5",
    "8.3.4-11",
    "8.3.3-17",
    "8.3.4-26",
)
def _takes_along(patch):
    gone = set()

    def close(original, factory, receiver):
        was_open = not receiver.closed
        original(factory, receiver)
        subscription = receiver.subscription
        if was_open and subscription is not None and not subscription.durable and not receiver.physical.consumers:
            gone.add(receiver.physical)

    def open_receiver(original, factory, physical, *rest):
        gone.discard(physical)
        return original(factory, physical, *rest)

    def route(original, broker, physical, entry):
        routed = original(broker, physical, entry)
        if physical in gone:
            entry.stored = False
            return []
        return routed

    around(patch, ConsumerFactory, "close", close)
    patch.at(fault_points.SUBSCRIPTION_OPENED, open_receiver)
    patch.at(fault_points.ROUTED, route)


@of_round(6)(
    "shared-subscription-outlives-its-session",
    "a shared non-durable subscription goes on collecting if its last consumer ends with its session, without a close",
    "8.3.2-13",
    "8.3.2-12",
    at=fault_points.CONSUMER_CLOSED,
)
def _(original, consumer):
    subscription = consumer.receiver.subscription
    if subscription is None or not subscription.shared or subscription.durable or not consumer.session.closed:
        original(consumer)
        return
    subscription.consumers += 1  # so that this one does not look like the last
    original(consumer)
    subscription.consumers -= 1


@of_round(6)(
    "no-local-lost-on-restart",
    "a restart forgets noLocal of durable subscriptions, so that resuming them replaces them",
    "8.3.3-9",
    "8.3.3-30",
    "8.3.3-34",
    at=fault_points.PROVIDER_RESTARTED,
)
def _(original, server):
    original(server)
    with server.broker.lock:
        for subscription in server.broker.subscriptions.all_durable():
            subscription.no_local = None
            _change_fanout(subscription)


@of_round(6)(
    "changed-shared-durable-subscription-is-exclusive",
    "a shared durable subscription that was replaced for another selector or topic takes one consumer at a time only",
    "8.3.4-5",
    "8.3.4-21",
    "8.3.4-4",
)
def _exclusive(patch):
    exclusive = set()

    def open_stored(original, factory, topic, key, selector, no_local, *, shared):
        found = factory.broker.subscriptions.durable(key)
        if found is not None and found in exclusive and found.consumers:
            raise JMSException("the maximum of consumers is reached", "MAX_CONSUMERS")
        receiver = original(factory, topic, key, selector, no_local, shared=shared)
        made = receiver.subscription
        if shared and found is not None and made is not None and made is not found:
            exclusive.add(made)
        return receiver

    patch.at(fault_points.SUBSCRIPTION_STORED, open_stored)


@of_round(6)(
    "unsubscribe-elsewhere-of-shared-durable-does-nothing",
    "unsubscribe of a shared durable subscription without client identifier has no effect on a connection that never "
    "consumed from it",
    "8.3.4-17",
)
def _elsewhere(patch):
    users = set()

    def open_stored(original, factory, topic, key, *rest, **kind):
        users.add((factory.connection, key))
        return original(factory, topic, key, *rest, **kind)

    def unsubscribe(original, factory, name):
        key = factory.connection.client_id_or_none, name or ""
        found = factory.broker.subscriptions.durable(key)
        known = key[0] is not None or (factory.connection, key) in users
        if known or found is None or not found.shared or found.consumers:
            original(factory, name)

    patch.at(fault_points.SUBSCRIPTION_STORED, open_stored)
    patch.at(fault_points.SUBSCRIPTION_DELETED, unsubscribe)


@of_round(6)(
    "transacted-publish-misses-own-inactive-subscription",
    "a message published in a transaction does not join an inactive durable subscription of the same client identifier",
    "8.3.3-5",
    "6.2.7-3",
    "3.8.1-2",
    "4.2.2-2",
)
def _misses_own(patch):
    transacted = Marked()

    def submit(original, session, physical, entry):
        if session.mode == Session.SESSION_TRANSACTED:
            transacted.add(entry)
        original(session, physical, entry)

    def route(original, broker, physical, entry):
        routed = original(broker, physical, entry)
        if entry not in transacted or not isinstance(physical, PhysicalTopic):
            return routed
        own = [
            one.delivery_queue
            for one in physical.subscriptions
            if one.durable and not one.consumers and one.key is not None and one.key[0] == entry.sender
        ]
        routed = [one for one in routed if one not in own]
        entry.stored = physical.stores(entry, routed)
        return routed

    patch.at(fault_points.SEND_SUBMITTED, submit)
    patch.at(fault_points.ROUTED, route)


@of_round(6)(
    "receive-body-with-time-limit-loses-the-message",
    "in AUTO_ACKNOWLEDGE mode a receiveBody with a time limit acknowledges a message whose body it cannot convert",
    "8.6-21",
)
def _loses(patch):
    call = threading.local()

    def receive_body(original, consumer, body_type, timeout=OMITTED):
        call.timed = timeout is not OMITTED and timeout > 0
        try:
            return original(consumer, body_type, timeout)
        finally:
            call.timed = False

    def hand_out_body(original, consumer, delivery, read):
        if not getattr(call, "timed", False) or consumer.session.state.mode != Session.AUTO_ACKNOWLEDGE:
            return original(consumer, delivery, read)
        try:
            read(consumer.session.message_of(delivery))
        except MessageFormatException:
            consumer._settle(delivery)
            raise
        return original(consumer, delivery, read)

    around(patch, ReferenceJMSConsumer, "receive_body", receive_body)
    patch.at(fault_points.BODY_RECEIVED, hand_out_body)


@of_round(6)(
    "no-receive-after-a-listener-was-removed",
    "a consumer whose listener was set to null refuses to receive synchronously",
    "8.1-3",
    "8.5-1",
    "8.7-16",
)
def _no_receive(patch):
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
    around(patch, ReferenceConsumer, "receive_as", receive_as)


@of_round(6)(
    "failed-message-waits-its-turn",
    "in a session with two listeners a message whose listener raised comes again after the other listener's next message",
    "8.7-2",
    "8.7-3",
    around=(Dispatcher, "may_repeat"),
)
def _(original, dispatcher, delivery):
    return len(dispatcher.consumers) == 1 and original(dispatcher, delivery)
