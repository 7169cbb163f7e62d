"""Helpers for faults of delivery delays."""

import copy
from collections import defaultdict
from collections.abc import Callable

from faults.kit.seams import *

Admit = Callable[[Broker, StoredDeliveryQueue, StoredMessage], None]


def is_delayed(entry):
    """Return whether a message was sent with a delay."""
    return entry.delivery_time > entry.timestamp > 0


def remains(broker, entry):
    """Return the time until a message is due, in ms; 0 or less if it is."""
    return entry.delivery_time - broker.clock.now()


def kept_until(admit, broker, source, entry, due):
    """Admit a message as if its delivery time were `due`; its header stays as it is."""
    honest = entry.delivery_time
    entry.delivery_time = due
    admit(broker, source, entry)
    entry.delivery_time = honest


def subscription_of(source):
    """Return the subscription that a delivery queue belongs to, None for a queue. Needs the broker lock."""
    every = source.physical.subscriptions if isinstance(source.physical, PhysicalTopic) else []
    return next((one for one in every if one.delivery_queue is source), None)


def enter_late(patch, joins):
    """Add the delayed messages of a topic that are not due yet to each new subscription that `joins`."""
    sent = defaultdict[PhysicalDestination, dict[int, StoredMessage]](dict)
    known = dict[int, Subscription]()

    def route(original, broker, physical, entry):
        if isinstance(physical, PhysicalTopic) and is_delayed(entry):
            sent[physical][id(entry)] = entry
            known.update({id(one): one for one in physical.subscriptions})
        return original(broker, physical, entry)

    def open_receiver(original, factory, physical, text, matches, subscription):
        if subscription is not None and id(subscription) not in known and joins(subscription):
            known[id(subscription)] = subscription
            for entry in sent[physical].values():
                _join(factory.broker, subscription, entry)
        return original(factory, physical, text, matches, subscription)

    patch.at(fault_points.ROUTED, route)
    patch.at(fault_points.SUBSCRIPTION_OPENED, open_receiver)


def _join(broker, subscription, entry):
    if remains(broker, entry) > 0 and subscription.wants(entry):
        again = copy.copy(entry)
        again.number = broker.next_number()
        again.stored = False
        broker.schedule.add(subscription.delivery_queue, again)
