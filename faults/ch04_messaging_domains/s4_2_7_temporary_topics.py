"""Faults in 4.2.7: temporary topics."""

import itertools
from collections import defaultdict

from faults.kit import *


@saboteur("4.2.7-1", "each connection numbers its temporary topics from 1, so names collide")
def _(patch):
    numbers = defaultdict(lambda: itertools.count(1))

    def create_topic(self):
        topic = ReferenceTemporaryTopic(f"temporary-topic-{next(numbers[self])}", self.delete)
        self._add(topic)
        return topic

    patch.replace(TemporaryDestinations, "create_topic", create_topic)


saboteur(
    "4.2.7-4", "any connection may consume from a temporary topic", lambda patch: anyone_consumes(patch, PhysicalTopic)
)
saboteur(
    "4.2.7-5",
    "only the session that created a temporary topic may consume from it",
    lambda patch: maker_consumes(patch, TemporaryTopic),
)
saboteur("4.2.7-8", "delete() of a temporary topic does nothing", lambda patch: no_delete(patch, PhysicalTopic))
saboteur(
    "4.2.7-9",
    "delete() of a temporary topic succeeds although subscribers are open",
    lambda patch: silent_delete(patch, PhysicalTopic),
)
