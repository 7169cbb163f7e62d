"""A fault in 11.2.7: acknowledgment in server sessions."""

from __future__ import annotations

from collections.abc import Callable

from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from faults.kit.servers import session_of
from reference_provider.broker.delivery import Delivery
from reference_provider.client.application_server import fault_points as server_points
from reference_provider.client.application_server.server_session import ServerSessionRunner
from tck.api import MessageListener, Session


@saboteur("11.2.7-2", "a server session in CLIENT_ACKNOWLEDGE acknowledges by itself when its listener returns")
def _(patch: Patch) -> None:
    def call(
        original: Callable[..., bool], runner: ServerSessionRunner, listener: MessageListener, delivery: Delivery
    ) -> bool:
        failed = original(runner, listener, delivery)
        session = session_of(runner)
        if not failed and session.mode == Session.CLIENT_ACKNOWLEDGE:
            session.acknowledge_all()
        return failed

    patch.at(server_points.OWN_LISTENER_CALLED, call)
