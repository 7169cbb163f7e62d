"""Faults in 5.2: destinations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from faults.kit.common import around
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider.client.sessions import ReferenceSession


@saboteur("5.2-2", "a queue that createQueue makes is a private copy of the queue of that name")
def _(patch: Patch) -> None:
    def create_queue(original: Callable[..., Any], session: ReferenceSession, name: str) -> Any:
        return original(session, f"{name}.copy")

    around(patch, ReferenceSession, "create_queue", create_queue)
