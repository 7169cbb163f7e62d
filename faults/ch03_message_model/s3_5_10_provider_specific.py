"""Faults in 3.5.10: properties of the provider."""

from __future__ import annotations

from faults.kit.declaring import saboteur
from faults.kit.messages import provider_property
from faults.kit.patch import Patch


@saboteur("3.5.10-1", "messages have a property brokerInTime")
def _(patch: Patch) -> None:
    provider_property(patch, "brokerInTime", lambda delivery: delivery.timestamp)
