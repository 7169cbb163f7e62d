"""Faults of the compute server with requestors."""

import copy

from faults.kit import *


def _replies(patch, fault):
    """Change replies: the message, its ordinal, the last reply of all, and whether that came to the same queue."""
    last = []

    def arrival(delivery_queue, entry, ordinal):
        if not is_queue(delivery_queue, temporary=True):
            return [entry]
        before = last[-1] if last else (delivery_queue, None)
        last.append((delivery_queue, entry))
        return [fault(entry, ordinal, before[1], before[0] is delivery_queue)]

    arriving(patch, arrival)


@saboteur("pj-compute-requestor-1", "the third reply to a temporary queue has the body of the second", by=_replies)
def _(entry, ordinal, before, same):
    return changed(entry, body=before.snapshot.body) if ordinal == 3 and before is not None and same else entry


@saboteur("pj-compute-requestor-2", "the fourth reply to a temporary queue loses its JMSCorrelationID", by=_replies)
def _(entry, ordinal, _, same):
    return changed(entry, correlation=None) if ordinal == 4 else entry


@saboteur(
    "pj-compute-requestor-3",
    "the fourth reply to a temporary queue names a common queue in JMSDestination",
    by=_replies,
)
def _(entry, ordinal, before, same):
    if ordinal != 4:
        return entry
    readdressed = copy.copy(entry)
    readdressed.destination = ReferenceQueue("replies")
    return readdressed


@saboteur(
    "pj-compute-requestor-4",
    "the second reply to a temporary queue has the body of another client's reply",
    by=_replies,
)
def _(entry, ordinal, before, same):
    return changed(entry, body=before.snapshot.body) if ordinal == 2 and before is not None and not same else entry


@saboteur("pj-compute-requestor-5", "a queue message without JMSReplyTo is there again when its consumer is closed")
def _(patch):
    kept = []

    def remove_from_queue(original, delivery):
        if is_queue(delivery.source) and delivery.entry.snapshot.reply_to is None:
            kept.append(delivery)
        else:
            original(delivery)

    def detach(original, consumer):
        original(consumer)
        for one in [one for one in kept if one.source is consumer.receiver.delivery_queue]:
            kept.remove(one)
            one.source.put_back(one.entry, 0)

    patch.at(fault_points.REMOVED, remove_from_queue)
    patch.at(fault_points.CONSUMER_CLOSED, detach)


@saboteur(
    "pj-compute-requestor-6",
    "another connection may consume from a temporary queue that has a consumer",
    at=fault_points.TEMPORARY_CHECKED,
)
def _(original, own, physical):
    if not physical.consumers:
        original(own, physical)


@saboteur("pj-compute-requestor-7", "a requestor that has made five requests leaves its session open")
def _(patch):
    made = {}

    def request(original, requestor, message):
        made[requestor] = made.get(requestor, 0) + 1
        return original(requestor, message)

    def close(original, requestor):
        if made.get(requestor, 0) < 5:
            original(requestor)

    patch.around(ReferenceQueueRequestor, "request", request)
    patch.around(ReferenceQueueRequestor, "close", close)
