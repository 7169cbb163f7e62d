"""Faults in 6.1.8: closing a connection."""

import sys
from collections import Counter

from faults.kit import *


def _connection(consumer):
    return consumer.session.connection


def _is_closing(consumer):
    return consumer.session.closing or _connection(consumer).closing


saboteur(
    "6.1.8-35",
    "acknowledge() does nothing after the connection is closed",
    lambda patch: acknowledge_ignored(patch, connection_closed=True),
    collateral={
        "6.1.8-37": "a context closes its connection, and its acknowledge() is the same",
        "6.1.8-42": "acknowledge() is one of a context's methods",
    },
)


def _receive_outlasts(patch, when, milliseconds=None):
    """Let a receive() without a message outlast the close() that should end it."""

    def next_delivery(original, consumer, timeout):
        delivery = original(consumer, timeout)
        if delivery is None and _is_closing(consumer) and when(consumer, timeout):
            pause(_connection(consumer), *([] if milliseconds is None else [milliseconds]))
        return delivery

    patch.at(fault_points.MESSAGE_AWAITED, next_delivery)


saboteur(
    "6.1.8-1",
    "close() does not end a receive() with a long time limit",
    lambda patch: _receive_outlasts(patch, lambda _, timeout: timeout is not None),
    collateral={"6.1.8-4": "one of its receive() calls has a long time limit"},
)


@saboteur("6.1.8-2", "close() ends only the receive() of the session created last", by=_receive_outlasts)
def _(consumer, _):
    return _connection(consumer).sessions[-1:] != [consumer.session]


@saboteur("6.1.8-3", "close() does not end a receive() that waited when the connection was stopped")
def _(patch):
    stopped = stopped_connections(patch)
    before = set[ReferenceConsumer]()

    def note(original, consumer, timeout):
        if _connection(consumer) in stopped:
            before.add(consumer)
        return original(consumer, timeout)

    patch.at(fault_points.MESSAGE_AWAITED, note)
    _receive_outlasts(patch, lambda consumer, _: _connection(consumer) in stopped and consumer not in before)


@saboteur("6.1.8-4", "a receive() that close() ends raises IllegalStateException", at=fault_points.MESSAGE_AWAITED)
def _(original, consumer, timeout):
    delivery = original(consumer, timeout)
    if delivery is None and _is_closing(consumer):
        raise IllegalStateException("the consumer was closed meanwhile")
    return delivery


@saboteur("6.1.8-11", "close() returns half a second before the receive() calls that it ends")
def _(patch):
    def wait_until_idle(original, session):
        if session.dispatcher is not None:
            session.dispatcher.wait_until_idle()

    patch.at(fault_points.CALLS_AWAITED, wait_until_idle)
    _receive_outlasts(patch, lambda *_: True, 500)


@saboteur("6.1.8-16", "a consumer of a queue that is closed with its connection still takes every second message")
def _(patch):
    shares = Counter[object]()

    def takes(queue, _left):
        shares[queue] += 1
        return shares[queue] % 2 == 0

    _left_behind(patch, takes)


def _left_behind(patch, takes):
    """Let the consumers of a queue that were closed with their connection, so many, take some messages."""
    left = Counter[object]()

    def detach(original, consumer):
        original(consumer)
        if _is_closing(consumer):
            left[consumer.receiver.delivery_queue] += 1

    def admit(original, broker, queue, entry):
        if not (left[queue] and isinstance(queue.physical, PhysicalQueue) and takes(queue, left[queue])):
            original(broker, queue, entry)

    patch.at(fault_points.CONSUMER_CLOSED, detach)
    patch.at(fault_points.ARRIVED, admit)


@saboteur("6.1.8-17", "a durable subscription stays in use when its connection is closed while stopped")
def _(patch):
    stopped = stopped_connections(patch)

    def detach(original, consumer):
        if _is_closing(consumer) and _connection(consumer) in stopped and consumer.receiver.delivery_queue.in_file:
            consumer.closed = True
        else:
            original(consumer)

    patch.at(fault_points.CONSUMER_CLOSED, detach)


@saboteur("6.1.8-25", "a with statement does not close a connection if an exception of the client ends its block")
def _(patch):
    def close(original, closeable):
        if not isinstance(sys.exc_info()[1], ValueError):
            original(closeable)

    patch.at(fault_points.CONNECTION_CLOSED, close)
    patch.around(ReferenceContext, "close", close)


@saboteur(
    "6.1.8-44",
    "close() of a session raises IllegalStateException after its connection was closed",
    around=(ReferenceSession, "close"),
)
def _(original, session):
    if session.connection.closed:
        raise IllegalStateException("the connection is closed")
    original(session)


@saboteur(
    "6.1.8-47",
    "the second close() of a connection raises IllegalStateException",
    collateral={"6.1.8-13": "it owns close(), and the kit closes each connection once more at the end of a case"},
    at=fault_points.CONNECTION_CLOSED,
)
def _(original, connection):
    if connection.closed:
        raise IllegalStateException("the connection is closed")
    original(connection)


@saboteur(
    "6.1.8-48",
    "the second close() of a context raises IllegalStateRuntimeException",
    collateral={"6.1.8-18": "it owns close(), and the kit closes each context once more at the end of a case"},
    around=(ReferenceContext, "close"),
)
def _(original, context):
    if context.session.closed:
        raise IllegalStateRuntimeException("the context is closed")
    original(context)
