"""Faults in 4.2.5: creating temporary topics."""

from __future__ import annotations

from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider.client.context import ReferenceContext
from tck.api import TemporaryTopic, UnsupportedOperationException


@saboteur("4.2.5-2", "JMSContext.createTemporaryTopic is not supported")
def _(patch: Patch) -> None:
    def create_temporary_topic(self: ReferenceContext) -> TemporaryTopic:
        raise UnsupportedOperationException("a context has no temporary topics")

    patch.replace(ReferenceContext, "create_temporary_topic", create_temporary_topic)
