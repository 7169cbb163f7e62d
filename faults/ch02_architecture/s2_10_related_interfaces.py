"""Faults in 2.10: how the interfaces relate to each other."""

from faults.kit import *


@saboteur("2.10-1", "QueueSession and TopicSession do not support createConsumer")
def _(patch):
    for session in (ReferenceQueueSession, ReferenceTopicSession):
        unsupported(patch, session, "create_consumer", "use the method of the domain")
