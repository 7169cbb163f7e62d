"""Faults of calls as XML packets."""

from faults.kit import *


@saboteur("pj-xml-rpc-1", "the fourth reply to a temporary queue is the third once more, but for its identifier")
def _(patch):
    third = {}

    def fault(stream, entry, ordinal):
        if ordinal == 3:
            third[stream] = entry
        if ordinal != 4 or not is_queue(stream, temporary=True):
            return [entry]
        third_snapshot = third[stream].snapshot
        return [changed(entry, correlation=third_snapshot.correlation, body=third_snapshot.body)]

    arriving(patch, fault)


@saboteur("pj-xml-rpc-2", "the fourth reply to a temporary queue has the body of the third")
def _(patch):
    third = {}

    def fault(stream, entry, ordinal):
        if ordinal == 3:
            third[stream] = entry
        is_fourth = ordinal == 4 and is_queue(stream, temporary=True)
        return [changed(entry, body=third[stream].snapshot.body) if is_fourth else entry]

    arriving(patch, fault)


@saboteur("pj-xml-rpc-3", "the first reply to a temporary queue goes to another that has had ten")
def _(patch):
    counted = {}

    def admit(original, broker, delivery_queue, entry):
        counted[delivery_queue] = counted.get(delivery_queue, 0) + 1
        full = [one for one, count in counted.items() if count == 10 and is_queue(one, temporary=True) and not one.gone]
        first = counted[delivery_queue] == 1 and is_queue(delivery_queue, temporary=True)
        original(broker, full[0] if full and first else delivery_queue, entry)

    patch.at(fault_points.ARRIVED, admit)
