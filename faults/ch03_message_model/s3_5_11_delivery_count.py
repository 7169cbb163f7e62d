"""Faults in 3.5.11: JMSXDeliveryCount."""

from faults.kit import *

saboteur(
    "3.5.11-1",
    "JMSXDeliveryCount begins at 0",
    lambda patch: delivery_count(patch, lambda count: Int(0 if count == 1 else count)),
)
saboteur(
    "3.5.11-2",
    "JMSXDeliveryCount is 1 at the fourth delivery",
    lambda patch: delivery_count(patch, lambda count: Int(1 if count == 4 else count)),
)
saboteur(
    "3.5.11-3", "JMSRedelivered is always true", lambda patch: received(patch, "redelivered", lambda delivery: True)
)
saboteur(
    "3.5.11-4", "JMSRedelivered is always false", lambda patch: received(patch, "redelivered", lambda delivery: False)
)
