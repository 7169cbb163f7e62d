"""Narrow faults of section 8.3 but for unshared durable subscriptions."""

from functools import partial

from faults.kit import *
from faults.nearly_right.shared import *


@of_round(6)(
    "non-persistent-dropped-while-subscriber-is-stopped",
    "a NON_PERSISTENT message does not join a non-durable subscription whose connection is stopped",
    "8.3.1-7 8.4-2",
)
def _(patch):
    def stopped(subscription):
        session = subscription.session  # only unshared non-durable subscriptions have one
        return session is not None and not session.connection.running

    def route(original, broker, physical, entry):
        routed = original(broker, physical, entry)
        if entry.delivery_mode == DeliveryMode.PERSISTENT or not isinstance(physical, PhysicalTopic):
            return routed
        gone = [one.delivery_queue for one in physical.subscriptions if stopped(one)]
        return [one for one in routed if one not in gone]

    patch.at(fault_points.ROUTED, route)


@of_round(9)(
    "paused-subscriber-misses-non-persistent-messages",
    "while the connection of a non-durable subscriber is stopped, having run before, NON_PERSISTENT messages pass it by",
    "8.3.1-7 8.4-2 6.1.5-6",
)
def _(patch):
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


@of_round(11)(
    "no-local-of-a-closed-consumer-stays",
    "a topic consumer without noLocal, made after one with noLocal was closed in the session, leaves out local messages",
    "8.3.1-16",
)
def _(patch):
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
    "8.3.2-10 4.2.2-19 8.3.2-20",
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


@of_round(14)(
    "fourteen-b-founder-takes-all",
    "When the consumer that created a shared non-durable subscription closes and only other connections have consumers "
    "on it, the messages that wait are lost.",
    "8.3.2-11 8.3.2-10",
)
def _(patch):
    members = {}

    def open_shared(original, factory, *arguments):
        receiver = original(factory, *arguments)
        if receiver.subscription is not None:
            members.setdefault(receiver.subscription, []).append((receiver, factory))
        return receiver

    def detach(original, consumer):
        receiver = consumer.receiver
        all_members = members.get(receiver.subscription, []) if receiver.subscription is not None else []
        if all_members and all_members[0][0] is receiver and not receiver.closed:
            others = [factory for other, factory in all_members if other is not receiver and not other.closed]
            if others and all_members[0][1] not in others:
                for entry in list(receiver.delivery_queue.free_entries()):
                    receiver.delivery_queue.remove(entry.number, entry.priority)
        original(consumer)

    patch.around(ConsumerFactory, "open_shared", open_shared)
    patch.at(fault_points.CONSUMER_CLOSED, detach)


@of_round(6)(
    "shared-subscription-outlives-its-session",
    "a shared non-durable subscription goes on collecting if its last consumer ends with its session, without a close",
    "8.3.2-13 8.3.2-12",
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
    "changed-shared-durable-subscription-is-exclusive",
    "a shared durable subscription that was replaced for another selector or topic takes one consumer at a time only",
    "8.3.4-5 8.3.4-21 8.3.4-4",
)
def _(patch):
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


@of_round(11)(
    "closing-one-shared-durable-consumer-returns-what-others-hold",
    "closing a consumer of a shared durable subscription frees messages that another session holds unacknowledged",
    "8.3.4-6 8.3.4-7 4.2.2-10",
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


@of_round(8)(
    "shared-durable-without-client-id-is-not-found-after-a-restart",
    "after a restart a shared durable subscription that was made without client identifier is another one, and empty",
    "8.3.4-8 8.3.4-4 4.2.2-22",
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


@of_round(6)(
    "unsubscribe-elsewhere-of-shared-durable-does-nothing",
    "unsubscribe of a shared durable subscription without client identifier has no effect on a connection that never "
    "consumed from it",
    "8.3.4-17",
)
def _(patch):
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


@of_round(11)(
    "refused-selector-becomes-that-of-the-subscription",
    "a consumer of a shared durable subscription that is refused for its selector changes what joins the subscription",
    "8.3.4-25 8.3.4-23",
    by=partial(after_refused_opening, of=JMSException, shared=True),
)
def _(factory, subscription, selector):
    physical = subscription.delivery_queue.physical
    if subscription.consumers and isinstance(physical, PhysicalTopic):
        text = selector_text(selector)
        with factory.broker.lock:
            subscription.matches = factory.broker.predicate(text, factory.connection.model.version)
            physical._fanout.change()
