"""Faults in 7.9: messages beside delayed ones, and those that expire before they are due."""

from faults.kit import *

LONG = 1_800_000
"""A delay from which on a message holds up others, ms."""


@saboteur(
    "7.9-6",
    "a message with a delay of more than half an hour holds up those that are sent after it",
    at=fault_points.ARRIVED,
)
def _(original, broker, source, entry):
    ahead = [one.delivery_time for one in broker.schedule.waiting_for(source) if remains(broker, one) > LONG]
    kept_until(original, broker, source, entry, max(entry.delivery_time, *ahead, 0))


@saboteur(
    "7.9-11", "the time to live of a delayed message counts from its delivery time", at=fault_points.EXPIRY_CHECKED
)
def _(original, broker, entry):
    expired = original(broker, entry)
    if not is_delayed(entry):
        return expired
    return expired and entry.expiration + entry.delivery_time - entry.timestamp <= broker.clock.now()
