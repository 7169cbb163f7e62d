"""Faults in 4.1.5: temporary queues."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Callable

from faults.kit.common import connection_of
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from faults.kit.temporaries import (
    anyone_consumes,
    maker_consumes,
    makers_of_temporaries,
    no_delete,
    silent_delete,
)
from reference_provider import fault_points
from reference_provider.broker.physical_destinations import PhysicalQueue
from reference_provider.client.sessions import ReferenceSession
from reference_provider.client.temporary_destinations import TemporaryDestinations
from reference_provider.destinations import ReferenceTemporaryQueue
from tck.api import TemporaryQueue


@saboteur("4.1.5-1", "each connection numbers its temporary queues from 1, so names collide")
def _(patch: Patch) -> None:
    numbers: defaultdict[TemporaryDestinations, itertools.count[int]] = defaultdict(lambda: itertools.count(1))

    def create_queue(self: TemporaryDestinations) -> ReferenceTemporaryQueue:
        queue = ReferenceTemporaryQueue(f"temporary-queue-{next(numbers[self])}", self.delete)
        self._add(queue)
        return queue

    patch.replace(TemporaryDestinations, "create_queue", create_queue)


@saboteur("4.1.5-2", "getQueueName of a temporary queue returns null", collateral={"4.1.5-1": "it compares the names"})
def _(patch: Patch) -> None:
    patch.replace(ReferenceTemporaryQueue, "queue_name", property(lambda self: None))


@saboteur("4.1.5-3", "closing a session deletes the temporary destinations it created")
def _(patch: Patch) -> None:
    makers = makers_of_temporaries(patch)

    def drop_unfinished(original: Callable[..., None], session: ReferenceSession) -> None:
        temporaries = session.connection.temporaries
        if not connection_of(session).closing:
            made = [one for one in temporaries._physical.values() if makers[one.destination.name] is session]
            for physical in made:
                with session.broker.lock:
                    temporaries._remove(physical.destination, physical)
        original(session)

    patch.at(fault_points.SESSION_ENDED, drop_unfinished)


@saboteur("4.1.5-4", "temporary destinations outlive their connection")
def _(patch: Patch) -> None:
    def delete_all(self: TemporaryDestinations) -> None:
        for physical in self._physical.values():
            physical.temporary = False
        self._physical.clear()

    patch.replace(TemporaryDestinations, "delete_all", delete_all)


@saboteur("4.1.5-5", "any connection may consume from a temporary queue")
def _(patch: Patch) -> None:
    anyone_consumes(patch, PhysicalQueue)


@saboteur("4.1.5-6", "only the session that created a temporary queue may consume from it")
def _(patch: Patch) -> None:
    maker_consumes(patch, TemporaryQueue)


@saboteur("4.1.5-8", "delete() of a temporary queue does nothing")
def _(patch: Patch) -> None:
    no_delete(patch, PhysicalQueue)


@saboteur("4.1.5-9", "delete() of a temporary queue succeeds although receivers are open")
def _(patch: Patch) -> None:
    silent_delete(patch, PhysicalQueue)
