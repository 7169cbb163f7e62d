"""Faults of the compute farm on a tuple space."""

from faults.kit import *


@saboteur("pj-qspace-compute-1", "the fifteenth message of a queue has the body of the fourteenth")
def _(patch):
    bodies = {}

    def fault(stream, entry, ordinal):
        if ordinal == 15 and is_queue(stream):
            return [changed(entry, body=bodies[stream])]
        bodies[stream] = entry.snapshot.body
        return [entry]

    arriving(patch, fault)


@saboteur(
    "pj-qspace-compute-3",
    "the tenth message of a queue comes once more after the twentieth",
    collateral={"pj-qspace-compute-4": "a server answers the task again, and nobody takes that result"},
)
def _(patch):
    arrived = {}

    def admit(original, broker, delivery_queue, entry):
        original(broker, delivery_queue, entry)
        entries = arrived.setdefault(delivery_queue, [])
        entries.append(entry)
        if len(entries) == 20 and is_queue(delivery_queue):
            original(broker, delivery_queue, again(entries[9], broker.next_number()))

    patch.at(fault_points.ARRIVED, admit)


saboteur(
    "pj-qspace-compute-4",
    "the fifteenth message of a queue is there again when a connection is closed",
    lambda patch: comes_again(patch, 15),
)
