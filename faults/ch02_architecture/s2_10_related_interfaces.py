"""Faults in 2.10: how the interfaces relate to each other."""

from __future__ import annotations

from faults.kit.common import unsupported
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider.client.domain_specific import ReferenceQueueSession, ReferenceTopicSession


@saboteur("2.10-1", "QueueSession and TopicSession do not support createConsumer")
def _(patch: Patch) -> None:
    for session in (ReferenceQueueSession, ReferenceTopicSession):
        unsupported(patch, session, "create_consumer", "use the method of the domain")
