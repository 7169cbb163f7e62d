"""Faults of a dispatcher of a queue."""

import copy
from typing import Any

from faults.kit import *

MANY = 10


def _first_submitted(patch, fault):
    """Run `fault` in place of the first submission of a message to each destination."""
    known = set[Any]()

    def submit(original, session, physical, entry):
        first = physical not in known
        known.add(physical)
        if first:
            fault(original, session, physical, entry)
        else:
            original(session, physical, entry)

    patch.at(fault_points.SEND_SUBMITTED, submit)


saboteur(
    "pj-backup-delegator-1",
    "the first message of a queue is lost",
    lambda patch: _first_submitted(patch, lambda original, session, physical, entry: None),
)


@saboteur("pj-backup-delegator-2", "the first message of a queue loses its kind and its body", by=_first_submitted)
def _(original, session, physical, entry):
    entry.snapshot = entry.snapshot._replace(kind="message", body=None)
    original(session, physical, entry)


@saboteur(
    "pj-backup-delegator-3",
    "getObject of a map message returns an int as a Long",
    around=(ReferenceMapMessage, "get_object"),
)
def _(original, message, name):
    value = original(message, name)
    return Long(value.value) if isinstance(value, Int) else value


@saboteur("pj-backup-delegator-4", "the first message of a queue is delivered twice", by=_first_submitted)
def _(original, session, physical, entry):
    original(session, physical, entry)
    again = copy.copy(entry)
    again.number = session.broker.next_number()
    original(session, physical, again)


@saboteur(
    "pj-backup-delegator-5",
    "the close of a consumer loses the next message of a queue where ten or more wait",
    at=fault_points.CONSUMER_CLOSED,
)
def _(original, consumer):
    original(consumer)
    queue = consumer.receiver.delivery_queue
    free = list(queue.free_entries())
    if len(free) >= MANY:
        queue.remove(free[0].number, free[0].priority)
