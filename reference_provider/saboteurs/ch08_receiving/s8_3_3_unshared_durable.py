"""Faults in 8.3.3: unshared durable subscriptions."""

from __future__ import annotations

from reference_provider.client.sessions import ReferenceSession
from reference_provider.saboteurs.faults import null_refused
from reference_provider.saboteurs.registry import Patch, saboteur


@saboteur("8.3.3-40", "creating a durable consumer on null raises NullPointerException")
def _(patch: Patch) -> None:
    null_refused(patch, ReferenceSession, "create_durable_consumer")
    null_refused(patch, ReferenceSession, "create_durable_subscriber")
