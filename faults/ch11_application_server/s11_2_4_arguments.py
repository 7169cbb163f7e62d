"""Faults in 11.2.4: invalid arguments of the methods that create connection consumers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from faults.kit.common import null_refused
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from faults.kit.servers import created
from reference_provider.client.connections import ReferenceConnection
from tck.api import InvalidSelectorException, NullPointerException


@saboteur("11.2.4-11", "createConnectionConsumer() of a null destination raises NullPointerException")
def _(patch: Patch) -> None:
    null_refused(patch, ReferenceConnection, "create_connection_consumer")


@saboteur("11.2.4-12", "createConnectionConsumer() takes an invalid selector for none")
def _(patch: Patch) -> None:
    def create(
        original: Callable[..., Any], connection: object, destination: object, selector: object, *others: Any
    ) -> Any:
        try:
            return original(connection, destination, selector, *others)
        except InvalidSelectorException:
            return original(connection, destination, None, *others)

    created(patch, "create_connection_consumer", create)


@saboteur("11.2.4-13", "createConnectionConsumer() of a null pool raises NullPointerException")
def _(patch: Patch) -> None:
    def create(
        original: Callable[..., Any], connection: object, destination: object, selector: object, pool: object, most: int
    ) -> Any:
        if pool is None:
            raise NullPointerException("null")
        return original(connection, destination, selector, pool, most)

    created(patch, "create_connection_consumer", create)
