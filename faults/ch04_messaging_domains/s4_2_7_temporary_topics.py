"""Faults in 4.2.7: temporary topics."""

from __future__ import annotations

import itertools
from collections import defaultdict

from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from faults.kit.temporaries import anyone_consumes, maker_consumes, no_delete, silent_delete
from reference_provider.broker.physical_destinations import PhysicalTopic
from reference_provider.client.temporary_destinations import TemporaryDestinations
from reference_provider.destinations import ReferenceTemporaryTopic
from tck.api import TemporaryTopic


@saboteur("4.2.7-1", "each connection numbers its temporary topics from 1, so names collide")
def _(patch: Patch) -> None:
    numbers: defaultdict[TemporaryDestinations, itertools.count[int]] = defaultdict(lambda: itertools.count(1))

    def create_topic(self: TemporaryDestinations) -> ReferenceTemporaryTopic:
        topic = ReferenceTemporaryTopic(f"temporary-topic-{next(numbers[self])}", self.delete)
        self._add(topic)
        return topic

    patch.replace(TemporaryDestinations, "create_topic", create_topic)


@saboteur("4.2.7-4", "any connection may consume from a temporary topic")
def _(patch: Patch) -> None:
    anyone_consumes(patch, PhysicalTopic)


@saboteur("4.2.7-5", "only the session that created a temporary topic may consume from it")
def _(patch: Patch) -> None:
    maker_consumes(patch, TemporaryTopic)


@saboteur("4.2.7-8", "delete() of a temporary topic does nothing")
def _(patch: Patch) -> None:
    no_delete(patch, PhysicalTopic)


@saboteur("4.2.7-9", "delete() of a temporary topic succeeds although subscribers are open")
def _(patch: Patch) -> None:
    silent_delete(patch, PhysicalTopic)
