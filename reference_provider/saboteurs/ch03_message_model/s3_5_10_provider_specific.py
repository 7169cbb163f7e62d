"""Faults in 3.5.10: properties of the provider."""

from __future__ import annotations

from reference_provider.saboteurs.message_faults import provider_property
from reference_provider.saboteurs.registry import Patch, saboteur


@saboteur("3.5.10-1", "messages have a property brokerInTime")
def _(patch: Patch) -> None:
    provider_property(patch, "brokerInTime", lambda delivery: delivery.timestamp)
