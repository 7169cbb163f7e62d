"""Faults in 6.1.8: closing a connection."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from typing import Any

from faults.kit.common import acknowledge_ignored, around, connection_of, session_of
from faults.kit.declaring import nearly_right, saboteur
from faults.kit.patch import Patch
from faults.kit.pauses import pause, stopped_connections
from reference_provider import fault_points
from reference_provider.broker.broker import Broker
from reference_provider.broker.delivery import Delivery
from reference_provider.broker.physical_destinations import PhysicalQueue
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.client.connections import ReferenceConnection
from reference_provider.client.consumers import ReferenceConsumer
from reference_provider.client.context import ReferenceContext
from reference_provider.client.sessions import ReferenceSession
from tck.api import IllegalStateException, IllegalStateRuntimeException

_Await = Callable[[ReferenceConsumer, int | None], Delivery | None]
_Outlast = Callable[[ReferenceConsumer, int | None], bool]


def _connection(consumer: ReferenceConsumer) -> ReferenceConnection:
    return connection_of(session_of(consumer))


def _is_closing(consumer: ReferenceConsumer) -> bool:
    return session_of(consumer).closing or _connection(consumer).closing


@saboteur(
    "6.1.8-35",
    "acknowledge() does nothing after the connection is closed",
    collateral={
        "6.1.8-37": "a context closes its connection, and its acknowledge() is the same",
        "6.1.8-42": "acknowledge() is one of a context's methods",
    },
)
def _(patch: Patch) -> None:
    acknowledge_ignored(patch, connection_closed=True)


def _receive_outlasts(patch: Patch, when: _Outlast, milliseconds: float | None = None) -> None:
    """Let a receive() without a message outlast the close() that should end it."""

    def next_delivery(original: _Await, consumer: ReferenceConsumer, timeout: int | None) -> Delivery | None:
        delivery = original(consumer, timeout)
        if delivery is None and _is_closing(consumer) and when(consumer, timeout):
            pause(_connection(consumer), *([] if milliseconds is None else [milliseconds]))
        return delivery

    patch.at(fault_points.MESSAGE_AWAITED, next_delivery)


@saboteur(
    "6.1.8-1",
    "close() does not end a receive() with a long time limit",
    collateral={"6.1.8-4": "one of its receive() calls has a long time limit"},
)
def _(patch: Patch) -> None:
    _receive_outlasts(patch, lambda _, timeout: timeout is not None)


@saboteur("6.1.8-2", "close() ends only the receive() of the session created last")
def _(patch: Patch) -> None:
    _receive_outlasts(patch, lambda consumer, _: _connection(consumer).sessions[-1:] != [consumer.session])


@saboteur("6.1.8-3", "close() does not end a receive() that waited when the connection was stopped")
def _(patch: Patch) -> None:
    stopped = stopped_connections(patch)
    before = set[ReferenceConsumer]()

    def note(original: _Await, consumer: ReferenceConsumer, timeout: int | None) -> Delivery | None:
        if _connection(consumer) in stopped:
            before.add(consumer)
        return original(consumer, timeout)

    patch.at(fault_points.MESSAGE_AWAITED, note)
    _receive_outlasts(patch, lambda consumer, _: _connection(consumer) in stopped and consumer not in before)


@saboteur("6.1.8-4", "a receive() that close() ends raises IllegalStateException")
def _(patch: Patch) -> None:
    def next_delivery(original: _Await, consumer: ReferenceConsumer, timeout: int | None) -> Delivery | None:
        delivery = original(consumer, timeout)
        if delivery is None and _is_closing(consumer):
            raise IllegalStateException("the consumer was closed meanwhile")
        return delivery

    patch.at(fault_points.MESSAGE_AWAITED, next_delivery)


@saboteur("6.1.8-11", "close() returns half a second before the receive() calls that it ends")
def _(patch: Patch) -> None:
    def wait_until_idle(original: Callable[..., None], session: ReferenceSession) -> None:
        del original
        if session.dispatcher is not None:
            session.dispatcher.wait_until_idle()

    patch.at(fault_points.CALLS_AWAITED, wait_until_idle)
    _receive_outlasts(patch, lambda *_: True, 500)


@saboteur(
    "6.1.8-16",
    "a consumer of a queue that is closed with its connection still takes every second message",
)
def _(patch: Patch) -> None:
    shares = Counter[object]()

    def takes(queue: object, _left: int) -> bool:
        shares[queue] += 1
        return shares[queue] % 2 == 0

    _left_behind(patch, takes)


@nearly_right(
    "twenty-closed-connections-leave-a-consumer",
    "for twenty consumers of a queue that were closed with their connections a message is lost",
    "6.1.8-16",
)
def _(patch: Patch) -> None:
    lost = Counter[object]()

    def takes(queue: object, left: int) -> bool:
        due = left >= 20 * (lost[queue] + 1)
        lost[queue] += due
        return due

    _left_behind(patch, takes)


def _left_behind(patch: Patch, takes: Callable[[object, int], bool]) -> None:
    """Let the consumers of a queue that were closed with their connection, so many, take some messages."""
    left = Counter[object]()

    def detach(original: Callable[[ReferenceConsumer], None], consumer: ReferenceConsumer) -> None:
        original(consumer)
        if _is_closing(consumer):
            left[consumer.receiver.delivery_queue] += 1

    def admit(original: Callable[..., None], broker: Broker, queue: Any, entry: StoredMessage) -> None:
        if not (left[queue] and isinstance(queue.physical, PhysicalQueue) and takes(queue, left[queue])):
            original(broker, queue, entry)

    patch.at(fault_points.CONSUMER_CLOSED, detach)
    patch.at(fault_points.ARRIVED, admit)


@saboteur("6.1.8-17", "a durable subscription stays in use when its connection is closed while stopped")
def _(patch: Patch) -> None:
    stopped = stopped_connections(patch)

    def detach(original: Callable[[ReferenceConsumer], None], consumer: ReferenceConsumer) -> None:
        if _is_closing(consumer) and _connection(consumer) in stopped and consumer.receiver.delivery_queue.in_file:
            consumer.closed = True
        else:
            original(consumer)

    patch.at(fault_points.CONSUMER_CLOSED, detach)


@saboteur("6.1.8-25", "a with statement does not close a connection if an exception of the client ends its block")
def _(patch: Patch) -> None:
    def close(original: Callable[..., None], closeable: object) -> None:
        if not isinstance(sys.exc_info()[1], ValueError):
            original(closeable)

    patch.at(fault_points.CONNECTION_CLOSED, close)
    around(patch, ReferenceContext, "close", close)


@saboteur("6.1.8-44", "close() of a session raises IllegalStateException after its connection was closed")
def _(patch: Patch) -> None:
    def close(original: Callable[[ReferenceSession], None], session: ReferenceSession) -> None:
        if connection_of(session).closed:
            raise IllegalStateException("the connection is closed")
        original(session)

    around(patch, ReferenceSession, "close", close)


@saboteur(
    "6.1.8-47",
    "the second close() of a connection raises IllegalStateException",
    collateral={"6.1.8-13": "it owns close(), and the kit closes each connection once more at the end of a case"},
)
def _(patch: Patch) -> None:
    def close(original: Callable[[ReferenceConnection], None], connection: ReferenceConnection) -> None:
        if connection.closed:
            raise IllegalStateException("the connection is closed")
        original(connection)

    patch.at(fault_points.CONNECTION_CLOSED, close)


@saboteur(
    "6.1.8-48",
    "the second close() of a context raises IllegalStateRuntimeException",
    collateral={"6.1.8-18": "it owns close(), and the kit closes each context once more at the end of a case"},
)
def _(patch: Patch) -> None:
    def close(original: Callable[[ReferenceContext], None], context: ReferenceContext) -> None:
        if context.session.closed:
            raise IllegalStateRuntimeException("the context is closed")
        original(context)

    around(patch, ReferenceContext, "close", close)
