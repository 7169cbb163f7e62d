"""Faults in 4.1.5: temporary queues."""

import itertools
from collections import defaultdict

from faults.kit import *


@saboteur("4.1.5-1", "each connection numbers its temporary queues from 1, so names collide")
def _(patch):
    numbers = defaultdict(lambda: itertools.count(1))

    def create_queue(self):
        queue = ReferenceTemporaryQueue(f"temporary-queue-{next(numbers[self])}", self.delete)
        self._add(queue)
        return queue

    patch.replace(TemporaryDestinations, "create_queue", create_queue)


saboteur(
    "4.1.5-2",
    "getQueueName of a temporary queue returns null",
    lambda patch: patch.replace(ReferenceTemporaryQueue, "queue_name", property(lambda self: None)),
    collateral={"4.1.5-1": "it compares the names"},
)


@saboteur("4.1.5-3", "closing a session deletes the temporary destinations it created")
def _(patch):
    makers = makers_of_temporaries(patch)

    def drop_unfinished(original, session):
        temporaries = session.connection.temporaries
        if not session.connection.closing:
            made = [one for one in temporaries._physical.values() if makers[one.destination.name] is session]
            for physical in made:
                with session.broker.lock:
                    temporaries._remove(physical.destination, physical)
        original(session)

    patch.at(fault_points.SESSION_ENDED, drop_unfinished)


@saboteur("4.1.5-4", "temporary destinations outlive their connection")
def _(patch):
    def delete_all(self):
        for physical in self._physical.values():
            physical.temporary = False
        self._physical.clear()

    patch.replace(TemporaryDestinations, "delete_all", delete_all)


saboteur(
    "4.1.5-5", "any connection may consume from a temporary queue", lambda patch: anyone_consumes(patch, PhysicalQueue)
)
saboteur(
    "4.1.5-6",
    "only the session that created a temporary queue may consume from it",
    lambda patch: maker_consumes(patch, TemporaryQueue),
)
saboteur("4.1.5-8", "delete() of a temporary queue does nothing", lambda patch: no_delete(patch, PhysicalQueue))
saboteur(
    "4.1.5-9",
    "delete() of a temporary queue succeeds although receivers are open",
    lambda patch: silent_delete(patch, PhysicalQueue),
)
