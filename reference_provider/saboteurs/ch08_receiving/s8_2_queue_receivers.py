"""Faults in 8.2: queue receivers."""

from __future__ import annotations

from reference_provider.client.consumers import ReferenceReceiver
from reference_provider.client.domain_specific import ReferenceQueueSession
from reference_provider.saboteurs.faults import null_refused
from reference_provider.saboteurs.registry import Patch, saboteur


@saboteur("8.2-6", "getQueue() of a receiver returns null")
def _(patch: Patch) -> None:
    patch.replace(ReferenceReceiver, "queue", property(lambda self: None))


@saboteur("8.2-7", "createReceiver(null) raises NullPointerException")
def _(patch: Patch) -> None:
    null_refused(patch, ReferenceQueueSession, "create_receiver")
