"""Faults in 11.2.4: connection consumers of stopped connections, and closed ones."""

from __future__ import annotations

from collections.abc import Callable

from faults.kit.common import around
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from faults.kit.servers import connection_of
from reference_provider.client.application_server import fault_points as server_points
from reference_provider.client.application_server.connection_consumers import ReferenceConnectionConsumer


@saboteur("11.2.4-7", "run() passes loaded messages on while the connection is stopped")
def _(patch: Patch) -> None:
    patch.at(server_points.RUN_ALLOWED, lambda original, runner: True)


@saboteur("11.2.4-16", "a closed connection consumer goes on until its connection is closed")
def _(patch: Patch) -> None:
    def close(original: Callable[..., None], consumer: ReferenceConnectionConsumer) -> None:
        if connection_of(consumer).is_down():
            original(consumer)

    around(patch, ReferenceConnectionConsumer, "close", close)
