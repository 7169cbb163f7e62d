"""Faults of messages on arrival at a delivery queue: lost, doubled, exchanged or changed on the way."""

import copy
from collections import defaultdict

from faults.kit.seams import *


def arriving(patch, fault):
    """Let `fault` decide which messages arrive at a delivery queue in the place of each."""
    counted = defaultdict(int)

    def admit(original, broker, delivery_queue, entry):
        counted[delivery_queue] += 1
        for one in fault(delivery_queue, entry, counted[delivery_queue]):
            original(broker, delivery_queue, one)

    patch.at(fault_points.ARRIVED, admit)


def doubled(patch, wanted):
    """Let each message that is `wanted` arrive twice."""
    counted = defaultdict(int)

    def admit(original, broker, delivery_queue, entry):
        original(broker, delivery_queue, entry)
        counted[delivery_queue] += 1
        if wanted(delivery_queue, entry, counted[delivery_queue]):
            original(broker, delivery_queue, again(entry, broker.next_number()))

    patch.at(fault_points.ARRIVED, admit)


def again(entry, number):
    """Return a copy of a message in memory, under a number of its own."""
    copied = copy.copy(entry)
    copied.number = number
    copied.stored = False
    return copied


def changed(entry, **parts):
    """Return a copy of a message with other parts of its snapshot, such as `body`."""
    copied = copy.copy(entry)
    copied.snapshot = entry.snapshot._replace(**parts)
    return copied


def is_queue(delivery_queue, *, temporary=False):
    """Return whether a delivery queue is that of a queue, temporary or not."""
    return isinstance(delivery_queue.physical, PhysicalQueue) and delivery_queue.physical.temporary is temporary


def comes_again(patch, ordinal):
    """Let one message of each queue, by its ordinal, be there again when a connection is closed after it was acknowledged."""
    chosen = set()
    kept = []

    def fault(delivery_queue, entry, arrived):
        if arrived == ordinal and is_queue(delivery_queue):
            chosen.add(entry)
        return [entry]

    def remove_from_queue(original, delivery):
        if delivery.entry in chosen:
            kept.append(delivery)
        else:
            original(delivery)

    def close(original, connection):
        original(connection)
        with connection.broker.lock:
            while kept:
                delivery = kept.pop()
                chosen.discard(delivery.entry)
                if not delivery.source.gone:
                    delivery.source.put_back(delivery.entry, 0)

    arriving(patch, fault)
    patch.at(fault_points.REMOVED, remove_from_queue)
    patch.at(fault_points.CONNECTION_CLOSED, close)


class Exchange:
    """Holds one message of a delivery queue back until the next has arrived there."""

    def __init__(self):
        self._held = {}

    def hold(self, delivery_queue, entry):
        """Hold a message back."""
        self._held[delivery_queue] = entry
        return []

    def release(self, delivery_queue, entry):
        """Return the next message with the one that was held behind it."""
        held = self._held.pop(delivery_queue, None)
        if held is None:
            return [entry]
        first, second = copy.copy(entry), copy.copy(held)
        first.number, second.number = sorted((entry.number, held.number))
        first.stored, second.stored = (entry.stored, held.stored) if held.number > entry.number else (False, False)
        return [first, second]


def exchanged(patch, wanted):
    """Exchange each message that is `wanted` with the next on its delivery queue."""
    exchange = Exchange()

    def fault(delivery_queue, entry, ordinal):
        if wanted(delivery_queue, entry, ordinal):
            return exchange.hold(delivery_queue, entry)
        return exchange.release(delivery_queue, entry)

    arriving(patch, fault)


class Owners:
    """The connections behind subscriptions that end with their consumers."""

    def __init__(self, patch):
        self._identities = {}
        patch.at(fault_points.PLAIN_CONSUMER_OPENED, self._opened)

    def _opened(self, original, session, *arguments):
        receiver = original(session, *arguments)
        self._identities[receiver.delivery_queue] = session.connection.identity
        return receiver

    def sent(self, delivery_queue, entry):
        """Return whether the message comes from the connection that consumes it."""
        return self._identities.get(delivery_queue) == entry.sender
