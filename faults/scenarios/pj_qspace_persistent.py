"""Faults of the tuple space over a restart."""

from collections import Counter

from faults.kit import *


def _stored_otherwise(patch, fault):
    """Let `fault` decide whether a queue message is stored: the message, its ordinal in its queue and mode, the truth."""
    counted = Counter()

    def stores(original, physical, entry, *arguments):
        stored = original(physical, entry, *arguments)
        if not isinstance(physical, PhysicalQueue) or physical.temporary:
            return stored
        counted[physical, entry.delivery_mode] += 1
        return fault(entry, counted[physical, entry.delivery_mode], stored)

    patch.at(fault_points.STORED, stores)


@saboteur(
    "pj-qspace-persistent-1",
    "the thirtieth PERSISTENT message of a queue is not written to the file",
    by=_stored_otherwise,
)
def _(entry, ordinal, stored):
    return stored and not (entry.delivery_mode == DeliveryMode.PERSISTENT and ordinal == 30)


@saboteur("pj-qspace-persistent-2", "the fifth acknowledgement of a queue is not written to the file")
def _(patch):
    counted = Counter()

    def forget(original, delivery):
        counted[delivery.source] += 1
        return (
            []
            if counted[delivery.source] == 5 and isinstance(delivery.source.physical, PhysicalQueue)
            else original(delivery)
        )

    patch.around(Delivery, "forget_statements", forget)


@saboteur("pj-qspace-persistent-3", "the twentieth NON_PERSISTENT message of a queue is written to the file twice")
def _(patch):
    counted = Counter()
    written = []

    def submit(original, session, physical, entry):
        counted[physical] += entry.delivery_mode == DeliveryMode.NON_PERSISTENT
        if entry.delivery_mode != DeliveryMode.NON_PERSISTENT or counted[physical] != 20:
            original(session, physical, entry)
            return
        written.append(entry.message_id)
        original(session, physical, entry)
        original(session, physical, again(entry, session.broker.next_number()))

    patch.at(fault_points.SEND_SUBMITTED, submit)
    _stored_otherwise(patch, lambda entry, _, stored: stored or entry.message_id in written)
