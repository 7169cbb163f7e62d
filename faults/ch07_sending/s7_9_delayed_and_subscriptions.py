"""Faults in 7.9: which subscriptions get a delayed message."""

from faults.kit import *

saboteur(
    "7.9-7",
    "a new non-durable subscription gets the delayed messages of its topic that are not due yet",
    lambda patch: enter_late(patch, lambda subscription: not subscription.durable),
)
saboteur(
    "7.9-8",
    "a new durable subscription gets the delayed messages of its topic that are not due yet",
    lambda patch: enter_late(patch, lambda subscription: subscription.durable),
)


@saboteur(
    "7.9-9", "a delayed message reaches only subscriptions that have a consumer when it is due", at=fault_points.OFFERED
)
def _(original, broker, source, entry):
    subscription = subscription_of(source)
    if subscription is None or subscription.consumers or not is_delayed(entry):
        original(broker, source, entry)
    else:
        broker.discard(source, entry)
