"""Faults in 4.2.1: topics, publishers and subscribers."""

from collections import defaultdict

from faults.kit import *


@saboteur(
    "4.2.1-1", "a TopicSubscriber ignores noLocal", version="2.0", around=(ReferenceTopicSession, "create_subscriber")
)
def _(original, self, topic, message_selector=OMITTED, no_local=OMITTED):
    return original(self, topic, message_selector)


@saboteur("4.2.1-2", "publishing to a topic without a subscriber fails", by=rerouted)
def _(physical, entry, wanting):
    if not physical.subscriptions:
        raise InvalidDestinationException(f"nobody subscribes to {physical.destination}")
    return wanting


@saboteur("4.2.1-3", "messages of the third publisher to a topic are dropped")
def _(patch):
    publishers = defaultdict(list)

    def fault(physical, entry, wanting):
        known = publishers[id(physical)]
        if entry.sender not in known:
            known.append(entry.sender)
        return [] if entry.sender in known[2:3] else wanting

    rerouted(patch, fault)
