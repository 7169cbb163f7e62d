"""Faults in 11.2.4: connection consumers of named subscriptions."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from faults.kit.servers import created
from reference_provider.client.connections import ReferenceConnection


@saboteur("11.2.4-8", "a connection consumer of a new durable subscription has one that is not durable")
def _(patch: Patch) -> None:
    def create(
        original: Callable[..., Any], connection: ReferenceConnection, topic: object, name: str | None, *others: Any
    ) -> Any:
        with connection.broker.lock:
            known = connection.broker.subscriptions.durable((connection.client_id_or_none, name or ""))
        if known is None:
            return ReferenceConnection.create_connection_consumer(connection, topic, *others)  # type: ignore[arg-type]
        return original(connection, topic, name, *others)

    created(patch, "create_durable_connection_consumer", create)


def _own_copies(patch: Patch, name: str) -> None:
    """Give each connection consumer a subscription of its own."""
    numbers = itertools.count()

    def create(original: Callable[..., Any], connection: object, topic: object, shared: object, *others: Any) -> Any:
        return original(connection, topic, f"{shared}-{next(numbers)}", *others)

    created(patch, name, create)


@saboteur("11.2.4-9", "each connection consumer of a shared subscription has a copy of the messages")
def _(patch: Patch) -> None:
    _own_copies(patch, "create_shared_connection_consumer")


@saboteur("11.2.4-10", "each connection consumer of a shared durable subscription has a copy of the messages")
def _(patch: Patch) -> None:
    _own_copies(patch, "create_shared_durable_connection_consumer")
