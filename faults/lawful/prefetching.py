"""Lawful as most clients are that talk to a broker: each consumer takes messages ahead, before its client asks for them.

They stay in the queue of the broker, for browsers, in their places, but no other consumer gets them. What was handed out alone is
delivered, counted and owed; the rest goes back with the first delivery that is undone, and with the consumer. Functions of
the module are seams of generic faults on this ground.
"""

from __future__ import annotations

import sys
from array import array
from bisect import bisect_left
from itertools import islice

from faults.composing.seams import open_ground
from faults.kit import *
from reference_provider.broker.delivery_queue import FREE, TAKEN

DEPTH = 3
"""How many messages a consumer takes ahead."""
AHEAD = 3
"""The state of such a message in its delivery queue, beside GONE, FREE and TAKEN."""
_THIS = sys.modules[__name__]  # functions are called through it: faults replace them there


def room(consumer: ReferenceConsumer, held: int) -> int:
    """Return how many more messages a consumer may take ahead. Needs B."""
    return DEPTH - held if consumer.session.may_deliver() and not consumer.closed else 0


def taken_ahead(consumer: ReferenceConsumer, count: int) -> list[StoredMessage]:
    """Take up to `count` messages from the broker. Needs B."""
    source, found = consumer.receiver.delivery_queue, []
    while len(found) < count and (entry := source.take(consumer.receiver)) is not None:
        found.append(entry)
    return found


def is_late(consumer: ReferenceConsumer, entry: StoredMessage) -> bool:
    """Return whether a message has expired since it was taken ahead. Needs B."""
    return entry.expiration > 0 and consumer.session.broker.is_expired(entry)


def handed_out(consumer: ReferenceConsumer, entry: StoredMessage) -> Delivery:
    """Deliver a message that was taken ahead. Needs B."""
    source = consumer.receiver.delivery_queue
    _mark(source, entry, TAKEN)
    return consumer.receiver.deliver(source, entry)


def given_back(consumer: ReferenceConsumer, entry: StoredMessage) -> None:
    """Put a message that was never handed out back into its place, as one that was not delivered. Needs B."""
    source = consumer.receiver.delivery_queue
    if not source.gone:
        _mark(source, entry, TAKEN)
        source.put_back(entry, source.counts.get(entry.number, 0))


def _mark(source, entry, state):
    level = source.level(entry.priority)
    level.states[bisect_left(level.numbers, entry.number)] = state


class _Prefetching:
    """What the consumers hold that were made while it is in place."""

    def __init__(self, wanted):
        self._wanted = wanted
        self._held = dict[ReferenceConsumer, list[StoredMessage]]()
        self._owners = dict[Receiver, ReferenceConsumer]()

    def install(self, patch):
        patch.at(fault_points.CONSUMER_ADDED, self._added)
        patch.at(fault_points.CONNECTION_STARTED, self._started)
        patch.at(fault_points.OFFERED, self._offered)
        patch.at(fault_points.MESSAGE_TAKEN, self._take)
        patch.around(Receiver, "close", self._closed)
        for name in ("redeliver", "undo"):
            patch.around(Delivery, name, self._undone)
        patch.replace(PriorityLevel, "free", _free)
        patch.replace(PriorityLevel, "is_free", _is_free)
        patch.replace(PriorityLevel, "free_after", _free_after)

    def _fill(self, consumer):
        held, source = self._held[consumer], consumer.receiver.delivery_queue
        count = 0 if source.gone else _THIS.room(consumer, len(held))
        if count > 0:
            for entry in _THIS.taken_ahead(consumer, count):
                _mark(source, entry, AHEAD)
                held.append(entry)

    def _empty(self, consumer):
        held = self._held[consumer]
        while held:
            _THIS.given_back(consumer, held.pop(0))

    def _added(self, original, session, consumer):
        made = original(session, consumer)
        if self._wanted(consumer.receiver):
            with session.broker.lock:
                self._held[consumer] = []
                self._owners[consumer.receiver] = consumer
                self._fill(consumer)
        return made

    def _started(self, original, connection):
        original(connection)
        with connection.broker.lock:
            for consumer in self._held:
                if consumer.session.connection is connection:
                    self._fill(consumer)

    def _offered(self, original, broker, source, entry):
        original(broker, source, entry)
        ours = [each for each in self._held if each.receiver.delivery_queue is source]
        for consumer in sorted(ours, key=lambda each: len(self._held[each])):  # in turn
            self._fill(consumer)

    def _take(self, original, receiver):
        consumer = self._owners.get(receiver)
        if consumer is None:
            return original(receiver)
        source, held = receiver.delivery_queue, self._held[consumer]
        source.cut_short = False
        delivery = None
        while held and delivery is None:
            entry = max(held, key=lambda each: each.priority)  # the first of the most urgent ones
            held.remove(entry)
            if _THIS.is_late(consumer, entry):
                source.remove(entry.number, entry.priority)
                consumer.session.broker.discard(source, entry)
            else:
                delivery = _THIS.handed_out(consumer, entry)
        delivery = delivery or original(receiver)
        if delivery is not None:
            self._fill(consumer)
        return delivery

    def _undone(self, original, delivery):
        original(delivery)
        if delivery.consumer in self._held:  # what came before it is in the queue again
            self._empty(delivery.consumer)

    def _closed(self, original, receiver):
        original(receiver)
        consumer = self._owners.pop(receiver, None)
        if consumer is not None:
            self._empty(consumer)
            del self._held[consumer]


def _free(level):
    return (number for number, state in zip(level.numbers, level.states, strict=True) if state in {FREE, AHEAD})


def _is_free(level, number):
    place = bisect_left(level.numbers, number)
    return level.numbers[place : place + 1] == array("q", [number]) and level.states[place] in {FREE, AHEAD}


def _free_after(level, number, limit):
    return list(islice((each for each in _free(level) if each > number), limit))


lawful(
    "prefetching",
    "a consumer takes three messages ahead, before its client asks for them",
    circumstance=lambda patch: _Prefetching(lambda receiver: receiver.subscription is None).install(patch),
    install=lambda patch: _Prefetching(lambda receiver: True).install(patch),
)
open_ground("lawful/prefetching", _THIS, room, taken_ahead, is_late, handed_out, given_back)
