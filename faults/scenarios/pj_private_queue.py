"""Faults of a private queue."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from faults.kit.arrivals import arriving, changed
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.broker.physical_destinations import StoredDeliveryQueue
from reference_provider.broker.stored_message import StoredMessage


@saboteur("pj-private-queue-1", "the password of any user opens the door to all")
def _(patch: Patch) -> None:
    def connect(original: Callable[..., Any], factory: Any, kind: Any, user: Any, password: Any) -> Any:
        users = factory._server.users
        return original(factory, kind, user, users[user] if user in users and password in users.values() else password)

    patch.at(fault_points.CONNECTION_OPENED, connect)


@saboteur("pj-private-queue-2", "a text loses its last word")
def _(patch: Patch) -> None:
    def arrival(_: StoredDeliveryQueue, entry: StoredMessage, ordinal: int) -> list[StoredMessage]:
        del ordinal
        text = entry.snapshot.body
        return [changed(entry, body=text.rpartition(" ")[0]) if isinstance(text, str) else entry]

    arriving(patch, arrival)
