"""Faults with the listeners of sessions in several threads."""

from collections import Counter

from faults.kit import *


@saboteur(
    "pj-session-threads-1",
    "a session with two listeners calls each on a thread of its own",
    at=fault_points.LISTENER_CALLED,
)
def _(original, dispatcher, listener, delivery):
    if len(dispatcher.consumers) < 2:
        return original(dispatcher, listener, delivery)
    message = dispatcher.session.message_of(delivery)
    dispatcher.session.broker.clock.spawn(lambda: listener.on_message(message), "reference-provider-pool")
    return False


@saboteur("pj-session-threads-2", "a connection with two sessions calls one listener at a time")
def _(patch):
    busy = Counter[ReferenceConnection]()

    def call_listener(original, dispatcher, listener, delivery):
        connection = dispatcher.session.connection
        while busy[connection]:
            connection.broker.clock.wait(Waiter(), 1)
        busy[connection] += 1
        try:
            return original(dispatcher, listener, delivery)
        finally:
            busy[connection] -= 1

    patch.at(fault_points.LISTENER_CALLED, call_listener)


@saboteur("pj-session-threads-3", "of two subscribers in one session, only one gets the second message")
def _(patch):
    seen = dict[object, list[str]]()
    taken = dict[tuple[object, str], Subscription]()

    def wants(original, subscription, entry):
        if not original(subscription, entry):
            return False
        session, identifier = subscription.session, str(entry.message_id)
        messages = seen.setdefault(session, [])
        if identifier not in messages:
            messages.append(identifier)
        return messages.index(identifier) != 1 or taken.setdefault((session, identifier), subscription) is subscription

    patch.at(fault_points.SUBSCRIPTION_MATCHED, wants)


@saboteur(
    "pj-session-threads-4",
    "close of the only consumer of a session does not wait for its listener",
    around=(Dispatcher, "wait_until_idle"),
)
def _(original, dispatcher, consumer=None):
    if consumer is None or len(dispatcher.consumers) != 1:
        original(dispatcher, consumer)
