"""Helpers for faults of topics and their subscriptions."""

import copy
from collections import defaultdict

from faults.kit.seams import *


def rerouted(patch, fault):
    """Let `fault` choose among the subscriptions of a topic that want a message."""

    def route(original, broker, physical, entry):
        delivery_queues = original(broker, physical, entry)
        if not isinstance(physical, PhysicalTopic):
            return delivery_queues
        wanting = [one for one in physical.subscriptions if one.wants(entry)]
        chosen = [one.delivery_queue for one in fault(physical, entry, wanting)]
        entry.stored = physical.stores(entry, chosen)
        return chosen

    patch.at(fault_points.ROUTED, route)


class Reappearing:
    """Entries that the next unnamed subscription of their topic gets, as new ones."""

    def __init__(self, patch):
        self.kept = defaultdict(list)

        def open_plain(original, session, *arguments):
            receiver = original(session, *arguments)
            if receiver.subscription is not None:
                with session.broker.lock:
                    put_again(receiver, self.kept.pop(receiver.physical, []))
            return receiver

        patch.at(fault_points.PLAIN_CONSUMER_OPENED, open_plain)


def put_again(receiver, entries):
    """Append copies of entries, kept in memory only, to a receiver's stream. Needs the broker lock."""
    for entry in entries:
        again = copy.copy(entry)
        again.number = receiver.slot.broker.next_number()
        again.stored = False
        receiver.delivery_queue.put(again)


def closed_collect(patch, wanted):
    """Keep messages of a topic once a non-durable consumer was closed, for the next one, whoever else is subscribed."""
    reappearing = Reappearing(patch)
    left = set()

    def detach(original, consumer):
        original(consumer)
        if isinstance(consumer.receiver.physical, PhysicalTopic) and not consumer.session.closing:
            left.add(id(consumer.receiver.physical))

    def collect(physical, entry, wanting):
        if id(physical) in left and wanted(entry):
            reappearing.kept[physical].append(entry)
        return wanting

    patch.at(fault_points.CONSUMER_CLOSED, detach)
    rerouted(patch, collect)


class Acknowledged:
    """The acknowledged entries of each durable stream."""

    def __init__(self, patch):
        self.entries = defaultdict(list)

        def remove_from_queue(original, delivery):
            original(delivery)
            if delivery.source.in_file and isinstance(delivery.source.physical, PhysicalTopic):
                self.entries[delivery.source].append(delivery.entry)

        patch.at(fault_points.REMOVED, remove_from_queue)


def after_durable_opened(patch, fault):
    """Run `fault` on the receiver of each unshared durable subscription that is opened, under the broker lock."""

    def open_stored(original, factory, *arguments, shared):
        receiver = original(factory, *arguments, shared=shared)
        if not shared:
            with factory.broker.lock:
                fault(receiver)
        return receiver

    patch.at(fault_points.SUBSCRIPTION_STORED, open_stored)


def inside_contexts(patch, method):
    """Return a function that says whether a method of a session is called by the same method of a context."""
    calls = []

    def called(original, context, *arguments):
        calls.append(method)
        try:
            return original(context, *arguments)
        finally:
            calls.pop()

    patch.around(ReferenceContext, method, called)
    return lambda: bool(calls)


def when_durable_opens(patch, fault, *, shared):
    """Run `fault` after a durable subscription of the kind is opened: the factory, the subscription, the selector."""

    def open_stored(original, factory, *arguments, **named):
        receiver = original(factory, *arguments, **named)
        if named["shared"] is shared and receiver.subscription is not None:
            with factory.broker.lock:
                fault(factory, receiver.subscription, arguments[2])
        return receiver

    patch.at(fault_points.SUBSCRIPTION_STORED, open_stored)


def before_durable_opens(patch, fault, *, shared):
    """Run `fault` before a durable subscription of the kind that exists is opened: the factory, the subscription, the selector."""

    def open_stored(original, factory, *arguments, **named):
        found = factory.broker.subscriptions.durable(arguments[1])
        if found is not None and found.shared is shared and named["shared"] is shared:
            fault(factory, found, arguments[2])
        return original(factory, *arguments, **named)

    patch.at(fault_points.SUBSCRIPTION_STORED, open_stored)


def after_refused_opening(patch, fault, *, of, shared):
    """Run `fault` when the opening of a durable subscription of the kind that exists has failed: the factory, the subscription, the selector."""

    def open_stored(original, factory, topic, key, selector, *others, **named):
        try:
            return original(factory, topic, key, selector, *others, **named)
        except of:
            found = factory.broker.subscriptions.durable(key)
            if found is not None and found.shared is shared and named["shared"] is shared:
                fault(factory, found, selector)
            raise

    patch.at(fault_points.SUBSCRIPTION_STORED, open_stored)


def terms_match(patch, fault, *, shared):
    """Let `fault` decide whether an inactive durable subscription of the kind has the terms that are asked for."""
    patch.around(
        Terms,
        "match",
        lambda original, terms, found: (
            fault(terms, found, original(terms, found)) if found.shared is shared else original(terms, found)
        ),
    )


def wanted_otherwise(patch, fault, *, shared):
    """Let `fault` decide whether a durable subscription of the kind gets a message."""

    def wants(original, subscription, entry):
        wanted = original(subscription, entry)
        if subscription.durable and subscription.shared is shared:
            return fault(subscription, entry, wanted)
        return wanted

    patch.at(fault_points.SUBSCRIPTION_MATCHED, wants)


def settled_with_session(patch, *, transacted, shared):
    """Acknowledge the messages of durable subscriptions of the kind when their session is closed."""

    def drop_unfinished(original, session):
        state = session.state
        held = state.work.acks if transacted else state.unacknowledged
        durable = [one for one in held if _of_durable(session, one) is not None]
        chosen = [one for one in durable if getattr(_of_durable(session, one), "shared", None) is shared]
        held[:] = [one for one in held if one not in chosen]
        state.acknowledge(chosen, durable=True)
        original(session)

    patch.at(fault_points.SESSION_ENDED, drop_unfinished)


def _of_durable(session, delivery):
    every = session.broker.subscriptions.all_durable()
    return next((one for one in every if one.delivery_queue is delivery.source), None)


def never_expires_inactive(patch, *, shared):
    """Forget the expiration of the messages that an inactive durable subscription of the kind holds."""

    def fault(factory, found, selector):
        del selector
        with factory.broker.lock:
            for entry in found.delivery_queue.free_entries() if not found.consumers else ():
                entry.expiration = 0

    before_durable_opens(patch, fault, shared=shared)


def after_restart(patch, fault, *, shared, killed=False):
    """Run `fault` for each durable subscription of the kind that a restart has restored, or one after a kill, before anybody connects."""

    def restart(original, server):
        original(server)
        for found in server.broker.subscriptions.all_durable():
            if found.shared is shared:
                fault(server.broker.subscriptions, found)

    patch.at(fault_points.PROVIDER_RESTARTED, restart)
    if killed:
        patch.at(fault_points.PROVIDER_KILLED, restart)


def gone_after_restart(patch, *, shared):
    """Lose durable subscriptions of the kind when the provider is restarted or killed."""
    after_restart(patch, lambda every, found: every.delete(found), shared=shared, killed=True)


def deaf_after_restart(patch, *, shared):
    """Take durable subscriptions of the kind that have a selector off their topic at a restart; they keep what they have."""

    def fault(_every, found):
        physical = found.delivery_queue.physical
        if found.selector is not None and isinstance(physical, PhysicalTopic):
            physical.remove(found)

    after_restart(patch, fault, shared=shared)
