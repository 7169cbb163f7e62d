"""Faults of two providers in one process."""

from faults.kit import *


@saboteur("pj-provider-factory-1", "the third text of a topic arrives empty in a second broker of a process")
def _(patch):
    brokers = []

    def route(original, broker, physical, entry):
        if broker not in brokers:
            brokers.append(broker)
        return original(broker, physical, entry)

    def fault(delivery_queue, entry, ordinal):
        physical = delivery_queue.physical
        in_second = any(physical in broker.physical_destinations() for broker in brokers[1:])
        is_third = in_second and isinstance(physical, PhysicalTopic) and ordinal == 3
        return [changed(entry, body="") if is_third else entry]

    patch.at(fault_points.ROUTED, route)
    arriving(patch, fault)


@saboteur("pj-provider-factory-3", "a queue message reaches the topic of that name in another broker of the process")
def _(patch):
    brokers = []

    def route(original, broker, physical, entry):
        if broker not in brokers:
            brokers.append(broker)
        for other in brokers:
            for one in other.physical_destinations() if other is not broker else ():
                if isinstance(one, PhysicalTopic) and one.destination.name == physical.destination.name:
                    for stream in one.delivery_queues():
                        stream.put(again(entry, other.next_number()))
        return original(broker, physical, entry)

    patch.at(fault_points.ROUTED, route)
