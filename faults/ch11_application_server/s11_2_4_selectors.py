"""Faults in 11.2.4: the selector of a connection consumer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from faults.kit.servers import created
from tck.api import InvalidSelectorException


@saboteur("11.2.4-3", "where three messages may be loaded, the selector is ignored")
def _(patch: Patch) -> None:
    def create(
        original: Callable[..., Any], connection: object, destination: object, selector: str, pool: object, most: int
    ) -> Any:
        return original(connection, destination, None if most == 3 else selector, pool, most)

    created(patch, "create_connection_consumer", create)


@saboteur("11.2.4-14", "an empty selector is refused as invalid")
def _(patch: Patch) -> None:
    def create(
        original: Callable[..., Any], connection: object, destination: object, selector: str, *others: Any
    ) -> Any:
        if not selector and selector is not None:
            raise InvalidSelectorException("the selector is empty")
        return original(connection, destination, selector, *others)

    created(patch, "create_connection_consumer", create)
