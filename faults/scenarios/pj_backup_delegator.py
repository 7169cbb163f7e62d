"""Faults of a dispatcher of a queue."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from faults.kit.common import Submit, around
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.client.consumers import ReferenceConsumer
from reference_provider.client.sessions import ReferenceSession
from reference_provider.messages.map_message import ReferenceMapMessage
from tck.api import Int, Long

MANY = 10


def _first_submitted(patch: Patch, fault: Callable[[Submit, ReferenceSession, Any, StoredMessage], None]) -> None:
    """Run `fault` in place of the first submission of a message to each destination."""
    known = set[Any]()

    def submit(original: Submit, session: ReferenceSession, physical: Any, entry: StoredMessage) -> None:
        first = physical not in known
        known.add(physical)
        if first:
            fault(original, session, physical, entry)
        else:
            original(session, physical, entry)

    patch.at(fault_points.SEND_SUBMITTED, submit)


@saboteur("pj-backup-delegator-1", "the first message of a queue is lost")
def _(patch: Patch) -> None:
    _first_submitted(patch, lambda original, session, physical, entry: None)


@saboteur("pj-backup-delegator-2", "the first message of a queue loses its kind and its body")
def _(patch: Patch) -> None:
    def fault(original: Submit, session: ReferenceSession, physical: Any, entry: StoredMessage) -> None:
        entry.snapshot = entry.snapshot._replace(kind="message", body=None)
        original(session, physical, entry)

    _first_submitted(patch, fault)


@saboteur("pj-backup-delegator-3", "getObject of a map message returns an int as a Long")
def _(patch: Patch) -> None:
    def get_object(original: Callable[..., object], message: ReferenceMapMessage, name: str) -> object:
        value = original(message, name)
        return Long(value.value) if isinstance(value, Int) else value

    around(patch, ReferenceMapMessage, "get_object", get_object)


@saboteur("pj-backup-delegator-4", "the first message of a queue is delivered twice")
def _(patch: Patch) -> None:
    def fault(original: Submit, session: ReferenceSession, physical: Any, entry: StoredMessage) -> None:
        original(session, physical, entry)
        again = copy.copy(entry)
        again.number = session.broker.next_number()
        original(session, physical, again)

    _first_submitted(patch, fault)


@saboteur("pj-backup-delegator-5", "the close of a consumer loses the next message of a queue where ten or more wait")
def _(patch: Patch) -> None:
    def detach(original: Callable[[ReferenceConsumer], None], consumer: ReferenceConsumer) -> None:
        original(consumer)
        queue = consumer.receiver.delivery_queue
        free = list(queue.free_entries())
        if len(free) >= MANY:
            queue.remove(free[0].number, free[0].priority)

    patch.at(fault_points.CONSUMER_CLOSED, detach)
