"""Faults in 4.2.3: established subscribers."""

from faults.kit import *


@saboteur(
    "4.2.3-3", "a new subscriber makes the others lose their waiting messages", at=fault_points.SUBSCRIPTION_OPENED
)
def _(original, factory, physical, text, matches, subscription):
    if isinstance(physical, PhysicalTopic) and subscription is not None and subscription.key is None:
        for other in physical.subscriptions:
            for entry in list(other.delivery_queue.free_entries()):
                other.delivery_queue.remove(entry.number, entry.priority)
    return original(factory, physical, text, matches, subscription)
