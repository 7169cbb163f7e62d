"""Narrow faults of section 8.3.3."""

from functools import partial
from typing import Any

from faults.kit import *
from faults.nearly_right.shared import *


@of_round(6)(
    "last-subscriber-takes-the-topic-along",
    "when the last open consumer of a topic is a non-durable one and closes, durable subscriptions collect nothing "
    "until the next consumer comes",
    "8.3.3-5 8.3.4-11 8.3.3-17 8.3.4-26",
)
def _(patch):
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

    patch.around(ConsumerFactory, "close", close)
    patch.at(fault_points.SUBSCRIPTION_OPENED, open_receiver)
    patch.at(fault_points.ROUTED, route)


@of_round(6)(
    "transacted-publish-misses-own-inactive-subscription",
    "a message published in a transaction does not join an inactive durable subscription of the same client identifier",
    "8.3.3-5 6.2.7-3 3.8.1-2 4.2.2-2",
)
def _(patch):
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


def _change_fanout(subscription):
    physical = subscription.delivery_queue.physical
    if isinstance(physical, PhysicalTopic):
        physical._fanout.change()


@of_round(6)(
    "no-local-lost-on-restart",
    "a restart forgets noLocal of durable subscriptions, so that resuming them replaces them",
    "8.3.3-9 8.3.3-30 8.3.3-34",
    at=fault_points.PROVIDER_RESTARTED,
)
def _(original, server):
    original(server)
    with server.broker.lock:
        for subscription in server.broker.subscriptions.all_durable():
            subscription.no_local = None
            _change_fanout(subscription)


@nearly_right(
    "deleted-name-keeps-its-topic",
    "a durable subscription whose name was unsubscribed before keeps the topic that it had then",
    "8.3.3-18 8.3.4-17 8.3.3-23 8.3.3-38",
)
def _(patch):
    topics = dict[object, Any]()
    deleted = set[object]()

    def stored(original, factory, topic, key, *given, shared):
        topic = topics.setdefault(key, topic) if key in deleted else topics.setdefault(key, topic) and topic
        return original(factory, topic, key, *given, shared=shared)

    def unsubscribed(original, factory, name):
        original(factory, name)
        deleted.add((factory.connection.client_id_or_none, name))

    patch.at(fault_points.SUBSCRIPTION_STORED, stored)
    patch.at(fault_points.SUBSCRIPTION_DELETED, unsubscribed)


@of_round(9)(
    "delayed-backlog-outlives-unsubscribe",
    "messages that wait for their delivery time when a durable subscription is deleted come to the next of that name",
    "8.3.3-18 8.3.4-17 7.9-8",
)
def _(patch):
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


@of_round(11)(
    "refused-second-consumer-keeps-the-subscription-in-use",
    "a second consumer of an unshared durable subscription that was refused leaves it in use after the first is closed",
    "8.3.3-25 8.3.3-4 4.2.2-22",
    by=partial(after_refused_opening, of=JMSException, shared=False),
)
def _(factory, subscription, selector):
    if subscription.consumers:
        subscription.consumers += 1


@of_round(14)(
    "a14-backlog-keeps-dropped-selector",
    "resuming an unshared durable subscription without its selector does not replace it if it holds messages",
    "8.3.3-28",
    around=(Terms, "match"),
)
def _(original, terms, subscription):
    backlog = not subscription.shared and len(subscription.delivery_queue) > 0
    if terms.selector is None and subscription.selector is not None and backlog:
        return original(Terms(terms.physical, subscription.selector, terms.no_local), subscription)
    return original(terms, subscription)


@of_round(7)(
    "durable-selector-stays-when-left-out",
    "a durable subscription that was made with a selector keeps it, and what it holds, when its consumer comes back"
    " through a method without selector",
    "8.3.3-28 8.3.4-21 8.3.3-37",
    at=fault_points.SUBSCRIPTION_STORED,
)
def _(original, factory, topic, key, selector, *rest, **named):
    found = factory.broker.subscriptions.durable(key)
    if selector is OMITTED and found is not None and found.delivery_queue.physical.destination == topic:
        selector = found.selector
    return original(factory, topic, key, selector, *rest, **named)


@of_round(9)(
    "no-local-change-keeps-the-backlog",
    "a durable subscription resumed with another value of noLocal keeps the messages that it held",
    "8.3.3-29",
    at=fault_points.SUBSCRIPTION_STORED,
)
def _(original, factory, topic, key, selector, no_local, *, shared):
    broker = factory.broker
    kept = []
    with broker.lock:
        found = broker.subscriptions.durable(key)
        if found is not None and found.selector == selector_text(selector) and found.no_local != no_local:
            kept = list(found.delivery_queue.free_entries())
    receiver = original(factory, topic, key, selector, no_local, shared=shared)
    with broker.lock:
        if kept and receiver.physical is found.delivery_queue.physical:
            for entry in kept:
                broker.offer(receiver.delivery_queue, entry)
    return receiver


@of_round(14)(
    "fourteen-b-subscriber-empty-selector",
    "createDurableSubscriber with an empty selector replaces a subscription that exists and has none.",
    "8.3.3-31 8.3.3-4 8.3.3-39",
)
def _(patch):
    def replaceable(found, topic):
        if found.shared or found.consumers or found.selector or found.delivery_queue.physical.destination != topic:
            return False
        return not found.delivery_queue.count_taken()

    def create(original, session, *arguments, **named):
        selector = arguments[2] if len(arguments) > 2 else named.get("message_selector")
        topic = arguments[0] if arguments else named.get("topic")
        name = arguments[1] if len(arguments) > 1 else named.get("name")
        session.check_open()
        found = session.broker.subscriptions.durable((session.connection.client_id_or_none, name))
        if selector == "" and found is not None and replaceable(found, topic):
            session.broker.subscriptions.delete(found)
        return original(session, *arguments, **named)

    patch.around(ReferenceSession, "create_durable_subscriber", create)


@of_round(6)(
    "empty-selector-of-a-durable-subscriber-matches-nothing",
    "createDurableSubscriber with the selector '' and a noLocal argument makes a subscription that collects nothing",
    "8.3.3-31 8.1-5 8.3.3-3",
    around=(ReferenceSession, "create_durable_subscriber"),
)
def _(original, session, topic, name, message_selector=OMITTED, no_local=OMITTED):
    made = original(session, topic, name, message_selector, no_local)
    if message_selector == "" and no_local is not OMITTED:
        made.receiver.subscription.matches = lambda entry: False
        _change_fanout(made.receiver.subscription)
    return made


@of_round(11)(
    "restart-gives-all-subscriptions-of-a-client-one-selector",
    "after a restart all durable subscriptions of a client that have a selector filter by that of the last one",
    "8.3.3-33 8.3.3-9",
    around=(recovery, "_recover_subscriptions"),
)
def _(original, broker, destinations):
    found = original(broker, destinations)
    last = {}
    for one in reversed(broker.subscriptions.all_durable()):
        if one.matches is not None and one.key is not None:
            one.matches = last.setdefault(one.key[0], one.matches)
    return found


@of_round(14)(
    "a14-no-local-asleep-while-inactive",
    "a durable subscription with noLocal collects its own client's messages while it has no consumer",
    "8.3.3-34 4.2.2-29",
    at=fault_points.SUBSCRIPTION_MATCHED,
)
def _(original, subscription, entry):
    if subscription.durable and subscription.consumers == 0:
        return subscription.matches is None or subscription.matches(entry)
    return original(subscription, entry)


@of_round(7)(
    "no-local-means-the-connection-that-subscribed",
    "noLocal of a durable subscription leaves out what the connection that created it publishes, but not what later"
    " connections with the same client identifier publish",
    "8.3.3-35",
)
def _(patch):
    senders = {}
    creators = {}

    def note(producer, _, entry, __):
        connection = producer.session.connection
        if connection.client_id_or_none is not None:
            senders[id(entry)] = (entry, connection)

    def open_stored(original_open, factory, *rest, **named):
        receiver = original_open(factory, *rest, **named)
        if receiver.subscription is not None:
            creators.setdefault(id(receiver.subscription), (receiver.subscription, factory.connection))
        return receiver

    def is_foreign(original, self, entry):
        if original(self, entry) or id(self) not in creators or id(entry) not in senders:
            return original(self, entry)
        return senders[id(entry)][1] is not creators[id(self)][1]

    after_send(patch, note)
    patch.at(fault_points.SUBSCRIPTION_STORED, open_stored)
    patch.around(Subscription, "is_foreign", is_foreign)


@of_round(9)(
    "inactive-no-local-knows-its-first-connection-only",
    "while no consumer is open, noLocal of a durable subscription leaves out what the connection that made it sends, "
    "but not what a later one with the same client identifier sends",
    "8.3.3-35",
)
def _(patch):
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

    def foreign(is_foreign, self, entry):
        _, maker = makers.get(id(self), (self, None))
        _, sender = senders.get(id(entry), (entry, maker))
        other_connection = maker is not None and sender is not maker
        return is_foreign(self, entry) or (self.durable and self.consumers == 0 and other_connection)

    patch.at(fault_points.SUBSCRIPTION_STORED, open_stored)
    patch.at(fault_points.SEND_PREPARED, prepare)
    patch.around(Subscription, "is_foreign", foreign)
