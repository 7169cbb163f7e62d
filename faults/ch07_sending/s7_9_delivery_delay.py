"""Faults in 7.9: when delayed messages are available."""

from faults.kit import *


@saboteur(
    "7.9-5",
    "a delayed message waits for those with a longer delay that were sent to its destination before it",
    at=fault_points.ARRIVED,
)
def _(original, broker, source, entry):
    due = entry.delivery_time
    if remains(broker, entry) > 0:
        due = max(due, *(one.delivery_time for one in broker.schedule.waiting_for(source)), due)
    kept_until(original, broker, source, entry, due)
