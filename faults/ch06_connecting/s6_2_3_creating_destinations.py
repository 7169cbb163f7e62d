"""Faults in 6.2.3: creating destination objects by name."""

from collections import Counter

from faults.kit import *


@saboteur("6.2.3-1", "a session that creates a topic of one name twice gets another topic the second time")
def _(patch):
    created = Counter()

    def create_topic(original, session, name):
        created[session, name] += 1
        return original(session, f"{name}-again" if created[session, name] > 1 else name)

    patch.around(ReferenceSession, "create_topic", create_topic)


@saboteur(
    "6.2.3-2",
    "createQueue and createTopic create the destination at once",
    around=(ReferenceSession, "create_queue", "create_topic"),
)
def _(original, session, name):
    made = original(session, name)
    with session.broker.lock:
        session.broker.physical_destination(made)
    return made
