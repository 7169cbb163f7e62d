"""Faults in 4.1.8: reliability of queues."""

from faults.kit import *


@saboteur("4.1.8-1", "messages sent to a queue without a consumer are dropped", at=fault_points.ROUTED)
def _(original, broker, physical, entry):
    delivery_queues = original(broker, physical, entry)
    return [] if isinstance(physical, PhysicalQueue) and not physical.consumers else delivery_queues
