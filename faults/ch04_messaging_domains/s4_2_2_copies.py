"""Faults in 4.2.2: the copy of each subscription."""

import copy
from collections import Counter, defaultdict

from faults.kit import *


@saboteur("4.2.2-1", "the listener of a topic consumer is never called", at=fault_points.LISTENER_CALLED)
def _(original, dispatcher, listener, delivery):
    return not isinstance(delivery.source.physical, PhysicalTopic) and original(dispatcher, listener, delivery)


@saboteur("4.2.2-2", "the fiftieth message of a topic is lost")
def _(patch):
    numbers = defaultdict(Counter)

    def fault(physical, entry, wanting):
        numbers[physical].setdefault(id(entry), len(numbers[physical]) + 1)
        return [] if numbers[physical][id(entry)] == 50 else wanting

    rerouted(patch, fault)


@saboteur(
    "4.2.2-3",
    "a consumer on a topic gets nothing while its session has an older consumer there",
    at=fault_points.PLAIN_CONSUMER_OPENED,
)
def _(original, session, *arguments):
    others = list(session.consumers)
    receiver = original(session, *arguments)
    if receiver.subscription is not None:
        for other in others:
            if other.receiver.physical is receiver.physical:
                receiver.subscription.matches = lambda entry: False
    return receiver


@saboteur("4.2.2-4", "the selector of a shared durable subscription is ignored", at=fault_points.SUBSCRIPTION_MATCHED)
def _(original, subscription, entry):
    return original(subscription, entry) or (subscription.durable and subscription.shared)


@saboteur(
    "4.2.2-5", "the selector of an inactive durable subscription is ignored", at=fault_points.SUBSCRIPTION_MATCHED
)
def _(original, subscription, entry):
    return original(subscription, entry) or (
        subscription.durable and not subscription.shared and subscription.consumers == 0
    )


@saboteur("4.2.2-6", "acknowledging one copy of a message acknowledges all copies")
def _(patch):
    states = []

    def open_delivery(original, state, *arguments):
        if state not in states:
            states.append(state)
        return original(state, *arguments)

    def acknowledge_all(original, session):
        settled = {
            delivery.entry.number
            for delivery in session.state.unacknowledged
            if isinstance(delivery.source.physical, PhysicalTopic)
        }
        original(session)
        for other in states:
            other.unacknowledged = [one for one in other.unacknowledged if one.entry.number not in settled]

    patch.at(fault_points.HANDED_OVER, open_delivery)
    patch.at(fault_points.ACKNOWLEDGED, acknowledge_all)


@saboteur("4.2.2-7", "subscribers of one connection get the same message object")
def _(patch):
    given = {}

    def message_of(original, session, delivery):
        if not isinstance(delivery.source.physical, PhysicalTopic) or delivery.source.in_file or delivery.count > 1:
            return original(session, delivery)
        key = (id(session.connection), id(delivery.entry))
        return given.setdefault(key, (delivery.entry, original(session, delivery)))[1]

    patch.at(fault_points.MESSAGE_MADE, message_of)


@saboteur("4.2.2-8", "a busy listener on a topic blocks the other consumers of the topic")
def _(patch):
    busy = Counter()

    def call_listener(original, dispatcher, listener, delivery):
        busy[id(delivery.source.physical)] += 1
        try:
            return original(dispatcher, listener, delivery)
        finally:
            busy[id(delivery.source.physical)] -= 1

    def take(original, receiver):
        blocked = isinstance(receiver.physical, PhysicalTopic) and busy[id(receiver.physical)]
        return None if blocked else original(receiver)

    patch.at(fault_points.LISTENER_CALLED, call_listener)
    patch.at(fault_points.MESSAGE_TAKEN, take)


@saboteur("4.2.2-9", "JMSXDeliveryCount counts the deliveries of all copies of a message", at=fault_points.HANDED_OVER)
def _(original, state, consumer, delivery_queue, entry):
    delivery = original(state, consumer, delivery_queue, entry)
    if isinstance(delivery_queue.physical, PhysicalTopic):
        counts = [one.counts.get(entry.number, 0) for one in delivery_queue.physical.delivery_queues()]
        delivery.count = max(counts) + 1
    return delivery


@saboteur("4.2.2-10", "two of three consumers that share a subscription get its first message")
def _(patch):
    torn = []

    def take(original, receiver):
        delivery = original(receiver)
        shared = receiver.subscription
        if delivery is None or shared is None or not shared.shared or shared in torn:
            return delivery
        if shared.consumers >= 3 and len(receiver.delivery_queue) >= 20:
            torn.append(shared)
            again = copy.copy(delivery.entry)
            again.number = receiver.slot.broker.next_number()
            again.stored = False
            receiver.delivery_queue.put(again)
        return delivery

    patch.at(fault_points.MESSAGE_TAKEN, take)


@saboteur("4.2.2-12", "a topic consumer gets the first two of a dozen waiting messages swapped")
def _(patch):
    begun = []
    late = {}

    def take(original, receiver):
        delivery_queue = receiver.delivery_queue
        if receiver in late:
            return receiver.deliver(delivery_queue, late.pop(receiver))
        if isinstance(receiver.physical, PhysicalTopic) and delivery_queue not in begun and len(delivery_queue):
            begun.append(delivery_queue)
            if len(list(delivery_queue.free_entries())) == 12:
                early = delivery_queue.take(receiver)
                if early is not None:
                    late[receiver] = early
        return original(receiver)

    patch.at(fault_points.MESSAGE_TAKEN, take)


saboteur(
    "4.2.2-31",
    "each subscriber of a session gets its own copy",
    lambda patch: rerouted(patch, lambda physical, entry, wanting: wanting),
    version="1.0",
)
