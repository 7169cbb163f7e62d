"""Faults in 11.2.2: the session of a server session, and its start."""

from __future__ import annotations

from collections.abc import Callable

from faults.kit.common import connection_of
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from faults.kit.servers import after_load, session_of, started
from reference_provider.broker.delivery import Delivery
from reference_provider.client.application_server import fault_points as server_points
from reference_provider.client.application_server.connection_consumers import ReferenceConnectionConsumer
from reference_provider.client.application_server.server_session import ServerSessionRunner
from tck.api import MessageListener, ServerSession


@saboteur("11.2.2-1", "where six messages may be loaded, the listener of another session of the connection gets them")
def _(patch: Patch) -> None:
    astray = set[ServerSessionRunner]()

    def loaded(consumer: ReferenceConnectionConsumer, runner: ServerSessionRunner) -> None:
        if consumer.max_messages == 6:
            astray.add(runner)

    def call(
        original: Callable[..., bool], runner: ServerSessionRunner, listener: MessageListener, delivery: Delivery
    ) -> bool:
        others = [one.runner.listener for one in connection_of(session_of(runner)).sessions if one.runner is not runner]
        other = next((one for one in others if one is not None), listener)
        return original(runner, other if runner in astray else listener, delivery)

    after_load(patch, loaded)
    patch.at(server_points.OWN_LISTENER_CALLED, call)


@saboteur(
    "11.2.2-2",
    "where seven messages may be loaded, the provider runs the session itself and does not start the server session",
)
def _(patch: Patch) -> None:
    def fault(consumer: ReferenceConnectionConsumer, server_session: ServerSession, start: Callable[[], None]) -> None:
        if consumer.max_messages == 7:
            server_session.session.run()
        else:
            start()

    started(patch, fault)
