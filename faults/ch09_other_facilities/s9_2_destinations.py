"""Faults in 9.2: destination objects that a session of one domain creates by name."""

from faults.kit import *


@saboteur("9.2-18", "a QueueSession or TopicSession strips the dots from the end of a name")
def _(patch):
    def create(original, session, name):
        return original(session, name and name.rstrip("."))

    patch.around(ReferenceQueueSession, "create_queue", create)
    patch.around(ReferenceTopicSession, "create_topic", create)
