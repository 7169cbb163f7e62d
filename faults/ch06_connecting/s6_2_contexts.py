"""Faults in 6.2.6, 6.2.13 and 6.2.14: contexts in several threads, and their listeners."""

import threading
from collections import Counter

from faults.ch06_connecting.s6_2_5_threads import LONG_MS, receiving
from faults.kit import *

STEP_MS = 100
"""Milliseconds, on the provider's clock, after which a dispatcher checks again whether others are busy."""


@saboteur("6.2.6-1", "createContext() waits for a receive of the context", around=(ReferenceContext, "create_context"))
def _(original, context, mode):
    if receiving(context.session):
        context.session.broker.clock.event().wait(LONG_MS)
    return original(context, mode)


@saboteur("6.2.6-2", "a context cannot be closed by another thread than the one that made it")
def _(patch):
    makers = {}

    def create(original, maker, *arguments, **options):
        made = original(maker, *arguments, **options)
        makers[id(made)] = (made, threading.get_ident())
        return made

    def close(original, context):
        if id(context) in makers and makers[id(context)][1] != threading.get_ident():
            raise IllegalStateRuntimeException("another thread uses the context")
        original(context)

    patch.around(ReferenceConnectionFactory, "create_context", create)
    patch.around(ReferenceContext, "create_context", create)
    patch.around(ReferenceContext, "close", close)


@nearly_right(
    "context-that-receives-cannot-be-closed",
    "a context cannot be closed by a foreign thread while another one receives",
    "6.2.6-2",
    around=(ReferenceContext, "close"),
)
def _(original, context):
    if receiving(context.session):
        raise IllegalStateRuntimeException("another thread uses the context")
    original(context)


@saboteur(
    "6.2.6-3",
    "a consumer of a context cannot be closed by a foreign thread while its listener runs",
    around=(ReferenceJMSConsumer, "close"),
)
def _(original, consumer):
    inner = consumer._consumer
    dispatcher = inner.session.dispatcher
    if dispatcher is not None and dispatcher.current is not None and not dispatcher.is_current_thread():
        raise IllegalStateRuntimeException("the listener runs on another thread")
    original(consumer)


@saboteur("6.2.6-5", "a session with a listener that has been sent messages takes no further one while it is started")
def _(patch):
    fed = set()

    def admit(original, broker, delivery_queue, entry):
        fed.add(delivery_queue)
        original(broker, delivery_queue, entry)

    def add(original, dispatcher, consumer):
        served = [one.receiver.delivery_queue for one in dispatcher.consumers if one is not consumer]
        if dispatcher.session.connection.running and fed.intersection(served):
            raise IllegalStateException("messages are being delivered")
        original(dispatcher, consumer)

    patch.at(fault_points.ARRIVED, admit)
    patch.at(fault_points.LISTENER_ADDED, add)


@saboteur(
    "6.2.13-3",
    "a session with more than four listeners calls each on a thread of its own",
    at=fault_points.LISTENER_CALLED,
)
def _(original, dispatcher, listener, delivery):
    if len(dispatcher.consumers) < 5:
        return original(dispatcher, listener, delivery)
    message = dispatcher.session.message_of(delivery)
    dispatcher.session.broker.clock.spawn(lambda: listener.on_message(message), "reference-provider-pool")
    return False


@saboteur("6.2.14-2", "a connection calls at most two listeners at a time")
def _(patch):
    busy = Counter()

    def call_listener(original, dispatcher, listener, delivery):
        connection = dispatcher.session.connection
        while busy[connection] > 1:
            dispatcher.session.broker.clock.event().wait(STEP_MS)
        busy[connection] += 1
        try:
            return original(dispatcher, listener, delivery)
        finally:
            busy[connection] -= 1

    patch.at(fault_points.LISTENER_CALLED, call_listener)


@saboteur(
    "6.2.14-3", "of more than two subscribers of one connection to a topic only one gets each message", by=rerouted
)
def _(_physical, entry, wanting):
    by_connection = {}
    for one in wanting:
        by_connection.setdefault(getattr(one.session, "connection", one), []).append(one)
    chosen = []
    for group in by_connection.values():
        chosen += group if len(group) < 3 else [group[entry.number % len(group)]]
    return chosen
