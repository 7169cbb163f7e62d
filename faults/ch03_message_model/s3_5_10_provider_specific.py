"""Faults in 3.5.10: properties of the provider."""

from faults.kit import *

saboteur(
    "3.5.10-1",
    "messages have a property brokerInTime",
    lambda patch: provider_property(patch, "brokerInTime", lambda delivery: delivery.timestamp),
)
