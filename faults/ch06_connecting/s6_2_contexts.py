"""Faults in 6.2.6, 6.2.13 and 6.2.14: contexts in several threads, and their listeners."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from typing import Any

from faults.ch06_connecting.s6_2_5_threads import LONG_MS, receiving
from faults.kit.common import around, connection_of, session_of
from faults.kit.declaring import nearly_right, saboteur
from faults.kit.patch import Patch
from faults.kit.subscriptions import rerouted
from reference_provider import fault_points
from reference_provider.broker.broker import Broker
from reference_provider.broker.delivery import Delivery
from reference_provider.broker.physical_destinations import PhysicalTopic, StoredDeliveryQueue, Subscription
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.client.connection_factories import ReferenceConnectionFactory
from reference_provider.client.connections import ReferenceConnection
from reference_provider.client.context import ReferenceContext
from reference_provider.client.dispatch import Dispatcher, ListeningConsumer
from reference_provider.client.simplified import ReferenceJMSConsumer
from tck.api import IllegalStateException, IllegalStateRuntimeException, JMSContext, MessageListener

STEP_MS = 100
"""Milliseconds, on the provider's clock, after which a dispatcher checks again whether others are busy."""


@saboteur("6.2.6-1", "createContext() waits for a receive of the context")
def _(patch: Patch) -> None:
    def create_context(original: Callable[..., JMSContext], context: ReferenceContext, mode: int) -> JMSContext:
        if receiving(context.session):
            context.session.broker.clock.event().wait(LONG_MS)
        return original(context, mode)

    around(patch, ReferenceContext, "create_context", create_context)


@saboteur("6.2.6-2", "a context cannot be closed by another thread than the one that made it")
def _(patch: Patch) -> None:
    makers: dict[int, tuple[object, int]] = {}

    def create(original: Callable[..., Any], maker: object, *arguments: Any, **options: Any) -> Any:
        made = original(maker, *arguments, **options)
        makers[id(made)] = (made, threading.get_ident())
        return made

    def close(original: Callable[..., None], context: ReferenceContext) -> None:
        if id(context) in makers and makers[id(context)][1] != threading.get_ident():
            raise IllegalStateRuntimeException("another thread uses the context")
        original(context)

    around(patch, ReferenceConnectionFactory, "create_context", create)
    around(patch, ReferenceContext, "create_context", create)
    around(patch, ReferenceContext, "close", close)


@nearly_right(
    "context-that-receives-cannot-be-closed",
    "a context cannot be closed by a foreign thread while another one receives",
    "6.2.6-2",
)
def _(patch: Patch) -> None:
    def close(original: Callable[..., None], context: ReferenceContext) -> None:
        if receiving(context.session):
            raise IllegalStateRuntimeException("another thread uses the context")
        original(context)

    around(patch, ReferenceContext, "close", close)


@saboteur("6.2.6-3", "a consumer of a context cannot be closed by a foreign thread while its listener runs")
def _(patch: Patch) -> None:
    def close(original: Callable[..., None], consumer: Any) -> None:
        inner = consumer._consumer
        dispatcher = inner.session.dispatcher
        if dispatcher is not None and dispatcher.current is not None and not dispatcher.is_current_thread():
            raise IllegalStateRuntimeException("the listener runs on another thread")
        original(consumer)

    around(patch, ReferenceJMSConsumer, "close", close)


@saboteur("6.2.6-5", "a session with a listener that has been sent messages takes no further one while it is started")
def _(patch: Patch) -> None:
    fed: set[StoredDeliveryQueue] = set()

    def admit(
        original: Callable[..., None], broker: Broker, delivery_queue: StoredDeliveryQueue, entry: StoredMessage
    ) -> None:
        fed.add(delivery_queue)
        original(broker, delivery_queue, entry)

    def add(original: Callable[..., None], dispatcher: Dispatcher, consumer: ListeningConsumer) -> None:
        served = [one.receiver.delivery_queue for one in dispatcher.consumers if one is not consumer]
        if dispatcher.session.connection.running and fed.intersection(served):
            raise IllegalStateException("messages are being delivered")
        original(dispatcher, consumer)

    patch.at(fault_points.ARRIVED, admit)
    patch.at(fault_points.LISTENER_ADDED, add)


@saboteur("6.2.13-3", "a session with more than four listeners calls each on a thread of its own")
def _(patch: Patch) -> None:
    def call_listener(
        original: Callable[..., bool], dispatcher: Dispatcher, listener: MessageListener, delivery: Delivery
    ) -> bool:
        if len(dispatcher.consumers) < 5:
            return original(dispatcher, listener, delivery)
        message = dispatcher.session.message_of(delivery)
        dispatcher.session.broker.clock.spawn(lambda: listener.on_message(message), "reference-provider-pool")
        return False

    patch.at(fault_points.LISTENER_CALLED, call_listener)


@saboteur("6.2.14-2", "a connection calls at most two listeners at a time")
def _(patch: Patch) -> None:
    busy: Counter[ReferenceConnection] = Counter()

    def call_listener(
        original: Callable[..., bool], dispatcher: Dispatcher, listener: MessageListener, delivery: Delivery
    ) -> bool:
        connection = connection_of(session_of(dispatcher))
        while busy[connection] > 1:
            dispatcher.session.broker.clock.event().wait(STEP_MS)
        busy[connection] += 1
        try:
            return original(dispatcher, listener, delivery)
        finally:
            busy[connection] -= 1

    patch.at(fault_points.LISTENER_CALLED, call_listener)


@saboteur("6.2.14-3", "of more than two subscribers of one connection to a topic only one gets each message")
def _(patch: Patch) -> None:
    def fault(_physical: PhysicalTopic, entry: StoredMessage, wanting: list[Subscription]) -> list[Subscription]:
        by_connection: dict[object, list[Subscription]] = {}
        for one in wanting:
            by_connection.setdefault(getattr(one.session, "connection", one), []).append(one)
        chosen = []
        for group in by_connection.values():
            chosen += group if len(group) < 3 else [group[entry.number % len(group)]]
        return chosen

    rerouted(patch, fault)
