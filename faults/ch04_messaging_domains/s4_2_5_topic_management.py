"""Faults in 4.2.5: creating temporary topics."""

from faults.kit import *


@saboteur("4.2.5-2", "JMSContext.createTemporaryTopic is not supported")
def _(patch):
    def create_temporary_topic(self):
        raise UnsupportedOperationException("a context has no temporary topics")

    patch.replace(ReferenceContext, "create_temporary_topic", create_temporary_topic)
