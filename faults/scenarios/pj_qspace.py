"""Faults of the tuple space on a queue."""

import re
from collections import Counter, defaultdict
from itertools import islice

from faults.kit import *


def _selecting(patch, fault):
    """Let `fault` decide whether a selector chooses a message of a queue: the queue, the selector, the message, the truth."""

    def open_receiver(original, factory, physical, text, matches, subscription):
        wanted = matches
        if matches is not None and isinstance(physical, PhysicalQueue):
            wanted = lambda entry: fault(physical, str(text), entry, matches(entry))
        return original(factory, physical, text, wanted, subscription)

    patch.at(fault_points.SUBSCRIPTION_OPENED, open_receiver)


def _closed_after(patch, fault):
    """Run `fault` after the close of a selecting consumer of a queue: how many such closes after messages, how many without."""
    handed = set()
    full = Counter()
    empty = Counter()

    def opened(original, state, consumer, *arguments):
        handed.add(consumer)
        return original(state, consumer, *arguments)

    def detach(original, consumer):
        receiver = consumer.receiver
        was_open = not receiver.closed
        original(consumer)
        if was_open and receiver.matches is not None and isinstance(receiver.physical, PhysicalQueue):
            (full if consumer in handed else empty)[receiver.delivery_queue] += 1
            fault(receiver.delivery_queue, full[receiver.delivery_queue], empty[receiver.delivery_queue])

    patch.at(fault_points.HANDED_OVER, opened)
    patch.at(fault_points.CONSUMER_CLOSED, detach)


def _drop_first(delivery_queue):
    for entry in list(delivery_queue.free_entries())[:1]:
        delivery_queue.take_number(entry.number, entry.priority)


@saboteur("pj-qspace-1", "a selector finds only messages among the first eight of a queue", by=_selecting)
def _(physical, _, entry, wanted):
    reached = islice(physical.delivery_queue.free_entries(), 8)
    return wanted and (not entry.snapshot.properties.get("manufacturer") or entry in list(reached))


@saboteur("pj-qspace-3", "receiveNoWait with a selector takes another message once two of a queue have matched")
def _(patch):
    matched = defaultdict(int)

    def next_delivery(original, consumer, timeout):
        delivery = original(consumer, timeout)
        receiver = consumer.receiver
        key = (receiver.physical, receiver.selector)
        if receiver.matches is None or not isinstance(receiver.physical, PhysicalQueue):
            return delivery
        if delivery is None and timeout == 0 and matched[key] == 2:
            with consumer.session.broker.lock:
                receiver.matches = None
                return receiver.take()
        matched[key] += delivery is not None
        return delivery

    patch.at(fault_points.MESSAGE_AWAITED, next_delivery)


@saboteur("pj-qspace-5", "the third selecting consumer of a queue that got a message loses another at its close")
def _(patch):
    dropped = set()

    def fault(delivery_queue, full, _):
        if full == 3 and delivery_queue not in dropped:
            dropped.add(delivery_queue)
            _drop_first(delivery_queue)

    _closed_after(patch, fault)


@saboteur(
    "pj-qspace-6",
    "the fiftieth selecting consumer of a queue that got no message loses one at its close",
    by=_closed_after,
)
def _(delivery_queue, _, empty):
    if empty == 50:
        _drop_first(delivery_queue)


@saboteur("pj-qspace-7", "a selector without text takes a String with digits for a number", by=_selecting)
def _(_, text, entry, wanted):
    digits = any(isinstance(value, str) and value.isdigit() for value in entry.snapshot.properties.values())
    return wanted or ("'" not in text and digits)


saboteur(
    "pj-qspace-8",
    "a selector with keywords in mixed case chooses nothing",
    lambda patch: _selecting(patch, lambda _, text, entry, wanted: wanted and not re.search(r"\b(aNd|oR)\b", text)),
)


@saboteur("pj-qspace-9", "the last byte of a body between 256 bytes and a kibibyte arrives as zero", by=arriving)
def _(_, entry, ordinal):
    body = entry.snapshot.body
    return [changed(entry, body=body[:-1] + b"\0") if isinstance(body, bytes) and 256 < len(body) < 1024 else entry]


@saboteur(
    "pj-qspace-10",
    "calls on the session of a closed connection raise a plain JMSException",
    at=fault_points.SESSION_CHECKED,
)
def _(original, session):
    if session.closed:
        raise JMSException("the session is closed", "SESSION_CLOSED")
    original(session)
