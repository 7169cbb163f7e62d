"""Faults in 8.3.1: topic subscribers."""

from __future__ import annotations

from reference_provider.client.consumers import ReferenceSubscriber
from reference_provider.client.domain_specific import ReferenceTopicSession
from reference_provider.saboteurs.faults import null_refused
from reference_provider.saboteurs.registry import Patch, saboteur


@saboteur("8.3.1-17", "getTopic() of a subscriber returns null")
def _(patch: Patch) -> None:
    patch.replace(ReferenceSubscriber, "topic", property(lambda self: None))


@saboteur("8.3.1-18", "getNoLocal() always returns false")
def _(patch: Patch) -> None:
    patch.replace(ReferenceSubscriber, "no_local", property(lambda self: False))


@saboteur("8.3.1-19", "createSubscriber(null) raises NullPointerException")
def _(patch: Patch) -> None:
    null_refused(patch, ReferenceTopicSession, "create_subscriber")
