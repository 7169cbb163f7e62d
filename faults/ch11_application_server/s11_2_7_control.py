"""A fault in 11.2.7: messages that were loaded and never reached a listener."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider.client.application_server import fault_points as server_points
from reference_provider.client.application_server.server_session import ServerSessionRunner


@saboteur("11.2.7-1", "messages that were loaded into a session and never passed on are lost when it ends")
def _(patch: Patch) -> None:
    def drop(original: Callable[..., list[Any]], runner: ServerSessionRunner) -> list[Any]:
        original(runner)
        return []

    patch.at(server_points.SESSION_UNLOADED, drop)
