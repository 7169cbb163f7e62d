"""Faults in 2.10: how the interfaces relate to each other."""

from __future__ import annotations

from reference_provider.client.domain_specific import ReferenceQueueSession, ReferenceTopicSession
from reference_provider.saboteurs.faults import unsupported
from reference_provider.saboteurs.registry import Patch, saboteur


@saboteur("2.10-1", "QueueSession and TopicSession do not support createConsumer")
def _(patch: Patch) -> None:
    for session in (ReferenceQueueSession, ReferenceTopicSession):
        unsupported(patch, session, "create_consumer", "use the method of the domain")
